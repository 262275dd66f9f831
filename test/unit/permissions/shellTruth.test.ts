import assert from 'node:assert/strict';
import { judgeLines } from '../../shellTruth/judge.ts';
import { whyNot } from '../../shellTruth/sandbox.ts';
import { grammars } from '../../support/shellAnalysis.ts';
import { TreeSitterShellParser } from '../../../src/node/shellParser/treeSitterShellParser.ts';

/** A fixed small part of `npm run shell-truth`; most lines once were unlisted, or could be. */
const lines = [
	'alpha "x y" > out; cd sub && env beta "$(gamma)"',
	'l\\s; \'alp\'ha; "be"ta x',
	'cd sub; touch new; cd /nowhere; touch other',
	'cd nowhere && touch x || touch y',
	'(cd /tmp && rm t); mv a c',
	'for i in a b; do alpha "$i" `beta`; done',
	'cat <<EOF | alpha\n$(beta)\nEOF',
	"cat <<'EOF' > out\n$(beta)\nEOF",
	'bash -c \'alpha; sh -c "beta > x"\'',
	"eval 'cd sub'; touch x",
	"trap 'touch /tmp/end' EXIT; alpha",
	'env -C sub touch x',
	'find . -name a -exec alpha {} \\;',
	'printf "a\\nb" | xargs -n1 alpha x',
	'sudo -u me timeout 2 nice -n 5 beta',
	"flock lock -c 'alpha $1'",
	'sed --in-place=.bak s/t/u/ a; sort --outp=z a; cp --target-dir=sub a; rm --recurs src',
	'a | >x env --chdir=sub <a make b',
	'$(time ! alpha)',
	'alpha >&it\\\'s; beta >&"~/n"',
	"sort a |\n\tsed -n 's/^x//p' |\n\tgrep -v '^$'\n\nrc=$?\n[ $rc -eq 1 ] &&\n\techo",
	"x='a[$(touch y)]'; [[ x -eq 1 ]]",
	'rm x{1,2} *.txt; mkdir -p n/{a,b}; ln a l; ln -s a k; truncate -s 0 b',
	'f() { cd sub; alpha; }; f; touch here',
	'[[ -n "$(alpha)" ]] || case $(beta) in *) gamma ;; esac',
	'{ alpha; rm a; } > out 2>&1; ! beta <(gamma) > >(delta)',
	'while alpha; do cd sub; touch x; break; done; touch y',
];

suite('shell truth', function () {
	this.timeout(60_000);

	test('what a real shell starts and writes is listed, or the line is not understood', async function () {
		const refusal = whyNot();
		if (refusal !== undefined) {
			console.log(`    skipped: ${refusal}`);
			this.skip();
		}
		const report = await judgeLines(lines, new TreeSitterShellParser(grammars));
		assert.deepEqual(report.faults, []);
		assert.ok(report.active > lines.length / 2, `only ${report.active} lines did something`);
	});
});
