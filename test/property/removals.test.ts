// What removes a place past repair asks, however it is written and wherever it stands; fast-check tells the seed.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { permissionModes } from '../../src/shared/permission.ts';
import { codeOf, judgeCommandLine } from '../support/permissions.ts';

const home = '/home/u';
const roots = ['/w', '/v/ü'];
/** Folders as a shell may name them, where `/w` is the current one. */
const names = [
	'/ /etc //usr/ /./etc ~ ~/ ~u /home/u/. /home . ./ .. ../ /w "/w/" \\/w w""/.. /v {/etc,a}',
	'"$HOME" ${HOME} "${HOME:?}" $PWD "$(pwd)" $X "${X%/}" $@ "$OLDPWD" ${1:-.}',
	"'/w' '/v/ü' /v/u\u0308",
].flatMap((line) => line.split(' '));
const place = fc.constantFrom(...names, '`pwd`', '$(git rev-parse --show-toplevel)');
const all = fc.constantFrom('', '/', '/*', '/.[!.]*', '/{*,.*}', '/*/');
const options = fc.constantFrom('-rf', '-r -f', '-fr --', '-Rv', '--recursive', '--rec -f', '-rf --no-preserve-root');
const ways = [
	'rm',
	'find',
	'find -exec',
	'find -exec sh',
	'find | xargs',
	'echo | xargs',
	'xargs <<<',
	'cd',
	'pushd',
	'git',
	'rsync',
	'rimraf',
	'array',
	'set',
	'variable',
	'loop',
	'while',
	'fd',
	'parallel',
] as const;
/** The whole of a folder, by `rm` or by something that calls it or does as it does. */
const removal = fc
	.record({
		place,
		all,
		options,
		way: fc.constantFrom(...ways),
	})
	.map(({ place: at, all: end, options: how, way }) => {
		switch (way) {
			case 'rm':
				return `rm ${how} ${at}${end}`;
			case 'find':
				return `find ${at} -mindepth 1 -delete`;
			case 'find -exec':
				return `find ${at} -type f -exec rm {} +`;
			case 'find -exec sh':
				return `find ${at} -exec bash -c 'rm "$@"' _ {} +`;
			case 'find | xargs':
				return `find ${at} -print0 | xargs -0 rm ${how}`;
			case 'echo | xargs':
				return `echo ${at} | xargs -I% rm ${how} %`;
			case 'xargs <<<':
				return `xargs rm ${how} <<< ${at}`;
			case 'cd':
				return `cd ${at} && rm ${how} ./*`;
			case 'pushd':
				return `pushd ${at}; find . -delete`;
			case 'git':
				return `git clean -ffdx`;
			case 'rsync':
				return `rsync -a --delete-after empty/ ${at}`;
			case 'rimraf':
				return `npx rimraf ${at}`;
			case 'array':
				return `a=(${at}${end}); rm ${how} "\${a[@]}"`;
			case 'set':
				return `set -- ${at}; rm ${how} "$@"`;
			case 'variable':
				return `D=${at}; rm ${how} "$D"${end}`;
			case 'loop':
				return `for d in ${at}; do rm ${how} "$d"; done`;
			case 'while':
				return `ls ${at} | while read d; do rm ${how} "$d"; done`;
			case 'fd':
				return `fd . ${at} -X rm ${how}`;
			case 'parallel':
				return `parallel rm ${how} {} ::: ${at}`;
		}
	});
const wrapper = fc.constantFrom<(line: string) => string>(
	(line) => line,
	(line) => `(${line})`,
	(line) => `true && { ${line}; }`,
	(line) => `if [ -d a ]; then ${line}; fi`,
	(line) => `! ${line} || echo no`,
	(line) => `f() { ${line}; }; f`,
	(line) => `echo "$(${line})"`,
	(line) => `cat <(${line})`,
	(line) => `npm test\n${line} &`,
	(line) => `mkdir -p build && rm -rf build/x; ${line}`,
	(line) => `${line} 2>/dev/null`,
	(line) => `time ${line}`,
);
const rules = fc.subarray(['Bash', 'Bash(rm *)', 'Bash(find *)', 'Bash(*)', 'Edit(//**)', 'Edit(**)']);

suite('property: removals past repair', () => {
	test('ask in every mode, whatever rules and hooks allow, and run nowhere where nobody is asked', async () => {
		await fc.assert(
			fc.asyncProperty(
				removal,
				wrapper,
				rules,
				fc.constantFrom(...permissionModes),
				async (line, wrap, allow, mode) => {
					const text = wrap(line);
					const world = { roots, home, mode, realPath: (path: string) => Promise.resolve(path) };
					const hook = { behavior: 'allow' } as const;
					const verdict = codeOf(await judgeCommandLine(text, '/w', { ...world, texts: { allow }, hook }));
					const wanted = mode === 'plan' || mode === 'dontAsk' ? /^deny / : /^ask critical_path$/;
					assert.match(verdict, wanted, text);
				},
			),
			{ numRuns: 200 },
		);
	});
});
