// Find files by pattern, newest first. Reads only.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { displayPath } from '../../util/paths.ts';
import { missingMessage, otherRootsNote, readable, readNeed, rootOf, shownPath, toolPath } from '../fileAccess.ts';
import { defineTool } from '../tool.ts';
import type { ToolOutput } from '../tool.ts';

const schema = z.object({
	pattern: z.string().min(1).describe('A glob, such as **/*.ts or src/**/*.{css,scss}, relative to the folder.'),
	path: z
		.string()
		.optional()
		.describe('The folder to search; without it, the workspace folder alone, no further folder.'),
});

export const globTool = defineTool<typeof schema, { readonly folder: string }>({
	name: 'Glob',
	description: `Find files whose path matches a glob pattern, newest first.
- Hidden files are found; the .git folder is not. Files that git ignores come after all others.
- At most ${limits.globResults} paths are returned, and the result says how many there are.
- A pattern without a slash matches in every folder below.`,
	schema,
	isConcurrencySafe: () => true,
	interrupt: 'cancel',
	maxResultChars: limits.searchResultChars,
	summary: (input, context) =>
		input.path === undefined ? input.pattern : `${input.pattern} in ${shownPath(context, input.path)}`,
	prepare(input, context) {
		if (input.pattern.includes('\0')) {
			return Promise.resolve({ kind: 'refused', message: 'The pattern contains a NUL character.' });
		}
		const resolved = toolPath(context, input.path ?? rootOf(context));
		return Promise.resolve(
			resolved.kind === 'refused' ? resolved : { kind: 'ready' as const, value: { folder: resolved.path } },
		);
	},
	permission: (_input, context, prepared) => readNeed(prepared?.folder ?? rootOf(context)),
	async run(input, context, run, prepared) {
		const folder = prepared?.folder ?? rootOf(context);
		const root = rootOf(context);
		const stat = await context.workspace.stat(folder);
		if (stat === undefined) return failure(await missingMessage(context, folder, 'Folder'));
		if (stat.kind !== 'folder') {
			return failure(`${displayPath(root, folder)} is a file. Give a folder as path, or read the file.`);
		}
		const query = { pattern: input.pattern, folder, limit: limits.globResults };
		const found = await context.search.files(query, run.signal);
		if (found.kind !== 'found') {
			const problem = found.kind === 'invalid' ? 'The pattern was refused' : 'The search could not run';
			return failure(`${problem}: ${found.message}`);
		}
		const files = await readable(context, folder, found.files, (file) => file);
		const lines = files.map((file) => displayPath(root, file));
		const total = found.incomplete === true ? `more than ${found.total}` : String(found.total);
		if (lines.length === 0)
			lines.push(
				`No file matches ${input.pattern} in ${folder === root ? 'the workspace folder' : displayPath(root, folder)}.`,
			);
		if (found.truncated) {
			lines.push(`[Truncated: the first ${found.files.length} of ${total} files. Use a narrower pattern or path.]`);
		}
		if (found.ignored !== undefined && found.ignored > 0) {
			lines.push(`[${found.ignored} of ${total} files are ignored by git; they come last.]`);
		}
		if (files.length < found.files.length) {
			lines.push(
				`[${found.files.length - files.length} files are not shown: a rule, or the setting for files with secrets, keeps them back.]`,
			);
		}
		lines.push(...otherRootsNote(context, input.path));
		const { truncated } = found;
		return { content: lines.join('\n'), view: { kind: 'files', files, total: found.total, truncated } };
	},
});

function failure(message: string): ToolOutput {
	return { content: message, view: { kind: 'none' }, isError: true };
}
