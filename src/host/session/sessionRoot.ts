// The folder of the workspace that a session belongs to: its rules, memory, checkpoints, searches and commands start there. No
// `vscode`. Contract: it is always one of the folders that are open, or a git worktree of one.
export class SessionRoot {
	private readonly roots: () => readonly string[];
	private wanted: string | undefined;

	/** `roots`: absolute, at least one. `wanted`: of a new session; else the first one. */
	constructor(roots: () => readonly string[], wanted?: string) {
		this.roots = roots;
		this.wanted = wanted;
	}

	/** Absolute. */
	get path(): string {
		const roots = this.roots();
		return roots.find((root) => root === this.wanted) ?? roots[0] ?? '';
	}

	/** The folder of a session that is stored already; false when it is none of those that are open. */
	take(folder: string): boolean {
		if (!this.roots().includes(folder)) return false;
		this.wanted = folder;
		return true;
	}
}
