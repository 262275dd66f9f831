// Show a text file with line numbers, whole or a range; an image or a PDF as it is. Reads only; what an open editor holds counts.
import nodePath from 'node:path';
import * as z from 'zod';
import { limits } from '../../limits.ts';
import type { MediaContent, TextFile } from '../../ports/workspace.ts';
import { displayPath } from '../../util/paths.ts';
import { countLines, linesFrom } from '../../util/lines.ts';
import { clip, roughTokens } from '../../util/text.ts';
import { plainLineEnds } from '../edits.ts';
import { missingMessage, notTextMessage, readNeed, rootOf, shownPath, toolPath } from '../fileAccess.ts';
import { mediaResult } from '../mediaResult.ts';
import type { Medium } from '../mediaResult.ts';
import { wholeNumber } from '../inputs.ts';
import { cellsText, cellsWithOutputs } from '../notebook.ts';
import { isNotebook, loadNotebook } from '../notebookFile.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';

const schema = z.object({
	file_path: z.string().describe('Path of the file: absolute, or relative to the workspace folder.'),
	offset: wholeNumber(0).optional().describe('Line to start at, counted from 1.'),
	limit: wholeNumber(1).optional().describe('How many lines to show.'),
});
type Input = z.output<typeof schema>;

export const readTool = defineTool({
	name: 'Read',
	description: `Show a file. Of a text, each line comes as its number, a tab, and the text; number and tab are not part of the file.
- Without offset and limit the file is shown from the top. A file over about ${limits.readTokens} tokens is shown in part, with a notice; then ask for ranges, or use Grep.
- Text that the person has typed but not saved is included.
- Of a notebook (.ipynb) the cells are shown, each under its name, with their outputs as text. Change them with NotebookEdit.
- Read a file before you change it with Edit or Write. Several files can be read at once.
- An image (PNG, JPEG, GIF, WebP) is shown to you, a large one scaled down; a PDF as it is.
- Folders and other binary files are not shown. Use Glob for folders.`,
	schema,
	isConcurrencySafe: () => true,
	interrupt: 'cancel',
	maxResultChars: Infinity,
	summary(input, context) {
		const path = shownPath(context, input.file_path);
		if (input.offset === undefined && input.limit === undefined) return path;
		const first = Math.max(1, input.offset ?? 1);
		return `${path} ${first}–${input.limit === undefined ? '' : first + input.limit - 1}`;
	},
	prepare(input, context) {
		const resolved = toolPath(context, input.file_path);
		return Promise.resolve(
			resolved.kind === 'refused' ? resolved : { kind: 'ready' as const, value: { path: resolved.path } },
		);
	},
	permission: (input, context, prepared) =>
		readNeed(prepared?.path ?? nodePath.resolve(rootOf(context), input.file_path)),
	async run(input, context, _run, prepared) {
		if (prepared === undefined) return failure('The path was not prepared.');
		const { path } = prepared;
		const shown = displayPath(rootOf(context), path);
		const { workspace } = context;
		if (isNotebook(path)) return showNotebook({ input, path, shown }, context);
		const [content, realPath] = await Promise.all([workspace.read(path), workspace.realPath(path)]);
		switch (content.kind) {
			case 'text':
				// Few are plain text, but to the person they are documents.
				if (content.text.startsWith('%PDF-')) return showMedium(context, path, shown);
				return show({ input, path, shown, file: content, realPath, known: content.text }, context);
			case 'missing':
				return failure(await missingMessage(context, path));
			case 'folder':
				return failure(await folderMessage(context, path, shown));
			case 'undecodable':
			case 'too_large':
				return showMedium(context, path, shown, notTextMessage(content, shown));
			case 'failed':
				return failure(notTextMessage(content, shown));
		}
	},
});

function failure(message: string): ToolOutput {
	return { content: message, view: { kind: 'none' }, isError: true };
}

/** `otherwise`: what is said of a file that is no medium. */
async function showMedium(
	{ workspace }: ToolContext,
	path: string,
	shown: string,
	otherwise = `${shown} is no image or PDF.`,
): Promise<ToolOutput> {
	const medium = await workspace.readMedia(path);
	return isMedium(medium) ? mediaResult(medium, path, shown) : failure(otherwise);
}

function isMedium(content: MediaContent): content is Medium {
	return ['image', 'pdf', 'unfit', 'encrypted', 'too_large'].includes(content.kind);
}

