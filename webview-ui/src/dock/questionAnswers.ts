// What the person has chosen of a question's options, and the answer that it makes. Pure.
import type { QuestionView } from '../../../src/shared/permission.ts';
import type { AnswerDraft } from '../vscodeApi.ts';

export const noAnswer: AnswerDraft = { chosen: [], other: '' };

/** `label`: `null` for the person's own words. One answer replaces another, unless several may be chosen. */
export function chosen(draft: AnswerDraft, label: string | null, { multiSelect }: QuestionView): AnswerDraft {
	if (!multiSelect) return { ...draft, chosen: [label] };
	const without = draft.chosen.filter((other) => other !== label);
	return { ...draft, chosen: without.length < draft.chosen.length ? without : [...draft.chosen, label] };
}

/** Own words are an answer as soon as there are any, and none when they are gone. */
export function written(draft: AnswerDraft, other: string, { multiSelect }: QuestionView): AnswerDraft {
	const without = draft.chosen.filter((label) => label !== null);
	if (other.trim() === '') return { chosen: without, other };
	return { chosen: multiSelect ? [...without, null] : [null], other };
}

/** The labels in the order of the question, own words last; empty when there is no answer yet. */
export function answerOf(draft: AnswerDraft, { options }: QuestionView): string {
	const labels = options.map(({ label }) => label).filter((label) => draft.chosen.includes(label));
	const own = draft.chosen.includes(null) ? draft.other.trim() : '';
	return [...labels, ...(own === '' ? [] : [own])].join(', ');
}

/** Question → answer; undefined until each has one. */
export function answersOf(
	questions: readonly QuestionView[],
	drafts: Readonly<Record<string, AnswerDraft>>,
): Readonly<Record<string, string>> | undefined {
	const pairs = questions.map((one) => [one.question, answerOf(drafts[one.question] ?? noAnswer, one)] as const);
	return pairs.every(([, answer]) => answer !== '') ? Object.fromEntries(pairs) : undefined;
}
