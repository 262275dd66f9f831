// Search file contents with ripgrep. Reads only.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import type { ContentMatch, ContentSearch, FoundContent, SearchFailure } from '../../ports/search.ts';
import type { MatchView } from '../../../shared/view.ts';
import { displayPath } from '../../util/paths.ts';
import { clip } from '../../util/text.ts';
import { missingMessage, otherRootsNote, readable, readNeed, rootOf, shownPath, toolPath } from '../fileAccess.ts';
import { flag, wholeNumber } from '../inputs.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';

const schema = z.object({
	pattern: z.string().min(1).describe('A regular expression in the syntax of ripgrep.'),
	path: z
		.string()
		.optional()
		.describe('File or folder to search; without it, the workspace folder alone, no further folder.'),
	glob: z.string().optional().describe('Only files that match this glob, such as *.ts or src/**/*.css.'),
	type: z.string().optional().describe('Only files of this ripgrep type, such as ts, py, rust.'),
	output_mode: z
		.enum(['files_with_matches', 'content', 'count'])
		.optional()
		.describe('files_with_matches (the default) lists files, content shows lines, count counts lines by file.'),
	'-i': flag().optional().describe('Ignore case.'),
	'-n': flag().optional().describe('Show line numbers in content mode; on by default.'),
	'-o': flag().optional().describe('Show only the matching parts of lines, in content mode.'),
	'-A': wholeNumber(0).optional().describe('Lines to show after each match, in content mode.'),
	'-B': wholeNumber(0).optional().describe('Lines to show before each match, in content mode.'),
	'-C': wholeNumber(0).optional().describe('Lines to show around each match, in content mode.'),
	context: wholeNumber(0).optional().describe('The same as -C.'),
	head_limit: wholeNumber(0)
		.optional()
		.describe(`At most so many lines or files; ${limits.grepEntries} by default, 0 for as many as allowed.`),
	offset: wholeNumber(0).optional().describe('Pass over so many lines or files first.'),
	multiline: flag().optional().describe('Let the pattern match across lines; . then matches line ends too.'),
});
type Input = z.output<typeof schema>;

export const grepTool = defineTool<typeof schema, { readonly path: string }>({
	name: 'Grep',
	description: `Search the contents of files with ripgrep.
- The pattern is a regular expression; escape braces, brackets and parentheses that you mean literally.
- Hidden files are searched; the .git folder and files that git ignores are not, unless path names them.
- Results are limited to ${limits.grepEntries} entries; page with offset, or narrow with glob, type or path.`,
	schema,
	isConcurrencySafe: () => true,
	interrupt: 'cancel',
	maxResultChars: limits.searchResultChars,
	summary(input, context) {
		const where = input.path === undefined ? '' : ` in ${shownPath(context, input.path)}`;
		return `${clip(input.pattern.replaceAll('\n', '\\n'), 100)}${where}`;
	},
	prepare(input, context) {
		if ([input.pattern, input.glob, input.type].some((text) => text?.includes('\0'))) {
			return Promise.resolve({ kind: 'refused', message: 'The input contains a NUL character.' });
		}
		const resolved = toolPath(context, input.path ?? rootOf(context));
		return Promise.resolve(
			resolved.kind === 'refused' ? resolved : { kind: 'ready' as const, value: { path: resolved.path } },
		);
	},
	permission: (_input, context, prepared) => readNeed(prepared?.path ?? rootOf(context)),
	async run(input, context, run, prepared) {
		const path = prepared?.path ?? rootOf(context);
		if ((await context.workspace.stat(path)) === undefined) {
			return failure(await missingMessage(context, path, 'Path'));
		}
		const found = await context.search.content(queryOf(input, path), run.signal);
		if (found.kind !== 'found') return failure(failureMessage(found, input.pattern));
		const matches = await readable(context, path, found.matches, (match) => match.file);
		const ignored = await readable(context, path, found.ignoredFiles ?? [], (file) => file);
		const kept = { ...found, matches, ignoredFiles: ignored };
		return output(kept, input, context, found.matches.length - matches.length);
	},
});

function failure(message: string): ToolOutput {
	return { content: message, view: { kind: 'none' }, isError: true };
}

function failureMessage({ kind, message }: SearchFailure, pattern: string): string {
	if (kind === 'failed') return `The search could not run, so nothing is known: ${message}`;
	const hint = 'To search for characters such as ( [ { . * + ? literally, put a backslash before each.';
	return `The search was refused by ripgrep:\n${message}${/[()[\]{}*+?\\]/.test(pattern) ? `\n${hint}` : ''}`;
}

