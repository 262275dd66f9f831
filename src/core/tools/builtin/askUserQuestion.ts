// Ask the person what only they can decide, with answers to choose from. Contract: an answer comes from the person only, never
// from the call's own input; without one nothing is assumed.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { defineTool } from '../tool.ts';

const line = (most: number) => z.string().trim().min(1).max(most);
const option = z.object({
	label: line(limits.optionLabelChars).describe('A few words.'),
	description: z.string().trim().max(limits.optionTextChars).describe('What it means or leads to.'),
	preview: z.string().max(limits.optionPreviewChars).optional().describe('Code or a sketch to compare, if that helps.'),
});
const question = z.object({
	question: line(limits.questionChars),
	header: line(limits.questionHeaderChars).describe('One or two words.'),
	options: z.array(option).min(2).max(4),
	multiSelect: z.boolean().default(false).describe('Several may be chosen.'),
});
const schema = z.object({
	questions: z
		.array(question)
		.min(1)
		.max(4)
		.refine((all) => new Set(all.map((one) => one.question)).size === all.length, 'each question only once')
		.refine(
			(all) => all.every(({ options }) => new Set(options.map(({ label }) => label)).size === options.length),
			'the labels of a question must differ',
		)
		.describe('One to four questions, each asked once.'),
});
const answered = z.object({ answers: z.record(z.string(), z.string()) });

export const askUserQuestionTool = defineTool({
	name: 'AskUserQuestion',
	description: `Ask the user to decide, with answers to choose from; they can always write their own. For decisions that change what you do and that neither the code nor the conversation answers. Put the answer you recommend first.`,
	schema,
	isConcurrencySafe: () => false,
	interrupt: 'block',
	maxResultChars: Infinity,
	summary: ({ questions }) => questions.map(({ header }) => header).join(', '),
	permission: ({ questions }) => ({
		access: {
			kind: 'person',
			unanswered: 'Nobody can answer questions here. Decide yourself, and say what you assumed.',
			declined: 'The user did not answer. Do not ask the same again; go on as far as you can without it.',
		},
		detail: { kind: 'questions', questions: questions.map(withoutUnset) },
	}),
	run({ questions }, _context, run) {
		const given = answered.safeParse(run.answered);
		const answers = given.success ? given.data.answers : {};
		const pairs = questions.flatMap(({ question: asked }) => {
			const answer = answers[asked]?.trim() ?? '';
			return answer === '' ? [] : [{ question: asked, answer }];
		});
		if (pairs.length === 0) {
			const content = 'No answer came. Do not assume one; ask in your text if you cannot go on without it.';
			return Promise.resolve({ content, view: { kind: 'none' }, isError: true });
		}
		const unanswered = questions.filter((one) => !pairs.some((pair) => pair.question === one.question));
		const lines = [
			...pairs.map((pair) => `${pair.question}\n→ ${pair.answer}`),
			...unanswered.map((one) => `${one.question}\n→ (left open)`),
		];
		return Promise.resolve({
			content: `The user answered:\n${lines.join('\n')}`,
			view: { kind: 'answers', answers: pairs },
		});
	},
});

function withoutUnset(asked: z.output<typeof question>) {
	const options = asked.options.map(({ label, description, preview }) =>
		preview === undefined ? { label, description } : { label, description, preview },
	);
	return { ...asked, options };
}
