// Files with secrets that the person lets go with one prompt. Contract: each word counts once.

export class SharedOnce {
	readonly #files = new Map<string, number>();

	/** `file`: absolute. */
	allow(file: string): void {
		this.#files.set(file, (this.#files.get(file) ?? 0) + 1);
	}

	/** True once per word to it. */
	use(file: string): boolean {
		const left = this.#files.get(file) ?? 0;
		if (left <= 1) this.#files.delete(file);
		else this.#files.set(file, left - 1);
		return left > 0;
	}
}
