// A change of one file, from its computation to its result; Edit, Write and NotebookEdit differ only in how they compute it.
// Contract: a proposal is computed anew from the text of the moment before it is applied, so that neither another edit
// nor the person's typing is ever lost.
import { limits } from '../limits.ts';
import type { EditOutcome, HunkView } from '../../shared/permission.ts';
import { changesScripts } from '../permissions/protectedPaths.ts';
import type { ToolView } from '../../shared/view.ts';
import { displayPath } from '../util/paths.ts';
import type { CellsChange, FileChange, ProposedEdit } from '../ports/workspace.ts';
import type { Choice } from './choice.ts';
import { choiceOf } from './choice.ts';
import type { EditPlan } from './edits.ts';
import { hunksBetween, hunksOf } from './hunks.ts';
import { rootOf } from './fileAccess.ts';
import { knownText } from './notebookFile.ts';
import { rebase } from './rebase.ts';
import type { PermissionNeed, Preparation, ToolContext, ToolOutput, ToolRun } from './tool.ts';

export interface Proposal {
	readonly path: string;
	/** Links resolved: the key of the file, and what permission was given for. */
	readonly realPath: string;
	/** `undefined` when the file is created. */
	readonly oldText: string | undefined;
	readonly plan: EditPlan;
	readonly unsaved: boolean;
	/** The model has not seen the whole of the new text (it read a part, or others changed the file). */
	readonly partial: boolean;
	/** A sentence for the model about what was done, such as "3 places were replaced." */
	readonly note: string;
	/** Where the texts above are not the file's own but what people see of it. */
	readonly notebook?: NotebookPart;
}

export interface NotebookPart {
	/** What is done instead of the plan's edits: to the file's JSON, or to the cells that an editor holds. */
	readonly change: FileChange | CellsChange;
	/** The notebook as it is after the change, in the form of the proposal's texts; `undefined` when it is none any more. */
	reread(): Promise<string | undefined>;
}
export type Proposed =
	{ readonly kind: 'proposal'; readonly proposal: Proposal } | { readonly kind: 'refused'; readonly message: string };

/** A computed proposal as the tool's preparation; what cannot be written is not asked for. */
export async function prepared(proposed: Proposed, context: ToolContext): Promise<Preparation<Proposal>> {
	if (proposed.kind === 'refused') return proposed;
	const { proposal } = proposed;
	const obstacle = await context.workspace.obstacle?.(changeOf(proposal));
	if (obstacle === undefined) return { kind: 'ready', value: proposal };
	return { kind: 'refused', message: `${displayPath(rootOf(context), proposal.path)} cannot be changed: ${obstacle}.` };
}

function changeOf({ path, oldText: expected, plan, notebook }: Proposal): FileChange | CellsChange {
	return notebook?.change ?? { path, expected, edits: plan.edits };
}

/** The permission to write, with the hunks for the card. */
export function writeNeed(proposal: Proposal): PermissionNeed {
	return {
		access: {
			kind: 'write',
			path: proposal.path,
			realPath: proposal.realPath,
			...(changesScripts(proposal.realPath, proposal.oldText, proposal.plan.newText) ? { runsCode: true } : {}),
		},
		detail: {
			...editView(proposal),
			unsaved: proposal.unsaved,
			...(proposal.notebook === undefined ? {} : { whole: true }),
		},
		proposed: proposedEdit(proposal),
	};
}

function proposedEdit({ realPath, oldText, plan }: Proposal): ProposedEdit {
	return { realPath, oldText, newText: plan.newText, edits: plan.edits };
}

/** False when what the person took of it lies where the file has changed meanwhile: they have to be asked again. */
export async function stillFits(proposal: Proposal, outcome: EditOutcome, context: ToolContext): Promise<boolean> {
	const choice = choiceOf(proposedEdit(proposal), outcome);
	if (choice === undefined || proposal.notebook !== undefined) return true;
	const text = await textNow(proposal, context);
	return text !== undefined && rebase(proposal.oldText ?? '', choice.edits, text) !== undefined;
}

/** Empty while the file is still to be created; undefined when there is none to write to any more. */
async function textNow({ path, oldText }: Proposal, context: ToolContext): Promise<string | undefined> {
	const content = await context.workspace.read(path);
	if (content.kind === 'text') return oldText === undefined && content.text !== '' ? undefined : content.text;
	return content.kind === 'missing' && oldText === undefined ? '' : undefined;
}

function editView(proposal: Proposal, newText?: string): Extract<ToolView, { kind: 'edit' }> {
	const { oldText = '', plan } = proposal;
	const asPlanned = newText === undefined || newText === plan.newText;
	const { hunks, added, removed, omittedLines } = asPlanned
		? hunksOf(oldText, plan.edits)
		: hunksBetween(oldText, newText);
	const created = proposal.oldText === undefined;
	const view = { kind: 'edit' as const, path: proposal.path, created, hunks, added, removed };
	return omittedLines > 0 ? { ...view, omittedLines } : view;
}

export interface Application {
	readonly permitted: Proposal;
	/** Reads the file and computes anew. */
	readonly compute: () => Promise<Proposed>;
	readonly context: ToolContext;
	readonly run: ToolRun;
}

