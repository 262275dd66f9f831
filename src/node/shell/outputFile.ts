// A command's whole output in a file, byte for byte, up to a cap that the file itself tells.
// Contract: never throws; what cannot be written does not concern the command.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Bytes of output kept in the file. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Writes output to a file as it comes. */
export class OutputFile {
	readonly #limit: number;
	#fd: number | undefined;
	#bytes = 0;
	#complete = true;

	/** Makes the file anew (and its folder), readable by the person only. */
	constructor(file: string, limit: number = MAX_FILE_BYTES) {
		this.#limit = limit;
		try {
			mkdirSync(path.dirname(file), { recursive: true });
			this.#fd = openSync(file, 'w', 0o600);
		} catch {
			this.#complete = false;
		}
	}

	/** Bytes of output in the file, and whether that is all of it; undefined when there is no file. */
	get saved(): { readonly bytes: number; readonly complete: boolean } | undefined {
		if (this.#fd === undefined && this.#bytes === 0) return undefined;
		return { bytes: this.#bytes, complete: this.#complete };
	}

	/** Takes the next bytes. */
	write(bytes: Uint8Array): void {
		if (this.#fd === undefined || !this.#complete) return;
		const part = bytes.subarray(0, this.#limit - this.#bytes);
		try {
			writeAll(this.#fd, part);
			this.#bytes += part.length;
			if (part.length === bytes.length) return;
			this.#complete = false;
			const limit = `${Math.round(this.#limit / (1024 * 1024))} MB`;
			writeAll(this.#fd, Buffer.from(`\n[Output after the first ${limit} was not kept.]\n`));
		} catch {
			// The disk is full, or the file system went away.
			this.#complete = false;
		}
	}

	/** Nothing more will come. */
	close(): void {
		if (this.#fd !== undefined) closeSync(this.#fd);
		this.#fd = undefined;
	}
}

function writeAll(fd: number, bytes: Uint8Array): void {
	for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}
