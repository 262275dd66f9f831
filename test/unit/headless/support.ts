// Starts the real headless runner as a process of its own: built once, with a home of its own and nothing of the user's
// environment.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMockServer, type MockServer } from '../../support/mockServer.ts';
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
/** `wrap`: a program and its arguments that start the runner, whose command line follows them. */
interface More {
	readonly env?: Record<string, string>;
	readonly stdin?: string;
	readonly wrap?: readonly string[];
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

	start(args: readonly string[], more: More = {}): Started {
		const [program = process.execPath, ...before] = [...(more.wrap ?? []), process.execPath, this.#script, ...args];
		const child = spawn(program, before, {
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

	run(args: readonly string[], more: More = {}): Promise<Finished> {
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

export interface HeadlessParts {
	readonly server: MockServer;
	readonly headless: Headless;
}

/** For a suite: the runner, built once, and for each test a mock service and a home of its own. */
export function useHeadless(): () => HeadlessParts {
	let script: string;
	let parts: HeadlessParts | undefined;
	suiteSetup(() => {
		script = buildHeadless();
	});
	setup(async () => {
		const server = await startMockServer();
		parts = { server, headless: new Headless(script, server.url) };
	});
	teardown(async () => {
		parts?.headless.dispose();
		await parts?.server.close();
		parts = undefined;
	});
	return () => {
		if (!parts) throw new Error('Only inside of tests.');
		return parts;
	};
}

/** The lines of `stream-json`. */
export function linesOf(stdout: string): Line[] {
	return stdout
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line) as Line);
}