/** Applies the change to the file as it is now, tries again while it keeps changing, and remembers the saved text. */
export async function applyProposal({ permitted, compute, context, run }: Application): Promise<ToolOutput> {
	const shown = displayPath(rootOf(context), permitted.path);
	const choice = choiceOf(proposedEdit(permitted), run.edit);
	if (choice && permitted.notebook) {
		return failure(`The user did not take all of it, so ${shown} was not changed. Ask what they want.`);
	}
	for (let attempt = 0; attempt < limits.editAttempts; attempt++) {
		if (run.signal.aborted) return failure(`Stopped. ${shown} was not changed.`);
		const proposed = choice ? await chosen(permitted, choice, context) : await wholly(permitted, compute, context);
		if (proposed.kind === 'refused') return failure(proposed.message);
		const { proposal } = proposed;
		if (proposal.realPath !== permitted.realPath) {
			return failure(`${shown} now leads to another file than the one that was permitted. Nothing was changed.`);
		}
		if (proposal.oldText === proposal.plan.newText) return unchanged(proposal, shown, context);
		const outcome = await context.workspace.change({ ...changeOf(proposal), realPath: permitted.realPath });
		if (outcome.kind === 'failed') return failure(`${shown} could not be changed: ${outcome.message}.`);
		if (outcome.kind === 'changed') continue;
		const text = proposal.notebook === undefined ? outcome.text : await proposal.notebook.reread();
		if (text === undefined) return failure(`${shown} was changed, but is no notebook now. Read it.`);
		return applied(proposal, { ...outcome, text }, { shown, context });
	}
	return failure(`${shown} kept changing while it was edited. Nothing was changed; read it and try again.`);
}

/** All of it: computed anew, else moved to where its lines are now. */
async function wholly(permitted: Proposal, compute: () => Promise<Proposed>, context: ToolContext): Promise<Proposed> {
	const proposed = await compute();
	if (proposed.kind === 'proposal' || permitted.notebook !== undefined || permitted.oldText === undefined)
		return proposed;
	const text = await textNow(permitted, context);
	if (text === undefined || text === permitted.oldText) return proposed;
	const moved = await rebased(permitted, permitted.plan, context);
	return moved.kind === 'proposal' ? moved : proposed;
}

/** What the person took of it. */
function chosen(permitted: Proposal, { edits, note }: Choice, context: ToolContext): Promise<Proposed> {
	return rebased({ ...permitted, note }, { edits }, context);
}

async function rebased(
	permitted: Proposal,
	{ edits }: Pick<EditPlan, 'edits'>,
	context: ToolContext,
): Promise<Proposed> {
	const [text, realPath] = await Promise.all([textNow(permitted, context), context.workspace.realPath(permitted.path)]);
	const base = permitted.oldText ?? '';
	const plan = text === undefined ? undefined : rebase(base, edits, text);
	if (text === undefined || plan === undefined) {
		const shown = displayPath(rootOf(context), permitted.path);
		return {
			kind: 'refused',
			message: `${shown} changed in the same lines meanwhile. Nothing was changed; read it again.`,
		};
	}
	if (text === base) return { kind: 'proposal', proposal: { ...permitted, realPath, plan } };
	const note = `${permitted.note} The file has other changes too, made since you read it; they are kept.`.trim();
	return { kind: 'proposal', proposal: { ...permitted, realPath, oldText: text, plan, note, partial: true } };
}

function failure(message: string): ToolOutput {
	return { content: message, view: { kind: 'none' }, isError: true };
}

function unchanged(proposal: Proposal, shown: string, context: ToolContext): ToolOutput {
	context.fileState.remember(proposal.realPath, proposal.plan.newText, proposal.partial);
	return { content: `${shown} already has exactly this content.`, view: editView(proposal) };
}

function applied(
	proposal: Proposal,
	outcome: { readonly text: string; readonly saved: boolean },
	{ shown, context }: { readonly shown: string; readonly context: ToolContext },
): ToolOutput {
	const view = editView(proposal, outcome.text);
	const lines = [`${shown} was ${proposal.oldText === undefined ? 'created' : 'changed'}. ${proposal.note}`.trim()];
	let partial = proposal.partial;
	if (outcome.text !== proposal.plan.newText) {
		const more = hunksBetween(proposal.plan.newText, outcome.text);
		if (more.omittedLines > 0) partial = true;
		lines.push('On saving, the editor changed more (a formatter, say). These lines now differ from what you wrote:');
		lines.push(...more.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(' '))));
		if (more.omittedLines > 0) lines.push('Read the file again before the next edit; there are further differences.');
	}
	if (!outcome.saved) lines.push('It is changed in the editor, but could not be saved to disk.');
	else if (proposal.unsaved) lines.push('The editor held unsaved text of the person; it is kept and saved with it.');
	if (proposal.oldText !== undefined) lines.push(...echo(view.hunks));
	const known = proposal.notebook === undefined ? knownText(proposal.path, outcome.text) : outcome.text;
	context.fileState.remember(proposal.realPath, known, partial);
	return { content: lines.join('\n'), view };
}

/** The places as they read now, with line numbers, so that the next edit needs no read. */
function echo(hunks: readonly HunkView[]): string[] {
	const lines: string[] = [];
	for (const hunk of hunks) {
		let number = hunk.newStart;
		if (lines.length > 0) lines.push('...');
		for (const line of hunk.lines) {
			if (!line.startsWith('-')) lines.push(`${number++}\t${line.slice(1)}`);
			if (lines.length >= limits.editEchoLines) return [...lines, '...'];
		}
	}
	return lines;
}
