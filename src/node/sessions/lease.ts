// Who may write to a session: the newest of the numbered files `lease-<n>.json` in its folder. Taking a lease makes the next
// number, which only one process can make; giving it back marks it as free. Contract: the newest file is never deleted, so a number
// is never made twice, and whoever finds a newer one than its own has lost.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from './processIdentity.ts';
import { livenessOf, thisProcess } from './processIdentity.ts';

export interface LeaseHolder extends ProcessIdentity {
	/** Of this lease alone. */
	readonly nonce: string;
}

export interface Lease {
	/** False when another process has taken it over. */
	isMine(): boolean;
	/** Gives it back; the next one takes it at once. */
	release(): void;
}

export type LeaseOutcome =
	| { readonly kind: 'held'; readonly lease: Lease }
	| { readonly kind: 'taken'; readonly holder: LeaseHolder | undefined }
	/** The folder cannot be written. */
	| { readonly kind: 'unavailable'; readonly error: unknown };

export interface LeaseOptions {
	readonly self?: ProcessIdentity;
	readonly liveness?: typeof livenessOf;
}

/** How often a holder says that it is there; for processes on other machines. */
const heartbeatMs = 30_000;
/** Without a sign for so long, a holder of whom nothing else is known is gone. */
const silentMs = 10 * 60_000;
/** A lease is written right after it is made; one that still cannot be read was left by a process that died in between. */
const unreadableMs = 5000;
const mostTries = 50;

/** `folder`: of the session's own files; it is made. */
export function takeLease(folder: string, options: LeaseOptions = {}): LeaseOutcome {
	const self = options.self ?? thisProcess();
	const holder: LeaseHolder = { ...self, nonce: randomUUID() };
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		for (let attempt = 0; attempt < mostTries; attempt++) {
			const top = newest(folder);
			const held = top === 0 ? undefined : judge(folder, top, self, options.liveness ?? livenessOf);
			if (held?.live) return { kind: 'taken', holder: held.holder };
			if (make(folder, top + 1, holder)) return { kind: 'held', lease: new FileLease(folder, top + 1, holder) };
		}
		return { kind: 'taken', holder: undefined };
	} catch (error) {
		return { kind: 'unavailable', error };
	}
}

/** Who holds a session, if anybody does. Reads only. */
export function leaseHolder(folder: string, options: LeaseOptions = {}): LeaseHolder | undefined {
	try {
		const top = newest(folder);
		if (top === 0) return undefined;
		const self = options.self ?? thisProcess();
		const { live, holder } = judge(folder, top, self, options.liveness ?? livenessOf);
		return live ? holder : undefined;
	} catch {
		return undefined;
	}
}

class FileLease implements Lease {
	readonly #folder: string;
	readonly #generation: number;
	readonly #holder: LeaseHolder;
	readonly #heartbeat: NodeJS.Timeout;

	constructor(folder: string, generation: number, holder: LeaseHolder) {
		this.#folder = folder;
		this.#generation = generation;
		this.#holder = holder;
		this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
		this.#heartbeat.unref();
	}

	isMine(): boolean {
		try {
			return newest(this.#folder) === this.#generation;
		} catch {
			return true;
		}
	}

	release(): void {
		clearInterval(this.#heartbeat);
		try {
			if (!this.isMine()) return;
			const free = path.join(this.#folder, `free-${this.#holder.nonce}`);
			writeFileSync(free, JSON.stringify({ ...this.#holder, free: true }), { mode: 0o600 });
			renameSync(free, fileOf(this.#folder, this.#generation));
		} catch {
			// The process will be gone, which says the same.
		}
	}

	#beat(): void {
		try {
			// Written over with what it holds, so that its time is the disk's own.
			writeFileSync(fileOf(this.#folder, this.#generation), JSON.stringify(this.#holder), { flag: 'r+' });
		} catch {
			// It was taken over, or the disk fails: either shows elsewhere.
		}
	}
}

/** True when this process holds the newest lease now. */
function make(folder: string, generation: number, holder: LeaseHolder): boolean {
	const file = fileOf(folder, generation);
	try {
		writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
	// Others may have gone on since the newest was looked for, and have cleared away the numbers in between.
	if (newest(folder) !== generation) {
		rmSync(file, { force: true });
		return false;
	}
	for (let old = generation - 1; old > 0 && old > generation - 10; old--) rmSync(fileOf(folder, old), { force: true });
	return true;
}

function judge(
	folder: string,
	generation: number,
	self: ProcessIdentity,
	liveness: typeof livenessOf,
): { readonly live: boolean; readonly holder: LeaseHolder | undefined } {
	const file = fileOf(folder, generation);
	const lease = readLease(file);
	if (!lease) return { live: silence(folder, file) < unreadableMs, holder: undefined };
	if (lease.free) return { live: false, holder: lease.holder };
	const state = liveness(lease.holder, self);
	return { live: state === 'alive' || (state === 'unknown' && silence(folder, file) < silentMs), holder: lease.holder };
}

function readLease(file: string): { readonly holder: LeaseHolder; readonly free: boolean } | undefined {
	try {
		const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
		if (typeof value !== 'object' || value === null) return undefined;
		const { pid, host, boot, start, nonce, free } = value as Partial<LeaseHolder> & { readonly free?: boolean };
		if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
		const holder = { pid, host, boot: String(boot), start: String(start), nonce: String(nonce) };
		return { holder, free: free === true };
	} catch {
		return undefined;
	}
}

/** Since a file was last touched, by the clock of its own disk: clocks of machines differ, and may be set back. Milliseconds. */
function silence(folder: string, file: string): number {
	const probe = path.join(folder, `probe-${randomUUID()}`);
	try {
		writeFileSync(probe, '', { mode: 0o600 });
		return statSync(probe).mtimeMs - statSync(file).mtimeMs;
	} catch {
		return 0;
	} finally {
		rmSync(probe, { force: true });
	}
}

function newest(folder: string): number {
	const numbers = names(folder).map((name) => Number(/^lease-(\d+)\.json$/.exec(name)?.[1] ?? 0));
	return Math.max(0, ...numbers);
}

function names(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
		throw error;
	}
}

function fileOf(folder: string, generation: number): string {
	return path.join(folder, `lease-${generation}.json`);
}
