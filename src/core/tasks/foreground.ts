// Waits for a command as long as its time allows. Contract: when its call is stopped, so is the command; it goes on only
// where it may move to the background.
import type { Clock } from '../ports/clock.ts';
import type { ShellResult } from '../ports/shell.ts';
import type { CommandTask } from './commandTask.ts';

export type ForegroundEnd = { readonly kind: 'ended'; readonly result: ShellResult } | { readonly kind: 'moved' };

export interface ForegroundLimits {
	/** Counted from when the command was started: a terminal that takes long to open takes nothing of it. */
	readonly timeoutMs: number;
	/** What takes longer goes on in the background; what waits for the person does not. */
	readonly mayMove: boolean;
	readonly signal: AbortSignal;
	readonly clock: Clock;
}

/** Never rejects. A command that is ended for its time has the outcome `timed_out`. */
export async function inForeground(
	task: CommandTask,
	{ timeoutMs, mayMove, signal, clock }: ForegroundLimits,
): Promise<ForegroundEnd> {
	const over = new AbortController();
	const stop = () => task.stop();
	signal.addEventListener('abort', stop, { once: true });
	if (signal.aborted) stop();
	try {
		if (task.begun !== undefined) await Promise.race([task.finished, task.begun]);
		await Promise.race([task.finished, clock.sleep(timeoutMs, over.signal)]);
		if (task.result !== undefined || signal.aborted) return { kind: 'ended', result: await task.finished };
		if (mayMove && !task.waiting) return { kind: 'moved' };
		task.stop();
		const result = await task.finished;
		return { kind: 'ended', result: result.outcome === 'stopped' && !signal.aborted ? timedOut(result) : result };
	} finally {
		over.abort('over');
		signal.removeEventListener('abort', stop);
	}
}

function timedOut(result: ShellResult): ShellResult {
	return { ...result, outcome: 'timed_out' };
}
