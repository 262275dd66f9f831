// Real pipes for a command's output. Node gives children sockets, on which `> /dev/stderr` fails and two of which lose
// the order of stdout and stderr; a FIFO is a pipe and one serves both. Without `mkfifo` there are none.
import { execFile, execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';

/** A pipe: what a child writes to `writer` comes out of `reader`. */
export interface Pipe {
	readonly reader: Socket;
	/** To be closed once the child has it. */
	readonly writer: number;
}

const MKFIFO = 'mkfifo';
const BATCH = 8;

/** Makes pipes; keeps some FIFOs in store because making one takes a process. */
export class Fifos {
	readonly #folder: string;
	#store: string[] = [];
	#count = 0;

	constructor(folder: string) {
		this.#folder = folder;
		const names = this.#names();
		try {
			execFileSync(MKFIFO, ['-m', '600', ...names], { stdio: 'ignore' });
			this.#store = names;
		} catch {
			// No such program here: commands get Node's own pipes.
		}
	}

	/** A new pipe, or undefined where there are none. */
	take(): Pipe | undefined {
		const file = this.#store.pop();
		if (file === undefined) return undefined;
		if (this.#store.length === BATCH / 2) this.#refill();
		const open: number[] = [];
		try {
			const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
			open.push(fd);
			const writer = openSync(file, constants.O_WRONLY);
			open.push(writer);
			unlinkSync(file);
			return { reader: new Socket({ fd, readable: true, writable: false }), writer };
		} catch {
			for (const fd of open) closeSync(fd);
			return undefined;
		}
	}

	#names(): string[] {
		return Array.from({ length: BATCH }, () => path.join(this.#folder, `pipe${this.#count++}`));
	}

	#refill(): void {
		const names = this.#names();
		execFile(MKFIFO, ['-m', '600', ...names], (error) => {
			if (error === null) this.#store.unshift(...names);
		});
	}
}
