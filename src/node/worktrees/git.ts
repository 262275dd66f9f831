// Git as a program. Contract: it asks for nothing, follows no variable that would lead it into another repository, and ends.
import { execFile } from 'node:child_process';
import { childEnvironment } from '../shell/environment.ts';

export interface GitResult {
	/** The exit status; undefined when it did not run, or was ended. */
	readonly code: number | undefined;
	readonly stdout: string;
	/** Its words, English. */
	readonly stderr: string;
	/** There is no git on this machine. */
	readonly missing: boolean;
}

export interface GitOptions {
	readonly cwd: string;
	/** Beside those of the process. */
	readonly env?: Readonly<Record<string, string>>;
	/** `latin1` keeps the bytes of a patch; otherwise UTF-8. */
	readonly encoding?: 'latin1';
	/** For its standard input, in the same encoding. */
	readonly input?: string;
}

const patienceMs = 120_000;
const mostBytes = 256 * 1024 * 1024;

/** Never rejects. */
export function git(args: readonly string[], { cwd, env = {}, encoding, input }: GitOptions): Promise<GitResult> {
	const own = Object.entries(childEnvironment(process.env)).filter(
		([name]) => !/^GIT_(?!SSH|ASKPASS|CONFIG|AUTHOR|COMMITTER)/.test(name),
	);
	const options = {
		cwd,
		encoding: encoding ?? ('utf8' as const),
		env: { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...env },
		timeout: patienceMs,
		maxBuffer: mostBytes,
		windowsHide: true,
	};
	return new Promise((resolve) => {
		const child = execFile('git', ['-c', 'core.fsmonitor=false', ...args], options, (error, stdout, stderr) => {
			const code = error ? (typeof error.code === 'number' ? error.code : undefined) : 0;
			const missing = error?.code !== undefined && String(error.code) === 'ENOENT';
			resolve({ code, stdout, stderr: stderr.trim() || (error ? error.message : ''), missing });
		});
		// Git may end before it has read all of it.
		child.stdin?.on('error', () => {});
		child.stdin?.end(input ?? '', encoding ?? 'utf8');
	});
}
