// Runs command lines by a real shell inside of namespaces (`inside.sh`) and hands back what was started and how the tree
// changed. Contract: nothing is run outside; where namespaces are not to be had, it says so.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Case {
	readonly line: string;
	/** What recording programs exit with. */
	readonly status: 0 | 1;
	readonly shell: 'bash' | 'dash';
}

/** A program that was started. */
export interface Started {
	/** Its path, as it was found. */
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
}

/** What lies at a path: kind, inode, mode, size, time. */
export type Tree = ReadonlyMap<string, string>;

export interface Seen {
	readonly started: readonly Started[];
	/** The tree before and after; absent: as it was. */
	readonly trees?: { readonly before: Tree; readonly after: Tree };
}

const here = import.meta.dirname;

/** Why nothing can be run here; `undefined` when it can. */
export function whyNot(): string | undefined {
	if (process.platform !== 'linux') return 'namespaces are Linux only';
	const tried = spawnSync('unshare', [...unshareOptions(), 'true'], { timeout: 10_000 });
	return tried.status === 0 ? undefined : 'namespaces are not to be had here (unshare)';
}

function unshareOptions(): readonly string[] {
	const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
	return [...user, '--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child'];
}

/** By case. `names`: programs that can be started. Throws when the sandbox refuses. */
export async function runCases(cases: readonly Case[], names: Iterable<string>): Promise<Seen[]> {
	const folder = mkdtempSync(path.join(tmpdir(), 'shell-truth-'));
	try {
		const stubs = path.join(folder, 'stubs');
		const root = path.join(folder, 'root');
		mkdirSync(root);
		mkdirSync(stubs);
		copyFileSync(path.join(here, 'stub.sh'), path.join(stubs, '.stub'));
		chmodSync(path.join(stubs, '.stub'), 0o755);
		for (const name of new Set(names)) symlinkSync('.stub', path.join(stubs, name));
		const seen: Seen[] = [];
		while (seen.length < cases.length) {
			seen.push(...(await run(cases.slice(seen.length), root, stubs)));
			// The case that broke the tree is passed over.
			if (seen.length < cases.length) seen.push({ started: [] });
		}
		return seen;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Shorter than the cases when one of them broke the tree. */
async function run(cases: readonly Case[], root: string, stubs: string): Promise<Seen[]> {
	const child = spawn(
		'unshare',
		[...unshareOptions(), 'bash', path.join(here, 'inside.sh'), root, stubs, randomUUID()],
		{
			stdio: ['pipe', 'pipe', 'inherit'],
			env: {
				PATH: process.env['PATH'] ?? '/usr/bin',
				OUTER_MNT: readlinkSync('/proc/self/ns/mnt'),
				OUTER_NET: readlinkSync('/proc/self/ns/net'),
			},
		},
	);
	child.stdin.on('error', () => {});
	child.stdin.end(cases.map(({ line, status, shell }) => `${status} ${shell} ${escaped(line)}\n`).join(''));
	let base: Tree = new Map();
	let ready = false;
	const seen: Seen[] = [];
	let started: Started[] = [];
	let trees: Seen['trees'];
	for await (const line of createInterface({ input: child.stdout })) {
		const [sign, value = ''] = line.split(' ', 2);
		if (sign === 'REFUSED') throw new Error(`The sandbox refuses: ${line.slice(8)}`);
		if (sign === 'READY') ready = true;
		else if (sign === 'BASE') base = readTree(value);
		else if (sign === 'E') started.push(...readStarted(value));
		else if (sign === 'T') trees = { before: base, after: readTree(value) };
		else if (sign === 'END') {
			seen.push({ started, ...(trees === undefined ? {} : { trees }) });
			started = [];
			trees = undefined;
		}
	}
	if (!ready) throw new Error('The sandbox did not come up.');
	return seen;
}

/** Every byte as `\\xHH`, twice escaped for `read -r` and `printf %b`. */
function escaped(line: string): string {
	return Array.from(Buffer.from(line), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

function readTree(base64: string): Tree {
	const lines = Buffer.from(base64, 'base64').toString().split('\n').filter(Boolean);
	return new Map(
		lines.map((line) => {
			const [kind = '', inode = '', mode = '', size = '', time = '', ...name] = line.split(' ');
			// A folder's size and time change with what lies in it.
			return [name.join(' '), kind === 'd' ? `${kind} ${mode}` : [kind, inode, mode, size, time].join(' ')];
		}),
	);
}

function readStarted(base64: string): Started[] {
	const records = Buffer.from(base64, 'base64').toString().split('\0\n\0').filter(Boolean);
	return records.map((record) => {
		const [program = '', cwd = '', ...args] = record.split('\0');
		return { program, cwd, args };
	});
}
