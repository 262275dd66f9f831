// End a command in the background, and everything that it has started.
import * as z from 'zod';
import { commandView } from '../commandCard.ts';
import { defineTool } from '../tool.ts';
import { noSuchTask } from './taskOutput.ts';

export const taskStopTool = defineTool({
	name: 'TaskStop',
	description: 'End a command in the background, and everything that it has started.',
	schema: z.object({ task_id: z.string().min(1).describe('The id that the command has.') }),
	isConcurrencySafe: () => false,
	interrupt: 'block',
	maxResultChars: 2_000,
	summary: (input) => input.task_id,
	permission: () => ({ access: { kind: 'none' }, detail: { kind: 'generic', input: '' } }),
	async run({ task_id: id }, { tasks, clock }) {
		const task = tasks.find(id);
		if (task === undefined && tasks.findEarlier(id) === undefined) {
			return { content: noSuchTask(id, tasks.list), view: { kind: 'none' }, isError: true };
		}
		const stopped = await tasks.stop(id, 'model');
		tasks.told(id);
		const where = task?.file === undefined ? '' : ` Its output is in ${task.file}.`;
		const content = stopped
			? `The command ${id} is stopped; nothing of it runs any more.${where}`
			: `The command ${id} had ended already.${where}`;
		if (task === undefined) return { content, view: { kind: 'none' } };
		const { result, order, startedAt } = task;
		const outcome = result ?? { outcome: 'stopped', durationMs: clock.now() - startedAt };
		return { content, view: { ...commandView(order.command, outcome, task.newest().text, 0), taskId: task.id } };
	},
});
