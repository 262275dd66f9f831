// Which process on which machine this is, so that another one can tell later whether it still runs: ids of processes are used
// again, machines are started anew, and a folder can be shared between machines.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';

export interface ProcessIdentity {
	readonly pid: number;
	readonly host: string;
	/** Of this start of the machine; empty where the system does not tell. */
	readonly boot: string;
	/** When the process was started, by the system's own count; empty where it does not tell. */
	readonly start: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

export function thisProcess(): ProcessIdentity {
	const { pid } = process;
	return { pid, host: hostname(), boot: bootId(), start: startOf(pid) };
}

/** `unknown`: another machine, or a process that may be another one by now. */
export function livenessOf(other: ProcessIdentity, own: ProcessIdentity = thisProcess()): Liveness {
	if (other.host !== own.host) return 'unknown';
	if (other.boot !== own.boot) return 'dead';
	try {
		process.kill(other.pid, 0);
	} catch (error) {
		// There, but of another user.
		if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'dead';
	}
	const start = startOf(other.pid);
	if (start === '' || other.start === '') return 'unknown';
	return start === other.start ? 'alive' : 'dead';
}

function bootId(): string {
	return read('/proc/sys/kernel/random/boot_id').trim();
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 may hold spaces and brackets. A process that nobody has collected is dead. */
function startOf(pid: number): string {
	const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
	return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
}

function read(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}
