// `npm run bench`: how fast the built headless runner is, beside two floors that do the same work with nothing around it.
// Each scenario is run by all three in turn, once to warm up and then `--runs` times; the figures are medians. No timed test: it never fails on a figure.
//   --only NAME,NAME   measures by name     --runs N   at least 5     --json FILE   all figures     --runner FILE   another build
//   --patience SECONDS   how long each run waits for a quiet machine, at most (3)
import { fork, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { longTurns } from './answers.mjs';
import { measures } from './measures.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const now = () => Number(process.hrtime.bigint()) / 1e6;

const { values: options } = parseArgs({
	options: {
		only: { type: 'string' },
		runs: { type: 'string', default: '5' },
		patience: { type: 'string', default: '3' },
		json: { type: 'string' },
		runner: { type: 'string', default: path.join(root, 'dist', 'headless.js') },
	},
});
const runs = Math.max(5, Number(options.runs) || 5);
const chosen = chooseMeasures(options.only);
const folder = await mkdtemp(path.join(os.tmpdir(), 'loopwright-bench-'));
const server = await startServer();
try {
	await prepareFiles();
	const subjects = await prepareSubjects(server.url);
	const results = await measureAll(subjects);
	print(results);
	if (options.json) await writeFile(options.json, `${JSON.stringify(report(results), undefined, '\t')}\n`);
} finally {
	server.close();
	await rm(folder, { recursive: true, force: true });
}

/** @param {string | undefined} names */
function chooseMeasures(names) {
	if (!names) return measures;
	const asked = names.split(',');
	const unknown = asked.find((name) => !measures.some((measure) => measure.name === name));
	if (unknown) throw new Error(`--only: "${unknown}" is none of ${measures.map(({ name }) => name).join(', ')}.`);
	return measures.filter(({ name }) => asked.includes(name));
}

/** The files that are read: ten of 4 kB, ten of 20 kB. */
async function prepareFiles() {
	await mkdir(path.join(folder, 'work'));
	const line = 'export const value = compute(input, { depth: 3, strict: true }); // a line\n';
	for (let index = 0; index < 10; index++) {
		await writeFile(path.join(folder, 'work', `small${index}.txt`), line.repeat(50));
		await writeFile(path.join(folder, 'work', `large${index}.txt`), line.repeat(20_000 / line.length));
	}
}

/**
 * What is measured, as arguments of Node. The floors are bundled as our runner is.
 * @param {string} url @returns {Promise<readonly { name: string, args: readonly string[] }[]>}
 */
async function prepareSubjects(url) {
	await build({
		entryPoints: [path.join(here, 'floorSdk.mjs'), path.join(here, 'floorHttp.mjs')],
		outdir: folder,
		outExtension: { '.js': '.mjs' },
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20',
		format: 'esm',
	});
	const ours = ['-p', 'Go.', '--output-format', 'stream-json', '--permission-mode', 'acceptEdits'];
	const more = ['--allowed-tools', 'Bash', '--model', 'claude-sonnet-5-5'];
	return [
		{ name: 'us', args: [options.runner, ...ours, ...more] },
		{ name: 'SDK floor', args: [path.join(folder, 'floorSdk.mjs'), url, 'Go.'] },
		{ name: 'http floor', args: [path.join(folder, 'floorHttp.mjs'), url, 'Go.'] },
	];
}

/**
 * @param {Awaited<ReturnType<typeof prepareSubjects>>} subjects
 * @returns {Promise<Map<string, Map<string, import('./measures.mjs').Run[]>>>} by scenario and subject
 */
async function measureAll(subjects) {
	const results = new Map();
	for (const scenario of new Set(chosen.map((measure) => measure.scenario))) {
		const bySubject = new Map(subjects.map(({ name }) => [name, /** @type {import('./measures.mjs').Run[]} */ ([])]));
		results.set(scenario, bySubject);
		for (let round = 0; round <= runs; round++) {
			for (const { name, args } of subjects) {
				await quietMoment();
				const run = await measureOnce(scenario, args);
				if (round > 0) bySubject.get(name)?.push(run);
			}
			process.stderr.write(`\r${scenario} ${round}/${runs}   `);
		}
	}
	process.stderr.write('\r\u001b[K');
	return results;
}

/** Waits, for some seconds at most, until others leave the machine alone: what they take would count as ours. */
async function quietMoment() {
	const until = now() + Number(options.patience) * 1000;
	while (now() < until) {
		const before = idleShareSince();
		await new Promise((resolve) => setTimeout(resolve, 150));
		if (before() > 0.85) return;
	}
}

/** Gives a function that tells which share of all processors was idle since. */
function idleShareSince() {
	const times = () =>
		os
			.cpus()
			.map(({ times }) => ({ idle: times.idle, all: times.user + times.nice + times.sys + times.idle + times.irq }));
	const before = times();
	return () => {
		const after = times();
		const sum = (/** @type {'idle' | 'all'} */ kind) =>
			after.reduce((total, cpu, index) => total + cpu[kind] - (before[index]?.[kind] ?? 0), 0);
		return sum('idle') / Math.max(1, sum('all'));
	};
}

/** @param {string} scenario @param {readonly string[]} args @returns {Promise<import('./measures.mjs').Run>} */
async function measureOnce(scenario, args) {
	await server.ask({ kind: 'begin', scenario, folder: path.join(folder, 'work') });
	const usageFile = path.join(folder, 'usage.json');
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		LOOPWRIGHT_HOME: path.join(folder, 'home'),
		ANTHROPIC_BASE_URL: server.url,
		ANTHROPIC_API_KEY: 'bench',
		BENCH_USAGE: usageFile,
	};
	const spawned = now();
	const child = spawn(process.execPath, ['--require', path.join(here, 'usage.cjs'), ...args], {
		cwd: path.join(folder, 'work'),
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let tail = '';
	child.stdout.on('data', (chunk) => {
		tail = (tail + chunk).slice(-2000);
	});
	const status = await new Promise((resolve) => child.on('close', resolve));
	const { turns } = await server.ask({ kind: 'report' });
	const expected = { start: 1, stream: 1, reads: 21, long: longTurns + 1 }[scenario] ?? 2;
	if (status !== 0 || turns.length !== expected) {
		throw new Error(`${scenario}: status ${status} after ${turns.length} requests of ${expected}.\n${tail}`);
	}
	return { spawned, turns, usage: JSON.parse(await readFile(usageFile, 'utf8')) };
}

async function startServer() {
	const child = fork(path.join(here, 'server.mjs'));
	const heard = () => new Promise((/** @type {(message: any) => void} */ resolve) => child.once('message', resolve));
	const { url } = await heard();
	return {
		url,
		/** @param {import('node:child_process').Serializable} message */
		ask(message) {
			const answer = heard();
			child.send(message);
			return answer;
		},
		close: () => child.disconnect(),
	};
}

/** @param {Awaited<ReturnType<typeof measureAll>>} results */
function report(results) {
	return {
		date: new Date().toISOString(),
		machine: { cpus: os.availableParallelism(), model: os.cpus()[0]?.model ?? '', node: process.version },
		runs,
		load: os.loadavg(),
		measures: chosen.map(({ figure, ...measure }) => ({
			...measure,
			...Object.fromEntries([...(results.get(measure.scenario) ?? [])].map(([name, of]) => [name, figure(of)])),
		})),
	};
}

/** @param {Awaited<ReturnType<typeof measureAll>>} results */
function print(results) {
	const load = os.loadavg()[0]?.toFixed(1);
	console.log(`${os.availableParallelism()} cores, Node ${process.version}, load ${load}, medians of ${runs} runs\n`);
	const row = (/** @type {readonly string[]} */ cells) =>
		console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(46) : cell.padStart(13))).join(''));
	row(['', 'us', 'SDK floor', 'ratio', 'http floor', 'ratio', 'best peer']);
	for (const { title, unit, peer, scenario, figure } of chosen) {
		const value = (/** @type {string} */ name) => figure(results.get(scenario)?.get(name) ?? []);
		const [us, sdk, http] = [value('us'), value('SDK floor'), value('http floor')];
		const show = (/** @type {number} */ number) => `${Number(number.toPrecision(3))} ${unit}`;
		row([title, show(us), show(sdk), (us / sdk).toFixed(2), show(http), (us / http).toFixed(2), show(peer)]);
	}
}
