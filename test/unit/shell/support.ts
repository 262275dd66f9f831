// Builds the runner once for the tests of the shell and starts `NodeShell` on it; looks for processes left behind.
import { buildSync } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aliases, featureDefines } from '../../../scripts/lib/bundles.mjs';
import type { ShellCommand, ShellResult } from '../../../src/core/ports/shell.ts';
import { NodeShell, type NodeShellOptions } from '../../../src/node/shell/nodeShell.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Bundles a TypeScript file into out/test and returns the bundle's path. */
export function bundle(entry: string, name: string): string {
	const outfile = path.join(root, 'out/test', `${name}.js`);
	buildSync({
		entryPoints: [path.join(root, entry)],
		outfile,
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		// The product's own parts lie beside its bundles.
		define: { ...featureDefines(), 'import.meta.dirname': JSON.stringify(path.join(root, 'dist')) },
		alias: { ...aliases },
		// It declares a `require` of its own, which a bundle would call by mistake.
		external: ['@vscode/tree-sitter-wasm'],
		logLevel: 'warning',
	});
	return outfile;
}

/** The runner's bundle. */
export function runnerBundle(): string {
	return bundle('src/node/shell/runner.ts', 'shellRunner');
}

/** A shell under test, with bash unless another is given. */
export function nodeShell(options: Partial<NodeShellOptions> = {}): NodeShell {
	return new NodeShell({
		runnerPath: runnerBundle(),
		nodePath: process.execPath,
		shellPath: '/bin/bash',
		env: process.env,
		...options,
	});
}

/** Runs a command with sensible defaults. */
export function run(shell: NodeShell, command: string, more: Partial<ShellCommand> = {}): Promise<ShellResult> {
	return shell.start({ command, cwd: tmpdir(), timeoutMs: 15_000, ...more }).finished;
}

/** A fresh folder, its links resolved. */
export function temporaryFolder(): string {
	return realpathSync(mkdtempSync(path.join(tmpdir(), 'shell-test-')));
}

/** Takes the folder away. */
export function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true });
}

let sleeps = 0;

/** A duration that no other process sleeps for, to be found again in the list of processes. */
export function unusualDuration(): string {
	return `${7000 + (process.pid % 1000)}.${process.pid}${String(++sleeps).padStart(3, '0')}`;
}

/** The living processes whose command line contains the text. */
export function processesWith(text: string): number[] {
	if (process.platform !== 'linux') {
		const lines = execFileSync('ps', ['-A', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
		return lines.filter((line) => line.includes(text)).map((line) => Number.parseInt(line, 10));
	}
	return readdirSync('/proc').flatMap((name) => {
		if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
		try {
			return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text) ? [Number(name)] : [];
		} catch {
			return [];
		}
	});
}

/** Waits until the condition holds; fails after ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
	const end = Date.now() + 10_000;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
