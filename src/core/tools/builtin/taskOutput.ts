// The newest output of a command in the background, and whether it has ended; waits for the end when asked.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import type { CommandTask } from '../../tasks/commandTask.ts';
import type { TaskInfo } from '../../tasks/taskInfo.ts';
import { endWords, lostNote } from '../../tasks/taskWords.ts';
import { headAndTail } from '../../util/text.ts';
import { commandView } from '../commandCard.ts';
import { boundedOutput } from '../commandWords.ts';
import { flag, wholeNumber } from '../inputs.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';

const schema = z.object({
	task_id: z.string().min(1).describe('The id that the command has.'),
	block: flag().optional().describe('Wait for its end; true by default.'),
	timeout: wholeNumber(0)
		.optional()
		.describe(`Milliseconds to wait: ${limits.taskWaitMs} by default, ${limits.bashTimeoutMaxMs} at most.`),
});
type Input = z.output<typeof schema>;

export const taskOutputTool = defineTool({
	name: 'TaskOutput',
	description:
		'Output and state of a command in the background. Read on its output file does the same without waiting.',
	schema,
	isConcurrencySafe: () => true,
	interrupt: 'cancel',
	maxResultChars: limits.bashOutputChars + 2_000,
	summary: (input) => input.task_id,
	permission: () => ({ access: { kind: 'none' }, detail: { kind: 'generic', input: '' } }),
	async run(input, context, { signal }) {
		const task = context.tasks.find(input.task_id);
		if (task === undefined) return unknown(input.task_id, context);
		if (task.result === undefined && input.block !== false) await untilEnd(task, input, { context, signal });
		return stateOf(task, context);
	},
});

async function untilEnd(
	task: CommandTask,
	{ timeout = limits.taskWaitMs }: Input,
	{ context, signal }: { readonly context: ToolContext; readonly signal: AbortSignal },
): Promise<void> {
	const over = new AbortController();
	const stop = () => over.abort('stopped');
	signal.addEventListener('abort', stop, { once: true });
	if (signal.aborted) stop();
	await Promise.race([task.finished, context.clock.sleep(Math.min(timeout, limits.bashTimeoutMaxMs), over.signal)]);
	signal.removeEventListener('abort', stop);
	over.abort('over');
}

function stateOf(task: CommandTask, { tasks, clock }: ToolContext): ToolOutput {
	const { result, file, id, order } = task;
	if (result === undefined) {
		const { text, omitted } = task.newest();
		const shown = headAndTail(text, limits.bashOutputChars);
		const before = omitted > 0 ? ` (the newest; ${omitted} characters came before)` : '';
		const waits = task.waiting ? ' It waits for input of the person, in its terminal.' : '';
		const where = file === undefined ? '' : ` All of its output so far is in ${file}.`;
		const view = commandView(
			order.command,
			{ outcome: 'background', durationMs: clock.now() - task.startedAt },
			shown.text,
			omitted + shown.omitted,
		);
		const state = `The command ${id} is still running.${waits}${where}`;
		const content =
			shown.text === '' ? `${state} It has printed nothing yet.` : `${state}\nOutput${before}:\n${shown.text}`;
		return { content, view: { ...view, taskId: id } };
	}
	tasks.told(id);
	const output = boundedOutput(result, file);
	const content = [`The command ${id} has ended: ${endWords(result)}.`, output.text, output.notice];
	return {
		content: content.filter((line) => line !== '').join('\n'),
		view: { ...commandView(order.command, result, output.text, output.omitted), taskId: id },
	};
}

function unknown(id: string, { tasks }: ToolContext): ToolOutput {
	const earlier = tasks.findEarlier(id);
	if (earlier !== undefined) return { content: lostNote(earlier), view: { kind: 'text', text: earlier.command } };
	return { content: noSuchTask(id, tasks.list), view: { kind: 'none' }, isError: true };
}

/** For an id that nothing has. */
export function noSuchTask(id: string, list: readonly TaskInfo[]): string {
	const known = list.map((task) => `${task.id} (${task.state})`).join(', ');
	return `There is no command "${id}" in the background.${known === '' ? ' None was started.' : ` There are: ${known}.`}`;
}
