// What the stored sessions of this window's conversations are called: by the person, the small model, or else by their first prompt.
// No `vscode`.
import type { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';

export class SessionTitles {
	private readonly library: Pick<SessionLibrary, 'info'>;
	private readonly known = new Map<string, string>();
	private readonly listeners = new Set<() => void>();

	constructor(library: Pick<SessionLibrary, 'info'>) {
		this.library = library;
	}

	/** Undefined until it was looked at, and while nothing is stored. */
	of(id: string): string | undefined {
		return this.known.get(id);
	}

	/** Reads it anew; tells when it is another. `root`: the folder of the session. Never rejects. */
	async look(root: string, id: string): Promise<void> {
		const { title = '' } = (await this.library.info(root, id)) ?? {};
		if (title === (this.known.get(id) ?? '')) return;
		if (title === '') this.known.delete(id);
		else this.known.set(id, title);
		for (const listener of this.listeners) listener();
	}

	/** Returns the way to end it. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}
