// Files as they would be once a proposed edit is applied, for the proposals of the same answer that build on it. Reads only.
// Contract: nothing is written through it, and the conversation's own knowledge of files is not touched.
import { pathKey } from '../util/paths.ts';
import type { ChangeOutcome, FileContent, Workspace } from '../ports/workspace.ts';
import { applyEdits } from './edits.ts';
import { knownText } from './notebookFile.ts';
import type { Proposal } from './proposal.ts';
import type { ToolContext } from './tool.ts';

/** The same context with the proposal done. A notebook that an editor holds is left as it is. */
export function contextAfter(proposal: Proposal, context: ToolContext): ToolContext {
	const { notebook, plan, realPath, path, partial } = proposal;
	const change = notebook?.change;
	if (change && 'expectedCells' in change) return context;
	const text = change ? applyEdits(change.expected ?? '', change.edits) : plan.newText;
	const fileState = context.fileState.copy();
	fileState.remember(realPath, notebook ? plan.newText : knownText(path, text), partial);
	return {
		...context,
		fileState,
		workspace: overlaid(context.workspace, { realPath, text, unsaved: proposal.unsaved }),
	};
}

interface Overlay {
	readonly realPath: string;
	readonly text: string;
	readonly unsaved: boolean;
}

function overlaid(inner: Workspace, { realPath, text, unsaved }: Overlay): Workspace {
	const key = pathKey(realPath);
	const refused: ChangeOutcome = { kind: 'failed', message: 'it is only proposed' };
	const isIt = async (path: string) => pathKey(await inner.realPath(path)) === key;
	return {
		get roots() {
			return inner.roots;
		},
		async read(path): Promise<FileContent> {
			return (await isIt(path)) ? { kind: 'text', text, unsaved } : inner.read(path);
		},
		readMedia: (path) => inner.readMedia(path),
		async stat(path) {
			const found = await inner.stat(path);
			return found ?? ((await isIt(path)) ? { kind: 'file', size: text.length, mtime: 0 } : undefined);
		},
		change: () => Promise.resolve(refused),
		// What it says is about the file as it is; asked again before anything is written.
		obstacle: async (change) => ((await isIt(change.path)) ? undefined : inner.obstacle?.(change)),
		openNotebook: async (path) => inner.openNotebook?.(path),
		realPath: (path) => inner.realPath(path),
		list: (path) => inner.list(path),
	};
}
