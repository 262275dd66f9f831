// Begin to plan: the person agrees, and nothing can be changed until a plan is approved. Not for subagents: only the
// conversation itself has a mode.
import * as z from 'zod';
import { planModeOn } from '../planMode.ts';
import { defineTool } from '../tool.ts';

const schema = z.object({});

export const enterPlanModeTool = defineTool({
	name: 'EnterPlanMode',
	description: `Ask the user to switch to plan mode, in which nothing can be changed until a plan is approved. For work that is large, risky or open to several ways; not for small or clear tasks.`,
	schema,
	isConcurrencySafe: () => false,
	interrupt: 'block',
	maxResultChars: Infinity,
	summary: () => '',
	prepare(_input, { planMode }) {
		if (!planMode) return Promise.resolve({ kind: 'refused', message: 'There is no plan mode here.' });
		if (planMode.on) return Promise.resolve({ kind: 'refused', message: `It is on already.\n${planModeOn}` });
		return Promise.resolve({ kind: 'ready', value: undefined });
	},
	permission: () => ({
		access: {
			kind: 'person',
			unanswered: 'Nobody can be asked here, so plan mode stays off. Go on without it.',
			declined: 'The user does not want plan mode now. Go on without it.',
		},
		detail: { kind: 'generic', input: '' },
	}),
	async run(_input, { planMode }) {
		await planMode?.enter();
		return { content: planModeOn, view: { kind: 'none' } };
	},
});
