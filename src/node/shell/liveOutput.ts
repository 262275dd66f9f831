// Passes output on as it comes, but not more often and not more of it than a screen can show: a flood in the runner must not
// become one in the host.

const INTERVAL_MS = 40;
/** Of what comes in one interval at most so many bytes are passed on, the last ones. */
const MAX_PENDING = 1 << 16;

/** Passes the first piece on at once, and joins what follows into one call per interval. */
export class LiveOutput {
	readonly #listener: (bytes: Buffer) => void;
	#pending: Buffer[] = [];
	#length = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(listener: (bytes: Buffer) => void) {
		this.#listener = listener;
	}

	/** Takes the next piece. */
	push(bytes: Buffer): void {
		this.#pending.push(bytes);
		this.#length += bytes.length;
		while (this.#length - (this.#pending[0]?.length ?? 0) > MAX_PENDING) {
			this.#length -= this.#pending.shift()?.length ?? 0;
		}
		if (this.#timer === undefined) this.#pass();
	}

	/** Passes on what is waiting; nothing more is to come for now. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending.length > 0) this.#give();
	}

	#pass(): void {
		this.#give();
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			if (this.#pending.length > 0) this.#pass();
		}, INTERVAL_MS);
	}

	#give(): void {
		const bytes = Buffer.concat(this.#pending, this.#length).subarray(-MAX_PENDING);
		this.#pending = [];
		this.#length = 0;
		this.#listener(bytes);
	}
}
