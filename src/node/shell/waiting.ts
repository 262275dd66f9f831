// Whether a silent command waits for the person. On Linux what its processes are blocked in says so: a read of the terminal,
// or a poll, select or epoll that has it. Elsewhere, and where the kernel does not tell, the look of the last line.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/** What a process is blocked in that may be about the terminal: the system call and the descriptors that it waits for. */
type Blocked =
	| { readonly kind: 'read'; readonly fd: number }
	| { readonly kind: 'poll'; readonly list: bigint; readonly count: number }
	| { readonly kind: 'select'; readonly set: bigint; readonly count: number }
	| { readonly kind: 'epoll'; readonly fd: number };

const CALLS: Readonly<Partial<Record<NodeJS.Architecture, Readonly<Record<number, Blocked['kind']>>>>> = {
	x64: {
		0: 'read',
		19: 'read',
		7: 'poll',
		271: 'poll',
		23: 'select',
		270: 'select',
		232: 'epoll',
		281: 'epoll',
		441: 'epoll',
	},
	arm64: { 63: 'read', 65: 'read', 73: 'poll', 72: 'select', 22: 'epoll', 441: 'epoll' },
};
const MAX_DESCRIPTORS = 1024;
const MAX_THREADS = 32;
const POLLIN = 1;

/** Reads a line of `/proc/<pid>/syscall`. Undefined for what is not about input. Pure. */
export function parseSyscall(line: string, architecture: NodeJS.Architecture): Blocked | undefined {
	const [call = '', first = '', second = ''] = line.trim().split(' ');
	const kind = /^\d+$/.test(call) ? CALLS[architecture]?.[Number(call)] : undefined;
	if (kind === undefined || !/^0x[\da-f]+$/.test(first) || !/^0x[\da-f]+$/.test(second)) return undefined;
	if (kind === 'read' || kind === 'epoll') return { kind, fd: Number(first) };
	const [list, count] = kind === 'poll' ? [first, second] : [second, first];
	const address = BigInt(list);
	if (address === 0n || Number(count) > MAX_DESCRIPTORS) return undefined;
	return kind === 'poll' ? { kind, list: address, count: Number(count) } : { kind, set: address, count: Number(count) };
}

/** The descriptors with input wanted in an array of `struct pollfd`. Pure. */
export function polledDescriptors(bytes: Buffer): number[] {
	const result: number[] = [];
	for (let at = 0; at + 8 <= bytes.length; at += 8) {
		if ((bytes.readInt16LE(at + 4) & POLLIN) !== 0) result.push(bytes.readInt32LE(at));
	}
	return result;
}

/** The descriptors in an `fd_set`. Pure. */
export function selectedDescriptors(bytes: Buffer, count: number): number[] {
	return Array.from({ length: count }, (_, fd) => fd).filter((fd) => ((bytes[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0);
}

/** The descriptors in the `fdinfo` of an epoll. Pure. */
export function epollDescriptors(text: string): number[] {
	return [...text.matchAll(/^tfd:\s*(\d+)\s+events:\s*([\da-f]+)/gm)].flatMap(([, fd, events]) =>
		(Number.parseInt(events ?? '0', 16) & POLLIN) !== 0 ? [Number(fd)] : [],
	);
}

/** True when the last line, which has no end, looks like a question. Pure. */
export function looksLikeQuestion(line: string): boolean {
	// eslint-disable-next-line no-control-regex
	const text = line.replace(/\u001b\[[\d;?]*[a-zA-Z]/g, '').slice(-200);
	return /([?:>]|\]|\)|»|❯)\s{0,2}$/.test(text) || /(password|passphrase|y\/n|yes\/no|continue|press )/i.test(text);
}

/** Whether one of the processes waits for its terminal; undefined when it cannot be told here. */
export function readsTerminal(pids: readonly number[]): boolean | undefined {
	if (process.platform !== 'linux' || CALLS[process.arch] === undefined) return undefined;
	let known = false;
	for (const pid of pids) {
		const answer = processReads(pid);
		if (answer === true) return true;
		if (answer === false) known = true;
	}
	return known ? false : undefined;
}

function processReads(pid: number): boolean | undefined {
	try {
		const threads = readdirSync(`/proc/${pid}/task`).slice(0, MAX_THREADS);
		return threads.some((thread) => {
			const blocked = parseSyscall(readFileSync(`/proc/${pid}/task/${thread}/syscall`, 'latin1'), process.arch);
			return blocked !== undefined && descriptorsOf(pid, blocked).some((fd) => isTerminal(pid, fd));
		});
	} catch {
		return undefined;
	}
}

function descriptorsOf(pid: number, blocked: Blocked): readonly number[] {
	switch (blocked.kind) {
		case 'read':
			return [blocked.fd];
		case 'epoll':
			return epollDescriptors(readFileSync(`/proc/${pid}/fdinfo/${blocked.fd}`, 'latin1'));
		case 'poll':
			return polledDescriptors(readMemory(pid, blocked.list, blocked.count * 8));
		case 'select':
			return selectedDescriptors(readMemory(pid, blocked.set, Math.ceil(blocked.count / 64) * 8), blocked.count);
	}
}

function readMemory(pid: number, address: bigint, length: number): Buffer {
	const fd = openSync(`/proc/${pid}/mem`, 'r');
	try {
		const bytes = Buffer.alloc(length);
		return bytes.subarray(0, readSync(fd, bytes, 0, length, address));
	} finally {
		closeSync(fd);
	}
}

function isTerminal(pid: number, fd: number): boolean {
	try {
		return /^\/dev\/(pts\/\d+|tty\d*|console)$/.test(readlinkSync(`/proc/${pid}/fd/${fd}`));
	} catch {
		return false;
	}
}
