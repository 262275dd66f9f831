// What the model reads of a command: its output, bounded, how it ended, and where the rest is.
import { limits } from '../limits.ts';
import type { ShellResult } from '../ports/shell.ts';
import type { CommandTask } from '../tasks/commandTask.ts';
import { endWords } from '../tasks/taskWords.ts';
import { clip, headAndTail, readableOutput } from '../util/text.ts';

export interface BoundedOutput {
	readonly text: string;
	/** Characters left out. */
	readonly omitted: number;
	/** For the model; empty when nothing was left out. */
	readonly notice: string;
}

/** Head and tail of what a command has printed. `file` has all of it. */
export function boundedOutput(
	{ output, omitted, saved }: Pick<ShellResult, 'output' | 'omitted' | 'saved'>,
	file: string | undefined,
): BoundedOutput {
	const kept = headAndTail(readableOutput(output).trimEnd(), limits.bashOutputChars);
	const all = omitted + kept.omitted;
	if (all === 0) return { text: kept.text, omitted: 0, notice: '' };
	if (file === undefined || saved === undefined) {
		const notice = omitted > 0 ? `[${omitted} characters of output were not kept.]` : '';
		return { text: kept.text, omitted: all, notice };
	}
	const whole = saved.complete ? 'All of the output is in' : `The first ${saved.bytes} bytes of the output are in`;
	const notice = `[${all} characters left out. ${whole} ${file}: use Read with offset and limit, or Grep.]`;
	return { text: kept.text, omitted: all, notice };
}

export interface EndOf {
	readonly result: ShellResult;
	readonly task: CommandTask;
	readonly timeoutMs: number;
	/** Exit code 1 says something, and is no failure. */
	readonly benign: boolean;
}

/** How it ended, as lines for the model; none for exit 0. */
export function endLines({ result, task, timeoutMs, benign }: EndOf): readonly string[] {
	return [endLine(result, timeoutMs, benign), waitLine(task, result), leftLine(task, result)].filter(
		(line) => line !== '',
	);
}

function endLine(result: ShellResult, timeoutMs: number, benign: boolean): string {
	switch (result.outcome) {
		case 'exited':
			if (result.exitCode === 0) return result.message === undefined ? '' : `[${result.message}]`;
			return benign
				? 'Exit code 1 (nothing found, or a difference; not a failure)'
				: `Exit code ${result.exitCode ?? '?'}`;
		case 'timed_out':
			return `Ended after ${timeoutMs} ms, its time limit. Give a longer timeout (at most ${limits.bashTimeoutMaxMs}), use run_in_background, or do it in smaller steps.`;
		case 'stopped':
			return 'Stopped by the user before it had finished.';
		case 'not_started':
			return `The command could not be started: ${result.message ?? 'no reason given'}`;
		case 'killed_by_signal': {
			const words = endWords(result);
			return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
		}
	}
}

/** A prompt that the person was shown: whether they answered it. */
function waitLine({ waited }: CommandTask, { outcome }: ShellResult): string {
	if (!waited) return '';
	return outcome === 'exited'
		? '[It waited for input, and the person answered in the terminal.]'
		: '[It waited for input in the terminal, and nobody answered. Use options or piped input that need no answer.]';
}

function leftLine({ id }: CommandTask, { left = [] }: ShellResult): string {
	if (left.length === 0) return '';
	const named = left.slice(0, limits.taskLeftNamed).map(({ pid, command }) => `${pid} (${clip(command, 100)})`);
	const more = left.length > named.length ? `, and ${left.length - named.length} more` : '';
	return `[It left running in the background: ${named.join(', ')}${more}. TaskStop("${id}") ends that.]`;
}
