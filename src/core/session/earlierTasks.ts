// Commands in the background of a resumed session: they ended with the process that had started them. Pure.
import type { StoredEntry } from '../messages/journal.ts';
import type { TaskSetup } from '../tasks/backgroundTasks.ts';
import type { TaskInfo } from '../tasks/taskInfo.ts';

/** From the entries that count: what went to the background and was not seen to end; and what the model was not told of. */
export function earlierTasks(entries: readonly StoredEntry[]): Pick<TaskSetup, 'earlier' | 'untold'> {
	const open = new Map<string, TaskInfo>();
	const told = new Set<string>();
	for (const entry of entries) {
		if (entry.type === 'user' && entry.message.id.startsWith('finished-')) {
			told.add(entry.message.id.slice('finished-'.length));
		}
		if (entry.type !== 'tool_result' || entry.view.kind !== 'command' || entry.view.taskId === undefined) continue;
		const { taskId: id, command, file, outcome, durationMs } = entry.view;
		if (outcome !== 'background') told.add(id);
		else if (!open.has(id)) {
			open.set(id, {
				id,
				command,
				...(file === undefined ? {} : { file }),
				state: 'ended',
				outcome: 'lost',
				lastLine: '',
				startedAt: entry.time - durationMs,
				kept: false,
			});
		}
	}
	const untold = [...open.keys()].filter((id) => !told.has(id));
	return { earlier: untold.flatMap((id) => open.get(id) ?? []), untold };
}
