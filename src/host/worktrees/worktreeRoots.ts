// The git worktrees in which sessions of this window may be: folders beside those that are open. No `vscode`. Contract: git is asked when
// somebody wants to know, never at the start.
import { worktreesOf, type KnownWorktree } from '../../node/worktrees/worktrees.ts';

export interface WorktreeRoot extends KnownWorktree {
	/** The open folder that it stands for: rules and memory are those of that one. */
	readonly main: string;
}

export class WorktreeRoots {
	private readonly folders: () => readonly string[];
	private known: readonly WorktreeRoot[] = [];

	/** `folders`: those that are open and trusted, absolute. */
	constructor(folders: () => readonly string[]) {
		this.folders = folders;
	}

	/** Absolute; those that are known. */
	get roots(): readonly string[] {
		return this.known.map(({ root }) => root);
	}

	/** Undefined for a folder that is no worktree of ours. */
	of(root: string): WorktreeRoot | undefined {
		return this.known.find((worktree) => worktree.root === root);
	}

	/** The folder whose rules and memory hold in `root`. */
	mainOf(root: string): string {
		return this.of(root)?.main ?? root;
	}

	/** Asks git. Never rejects. */
	async look(): Promise<void> {
		const found: WorktreeRoot[] = [];
		for (const main of this.folders()) {
			for (const worktree of await worktreesOf(main)) {
				// The folder that is open may be a worktree itself.
				if (worktree.root !== main) found.push({ ...worktree, main });
			}
		}
		this.known = found;
	}

	add(worktree: KnownWorktree, main: string): void {
		const { top, root, branch } = worktree;
		this.known = [...this.known.filter((other) => other.root !== root), { top, root, branch, main }];
	}

	remove(root: string): void {
		this.known = this.known.filter((worktree) => worktree.root !== root);
	}
}
