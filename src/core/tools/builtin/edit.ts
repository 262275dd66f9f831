// Replace a text in a file, literally. The proposal is computed before anyone is asked, and again when it is applied.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { displayPath } from '../../util/paths.ts';
import { planOverwrite, planReplacement } from '../edits.ts';
import { missingMessage, notTextMessage, rootOf, shownPath, toolPath } from '../fileAccess.ts';
import { contentHash } from '../fileState.ts';
import { flag } from '../inputs.ts';
import { explainNotFound } from '../nearest.ts';
import { isNotebook } from '../notebookFile.ts';
import { applyProposal, otherChanges, prepared, writeNeed } from '../proposal.ts';
import type { Proposal, Proposed } from '../proposal.ts';
import { proposes } from '../proposes.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext } from '../tool.ts';

const schema = z.object({
	file_path: z.string().describe('Path of the file: absolute, or relative to the workspace folder.'),
	old_string: z.string().describe('The text to replace, exactly as it is in the file. Empty only to create a file.'),
	new_string: z.string().describe('The text to put in its place.'),
	replace_all: flag().optional().describe('Replace every occurrence. Otherwise old_string must occur once.'),
});
type Input = z.output<typeof schema>;

export const editTool = defineTool<typeof schema, Proposal>({
	name: 'Edit',
	description: `Replace a text in a file by another. Both are taken literally; nothing in them is a pattern.
- Read the file first, or the lines you change.
- old_string must occur exactly once, white space included; take in enough of the lines around it, or set replace_all.
- Leave out the line numbers that Read shows. Write line ends as plain newlines; those of the file are kept.
- With an empty old_string it creates a file that does not exist yet, and its folders.`,
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
		if (proposal === undefined) return { content: 'The edit was not prepared.', view: { kind: 'none' }, isError: true };
		return applyProposal(proposal, context, run);
	},
});

/** What the edit would do to the file as it is now. Reads only. */
async function propose(input: Input, context: ToolContext): Promise<Proposed> {
	const resolved = toolPath(context, input.file_path);
	if (resolved.kind === 'refused') return resolved;
	const { path } = resolved;
	const shown = displayPath(rootOf(context), path);
	if (input.old_string === input.new_string) {
		return refused('No change: old_string and new_string are the same.');
	}
	if (isNotebook(path)) return refused(`${shown} is a notebook. Use NotebookEdit to change one of its cells.`);
	const content = await context.workspace.read(path);
	const realPath = await context.workspace.realPath(path);
	const compute = (now: ToolContext) => propose(input, now);
	const base = { path, realPath, partial: false, note: '', compute };
	if (content.kind === 'missing') {
		if (input.old_string !== '') return refused(await missingMessage(context, path));
		const plan = { edits: [{ start: 0, end: 0, text: input.new_string }], newText: input.new_string };
		return { kind: 'proposal', proposal: { ...base, oldText: undefined, plan, unsaved: false } };
	}
	if (content.kind !== 'text') return refused(notTextMessage(content, shown));
	const { text, unsaved } = content;
	if (input.old_string === '') {
		if (text !== '') {
			return refused(`${shown} exists and is not empty; an empty old_string only creates files. Nothing was changed.`);
		}
		const plan = planOverwrite(text, input.new_string);
		return { kind: 'proposal', proposal: { ...base, oldText: text, plan, unsaved } };
	}
	const record = context.fileState.get(realPath);
	if (record === undefined) {
		return refused(`${shown} has not been read in this conversation. Read it, or the lines you want to change, first.`);
	}
	const stale = record.hash !== contentHash(text);
	const { askedAgain = false } = context;
	return replacement({ ...base, input, text, unsaved, stale, askedAgain, partial: record.partial || stale, shown });
}

interface Target extends Omit<Proposal, 'oldText' | 'plan'> {
	readonly input: Input;
	readonly text: string;
	readonly stale: boolean;
	readonly askedAgain: boolean;
	readonly shown: string;
}

function replacement(target: Target): Proposed {
	const { input, text, stale, askedAgain, shown, ...base } = target;
	const plan = planReplacement(text, input.old_string, input.new_string, input.replace_all === true);
	const since = stale ? ` ${shown} has changed since it was read; read it again.` : '';
	if (plan.kind === 'not_found') return refused(explainNotFound(text, input, shown) + since);
	if (plan.kind === 'ambiguous') {
		const lines =
			plan.lines.slice(0, limits.matchLines).join(', ') + (plan.lines.length > limits.matchLines ? ', …' : '');
		return refused(
			`old_string occurs ${plan.count} times in ${shown} (${plan.lines.length === 1 ? 'line' : 'lines'} ${lines}). Nothing was changed. ` +
				`Take in more of the lines around the one you mean, or set replace_all.${since}`,
		);
	}
	if (stale && plan.count > 1 && !askedAgain) {
		return refused(
			`${shown} has changed since it was read, and old_string occurs ${plan.count} times now. ` +
				'Nothing was changed; read it again.',
		);
	}
	const notes = [
		input.replace_all === true ? `${plan.count} ${plan.count === 1 ? 'place was' : 'places were'} replaced.` : '',
		stale ? otherChanges : '',
	];
	const note = notes.filter((sentence) => sentence !== '').join(' ');
	return { kind: 'proposal', proposal: { ...base, oldText: text, plan, note } };
}

function refused(message: string): Proposed {
	return { kind: 'refused', message };
}
