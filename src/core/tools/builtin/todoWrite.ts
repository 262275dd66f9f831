// Keep the list of steps that the person sees. Replaces the whole list; touches nothing else.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { defineTool } from '../tool.ts';

const text = z.string().trim().min(1).max(limits.todoChars);
const schema = z.object({
	todos: z
		.array(
			z.object({
				content: text.describe('The step, as an instruction: "Run the tests".'),
				activeForm: text.describe('The step while it is being done: "Running the tests".'),
				status: z.enum(['pending', 'in_progress', 'completed']),
			}),
		)
		.max(limits.todos)
		.describe('The whole list, in order; it replaces the former one.'),
});

export const todoWriteTool = defineTool({
	name: 'TodoWrite',
	description: `Keep a list of steps that the person sees while you work. Use it for work of three steps or more, not for a single one.
- Each call gives the whole list. Mark a step in_progress before you begin it, and completed as soon as it is done.
- Have one step in progress at a time. Add steps that turn up; remove those that no longer apply.`,
	schema,
	isConcurrencySafe: () => false,
	interrupt: 'block',
	maxResultChars: Infinity,
	summary(input) {
		const done = input.todos.filter((todo) => todo.status === 'completed').length;
		return `${done}/${input.todos.length}`;
	},
	permission: (input) => ({
		access: { kind: 'none' },
		detail: { kind: 'generic', input: input.todos.map((todo) => todo.content).join('\n') },
	}),
	run({ todos }) {
		const active = todos.filter((todo) => todo.status === 'in_progress').length;
		const open = todos.filter((todo) => todo.status !== 'completed').length;
		const advice = active > 1 ? ` ${active} steps are in progress; it is better to have one at a time.` : '';
		const state =
			todos.length === 0 ? 'The list is empty now.' : `The list is saved: ${open} of ${todos.length} steps open.`;
		return Promise.resolve({ content: state + advice, view: { kind: 'todos' as const, todos }, context: { todos } });
	},
});
