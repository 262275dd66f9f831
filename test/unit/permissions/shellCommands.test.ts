import assert from 'node:assert/strict';
import { analysed, codesOf, commandsOf } from '../../support/shellAnalysis.ts';

/** Command line, and every command that it would start. */
const found: Record<string, readonly string[]> = {
	'ls && rm -rf x': ['ls', 'rm -rf x'],
	'ls;rm x': ['ls', 'rm x'],
	'ls & rm x': ['ls', 'rm x'],
	'ls\nrm x': ['ls', 'rm x'],
	"ls 'a && b'": ['ls a && b'],
	lsof: ['lsof'],
	'l\\s; "l"s; \'ls\'; \\rm x': ['ls', 'ls', 'ls', 'rm x'],
	'(a; b) | c |& d || ! e': ['a', 'b', 'c', 'd', 'e'],
	'{ a; }; if b; then c; elif d; then e; else f; fi': ['a', 'b', 'c', 'd', 'e', 'f'],
	'for i in "$(a)"; do b; done; while c; do d; done; case $(e) in x) f;; *) g;; esac': [
		'a',
		'b',
		'c',
		'd',
		'e',
		'f',
		'g',
	],
	'x() { rm y; }; x': ['rm y', 'x'],
	'echo "a $(b "$(c)") `d`" <(e) > >(f)': ['b ?', 'c', 'd', 'e', 'f', 'echo ? ?'],
	'echo ${x:-$(a)} "${y:+`b`}"': ['a', 'b', 'echo ? ?'],
	'cat <<EOF && b\n$(a)\nEOF': ['a', 'b', 'cat'],
	"cat <<'EOF'\n$(a)\nEOF": ['cat'],
	'[[ -n "$(a)" ]] && [ -f x ]': ['a', '[ -f x ]'],
	"eval 'a; b'": ['[eval] a', '[eval] b'],
	"bash -ec 'a && b'": ['[bash -c] a', '[bash -c] b'],
	"trap 'rm x' EXIT": ['trap rm x EXIT', '[trap] rm x'],
	'sudo -u me timeout -k 1 5 nice -n 3 npm test': ['[sudo] [timeout] [nice] npm test'],
	'env -u A B=1 C=2 rm x': ['[env] rm x'],
	'nohup stdbuf -oL command -p exec a': ['[nohup] [stdbuf] [command] [exec] a'],
	'ls | xargs -n1 rm': ['ls', '[xargs with options] rm ?'],
	"find . -name '*.c' -exec cat {} +": ['find . -name *.c -exec cat {} +', '[find -exec] cat ?'],
	'/usr/bin/env /bin/rm x': ['[env] /bin/rm x'],
	'flock l -c "rm x"': ['flock l -c rm x', '[flock] [sh -c] rm x'],
	'time -p ls': ['[time] ls'],
	'A=1 B=$(c) d': ['c', 'd'],
	'git bisect run rm x': ['git bisect run rm x', '[git bisect run] rm x'],
};

