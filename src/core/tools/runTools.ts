// Runs the calls of a finished answer, without streaming execution: runs of safe calls together, others alone, results
// in order. The same lock as the streaming executor, fed all at once.
import type { ToolEvent } from './toolEvents.ts';
import type { ToolUseBlock } from '../messages/types.ts';
import { Wakeup } from '../util/wakeup.ts';
import type { ExecutorOptions } from './streamingToolExecutor.ts';
import { StreamingToolExecutor } from './streamingToolExecutor.ts';

/** Yields every event of the calls and returns the executor with their results. */
export async function* runTools(
	toolUses: readonly ToolUseBlock[],
	options: Omit<ExecutorOptions, 'onWake'>,
): AsyncGenerator<ToolEvent, StreamingToolExecutor> {
	const wakeup = new Wakeup();
	const executor = new StreamingToolExecutor({ ...options, onWake: () => wakeup.ring() });
	for (const toolUse of toolUses) executor.add(toolUse);
	yield* drain(executor, wakeup);
	return executor;
}

/** Yields what comes until every call has come out. A consumer that returns early stops the calls. */
export async function* drain(executor: StreamingToolExecutor, wakeup: Wakeup): AsyncGenerator<ToolEvent, void> {
	try {
		while (!executor.settled) {
			const events = executor.takeEvents();
			if (events.length > 0) yield* events;
			else await wakeup.wait();
		}
	} finally {
		if (!executor.settled) {
			executor.cancel({ kind: 'stopped' });
			await executor.idle();
		}
		executor.dispose();
	}
}
