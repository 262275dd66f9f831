// The suites of `npm test` and how each is counted. Contract: a suite that crashes, hangs or runs no test is a failure.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { cache, root, run } from './shell.mjs';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string} [reason] what went wrong besides single tests
 * @property {readonly string[]} [failures] a line for each test that failed
 * @property {readonly string[]} [secondTries] a line for each test that passed, or failed, only at its second try
 */
/** @typedef {{ grep?: string }} Filter */
/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {boolean} fast part of `npm run check`
 * @property {boolean} [alongside] runs at the same time as the one before it: neither fills the machine, and neither depends on how fast it is
 * @property {readonly ('browser' | 'server' | 'build' | 'shells')[]} needs
 * @property {(filter: Filter) => Promise<Counts>} run
 */

const bin = path.join(root, 'node_modules/.bin');
const minutes = 60_000;

/** Unit tests that start shells, builds or the headless runner: not part of what takes less than a minute. */
const startsProcesses =
	/^test[\\/]unit[\\/](headless[\\/](headless|limits|codeCache|sessions|crash)|sessions[\\/]lease|shell[\\/](processes|commands|pty|left)|cases[\\/](abort|manyFiles)|subagents[\\/](subagents|attack)|permissions[\\/]shellTruth|flags)\.test\.ts$/;

/** @type {readonly Suite[]} */
export const suites = [
	tool('format', 'prettier', ['--check', '--cache', '--cache-location', '.cache/prettier', '--log-level', 'warn', '.']),
	{ ...tool('lint', 'oxlint', ['--type-aware', '--quiet']), alongside: true },
	tool('types', 'tsc', ['-b']),
	{ ...tool('dead code', 'knip', ['--no-progress', '--no-config-hints']), alongside: true },
	mocha('unit', ['test/unit'], { fast: true, without: startsProcesses, timeoutMs: 5 * minutes }),
	{ ...mocha('property', ['test/property'], { timeoutMs: 10 * minutes }), alongside: true },
	mocha('processes', ['test/unit'], { needs: ['shells'], only: startsProcesses, timeoutMs: 5 * minutes }),
	{
		name: 'build',
		fast: false,
		needs: [],
		run: () => countProgram(process.execPath, ['scripts/build.mjs'], 2 * minutes),
	},
	{
		name: 'integration',
		fast: false,
		needs: ['build', 'browser', 'server', 'shells'],
		run: (filter) =>
			countTests('integration', ['--import', 'tsx', 'test/integration/harness/run.ts'], 10 * minutes, {
				...filter,
				names: true,
			}),
	},
	mocha('e2e', ['test/e2e'], { needs: ['build', 'browser', 'server'], timeoutMs: 40 * minutes, names: true }),
];

/** @param {string} name @param {string} program @param {readonly string[]} args @returns {Suite} */
function tool(name, program, args) {
	const command = process.platform === 'win32' ? `${path.join(bin, program)}.cmd` : path.join(bin, program);
	return { name, fast: true, needs: [], run: () => countProgram(command, args, 5 * minutes) };
}

/**
 * @param {string} name
 * @param {readonly string[]} folders
 * @param {{ fast?: boolean, needs?: Suite['needs'], timeoutMs: number, names?: boolean, only?: RegExp, without?: RegExp }} options
 * @returns {Suite}
 */
function mocha(name, folders, { fast = false, needs = [], timeoutMs, names = false, only, without }) {
	return {
		name,
		fast,
		needs,
		run: async (filter) => {
			const all = folders.flatMap((folder) => testFiles(folder));
			const files = all.filter((file) => (only?.test(file) ?? true) && !without?.test(file));
			if (files.length === 0) return failure('there are no test files');
			const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'scripts/lib/mochaReporter.cjs'];
			// Browser and server are shared by the tests of a process and end with it.
			if (names) args.push('--exit', '--timeout', '120000', '--retries', '1');
			if (filter.grep) args.push('--grep', filter.grep);
			return countTests(name, [...args, ...files], timeoutMs, { names });
		},
	};
}

/** @param {string} folder from the root @returns {string[]} */
export function testFiles(folder) {
	const found = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
	return found
		.filter((file) => /\.test\.tsx?$/.test(file))
		.map((file) => path.join(folder, file))
		.toSorted();
}

/** One program is one test. @param {string} command @param {readonly string[]} args @param {number} timeoutMs @returns {Promise<Counts>} */
async function countProgram(command, args, timeoutMs) {
	const shell = process.platform === 'win32' && command.endsWith('.cmd');
	const { code, output } = await run(command, args, { timeoutMs, shell });
	if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
	process.stdout.write(`${output.trimEnd().replace(/^/gm, '  ')}\n`);
	return {
		passed: 0,
		failed: 1,
		skipped: 0,
		failures: [`${path.basename(command)} ${args[0] ?? ''}: ended with ${code}`],
	};
}

/**
 * Runs Node with something that reports through `mochaReporter.cjs`.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {number} timeoutMs
 * @param {Filter & { names?: boolean }} options
 * @returns {Promise<Counts>}
 */
async function countTests(name, args, timeoutMs, { grep, names }) {
	const report = path.join(cache, 'reports', `${name}-${process.pid}.json`);
	mkdirSync(path.dirname(report), { recursive: true });
	rmSync(report, { force: true });
	const env = {
		...process.env,
		LOOPWRIGHT_TEST_REPORT: report,
		...(names ? { LOOPWRIGHT_TEST_NAMES: '1' } : { LOOPWRIGHT_TEST_MUST_END: '1' }),
		...(grep ? { LOOPWRIGHT_TEST_GREP: grep } : {}),
	};
	const { code } = await run(process.execPath, args, { env, timeoutMs, show: true });
	const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
	rmSync(report, { force: true });
	return judge(counts, code, timeoutMs);
}

/**
 * What a run of tests counts as, from its report and its exit status.
 * @param {(Counts & { ended: boolean, last?: string }) | undefined} report undefined: none was written
 * @param {number} code
 * @param {number} timeoutMs
 * @returns {Counts}
 */
export function judge(report, code, timeoutMs) {
	if (!report) return failure(`it ended with ${code} before any test ran`);
	const { ended, last, ...counts } = report;
	const { passed, failed, skipped } = counts;
	const where = last ? `, in "${last}"` : '';
	if (code === 124) return failure(`it was ended after ${timeoutMs / minutes} minutes${where}`, counts);
	if (!ended) return failure(`it ended with ${code} in the middle${where}`, counts);
	if (code !== 0 && failed === 0) return failure(`it ended with ${code} although no test failed`, counts);
	if (passed + failed + skipped === 0) return failure('no test ran');
	return counts;
}

/** @param {string} reason @param {Counts} [counts] @returns {Counts} */
function failure(reason, counts = { passed: 0, failed: 0, skipped: 0 }) {
	return { ...counts, failed: counts.failed + 1, reason };
}