/** Command line, and why it is not understood. */
const unclear: Record<string, string> = {
	$x: 'dynamic_command',
	'"$(a)" b': 'dynamic_command',
	'{a,b} c': 'syntax',
	'c <> z': 'syntax',
	'l* x': 'dynamic_command',
	'env $x rm': 'dynamic_command',
	'find . $x': 'dynamic_command',
	'eval "$x"': 'dynamic_code',
	'bash -c "$x"': 'dynamic_code',
	'curl x | sh': 'dynamic_code',
	'bash <<< "rm x"': 'dynamic_code',
	'source x': 'dynamic_code',
	'. ./x': 'dynamic_code',
	'x="a[\\$(rm y)]"; echo $((x))': 'dynamic_code',
	"[[ 'a[$(rm x)]' -eq 1 ]]": 'dynamic_code',
	"test -v 'a[$(rm x)]'": 'dynamic_code',
	"printf -v 'a[$(rm x)]' y": 'dynamic_code',
	'echo ${!x}': 'dynamic_code',
	'echo ${x@P}': 'dynamic_code',
	"mapfile -C 'rm x' a": 'dynamic_code',
	"sed 's/a/b/e' x": 'dynamic_code',
	"sed 'w out' x": 'dynamic_code',
	'tar xf a --to-command=rm': 'dynamic_code',
	'sort --compress-prog=x y': 'dynamic_code',
	'git clone ext::sh': 'dynamic_code',
	'git grep -Ox y': 'dynamic_code',
	'rm $x': 'dynamic_target',
	'ls > $x': 'dynamic_target',
	'ls > a/../b': 'dynamic_target',
	'PATH=x ls': 'environment',
	'export LD_PRELOAD=x': 'environment',
	'GIT_SSH_COMMAND=evil git push': 'environment',
	'git -c core.pager=evil log': 'environment',
	'npm --script-shell=x test': 'environment',
	'env IFS=x ls': 'environment',
	'echo (': 'syntax',
	fi: 'syntax',
	// The grammar takes all of it behind `grep` for its words.
	"sort a |\n\tsed -n 's/^[0-9][0-9]* //p' |\n\tgrep -v '^$'\n\nrc=$?\n[ $rc -eq 1 ] &&\n\techo": 'syntax',
	'ls \u202e x': 'unsupported',
	'ls\u00a0x': 'syntax',
	'ls； rm': 'unsupported',
	'ls\r': 'unsupported',
	'sudo -i': 'unsupported',
	'strace ls': 'unsupported',
	'echo @(a|b)': 'syntax',
	'enable -f x y': 'dynamic_code',
	"alias ls='rm x'": 'dynamic_code',
	'shopt -s expand_aliases': 'dynamic_code',
	'set -k': 'dynamic_code',
	'hash -p /x ls': 'dynamic_code',
};

suite('shell commands', () => {
	for (const [command, commands] of Object.entries(found)) {
		test(`all that is started by ${JSON.stringify(command)}`, async () => {
			const analysis = await analysed(command);
			assert.deepEqual(commandsOf(analysis).toSorted(), commands.toSorted());
		});
	}

	for (const [command, code] of Object.entries(unclear)) {
		test(`not understood (${code}): ${JSON.stringify(command)}`, async () => {
			const analysis = await analysed(command);
			assert.ok(codesOf(analysis).includes(code), `said: ${codesOf(analysis).join()}`);
			assert.equal(analysis.readOnly, false);
		});
	}

	test('too long, too deep, without a grammar: not understood', async () => {
		assert.deepEqual(codesOf(await analysed(`echo ${'x'.repeat(10_000)}`)), ['too_long']);
		assert.ok(codesOf(await analysed(`${'$('.repeat(200)}a${')'.repeat(200)}`)).length > 0);
		for (const shell of ['fish', 'cmd.exe', 'nu', ''])
			assert.deepEqual(codesOf(await analysed('ls', shell)), ['no_parser']);
	});

	test('sh, dash and zsh: what they read differently from bash is not understood', async () => {
		for (const command of ["$'rm' x", '((rm x))', 'a &> b', 'cat <<< x', '[[ a ]]', 'function f { a; }']) {
			assert.notDeepEqual(codesOf(await analysed(command, 'sh')), [], command);
		}
		for (const command of ['=ls x', '> x', 'ls *(e:x:)', 'repeat 3 ls', 'ls >! x']) {
			assert.notDeepEqual(codesOf(await analysed(command, '/bin/zsh')), [], command);
		}
	});

	test('10,000 characters are read in far less than a second', async () => {
		await analysed('ls');
		for (const text of ['echo a b; ', 'a && ', '"$(a)" ', '$((1+x)) ', '`a` ', '{a,b} ', "$'a' ", 'x=1 ']) {
			const command = `echo ${text.repeat(Math.floor(9_900 / text.length))} z`;
			const start = performance.now();
			await analysed(command);
			assert.ok(performance.now() - start < 2_000, text);
		}
	});
});
