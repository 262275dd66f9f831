// What becomes of the person's answer to a plan when they had it as a document: the text that counts, their comments on its
// lines, and what they changed in it. Pure.
import { hunksBetween } from '../../core/tools/hunks.ts';
import type { PermissionAnswer } from '../../shared/permission.ts';

export interface LineComment {
	/** 1-based, in the document as it is now. */
	readonly line: number;
	/** That line. */
	readonly quoted: string;
	readonly text: string;
}

export interface ReviewedPlan {
	/** As the agent presented it. */
	readonly original: string;
	/** As the document is now, saved or not. */
	readonly text: string;
	readonly comments: readonly LineComment[];
}

/** Contract: what the document says is what an approval approves; nothing that the person wrote is lost. */
export function completedAnswer(answer: PermissionAnswer, plan: ReviewedPlan): PermissionAnswer {
	const comments = commentsText(plan.comments);
	if (answer.behavior === 'allow') {
		const own = answer.input?.['comments'];
		const said = joined([typeof own === 'string' ? own : '', comments]);
		const input = {
			...answer.input,
			...(isEdited(plan) ? { plan: plan.text } : {}),
			...(said === '' ? {} : { comments: said }),
		};
		return Object.keys(input).length === 0 ? answer : { ...answer, input };
	}
	const reason = joined([answer.reason ?? '', comments, changesText(plan)]);
	return reason === '' ? answer : { ...answer, reason };
}

/** White space at the end does not count: editors like to add and remove it. */
export function isEdited({ original, text }: Pick<ReviewedPlan, 'original' | 'text'>): boolean {
	return normal(original) !== normal(text);
}

function normal(text: string): string {
	return text.replaceAll('\r\n', '\n').trimEnd();
}

function commentsText(comments: readonly LineComment[]): string {
	const lines = comments.map(({ line, quoted, text }) => `> ${quoted.trim()} (line ${line})\n${text.trim()}`);
	return lines.length === 0 ? '' : `Comments on the plan:\n${lines.join('\n')}`;
}

function changesText(plan: ReviewedPlan): string {
	if (!isEdited(plan)) return '';
	const { hunks, omittedLines } = hunksBetween(`${normal(plan.original)}\n`, `${normal(plan.text)}\n`);
	const lines = hunks.flatMap((hunk) => [`@@ line ${hunk.newStart} @@`, ...hunk.lines]);
	if (omittedLines > 0) lines.push(`(${omittedLines} more lines)`);
	return `Changes that the user made in the plan, to be kept:\n${lines.join('\n')}`;
}

function joined(parts: readonly string[]): string {
	return parts
		.map((part) => part.trim())
		.filter((part) => part !== '')
		.join('\n\n');
}