async function folderMessage(context: ToolContext, path: string, shown: string): Promise<string> {
	const names = await context.workspace.list(path);
	const some = names.slice(0, limits.folderNames).join(', ');
	const more = names.length > limits.folderNames ? `, and ${names.length - limits.folderNames} more` : '';
	return `${shown} is a folder. ${names.length === 0 ? 'It is empty.' : `It has: ${some}${more}.`} Use Glob to search in it.`;
}

interface Shown {
	readonly input: Input;
	readonly path: string;
	readonly shown: string;
	readonly realPath: string;
	readonly file: TextFile;
	/** What counts as read: the file's text, or what staleness of it is judged by. */
	readonly known: string;
}

async function showNotebook(
	{ input, path, shown }: Pick<Shown, 'input' | 'path' | 'shown'>,
	context: ToolContext,
): Promise<ToolOutput> {
	const notebook = await loadNotebook(context, path, shown);
	if (notebook.kind === 'refused') return failure(notebook.message);
	const realPath = await context.workspace.realPath(path);
	const file = { kind: 'text', text: cellsWithOutputs(notebook.cells), unsaved: notebook.unsaved } as const;
	return show({ input, path, shown, realPath, file, known: cellsText(notebook.cells) }, context);
}

function show({ input, path, shown, realPath, file, known }: Shown, context: ToolContext): ToolOutput {
	const text = plainLineEnds(file.text);
	const total = countLines(text);
	const explicit = input.offset !== undefined || input.limit !== undefined;
	const first = Math.max(1, input.offset ?? 1);
	if (total === 0) {
		context.fileState.remember(realPath, known, false);
		return notice(path, `${shown} exists but is empty.`);
	}
	if (first > total) {
		return notice(path, `${shown} has only ${total} lines; there is nothing from line ${first} on.`);
	}
	const end = Math.min(total, input.limit === undefined ? total : first - 1 + input.limit);
	// Each line takes a token at least.
	const lines = linesFrom(text, first, Math.min(end - first + 1, limits.readTokens));
	const page = takePage(lines, first);
	if (explicit && page.lines.length < end - first + 1) {
		return failure(
			`Lines ${first} to ${end} of ${shown} are more than the ${limits.readTokens} tokens that one Read returns. ` +
				`Ask for at most ${Math.max(1, page.lines.length)} lines from there, or use Grep to find the part you need.`,
		);
	}
	const last = first + page.lines.length - 1;
	const whole = first === 1 && last === total && page.cutLines === 0;
	const notices: string[] = [];
	if (!explicit && last < total) {
		notices.push(
			`[PARTIAL view: lines 1 to ${last} of ${total}. The rest was not delivered; ` +
				'continue with offset and limit, or use Grep. A part does not count as having read the file.]',
		);
	}
	if (page.cutLines > 0) {
		notices.push(`[${page.cutLines} lines are longer than ${limits.readLineChars} characters and are cut at "…".]`);
	}
	if (file.unsaved)
		notices.push('[The editor holds text of this file that is not saved; this is the text in the editor.]');
	if (file.encoding !== undefined) notices.push(`[The file is encoded in ${file.encoding}; edits keep that.]`);
	// A page that was cut by the cap counts as no read: the model may take it for the whole.
	if (last === total || explicit) context.fileState.remember(realPath, known, !whole);
	return {
		content: [...page.lines, ...notices].join('\n'),
		view: {
			kind: 'read',
			path,
			firstLine: first,
			lines: page.lines.length,
			text: clip(lines.slice(0, page.lines.length).join('\n'), limits.readViewChars),
			partial: !whole,
		},
	};
}

function notice(path: string, text: string): ToolOutput {
	return { content: text, view: { kind: 'read', path, firstLine: 1, lines: 0, text: '', partial: false } };
}

/** The lines, numbered from `first`, as far as the caps on tokens and bytes go. */
function takePage(
	lines: readonly string[],
	first: number,
): { readonly lines: readonly string[]; readonly cutLines: number } {
	const page: string[] = [];
	let cutLines = 0;
	let tokens = 0;
	let characters = 0;
	for (const line of lines) {
		const text = clip(line, limits.readLineChars);
		const row = `${first + page.length}\t${text}`;
		tokens += roughTokens(row) + 1;
		characters += row.length + 1;
		if (tokens > limits.readTokens || characters > limits.readBytes) break;
		if (text !== line) cutLines++;
		page.push(row);
	}
	return { lines: page, cutLines };
}
