// A proposed edit that waits for the person: what they have said of its hunks so far, and what they made of its text. Pure.
// Contract: a hunk that was denied stays denied, whatever is done to the text around it.
import type { ProposedEdit, TextEdit } from '../../core/ports/workspace.ts';
import { acceptedText, denialReasons } from '../../core/tools/choice.ts';
import { lineEdits } from '../../core/tools/edits.ts';
import { hunksOf } from '../../core/tools/hunks.ts';
import type { Said } from './proposalMemory.ts';
import type {
	EditOutcome,
	HunkOutcome,
	PermissionAnswer,
	PermissionRequest,
	RequestDetail,
} from '../../shared/permission.ts';

export type EditDetail = Extract<RequestDetail, { kind: 'edit' }>;

export interface OpenProposal {
	readonly requestId: string;
	/** The call that asks: the same when a reloaded window asks again. */
	readonly toolUseId: string;
	/** As the agent proposed it. */
	readonly proposed: ProposedEdit;
	/** With the person's text, where they changed it. */
	readonly current: ProposedEdit;
	/** What the card shows, the outcomes included. */
	readonly detail: EditDetail;
}

/** What the person has said so far, to be kept. */
export function saidOf(proposal: OpenProposal): Said {
	const { rewritten: isRewritten } = proposal.detail;
	return { outcomes: [...outcomesOf(proposal)], ...(isRewritten ? { text: proposal.current.newText } : {}) };
}

/** With what was said before, where it was said of these very hunks. */
export function recalled(proposal: OpenProposal, { outcomes, text }: Said): OpenProposal {
	const written = text === undefined ? proposal : rewritten(proposal, text);
	if (outcomes.length !== written.detail.hunks.length) return written;
	return { ...written, detail: { ...written.detail, outcomes } };
}

export function openProposal(
	{ id, toolUseId }: Pick<PermissionRequest, 'id' | 'toolUseId'>,
	proposed: ProposedEdit,
	detail: EditDetail,
): OpenProposal {
	return { requestId: id, toolUseId, proposed, current: proposed, detail };
}

/** By index; undecided ones are `null`. */
export function outcomesOf({ detail }: OpenProposal): readonly (HunkOutcome | null)[] {
	return detail.hunks.map((_, index) => detail.outcomes?.[index] ?? null);
}

export function decided(proposal: OpenProposal, hunks: readonly number[], outcome: HunkOutcome | null): OpenProposal {
	const outcomes = outcomesOf(proposal).map((before, index) => (hunks.includes(index) ? outcome : before));
	return { ...proposal, detail: { ...proposal.detail, outcomes } };
}

export function isDecided(proposal: OpenProposal): boolean {
	return outcomesOf(proposal).every((outcome) => outcome !== null);
}

/** With another text in place of the proposed one. Line ends are those of an editor. */
export function rewritten(proposal: OpenProposal, text: string): OpenProposal {
	const { proposed, detail } = proposal;
	const { oldText = '' } = proposed;
	const unchanged = normal(text) === normal(proposed.newText);
	// An editor makes line ends uniform; what stays is compared as the file has it.
	const wanted = oldText.includes('\r\n') ? text : normal(text);
	const current = unchanged ? proposed : { ...proposed, newText: wanted, edits: lineEdits(oldText, wanted) };
	const { hunks, parts, added, removed, omittedLines } = hunksOf(oldText, current.edits);
	const outcomes = carried(proposal, parts);
	const { rewritten: _, omittedLines: __, ...kept } = detail;
	return {
		...proposal,
		current,
		detail: {
			...kept,
			hunks,
			added,
			removed,
			outcomes,
			...(omittedLines > 0 ? { omittedLines } : {}),
			...(unchanged ? {} : { rewritten: true }),
		},
	};
}

/** A hunk with an edit that was denied is denied; else one with just the same edits keeps its outcome. */
function carried(proposal: OpenProposal, parts: readonly (readonly TextEdit[])[]): readonly (HunkOutcome | null)[] {
	const before = hunksOf(proposal.current.oldText ?? '', proposal.current.edits).parts;
	const outcomes = outcomesOf(proposal);
	const known = new Map(before.flatMap((part, index) => part.map((edit) => [keyOf(edit), outcomes[index] ?? null])));
	return parts.map((part) => {
		const found = part.map((edit) => known.get(keyOf(edit)) ?? null);
		const denied = found.find((outcome) => outcome?.kind === 'denied');
		if (denied) return denied;
		return found.every((outcome) => outcome !== null) ? (found[0] ?? null) : null;
	});
}

function keyOf({ start, end, text }: TextEdit): string {
	return `${start}:${end}:${text}`;
}

function normal(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

/** The person's answer with what they said of single hunks and what they wrote. What they said nothing of goes with the answer. */
export function completedAnswer(answer: PermissionAnswer, proposal: OpenProposal): PermissionAnswer {
	const outcomes = outcomesOf(proposal);
	if (answer.behavior === 'deny') {
		if (answer.stopped || answer.reason) return answer;
		const reason = denialReasons(
			proposal.detail.hunks,
			outcomes.map((outcome) => outcome ?? { kind: 'denied' }),
		);
		return reason === '' ? answer : { ...answer, reason };
	}
	const hunks = outcomes.map((outcome, index): HunkOutcome => {
		if (outcome?.kind !== 'denied') return { kind: 'accepted' };
		const reason = outcome.reason ?? answer.edit?.hunks[index]?.reason;
		return reason === undefined ? outcome : { ...outcome, reason };
	});
	const denied = hunks.filter(({ kind }) => kind === 'denied').length;
	const { edit: _, ...rest } = answer;
	if (denied === 0 && !proposal.detail.rewritten) return rest;
	const some = denied < hunks.length;
	const edit: EditOutcome = {
		hunks,
		...(proposal.detail.rewritten && some ? { text: acceptedText(proposal.current, outcomes) } : {}),
	};
	return { ...rest, edit };
}
