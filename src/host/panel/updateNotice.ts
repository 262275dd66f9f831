// Says once after an update that this is another version, until the person has taken note. A first installation is no update.
// No `vscode`.

/** As of an editor's memory. */
interface Memory {
	get(key: string): unknown;
	update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'loopwright.version';

export interface UpdateDeps {
	/** Outlives windows. */
	readonly memory: Memory;
	readonly version: string;
	/** Opens what is new. */
	readonly openNews: () => PromiseLike<unknown>;
	/** The panel should look again. */
	readonly changed: () => void;
}

export class UpdateNotice {
	private readonly deps: UpdateDeps;

	constructor(deps: UpdateDeps) {
		this.deps = deps;
		if (deps.memory.get(key) === undefined) void deps.memory.update(key, deps.version);
	}

	/** The version, while the person has not seen the news of it. */
	get updatedTo(): string | null {
		const { memory, version } = this.deps;
		return (memory.get(key) ?? version) === version ? null : version;
	}

	/** `show`: they want to read what is new. */
	async seen(show: boolean): Promise<void> {
		const { memory, version, openNews, changed } = this.deps;
		await memory.update(key, version);
		changed();
		if (show) await openNews();
	}
}
