// Passes output on as it comes, but not more often than a screen can show it.

const INTERVAL_MS = 16;
/** Of what comes in one interval at most so many characters are passed on, the last ones. */
const MAX_PENDING = 1 << 18;

/** Joins pieces of text into one call per interval. A listener that throws is not called again. */
export class LiveOutput {
	#listener: ((text: string) => void) | undefined;
	#pending: string[] = [];
	#length = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(listener: ((text: string) => void) | undefined) {
		this.#listener = listener;
	}

	/** Takes the next piece. */
	push(text: string): void {
		if (text === '' || this.#listener === undefined) return;
		this.#pending.push(text);
		this.#length += text.length;
		while (this.#length - (this.#pending[0]?.length ?? 0) > MAX_PENDING) {
			this.#length -= this.#pending.shift()?.length ?? 0;
		}
		this.#timer ??= setTimeout(() => this.end(), INTERVAL_MS);
	}

	/** Passes on what is waiting. */
	end(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#pending.length === 0) return;
		const text = this.#pending.join('').slice(-MAX_PENDING);
		this.#pending = [];
		this.#length = 0;
		try {
			this.#listener?.(text);
		} catch {
			this.#listener = undefined;
		}
	}
}
