// A change of one file, from its computation to its result; Edit, Write and NotebookEdit differ only in how they compute it.
// Contract: a proposal is computed anew from the text of the moment before it is applied, so that neither another edit
// nor the person's typing is ever lost.
import { limits } from '../limits.ts';
import type { EditOutcome, HunkView } from '../../shared/permission.ts';
import { changesScripts } from '../permissions/protectedPaths.ts';
import type { ToolView } from '../../shared/view.ts';
import { displayPath } from '../util/paths.ts';
import type { CellsChange, FileChange, ProposedCell, ProposedEdit, TextEdit } from '../ports/workspace.ts';
import type { Choice } from './choice.ts';
import { choiceOf } from './choice.ts';
import { applyEdits, lineEdits, plainLineEnds } from './edits.ts';
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
	/** Where the texts above are not the file's own but what the model sees of it. */
	readonly notebook?: NotebookPart;
	/** The same call on the files as they are now. */
	compute(context: ToolContext): Promise<Proposed>;
}

export interface NotebookPart {
	/** What is done instead of the plan's edits: to the file's JSON, or to the cells that an editor holds. */
	readonly change: FileChange | CellsChange;
	/** What the person sees of it: one cell, with its source before and after. Absent: its type changes, too. */
	readonly cell?: ProposedCell & { readonly before: string; readonly after: string };
	/** The same change with another source for the cell. */
	withSource(source: string): Proposed;
	/** The notebook as it is after the change, in the form of the proposal's texts; `undefined` when it is none any more. */
	reread(context: ToolContext): Promise<string | undefined>;
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
export function writeNeed(proposal: Proposal, { askedAgain }: ToolContext): PermissionNeed {
	const { notebook } = proposal;
	return {
		access: {
			kind: 'write',
			path: proposal.path,
			realPath: proposal.realPath,
			...(changesScripts(proposal.realPath, proposal.oldText, proposal.plan.newText) ? { runsCode: true } : {}),
		},
		detail: {
			...(notebook?.cell ? cellView(proposal, notebook.cell) : editView(proposal)),
			unsaved: proposal.unsaved,
			...(notebook && !notebook.cell ? { whole: true } : {}),
			...(askedAgain ? { askedAgain } : {}),
		},
		proposed: proposedEdit(proposal),
	};
}

/** As the person sees it: of a notebook its one cell. */
function proposedEdit({ realPath, oldText, plan, notebook }: Proposal): ProposedEdit {
	if (!notebook?.cell) return { realPath, oldText, newText: plan.newText, edits: plan.edits };
	const { before, after, ...cell } = notebook.cell;
	return { realPath, oldText: before, newText: after, edits: lineEdits(before, after), cell };
}

function cellView(proposal: Proposal, { before, after, label }: NonNullable<NotebookPart['cell']>) {
	const { hunks, added, removed, omittedLines } = hunksBetween(before, after);
	const view = { kind: 'edit' as const, path: proposal.path, created: false, hunks, added, removed, cell: label };
	return omittedLines > 0 ? { ...view, omittedLines } : view;
}

/** False when what the person took of it lies where the file has changed meanwhile: they have to be asked again. */
export async function stillFits(
	proposal: Proposal,
	outcome: EditOutcome | undefined,
	context: ToolContext,
): Promise<boolean> {
	return (await proposalNow(proposal, outcome, context)).kind === 'proposal';
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

/** Applies the change to the file as it is now, tries again while it keeps changing, and remembers the saved text. */
export function applyProposal(permitted: Proposal, context: ToolContext, run: ToolRun): Promise<ToolOutput> {
	const apply = () => applyInTurn(permitted, context, run);
	// Other conversations wait: what else changes the file meanwhile is the person, or a program.
	return context.workspace.inTurn?.(permitted.realPath, apply) ?? apply();
}

async function applyInTurn(permitted: Proposal, context: ToolContext, run: ToolRun): Promise<ToolOutput> {
	const shown = displayPath(rootOf(context), permitted.path);
	for (let attempt = 0; attempt < limits.editAttempts; attempt++) {
		if (run.signal.aborted) return failure(`Stopped. ${shown} was not changed.`);
		const proposed = await proposalNow(permitted, run.edit, context);
		if (proposed.kind === 'refused') return failure(proposed.message);
		const { proposal } = proposed;
		if (proposal.realPath !== permitted.realPath) {
			return failure(`${shown} now leads to another file than the one that was permitted. Nothing was changed.`);
		}
		if (proposal.oldText === proposal.plan.newText) return unchanged(proposal, shown, context);
		const outcome = await context.workspace.change({ ...changeOf(proposal), realPath: permitted.realPath });
		if (outcome.kind === 'failed') return failure(`${shown} could not be changed: ${outcome.message}.`);
		if (outcome.kind === 'changed') continue;
		const text = proposal.notebook === undefined ? outcome.text : await proposal.notebook.reread(context);
		if (text === undefined) return failure(`${shown} was changed, but is no notebook now. Read it.`);
		return applied(proposal, { ...outcome, text }, { shown, context });
	}
	return failure(`${shown} kept changing while it was edited. Nothing was changed; read it and try again.`);
}

/** What the person took of it (`undefined`: all), on the file as it is now; refused where that has changed in the same place. */
async function proposalNow(
	permitted: Proposal,
	outcome: EditOutcome | undefined,
	context: ToolContext,
): Promise<Proposed> {
	const choice = choiceOf(proposedEdit(permitted), outcome);
	if (permitted.notebook) return cellNow({ ...permitted, notebook: permitted.notebook }, choice, context);
	if (choice) return moved({ ...permitted, note: choice.note }, choice.edits, context);
	const now = await fileNow(permitted, context);
	if (now && now.text === (permitted.oldText ?? '')) {
		return { kind: 'proposal', proposal: { ...permitted, realPath: now.realPath, unsaved: now.unsaved } };
	}
	// Computed anew first: an Edit still means its `old_string`.
	const proposed = await permitted.compute(context);
	if (now === undefined && permitted.oldText !== undefined && proposed.kind === 'proposal') {
		const shown = displayPath(rootOf(context), permitted.path);
		return { kind: 'refused', message: `${shown} was removed or renamed meanwhile. Nothing was written.` };
	}
	if (now === undefined || permitted.oldText === undefined) return proposed;
	if (proposed.kind === 'proposal' && takesOnly(linesOf(permitted.oldText), proposed.proposal)) return proposed;
	const kept = await moved(permitted, permitted.plan.edits, context);
	return kept.kind === 'proposal' || proposed.kind === 'proposal' ? kept : proposed;
}

/**
 * Every line that it takes away is one of those that were shown. A whole file that was proposed on top of another edit does
 * not know what the person made of that one.
 */
function takesOnly(shown: ReadonlySet<string>, { oldText = '', plan }: Proposal): boolean {
	const left = linesOf(plan.newText);
	return [...linesOf(oldText)].every((line) => left.has(line) || shown.has(line));
}

function linesOf(text: string): ReadonlySet<string> {
	return new Set(plainLineEnds(text).split('\n'));
}

/** Edits of the proposal's text, to where their lines are now. */
async function moved(permitted: Proposal, edits: readonly TextEdit[], context: ToolContext): Promise<Proposed> {
	const now = await fileNow(permitted, context);
	const base = permitted.oldText ?? '';
	const plan = now && rebase(base, edits, now.text);
	if (now === undefined || plan === undefined) return refusedFor(permitted, context, 'changed in the same lines');
	const { text: oldText, realPath, unsaved } = now;
	if (oldText === base) return { kind: 'proposal', proposal: { ...permitted, realPath, unsaved, plan } };
	const note = `${permitted.note} ${otherChanges}`.trim();
	return { kind: 'proposal', proposal: { ...permitted, realPath, unsaved, oldText, plan, note, partial: true } };
}

export const otherChanges = 'The file has other changes too, made since you read it; they are kept.';

/** The cell's change on the notebook as it is now, whose other cells may have changed. */
async function cellNow(
	permitted: Proposal & { readonly notebook: NotebookPart },
	choice: Choice | undefined,
	context: ToolContext,
): Promise<Proposed> {
	const { notebook, oldText } = permitted;
	if (choice && notebook.cell?.kind === 'delete') {
		const shown = displayPath(rootOf(context), permitted.path);
		return { kind: 'refused', message: `The user changed what is left of the cell, so ${shown} was not changed.` };
	}
	let proposal: Proposal = permitted;
	if ((await notebook.reread(context)) !== oldText) {
		const again = await permitted.compute({ ...context, askedAgain: true });
		if (again.kind === 'refused') return again;
		const { cell } = again.proposal.notebook ?? {};
		const same = cell && cell.kind === notebook.cell?.kind && cell.before === notebook.cell.before;
		if (!same) return refusedFor(permitted, context, 'changed in the same cell');
		proposal = { ...again.proposal, note: `${again.proposal.note} ${otherChanges}`.trim(), partial: true };
	}
	if (!choice || !notebook.cell) return { kind: 'proposal', proposal };
	const written = proposal.notebook?.withSource(applyEdits(notebook.cell.before, choice.edits));
	if (written?.kind !== 'proposal') return written ?? { kind: 'proposal', proposal };
	const note = `${choice.note}\n${proposal.note}`.trim();
	return { kind: 'proposal', proposal: { ...written.proposal, note, partial: proposal.partial } };
}

function refusedFor({ path }: Proposal, context: ToolContext, what: string): Proposed {
	const shown = displayPath(rootOf(context), path);
	return { kind: 'refused', message: `${shown} ${what} meanwhile. Nothing was changed; read it again.` };
}

/** The file's text; empty while it is still to be created, undefined when there is none to write to any more. */
async function fileNow({ path, oldText }: Proposal, { workspace }: ToolContext) {
	const [content, realPath] = await Promise.all([workspace.read(path), workspace.realPath(path)]);
	if (content.kind === 'missing') return oldText === undefined ? { text: '', unsaved: false, realPath } : undefined;
	if (content.kind !== 'text' || (oldText === undefined && content.text !== '')) return undefined;
	return { text: content.text, unsaved: content.unsaved, realPath };
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
		lines.push(
			'While it was saved, the editor changed more (a formatter, or the person typing). These lines now differ from what you wrote:',
		);
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
