// When the memory was put in order, and the lock for doing it: two small files beside the project's sessions.
import { open, readdir, readFile, rename, rm, stat, writeFile, mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { DreamLock, DreamPort } from '../../core/memory/dreamPort.ts';

/** Milliseconds after which a lock counts as left behind, whatever its process does. */
const staleMs = 30 * 60_000;

export class FileDreamPort implements DreamPort {
	readonly #folder: string;
	readonly #lock: string;
	readonly #stamp: string;
	readonly #now: () => number;

	/** `folder`: where the sessions of the project lie. */
	constructor(folder: string, now: () => number = Date.now) {
		this.#folder = folder;
		this.#lock = path.join(folder, 'memory.lock');
		this.#stamp = path.join(folder, 'memory-consolidated');
		this.#now = now;
	}

	async lastRun(): Promise<number | undefined> {
		const text = await readFile(this.#stamp, 'utf8').catch(() => '');
		const time = Number(text.trim() || Number.NaN);
		return Number.isFinite(time) ? time : undefined;
	}

	async sessionsSince(time: number, atMost: number): Promise<number> {
		const names = await readdir(this.#folder).catch(() => []);
		let count = 0;
		for (const name of names) {
			if (count >= atMost) break;
			if (!name.endsWith('.jsonl')) continue;
			const found = await stat(path.join(this.#folder, name)).catch(() => undefined);
			if (found && found.mtimeMs > time) count++;
		}
		return count;
	}

	async lock(): Promise<DreamLock | undefined> {
		await mkdir(this.#folder, { recursive: true, mode: 0o700 });
		const mine = `${process.pid} ${randomUUID()}`;
		if (!(await this.#create(mine)) && !((await this.#clearStale()) && (await this.#create(mine)))) return undefined;
		return {
			release: async (done) => {
				if (done) await writeFile(this.#stamp, String(this.#now()), { mode: 0o600 });
				// A lock that was taken over in the meantime belongs to somebody else.
				if ((await this.#holder()) === mine) await rm(this.#lock, { force: true });
			},
		};
	}

	/** False when there is a lock already. */
	async #create(mine: string): Promise<boolean> {
		try {
			const file = await open(this.#lock, 'wx', 0o600);
			await file.writeFile(mine);
			await file.close();
		} catch (error) {
			if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
			throw error;
		}
		return (await this.#holder()) === mine;
	}

	/** Puts a lock aside whose holder is gone; true when it did. */
	async #clearStale(): Promise<boolean> {
		const found = await stat(this.#lock).catch(() => undefined);
		const holder = await this.#holder();
		if (!found || holder === undefined) return true;
		const pid = Number(holder.split(' ')[0]);
		if (this.#now() - found.mtimeMs < staleMs && isAlive(pid)) return false;
		// Renamed, not removed: of two that try this, one finds that it took the other's fresh lock, and gives it back.
		const aside = `${this.#lock}.${randomUUID()}`;
		await rename(this.#lock, aside).catch(() => {});
		const taken = await readFile(aside, 'utf8').catch(() => undefined);
		if (taken !== undefined && taken !== holder) {
			await rename(aside, this.#lock);
			return false;
		}
		await rm(aside, { force: true });
		return true;
	}

	async #holder(): Promise<string | undefined> {
		return await readFile(this.#lock, 'utf8').catch(() => undefined);
	}
}

function isAlive(pid: number): boolean {
	// A lock that is being written has no id yet.
	if (!Number.isInteger(pid) || pid <= 0) return true;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
