// What every script needs: where the repository is, how to say something, how to run a program and be sure that it ends.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Ignored by git; everything that the scripts download or write lies here. */
export const cache = path.join(root, '.cache');
const windows = process.platform === 'win32';

/** Children, and the signal that ends each when this process ends. @type {Map<import('node:child_process').ChildProcess, NodeJS.Signals>} */
const running = new Map();
/** @type {Set<string>} */
const temporary = new Set();
process.on('exit', () => {
	for (const [child, signal] of running) killTree(child, signal);
	for (const folder of temporary) remove(folder);
});

// A signal ends a process without its exit handlers, which would leave servers behind: they are groups of their own.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGHUP', () => process.exit(129));

/** A folder that is gone when this process ends. @param {string} name */
export function temporaryFolder(name) {
	const folder = mkdtempSync(path.join(tmpdir(), `loopwright-${name}-`));
	temporary.add(folder);
	return folder;
}

/** What was just killed may still be writing, so try again for a while; a folder that stays is no reason to fail. @param {string} folder */
function remove(folder) {
	try {
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	} catch {
		say(`${folder} could not be removed`);
	}
}

/** One progress line. @param {string} text */
export function say(text) {
	process.stdout.write(`${text}\n`);
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
	return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Ends a child and all of its process group; harmless when it is gone. @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} [signal] */
export function killTree(child, signal = 'SIGKILL') {
	if (child.pid === undefined) return;
	if (windows) {
		spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch {
		child.kill(signal);
	}
}

/**
 * Starts a program in a process group of its own, so that `killTree` reaches what it starts; it never outlives this process.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {NodeJS.Signals} [endWith] SIGTERM for a program that may have started groups of its own and ends them
 */
export function start(command, args, options = {}, endWith = 'SIGKILL') {
	const child = spawn(command, args, { cwd: root, detached: !windows, windowsHide: true, ...options });
	running.set(child, endWith);
	child.once('exit', () => running.delete(child));
	return child;
}

/**
 * Runs a program to its end. Contract: does not throw for a program that fails, cannot start or hangs; the code says so
 * (127 cannot start, 124 ended after `timeoutMs`).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, timeoutMs?: number, show?: boolean }} [options] `show` passes the output on as it comes
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd = root, env = process.env, shell = false, timeoutMs, show = false } = {}) {
	return new Promise((resolve) => {
		const child = start(command, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] }, 'SIGTERM');
		let output = '';
		let late = false;
		/** @param {Buffer} chunk */
		const take = (chunk) => {
			output += chunk.toString();
			if (show) process.stdout.write(chunk);
		};
		child.stdout?.on('data', take);
		child.stderr?.on('data', take);
		const timer = timeoutMs
			? setTimeout(() => {
					late = true;
					// First by a signal that it can act on: it may have started groups of its own.
					killTree(child, 'SIGTERM');
					setTimeout(() => killTree(child), 5000).unref();
				}, timeoutMs)
			: undefined;
		child.once('error', (error) => {
			clearTimeout(timer);
			resolve({ code: 127, output: `${output}${error.message}\n` });
		});
		child.once('close', (code) => {
			clearTimeout(timer);
			killTree(child);
			if (late) output += `\nended after ${seconds(timeoutMs ?? 0)} without a result\n`;
			resolve({ code: late ? 124 : (code ?? 1), output });
		});
	});
}

/** Runs npm, whichever way this script was started. @param {readonly string[]} args @param {string} [cwd] */
export function npm(args, cwd = root) {
	const cli = process.env.npm_execpath;
	const env = withoutNpmContext();
	if (cli?.endsWith('.js')) return run(process.execPath, [cli, ...args], { cwd, env });
	return run('npm', args, { cwd, env, shell: windows });
}

/** The environment without what an outer `npm run` added: an inner npm must not take the outer one's prefix or flags. */
export function withoutNpmContext() {
	return Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|userconfig|cache|offline)$)/i.test(name)),
	);
}

/** Says that something goes on, and every ten seconds that it still does. @template T @param {string} what @param {() => Promise<T>} work @returns {Promise<T>} */
export async function step(what, work) {
	const begun = Date.now();
	say(`${what} …`);
	const timer = setInterval(() => say(`  … still at it after ${Math.round((Date.now() - begun) / 1000)} s`), 10_000);
	try {
		const result = await work();
		say(`  done in ${seconds(Date.now() - begun)}`);
		return result;
	} finally {
		clearInterval(timer);
	}
}

/** A failure that the person is to read as it stands, without a stack. */
export class Plain extends Error {}

/** @param {unknown} error */
export function messageOf(error) {
	return error instanceof Error ? error.message : String(error);
}

/** Runs a script's main function; what it throws becomes a readable line and exit status 1. @param {() => Promise<number>} main */
export async function runMain(main) {
	try {
		process.exit(await main());
	} catch (error) {
		process.stderr.write(`${error instanceof Error && !(error instanceof Plain) ? error.stack : messageOf(error)}\n`);
		process.exit(1);
	}
}

/** @param {string} file absolute path @param {unknown} value */
export function writeJson(file, value) {
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(value, null, '\t')}\n`);
}
