// What the stored sessions of this window's conversations are called: by the person, the small model, or else by their first prompt.
// No `vscode`. Contract: those that are followed have the name that any window gives them.
import type { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';

export class SessionTitles {
	private readonly library: Pick<SessionLibrary, 'info' | 'follow'>;
	private readonly known = new Map<string, string>();
	/** How to end each. */
	private readonly followed = new Map<string, () => void>();
	private readonly listeners = new Set<() => void>();

	constructor(library: Pick<SessionLibrary, 'info' | 'follow'>) {
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

	/** Looks whenever it may be another; once something of it is stored, and until it is left. */
	follow(root: string, id: string): void {
		if (this.followed.has(id)) return;
		const end = this.library.follow(root, id, () => void this.look(root, id));
		if (end) this.followed.set(id, end);
	}

	leave(id: string): void {
		this.followed.get(id)?.();
		this.followed.delete(id);
	}

	/** Returns the way to end it. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}
