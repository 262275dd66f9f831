// What the person's login shell adds to the environment: an editor that was started from a dock or a menu has not read
// ~/.profile and its like. Asked once, under a time limit. Contract: never rejects; without an answer nothing is added.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Environment, isProviderSecret } from './environment.ts';
import { shellKind } from './invocation.ts';

/** How the login shell is asked. */
export interface LoginShell {
	readonly shell: string;
	/** The environment without it. */
	readonly env: Environment;
	/** A Node (or VS Code's Electron, which is told to be one). */
	readonly nodePath: string;
	readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 1 << 20;
/** What a shell sets for itself, or what is about the terminal. */
const ITS_OWN = /^(_|PWD|OLDPWD|SHLVL|TERM|COLUMNS|LINES|PS\d|ELECTRON_RUN_AS_NODE|LOOPWRIGHT_.*|VSCODE_.*)$/;

/** Variables that the login shell adds, and the PATH with its folders; empty when nothing is missing or nothing was said. */
export async function loginEnvironment(login: LoginShell): Promise<Readonly<Record<string, string>>> {
	const kind = shellKind(login.shell);
	if (process.platform === 'win32' || kind === undefined || kind === 'powershell' || kind === 'cmd') return {};
	const mark = randomBytes(8).toString('hex');
	const text = await ask(login, mark);
	const [, json] = text.split(mark);
	try {
		const answer: unknown = json === undefined ? {} : JSON.parse(json);
		return typeof answer === 'object' && answer !== null ? additions(login.env, answer) : {};
	} catch {
		return {};
	}
}

/** What of the shell's environment is new. Pure. */
export function additions(env: Environment, shell: object): Record<string, string> {
	const result: Record<string, string> = {};
	for (const [name, value] of Object.entries(shell)) {
		if (typeof value !== 'string' || name in env || ITS_OWN.test(name) || isProviderSecret(name)) continue;
		result[name] = value;
	}
	const now = (env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
	const theirs =
		'PATH' in shell && typeof shell.PATH === 'string' ? shell.PATH.split(path.delimiter).filter(Boolean) : [];
	if (theirs.some((folder) => !now.includes(folder))) {
		const rest = now.filter((folder) => !theirs.includes(folder));
		result['PATH'] = [...theirs, ...rest].join(path.delimiter);
	}
	return result;
}

function ask({ shell, env, nodePath, timeoutMs = TIMEOUT_MS }: LoginShell, mark: string): Promise<string> {
	const quoted = `'${nodePath.replaceAll("'", `'\\''`)}'`;
	const command = `${quoted} -p '"${mark}" + JSON.stringify(process.env) + "${mark}"'`;
	return new Promise((resolve) => {
		const child = spawn(shell, [...(shellKind(shell) === 'posix' ? ['-l'] : ['-i', '-l']), '-c', command], {
			env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
			stdio: ['ignore', 'pipe', 'ignore'],
			detached: true,
		});
		let text = '';
		const done = () => {
			clearTimeout(timer);
			child.stdout.destroy();
			endGroup(child.pid);
			resolve(text);
		};
		const timer = setTimeout(done, timeoutMs);
		child.stdout.setEncoding('utf8').on('data', (piece: string) => {
			text += piece;
			if (text.length > MAX_ANSWER || text.split(mark).length > 2) done();
		});
		child.on('error', done);
		child.on('exit', () => setImmediate(done));
	});
}

function endGroup(pid: number | undefined): void {
	try {
		if (pid !== undefined) process.kill(-pid, 'SIGKILL');
	} catch {
		// Gone already.
	}
}
