// Starts the real headless runner as a process of its own: built once, with a home of its own and nothing of the user's
// environment.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundle, runnerBundle } from '../shell/support.ts';

export interface Finished {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}
export interface Started {
	readonly process: ChildProcess;
	readonly finished: Promise<Finished>;
}
export type Line = Readonly<Record<string, unknown>> & { readonly type: string };

export class Headless {
	readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), 'lw-headless-')));
	readonly cwd = path.join(this.base, 'ws');
	readonly home = path.join(this.base, 'lw');
	readonly #script: string;
	readonly #url: string;
	readonly #started: ChildProcess[] = [];

	constructor(script: string, url: string) {
		this.#script = script;
		this.#url = url;
		mkdirSync(this.cwd);
		mkdirSync(this.home);
	}

	start(args: readonly string[], more: { env?: Record<string, string>; stdin?: string } = {}): Started {
		const child = spawn(process.execPath, [this.#script, ...args], {
			cwd: this.cwd,
			env: {
				PATH: process.env['PATH'] ?? '',
				HOME: this.base,
				LOOPWRIGHT_HOME: this.home,
				ANTHROPIC_API_KEY: 'sk-ant-headless-test-key',
				ANTHROPIC_BASE_URL: this.#url,
				...more.env,
			},
			stdio: [more.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
		});
		this.#started.push(child);
		// A runner that refuses to read on closes its stdin.
		child.stdin?.on('error', () => {});
		child.stdin?.end(more.stdin);
		let stdout = '';
		let stderr = '';
		child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
		child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
		const finished = new Promise<Finished>((resolve) => {
			child.once('close', (status) => resolve({ status, stdout, stderr }));
		});
		return { process: child, finished };
	}

	run(args: readonly string[], more: { env?: Record<string, string>; stdin?: string } = {}): Promise<Finished> {
		return this.start(args, more).finished;
	}

	dispose(): void {
		for (const child of this.#started) child.kill('SIGKILL');
		rmSync(this.base, { recursive: true, force: true });
	}
}

/** Builds the runner and the shell runner beside it; returns the runner's path. */
export function buildHeadless(): string {
	runnerBundle();
	return bundle('src/headless/main.ts', 'headless');
}

/** The lines of `stream-json`. */
export function linesOf(stdout: string): Line[] {
	return stdout
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as Line);
}