function queryOf(input: Input, path: string): ContentSearch {
	const around = input['-C'] ?? input.context;
	const after = input['-A'] ?? around;
	const before = input['-B'] ?? around;
	const wanted = input.head_limit ?? limits.grepEntries;
	return {
		pattern: input.pattern,
		path,
		mode: input.output_mode ?? 'files_with_matches',
		limit: wanted === 0 ? limits.grepEntriesMax : Math.min(wanted, limits.grepEntriesMax),
		offset: input.offset ?? 0,
		caseInsensitive: input['-i'] ?? false,
		lineNumbers: input['-n'] ?? true,
		onlyMatching: input['-o'] ?? false,
		multiline: input.multiline ?? false,
		...(input.glob === undefined ? {} : { glob: input.glob }),
		...(input.type === undefined ? {} : { type: input.type }),
		...(after === undefined ? {} : { after }),
		...(before === undefined ? {} : { before }),
	};
}

function output(found: FoundContent, input: Input, context: ToolContext, keptBack: number): ToolOutput {
	const root = rootOf(context);
	const mode = input.output_mode ?? 'files_with_matches';
	const lines = rows(found.matches, root, { mode, numbers: input['-n'] !== false });
	const shown = fitting(lines);
	const total = found.incomplete === true ? `more than ${found.total}` : String(found.total);
	const unit = mode === 'content' ? 'lines' : 'files';
	const notices: string[] = [];
	if (found.matches.length === 0) notices.push(emptyNotice(found, input, root, unit));
	else if (found.truncated || shown.length < lines.length) {
		const first = (input.offset ?? 0) + 1;
		notices.push(
			`[Truncated: ${total} ${unit} match; this is from entry ${first} on. Go on with offset, or narrow the search.]`,
		);
	} else if (mode === 'count') {
		const sum = found.matches.reduce((count, match) => count + (match.count ?? 0), 0);
		notices.push(`[${sum} matching lines in ${found.files} files.]`);
	}
	if (keptBack > 0)
		notices.push(
			`[${keptBack} entries are not shown: a rule, or the setting for files with secrets, keeps their files back.]`,
		);
	notices.push(...otherRootsNote(context, input.path));
	return {
		content: [...shown, ...notices].join('\n'),
		view: {
			kind: 'matches',
			matches: found.matches.slice(0, limits.searchViewRows).map(matchView),
			total: found.total,
			files: found.files,
			truncated: found.truncated || found.matches.length > limits.searchViewRows,
		},
	};
}

function matchView({ file, line, text, count }: ContentMatch): MatchView {
	return {
		file,
		...(line === undefined ? {} : { line }),
		...(text === undefined ? {} : { text: clip(text, limits.grepLineChars) }),
		...(count === undefined ? {} : { count }),
	};
}

function emptyNotice(found: FoundContent, input: Input, root: string, unit: string): string {
	const offset = input.offset ?? 0;
	if (offset > 0 && found.total > 0) return `No entries at offset ${offset}; ${found.total} ${unit} match in all.`;
	const ignored = found.ignoredFiles ?? [];
	if (ignored.length === 0) return 'No matches found.';
	const names = ignored.map((file) => displayPath(root, file)).join(', ');
	return `No matches found. Files that git ignores were not searched, and these match: ${names}. Name one as path to search it.`;
}

interface RowStyle {
	readonly mode: ContentSearch['mode'];
	readonly numbers: boolean;
}

/** grep's own layout: `file:line:text`, `file-line-text` for context, `--` between places that do not touch. */
function rows(matches: readonly ContentMatch[], root: string, style: RowStyle): string[] {
	const grouped = matches.some((match) => match.context === true);
	const lines: string[] = [];
	let last: ContentMatch | undefined;
	for (const match of matches) {
		const file = displayPath(root, match.file);
		if (style.mode === 'files_with_matches') lines.push(file);
		else if (style.mode === 'count') lines.push(`${file}:${match.count ?? 0}`);
		else {
			const apart = last !== undefined && (last.file !== match.file || (last.line ?? 0) + 1 < (match.line ?? 0));
			if (grouped && apart) lines.push('--');
			const mark = match.context === true ? '-' : ':';
			const number = style.numbers && match.line !== undefined ? `${match.line}${mark}` : '';
			lines.push(`${file}${mark}${number}${clip(match.text ?? '', limits.grepLineChars)}`);
			last = match;
		}
	}
	return lines;
}

/** The lines that fit into one result, with room for the notices. */
function fitting(lines: readonly string[]): readonly string[] {
	let room = limits.searchResultChars - 500;
	const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
	return end === -1 ? lines : lines.slice(0, end);
}
