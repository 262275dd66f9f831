// Write a whole file: create it, or replace what was read in full. Never appends.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { displayPath } from '../../util/paths.ts';
import { planOverwrite } from '../edits.ts';
import { notTextMessage, rootOf, shownPath, toolPath } from '../fileAccess.ts';
import { contentHash } from '../fileState.ts';
import { parseNotebook } from '../notebook.ts';
import { isNotebook } from '../notebookFile.ts';
import { applyProposal, prepared, writeNeed } from '../proposal.ts';
import type { Proposal, Proposed } from '../proposal.ts';
import { proposes } from '../proposes.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext } from '../tool.ts';

const schema = z.object({
	file_path: z.string().describe('Path of the file: absolute, or relative to the workspace folder.'),
	content: z.string().describe('The whole new text of the file.'),
});
type Input = z.output<typeof schema>;

export const writeTool = defineTool<typeof schema, Proposal>({
	name: 'Write',
	description: `Write a whole text file. It is created, with its folders, or its content is replaced; nothing is appended.
- A file that exists must have been read in full before, and not have changed since.
- To change a part of a file, use Edit: it is shorter and safer.
- Write line ends as plain newlines; a file with other line ends keeps them.`,
	schema,
	...proposes,
	summary: (input, context) => shownPath(context, input.file_path),
	prepare: async (input, context) => prepared(await propose(input, context), context),
	permission(input, context, proposal) {
		if (proposal !== undefined) return writeNeed(proposal, context);
		const path = shownPath(context, input.file_path);
		return { access: { kind: 'write', path }, detail: { kind: 'path', path } };
	},
	async run(_input, context, run, proposal) {
		if (proposal === undefined)
			return { content: 'The write was not prepared.', view: { kind: 'none' }, isError: true };
		return applyProposal(proposal, context, run);
	},
});

/** What the write would do to the file as it is now. Reads only. */
async function propose(input: Input, context: ToolContext): Promise<Proposed> {
	const resolved = toolPath(context, input.file_path);
	if (resolved.kind === 'refused') return resolved;
	const { path } = resolved;
	const shown = displayPath(rootOf(context), path);
	if (input.content.length > limits.writeChars) {
		return refused(
			`The content has ${input.content.length} characters; at most ${limits.writeChars} are written at once.`,
		);
	}
	const content = await context.workspace.read(path);
	const realPath = await context.workspace.realPath(path);
	const compute = (now: ToolContext) => propose(input, now);
	const base = { path, realPath, partial: false, note: '', compute };
	if (isNotebook(path)) {
		const problem = notebookProblem(input.content, content.kind === 'missing');
		if (problem !== undefined) return refused(`${shown} is a notebook. ${problem}`);
	}
	if (content.kind === 'missing') {
		const plan = { edits: [{ start: 0, end: 0, text: input.content }], newText: input.content };
		return { kind: 'proposal', proposal: { ...base, oldText: undefined, plan, unsaved: false } };
	}
	if (content.kind !== 'text') return refused(notTextMessage(content, shown));
	const { text, unsaved } = content;
	const seen = text === '' || context.askedAgain === true;
	const problem = seen ? undefined : unreadProblem(context, { realPath, text, shown });
	if (problem !== undefined) return refused(problem);
	return {
		kind: 'proposal',
		proposal: { ...base, oldText: text, plan: planOverwrite(text, input.content), unsaved },
	};
}

/** A notebook is written once, as a whole and valid; from then on its cells are changed. */
function notebookProblem(content: string, isNew: boolean): string | undefined {
	if (!isNew) return 'Use NotebookEdit to change its cells.';
	const parsed = parseNotebook(content);
	return parsed.kind === 'invalid' ? `The content cannot be one: ${parsed.message}.` : undefined;
}

function unreadProblem(
	context: ToolContext,
	{ realPath, text, shown }: { readonly realPath: string; readonly text: string; readonly shown: string },
): string | undefined {
	const record = context.fileState.get(realPath);
	if (record === undefined) return `${shown} exists and has not been read. Read it first, or use Edit.`;
	if (record.hash !== contentHash(text)) {
		return `${shown} has changed since it was read. Nothing was written; read it again first.`;
	}
	if (record.partial)
		return `Only a part of ${shown} has been read. Read all of it first; what cannot be shown whole is changed with Edit.`;
	return undefined;
}

function refused(message: string): Proposed {
	return { kind: 'refused', message };
}
