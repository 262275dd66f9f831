// Command lines by grammar: nesting, quoting and obfuscation, with real writers and wrappers among the words.
import fc from 'fast-check';

const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'npm', 'git-x', 'node', 'make');
const plainText = fc.constantFrom(
	'a',
	'b',
	'file.txt',
	'src',
	'src/a.c',
	'-x',
	'--flag=1',
	'new',
	'sub',
	'./a',
	'/tmp/t',
	'~/n',
	'..',
	'x y',
	"it's",
	'$5',
	'*',
	'a#b',
	'{',
	'}',
	'!',
	'=',
	'%',
	'&',
	';',
	'|',
	'>',
	'(',
	'',
);
const variable = fc.constantFrom(
	'$X',
	'"$X"',
	'${X}',
	'${X:-d}',
	'"${X-e}"',
	'$HOME',
	'"$HOME/h"',
	'$1',
	'$@',
	'"$@"',
	'$#',
	'$?',
	'${X:+y}',
	'${#X}',
	'${X%%.*}',
	'${X//a/b}',
	'${X^^}',
	'${X:1:2}',
	'$$',
);

/** The same text, quoted in one way or another. */
export function quoted(text: string): fc.Arbitrary<string> {
	const single = `'${text.replaceAll("'", String.raw`'\''`)}'`;
	const double = `"${text.replaceAll(/[$`"\\]/g, String.raw`\$&`)}"`;
	const escaped = text === '' ? "''" : text.replaceAll(/[^\w./~-]/g, (char) => `\\${char}`);
	const ansi = `$'${Array.from(text, (char) => `\\x${char.codePointAt(0)?.toString(16).padStart(2, '0')}`).join('')}'`;
	const split =
		text.length > 1
			? `${escaped.charAt(0) === '\\' ? escaped.slice(0, 2) : escaped.charAt(0)}''${escaped.slice(escaped.charAt(0) === '\\' ? 2 : 1)}`
			: single;
	const joined = text.length > 1 && /^[\w./-]+$/.test(text) ? `${text.charAt(0)}\\\n${text.slice(1)}` : double;
	return fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(single, double) },
		{ weight: 8, arbitrary: fc.constant(escaped) },
		{ weight: 2, arbitrary: fc.constant(split) },
		// The grammar takes these apart; they are seen to be unclear.
		{ weight: 1, arbitrary: fc.constantFrom(ansi, joined) },
	);
}

const program = name.chain((one) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(one) }, { weight: 2, arbitrary: quoted(one) }),
);

export const commandLine: fc.Arbitrary<string> = fc.letrec<{
	line: string;
	simple: string;
	word: string;
	compound: string;
	redirect: string;
	writer: string;
	plain: string;
	wrapped: string;
}>((tie) => {
	const line = tie('line');
	const word = tie('word');
	const inString = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> => arbitrary.chain((code) => quoted(code));
	return {
		word: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			{ weight: 40, arbitrary: plainText.chain(quoted) },
			{ weight: 3, arbitrary: variable },
			line.map((inner) => `$(${inner}\n)`),
			line.map((inner) => `"a $( ${inner} ) b"`),
			tie('plain').map((inner) => `\`${inner.replaceAll(/[`\\$]/g, String.raw`\$&`)}\``),
			line.map((inner) => `"\${X:-$(${inner})}"`),
			line.map((inner) => `\${X:-$(${inner})}`),
			line.map((inner) => `<(${inner})`),
			line.map((inner) => `$((1 + \${Y:-2} + $(( 3 )) ))$(${inner})`),
			fc.tuple(word, word).map(([a, b]) => a + b),
			fc.constantFrom(
				'{a,b}',
				'x{1..3}',
				'*.txt',
				'src/*',
				'?',
				'[ab]',
				'~',
				'a\\\nb',
				"$'a\\tb'",
				'"a\\\nb"',
				'#c',
				'é',
				'$(( 1 + 2 ))',
				'$[1+1]',
			),
		),
		redirect: fc.oneof(
			fc
				.tuple(
					fc.constantFrom('>', '>>', '>|', '2>', '&>', '<>', '1>', '&>>', '>&', '> ', '2>>'),
					plainText.filter((text) => text !== '').chain(quoted),
				)
				.map(([sign, target]) => sign + target),
			fc.constantFrom('2>&1', '>/dev/null', '<a', '<&0', '>&2', '<<<x', '<<<"$X"', '2>&-', '3<a'),
			line.map((inner) => `> >(${inner})`),
			line.map((inner) => `<<<"$(${inner})"`),
		),
		plain: fc
			.tuple(
				name,
				fc.array(
					plainText.filter((text) => /^[\w./-]+$/.test(text)),
					{ maxLength: 2 },
				),
			)
			.map(([head, words]) => [head, ...words].join(' ')),
		writer: fc
			.tuple(
				fc.constantFrom(
					'touch',
					'rm -rf',
					'rm',
					'mkdir -p',
					'mkdir',
					'tee',
					'tee -a',
					'cp',
					'cp -r',
					'mv',
					'ln -s',
					'ln',
					'sed -i s/a/b/',
					'sed s/a/b/',
					'sort -o',
					'sort',
					'dd of=dd.out',
					'truncate -s 0',
					'chmod 600',
					'rmdir',
					'unlink',
					'install',
					'cp -t sub',
					'mv -t sub',
					'uniq',
					'split -n 2',
					'gzip -k',
					'tar cf',
					'shred -u',
					'find',
					'find . -name',
					'cat',
					'head -n1',
					'printf',
					'echo',
					'cd',
					'test -f',
					'export Q=1',
					'unset X',
					'set -e',
					'exit',
					'cd sub &&',
					'cd /tmp;',
					'pushd',
					'sed --in-place=.bak s/t/u/',
					'sort --outp=z a',
					'mkdir --mode=700',
					'rm --recurs',
					'cp --target-dir=sub a',
					'install -D a',
				),
				fc.array(word, { minLength: 1, maxLength: 3 }),
			)
			.map(([head, words]) => `${head} ${words.join(' ')}`),
		wrapped: fc.oneof(
			fc
				.tuple(
					fc.constantFrom(
						'env',
						'env -i',
						'env A=1',
						'env -u X',
						'timeout 2',
						'timeout -k 1 2',
						'nice',
						'nice -n 5',
						'nohup',
						'command',
						'exec',
						'builtin',
						'stdbuf -oL',
						'setsid',
						'time',
						'time -p',
						'sudo',
						'sudo -u me',
						'xargs',
						'xargs -n1',
						'xargs -I{}',
						'!',
						'A=1',
						'A=b$X B=2',
						'NODE_ENV=x',
						'env -C sub',
						'\\command',
						'eval',
						'flock lock',
						'ionice -c3',
						'env --chdir=sub',
						'command -p',
						'time ! ',
						'exec -a zz',
						'timeout --signal=KILL 2',
						'/usr/bin/env',
						'/bin/nice',
						'printf "a\\nb" | xargs',
						'find . -name a -exec',
						'find sub -exec',
					),
					tie('simple'),
				)
				.map(([wrapper, inner]) => (wrapper.endsWith('-exec') ? `${wrapper} ${inner} {} \\;` : `${wrapper} ${inner}`)),
			fc
				.tuple(
					fc.constantFrom(
						'bash -c',
						'sh -c',
						'eval',
						'bash -ec',
						'env sh -c',
						'dash -c',
						'trap',
						'flock lock -c',
						'timeout 2 bash -c',
						'xargs sh -c',
						'sudo sh -c',
						'bash -x -c',
						'bash --norc -c',
						'exec bash -c',
					),
					inString(line),
				)
				.map(([shell, code]) => (shell === 'trap' ? `trap ${code} EXIT` : `${shell} ${code}`)),
		),
		simple: fc.oneof(
			{ depthSize: 'small' },
			{
				weight: 4,
				arbitrary: fc
					.tuple(program, fc.array(word, { maxLength: 3 }))
					.map(([head, words]) => [head, ...words].join(' ')),
			},
			{ weight: 4, arbitrary: tie('writer') },
			{ weight: 2, arbitrary: fc.tuple(tie('simple'), tie('redirect')).map(([one, redirect]) => `${one} ${redirect}`) },
			fc.tuple(tie('redirect'), tie('simple')).map(([redirect, one]) => `${redirect} ${one}`),
			{ weight: 2, arbitrary: tie('wrapped') },
		),
		compound: fc.oneof(
			{ depthSize: 'small' },
			line.map((inner) => `(${inner}\n)`),
			line.map((inner) => `{ ${inner}\n}`),
			fc.tuple(line, line, line).map(([a, b, c]) => `if ${a}\nthen ${b}\nelse ${c}\nfi`),
			fc.tuple(line, line).map(([a, b]) => `for i in a "$(${a}\n)"; do ${b}\ndone`),
			fc.tuple(line, line).map(([a, b]) => `while ${a}\ndo ${b}\nbreak\ndone`),
			fc.tuple(word, line, line).map(([on, a, b]) => `case ${on} in a|b) ${a}\n;; (*) ${b}\nesac`),
			fc.tuple(line, fc.array(word, { maxLength: 2 })).map(([body, words]) => `f() { ${body}\n}; f ${words.join(' ')}`),
			fc
				.tuple(line, line)
				.map(([inner, after]) => `cat <<EOF && ${after.replaceAll('\n', ' ')}\ntext $(${inner}\n) \`alpha\` $X\nEOF\n`),
			fc
				.tuple(line, line)
				.map(([inner, after]) => `tee out <<-'EOF' | ${after.replaceAll('\n', ' ')}\n\t$(${inner})\n\tEOF\n`),
			line.map((inner) => `cat <<EOF\n$(${inner}\n)\nEOF\n`),
			fc.tuple(word, line).map(([one, inner]) => `[[ -n ${one} && "$(${inner}\n)" != x* ]]`),
			line.map((inner) => `(( 1 + $(${inner}\n) ))`),
			fc.tuple(line, line).map(([a, b]) => `# comment 'x\n${a} # c "d\n${b}`),
			line.map((inner) => `X=$(${inner}\n) Z=(a "$(${inner}\n)")`),
			fc.tuple(line, tie('redirect')).map(([inner, redirect]) => `{ ${inner}\n} ${redirect}`),
			line.map((inner) => `declare Y="$(${inner}\n)"`),
			line.map((inner) => `! ${inner}`),
		),
		line: fc.oneof(
			{ depthSize: 'small', maxDepth: 4 },
			{ weight: 6, arbitrary: tie('simple') },
			{
				weight: 4,
				arbitrary: fc
					.tuple(
						line,
						fc.constantFrom(
							' && ',
							' || ',
							'; ',
							' | ',
							' |& ',
							' & ',
							'\n',
							'&&',
							';',
							'|',
							' &&\n',
							' |\n',
							' \\\n&& ',
						),
						line,
					)
					.map((parts) => parts.join('')),
			},
			{ weight: 2, arbitrary: tie('compound') },
		),
	};
}).line;

/** The same lines for the same seed. */
export function generatedLines(count: number, seed: number): string[] {
	const lines = fc.sample(commandLine, { numRuns: count, seed });
	return lines.filter((line) => line.length < 3_000);
}
