// What the model is told of commands in the background. Contract: nothing that a command printed stands in a note.
import { limits } from '../limits.ts';
import type { ShellResult } from '../ports/shell.ts';
import { clip } from '../util/text.ts';
import type { CommandTask } from './commandTask.ts';
import type { TaskInfo } from './taskInfo.ts';

/** One line: how it ended. */
export function endWords({ outcome, exitCode, signal, message }: ShellResult): string {
	switch (outcome) {
		case 'exited':
			return `exit code ${exitCode ?? '?'}`;
		case 'killed_by_signal':
			return `ended by the signal ${signal ?? '(unknown)'}${message === undefined ? '' : ` (${message})`}`;
		case 'timed_out':
			return 'ended for its time limit';
		case 'stopped':
			return 'stopped';
		case 'not_started':
			return `it could not be started (${message ?? 'no reason given'})`;
	}
}

/** The note on a command in the background that has ended. */
export function endedNote({ id, order, file, stoppedBy }: CommandTask, result: ShellResult): string {
	const who = result.outcome === 'stopped' && stoppedBy === 'person' ? 'stopped by the person' : endWords(result);
	const seconds = Math.round(result.durationMs / 1000);
	return `The background command ${id} (${shown(order.command)}) has ended after ${seconds} s: ${who}.${whereWords(file)}`;
}

/** The note on one that ran in an earlier process of this session. */
export function lostNote({ id, command, file }: TaskInfo): string {
	return `The background command ${id} (${shown(command)}) runs no more: it ended with the session that started it.${whereWords(file)}`;
}

/** How to follow and to stop it. */
export function howTo({ id, file }: Pick<CommandTask, 'id' | 'file'>): string {
	const read =
		file === undefined
			? `Read its output with TaskOutput("${id}")`
			: `Its output goes to ${file}: Read it, or use TaskOutput("${id}")`;
	return `${read}; stop it with TaskStop("${id}"). You are told when it ends: do not wait for it in a loop.`;
}

function whereWords(file: string | undefined): string {
	return file === undefined ? '' : ` Its output is in ${file}.`;
}

function shown(command: string): string {
	return `\`${clip(command.trim().replace(/\s+/g, ' '), limits.taskCommandChars)}\``;
}
