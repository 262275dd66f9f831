// The workspace as the agent has it: each applied edit of a text file goes into the review. Rule: nothing else is different.
import type {
	CellsChange,
	ChangeOutcome,
	FileChange,
	FileContent,
	FileStat,
	OpenNotebook,
	Workspace,
} from '../../core/ports/workspace.ts';

/** `changes` applies an edit by the function it is given. */
export function reviewedWorkspace(
	inner: Workspace,
	changes: (change: FileChange, apply: () => Promise<ChangeOutcome>) => Promise<ChangeOutcome>,
): Workspace {
	return {
		get roots() {
			return inner.roots;
		},
		read: (path): Promise<FileContent> => inner.read(path),
		readMedia: (path) => inner.readMedia(path),
		stat: (path): Promise<FileStat | undefined> => inner.stat(path),
		change(change: FileChange | CellsChange): Promise<ChangeOutcome> {
			if ('expectedCells' in change) return inner.change(change);
			return changes(change, () => inner.change(change));
		},
		obstacle: async (change) => inner.obstacle?.(change),
		openNotebook: async (path): Promise<OpenNotebook | undefined> => inner.openNotebook?.(path),
		changeCount: () => inner.changeCount?.() ?? 0,
		inTurn: (realPath, work) => inner.inTurn?.(realPath, work) ?? work(),
		realPath: (path) => inner.realPath(path),
		list: (path) => inner.list(path),
	};
}
