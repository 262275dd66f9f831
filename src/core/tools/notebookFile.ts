// A notebook as the person sees it: the cells that an editor holds, else those of its file.
import type { FileContent, NotebookCell, TextFile, Workspace } from '../ports/workspace.ts';
import { missingMessage, notTextMessage } from './fileAccess.ts';
import { cellsText, parseNotebook } from './notebook.ts';
import type { ToolContext } from './tool.ts';

export interface LoadedNotebook {
	readonly kind: 'notebook';
	readonly cells: readonly NotebookCell[];
	readonly hasIds: boolean;
	readonly unsaved: boolean;
	/** The file's text; `undefined` while an editor holds the cells. */
	readonly json: string | undefined;
}

export function isNotebook(path: string): boolean {
	return /\.ipynb$/i.test(path);
}

/** `message` is written for the model. */
export async function loadNotebook(
	context: ToolContext,
	path: string,
	shown: string,
): Promise<LoadedNotebook | { readonly kind: 'refused'; readonly message: string }> {
	const found = await readNotebook(context.workspace, path);
	if (found.kind === 'notebook') return found;
	if (found.kind === 'missing') return { kind: 'refused', message: await missingMessage(context, path) };
	if (found.kind !== 'invalid') return { kind: 'refused', message: notTextMessage(found, shown) };
	return { kind: 'refused', message: `${shown} cannot be used as a notebook: ${found.message}.` };
}

/** What staleness of a file is judged by: its text, or of a notebook the cells. */
export async function knownForm(workspace: Workspace, path: string): Promise<string | undefined> {
	if (!isNotebook(path)) {
		const content = await workspace.read(path);
		return content.kind === 'text' ? content.text : undefined;
	}
	const found = await readNotebook(workspace, path);
	return found.kind === 'notebook' ? cellsText(found.cells) : undefined;
}

/** The same of a text that is at hand. */
export function knownText(path: string, text: string): string {
	const parsed = isNotebook(path) ? parseNotebook(text) : undefined;
	return parsed?.kind === 'notebook' ? cellsText(parsed.cells) : text;
}

async function readNotebook(
	workspace: Workspace,
	path: string,
): Promise<LoadedNotebook | { readonly kind: 'invalid'; readonly message: string } | Exclude<FileContent, TextFile>> {
	const open = await workspace.openNotebook?.(path);
	if (open !== undefined) {
		const hasIds = open.cells.length > 0 && open.cells.every((cell) => cell.id !== undefined);
		return { kind: 'notebook', cells: open.cells, hasIds, unsaved: open.unsaved, json: undefined };
	}
	const content = await workspace.read(path);
	if (content.kind !== 'text') return content;
	const parsed = parseNotebook(content.text);
	return parsed.kind === 'invalid' ? parsed : { ...parsed, unsaved: content.unsaved, json: content.text };
}
