// A command in the background as lists and tools show it.
import type { ShellResult } from '../ports/shell.ts';
import type { CommandTask } from './commandTask.ts';

export interface TaskInfo {
	readonly id: string;
	readonly command: string;
	/** In the model's words. */
	readonly description?: string;
	/** Where all of its output is; absolute. */
	readonly file?: string;
	/** `waiting`: for the person, in its terminal. `left`: it has ended, what it left behind runs. */
	readonly state: 'running' | 'waiting' | 'left' | 'ended';
	/** Of an ended one; `lost`: it ended with the process that it was started from. */
	readonly outcome?: ShellResult['outcome'] | 'lost';
	readonly exitCode?: number;
	readonly lastLine: string;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly endedAt?: number;
	/** It outlives the session. */
	readonly kept: boolean;
}

export function taskInfo(task: CommandTask): TaskInfo {
	const { id, order, file, result, startedAt, endedAt, lastLine, kept } = task;
	return {
		id,
		command: order.command,
		...(order.description === undefined ? {} : { description: order.description }),
		...(file === undefined ? {} : { file }),
		state: stateOf(task),
		...(result === undefined ? {} : { outcome: result.outcome }),
		...(result?.exitCode === undefined ? {} : { exitCode: result.exitCode }),
		lastLine,
		startedAt,
		...(endedAt === undefined ? {} : { endedAt }),
		kept,
	};
}

function stateOf({ result, waiting, isGone }: CommandTask): TaskInfo['state'] {
	if (result === undefined) return waiting ? 'waiting' : 'running';
	return !isGone && (result.left ?? []).length > 0 ? 'left' : 'ended';
}

/** Something of it runs. */
export function isRunning({ state }: Pick<TaskInfo, 'state'>): boolean {
	return state !== 'ended';
}
