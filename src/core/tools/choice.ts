// What the person took of a proposed edit: which edits are left, and how the model is told of it. Pure.
// Contract: nothing of a denied hunk is in what is left.
import type { EditOutcome, HunkOutcome, HunkView } from '../../shared/permission.ts';
import type { ProposedEdit, TextEdit } from '../ports/workspace.ts';
import { limits } from '../limits.ts';
import { applyEdits, planOverwrite } from './edits.ts';
import { hunksBetween, hunksOf } from './hunks.ts';

export interface Choice {
	/** On the proposal's old text. */
	readonly edits: readonly TextEdit[];
	/** For the model, hunk by hunk. */
	readonly note: string;
}

/** Undefined when it was taken as it is. */
export function choiceOf(proposed: ProposedEdit, outcome: EditOutcome | undefined): Choice | undefined {
	if (outcome === undefined) return undefined;
	const { oldText = '', newText } = proposed;
	if (outcome.text !== undefined) {
		// An editor has one line end in all lines; those of the file stay.
		const written = planOverwrite(oldText, outcome.text.replaceAll('\r\n', '\n'));
		if (written.newText === newText) return undefined;
		return { edits: written.edits, note: noteOf(proposed, outcome.hunks, written.newText) };
	}
	if (!outcome.hunks.some(isDenied)) return undefined;
	return { edits: acceptedEdits(proposed, outcome.hunks), note: noteOf(proposed, outcome.hunks) };
}

/** The text with the denied hunks taken out. */
export function acceptedText(proposed: ProposedEdit, outcomes: readonly (HunkOutcome | null)[]): string {
	return applyEdits(proposed.oldText ?? '', acceptedEdits(proposed, outcomes));
}

function acceptedEdits(
	{ oldText = '', edits }: ProposedEdit,
	outcomes: readonly (HunkOutcome | null)[],
): readonly TextEdit[] {
	const { parts } = hunksOf(oldText, edits);
	const denied = new Set(parts.filter((_, index) => isDenied(outcomes[index])).flat());
	return edits.filter((edit) => !denied.has(edit));
}

/** They took a part of it only, or wrote it anew: nothing but their word decides what is written. */
export function isChosen({ hunks, text }: EditOutcome): boolean {
	return text !== undefined || hunks.some(isDenied);
}

/** True when an edit that the person allowed comes to nothing: they denied every hunk of it. */
export function isWhollyDenied({ hunks, text }: EditOutcome, shown: { readonly hunks: readonly unknown[] }): boolean {
	return text === undefined && hunks.length > 0 && hunks.filter(isDenied).length >= shown.hunks.length;
}

/** The reasons, with their places; empty when none was given. */
export function denialReasons(hunks: readonly HunkView[], outcomes: readonly HunkOutcome[]): string {
	const reasons = outcomes.flatMap((outcome, index) => {
		const hunk = hunks[index];
		const reason = isDenied(outcome) ? outcome.reason?.trim() : undefined;
		return hunk === undefined || !reason ? [] : [hunks.length === 1 ? reason : `Line ${lineOf(hunk)}: ${reason}`];
	});
	return reasons.join('\n');
}

function noteOf(proposed: ProposedEdit, outcomes: readonly HunkOutcome[], rewritten?: string): string {
	const lines: string[] = [];
	const denied = outcomes.filter(isDenied).length;
	// Of a rewritten text the hunks are the person's, and what differs says it all.
	const { hunks } =
		rewritten === undefined
			? hunksOf(proposed.oldText ?? '', proposed.edits)
			: hunksBetween(proposed.oldText ?? '', proposed.newText);
	if (rewritten === undefined) {
		lines.push(
			`The user accepted ${hunks.length - denied} of ${hunks.length} changes. Nothing of a denied one was written; ` +
				'do not make it another way, and ask if you need it.',
		);
		lines.push(...hunks.map((hunk, index) => `Change ${index + 1} (line ${lineOf(hunk)}): ${word(outcomes[index])}`));
		return lines.join('\n');
	}
	lines.push('The user rewrote what you proposed; their text was written. Lines that differ from yours:');
	const differences = hunksBetween(proposed.newText, rewritten);
	const changed = differences.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(' ')));
	lines.push(...changed.slice(0, limits.editEchoLines));
	if (changed.length > limits.editEchoLines || differences.omittedLines > 0) {
		lines.push('… and more. Read the file before the next edit.');
	}
	const reasons = outcomes.flatMap((outcome) => (isDenied(outcome) && outcome.reason ? [outcome.reason.trim()] : []));
	if (denied > 0)
		lines.push(`They denied ${denied} of the changes.`, ...reasons.map((reason) => `They said: ${reason}`));
	return lines.join('\n');
}

function word(outcome: HunkOutcome | undefined): string {
	if (!isDenied(outcome)) return 'accepted.';
	const reason = outcome?.reason?.trim();
	return reason ? `denied. They said: ${reason}` : 'denied, without a reason.';
}

function isDenied(outcome: HunkOutcome | null | undefined): boolean {
	return outcome?.kind === 'denied';
}

/** 1-based, in the old text: where the change itself begins. */
export function lineOf({ oldStart, lines }: HunkView): number {
	return (
		oldStart +
		Math.max(
			0,
			lines.findIndex((line) => !line.startsWith(' ')),
		)
	);
}
