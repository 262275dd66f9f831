// Present the plan: the person reads, edits and approves it, and chooses the mode to go on in. Contract: plan mode ends only
// by the person's word, and never in a mode that does not ask at all.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { modeAfterPlan, planModeOff, planTitle } from '../planMode.ts';
import { defineTool } from '../tool.ts';

const schema = z.object({
	plan: z
		.string()
		.max(limits.planChars)
		.refine((text) => text.trim() !== '', 'the plan is empty')
		.describe('The whole plan, in Markdown.'),
});

export const exitPlanModeTool = defineTool({
	name: 'ExitPlanMode',
	description: `Only in plan mode: present your plan for approval. The user may edit it, comment on it, or send it back. Call it when the plan is complete, not to ask questions.`,
	schema,
	isConcurrencySafe: () => false,
	interrupt: 'block',
	maxResultChars: Infinity,
	summary: ({ plan }) => planTitle(plan),
	prepare(_input, { planMode, answered }) {
		if (planMode?.on || answered) return Promise.resolve({ kind: 'ready', value: undefined });
		const message = `${planModeOff}, so there is nothing to approve. Go on with the work.`;
		return Promise.resolve({ kind: 'refused', message });
	},
	permission: ({ plan }) => ({
		access: {
			kind: 'person',
			unanswered:
				'Nobody can approve a plan here: plan mode stays on, and nothing can be changed. Give the plan as your final answer.',
			declined: 'The user does not approve this plan yet. Plan mode stays on: work on the plan, then present it again.',
		},
		detail: { kind: 'plan', plan },
	}),
	async run({ plan }, { planMode }, { answered }) {
		const mode = (await planMode?.leave()) ?? 'default';
		const comments = answered?.['comments'];
		const said = typeof comments === 'string' && comments.trim() !== '' ? `\nThe user's comments:\n${comments}` : '';
		const content = `The user approved the plan. ${planModeOff}: ${modeAfterPlan(mode)} Carry it out as approved.`;
		return { content: content + said, view: { kind: 'plan', plan } };
	},
});
