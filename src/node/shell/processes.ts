// Finds the processes of a command (its tree, its session and whatever carries its mark) and ends them. The choice is
// pure; on Linux it reads /proc, elsewhere it asks `ps`, on Windows `taskkill` knows the tree.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { MARK } from './protocol.ts';

/** One living process. */
export interface ProcessInfo {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** 0 when it cannot be known. */
	readonly session: number;
	/** The value of the mark in its environment, where that can be read. */
	readonly mark?: string;
}

/** Which processes are meant. */
export interface ProcessScope {
	/** These and what descends from them. */
	readonly roots: readonly number[];
	/** Those whose mark is this or begins with it and a dot. */
	readonly mark: string;
	/** Those in this session or process group, except with another mark. */
	readonly session?: number;
	/** Never these, and in the session not what descends from them either. */
	readonly spared: ReadonlySet<number>;
}

/** While a process is between two programs, it is looked at again so often, with this time (ms) between. */
const BETWEEN_PROGRAMS = { looks: 10, everyMs: 2 };

/** All living processes (no zombies). Empty where it cannot be known. */
export async function listProcesses(): Promise<ProcessInfo[]> {
	if (process.platform !== 'linux') return process.platform === 'win32' ? [] : await listPs();
	for (let look = 1; ; look++) {
		const { processes, between } = listProc();
		if (!between || look === BETWEEN_PROGRAMS.looks) return processes;
		await new Promise((resolve) => setTimeout(resolve, BETWEEN_PROGRAMS.everyMs));
	}
}

/** The processes of the scope. Pure. */
export function selectProcesses(all: readonly ProcessInfo[], scope: ProcessScope): number[] {
	const ours = (mark: string | undefined) => mark === scope.mark || mark?.startsWith(`${scope.mark}.`) === true;
	const spared = withDescendants(all, (info) => scope.spared.has(info.pid) && !ours(info.mark));
	const inSession = (info: ProcessInfo) =>
		scope.session !== undefined &&
		(info.session === scope.session || info.group === scope.session) &&
		info.mark === undefined &&
		!spared.has(info.pid);
	const meant = withDescendants(
		all,
		(info) => scope.roots.includes(info.pid) || ours(info.mark) || inSession(info),
		scope.spared,
	);
	return [...meant].filter((pid) => pid !== process.pid && pid > 1);
}

function withDescendants(
	all: readonly ProcessInfo[],
	isRoot: (info: ProcessInfo) => boolean,
	never: ReadonlySet<number> = new Set(),
): Set<number> {
	const children = new Map<number, number[]>();
	for (const { pid, parent } of all) {
		const siblings = children.get(parent);
		if (siblings) siblings.push(pid);
		else children.set(parent, [pid]);
	}
	const found = new Set<number>();
	const open = all.filter(isRoot).map(({ pid }) => pid);
	for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
		if (found.has(pid) || never.has(pid)) continue;
		found.add(pid);
		open.push(...(children.get(pid) ?? []));
	}
	return found;
}

/** After SIGTERM, this long until SIGKILL. */
export const KILL_GRACE_MS = 2000;
const GIVE_UP_MS = 2000;

/**
 * Ends the processes of the scope: SIGTERM, after the grace SIGKILL, each time looking again for new ones. Returns
 * whether none is left.
 */
export async function endProcesses(scope: ProcessScope, graceMs: number = KILL_GRACE_MS): Promise<boolean> {
	if (process.platform === 'win32') {
		await Promise.all(scope.roots.map((pid) => run('taskkill', ['/PID', String(pid), '/T', '/F'])));
		return true;
	}
	const select = async () => selectProcesses(await listProcesses(), scope);
	const asked = new Set<number>();
	const start = Date.now();
	let wait = 10;
	let empty = false;
	for (;;) {
		const pids = await select();
		// One may have started another while the list was read: none is left when twice none was seen.
		if (pids.length === 0 && empty) return true;
		empty = pids.length === 0;
		const elapsed = Date.now() - start;
		if (elapsed > graceMs + GIVE_UP_MS) return false;
		for (const pid of pids) {
			if (elapsed >= graceMs) send(pid, 'SIGKILL');
			else if (!asked.has(pid)) {
				send(pid, 'SIGTERM');
				// A stopped process takes the signal only when it goes on.
				send(pid, 'SIGCONT');
			}
			asked.add(pid);
		}
		await new Promise((resolve) => setTimeout(resolve, wait));
		wait = Math.min(wait * 2, 80);
	}
}

/** Whether a process with this id exists and still runs. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
	} catch {
		return false;
	}
}

const MAX_NAME = 200;

/** The command line of a process, shortened; empty where it cannot be known. */
export function nameProcess(pid: number): string {
	if (process.platform === 'win32') return '';
	try {
		const line =
			process.platform === 'linux'
				? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
				: execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
		const text = line.trim();
		return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
	} catch {
		return '';
	}
}

function send(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// Gone already, or not ours to end.
	}
}

/** `between`: one of them is just being replaced by another program, and shows neither its mark nor a command line. */
function listProc(): { readonly processes: ProcessInfo[]; readonly between: boolean } {
	const processes: ProcessInfo[] = [];
	let between = false;
	for (const name of readdirSync('/proc')) {
		const pid = Number(name);
		if (!Number.isInteger(pid)) continue;
		try {
			const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
			// The name stands in brackets and may have any character: what follows begins after the last one.
			const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			if (state === 'Z' || state === 'X') continue;
			const env = readEnvironment(name);
			// The kernel's own threads (children of 2 or of none) never have any.
			between ||= env === BETWEEN && Number(parent) !== 2 && Number(parent) !== 0;
			const mark = env === BETWEEN ? undefined : markOf(env);
			processes.push({
				pid,
				parent: Number(parent),
				group: Number(group),
				session: Number(session),
				...(mark === undefined ? {} : { mark }),
			});
		} catch {
			// It has ended meanwhile.
		}
	}
	return { processes, between };
}

const BETWEEN = Symbol('between two programs');

/** A process that is being replaced by another program has neither environment nor command line; one started by `env -i` has a command line. */
function readEnvironment(name: string): string | undefined | typeof BETWEEN {
	for (let look = 0; look < 3; look++) {
		const env = readFileOr(`/proc/${name}/environ`);
		if (env !== '') return env;
		if (readFileOr(`/proc/${name}/cmdline`) === '') return BETWEEN;
	}
	return undefined;
}

/** Undefined when it cannot be read: it is another's, or has ended. */
function readFileOr(file: string): string | undefined {
	try {
		return readFileSync(file, 'latin1');
	} catch {
		return undefined;
	}
}

function markOf(env = ''): string | undefined {
	const key = `${MARK}=`;
	const start = env.startsWith(key) ? 0 : env.indexOf(`\0${key}`) + 1;
	if (start === 0 && !env.startsWith(key)) return undefined;
	const end = env.indexOf('\0', start);
	return env.slice(start + key.length, end < 0 ? undefined : end);
}

async function listPs(): Promise<ProcessInfo[]> {
	const text = await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=']);
	return text.split('\n').flatMap((line) => {
		const [pid, parent, group, state] = line.trim().split(/\s+/);
		if (!pid || state === undefined || state.startsWith('Z')) return [];
		return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0 }];
	});
}

function run(file: string, args: readonly string[]): Promise<string> {
	return new Promise((resolve) => {
		execFile(file, args, { windowsHide: true, maxBuffer: 1 << 24 }, (_error, stdout) => resolve(stdout));
	});
}
