// Reminds the model of a todo list that it has not looked after for long. Pure.
import type { AttachmentSource } from '../../core/loop/params.ts';
import type { JsonObject, Message } from '../../core/messages/types.ts';
import { textOf, toolUses } from '../../core/messages/types.ts';

/** Turns without a change of the list, and between two reminders. */
export const quietTurns = 10;
/** Steps that are named. */
const namedSteps = 20;

const beginning = 'The todo list has not been touched for';

export const todoReminderSource: AttachmentSource = ({ messages }) => {
	const reminder = todoReminder(messages);
	return Promise.resolve(reminder === undefined ? [] : [reminder]);
};

/** Undefined while nothing is unfinished, or the list (or the last reminder) is recent. */
export function todoReminder(messages: readonly Message[]): string | undefined {
	let turns = 0;
	for (let at = messages.length - 1; at >= 0; at--) {
		const message = messages[at];
		if (!message) continue;
		if (message.role === 'user') {
			if (message.origin === 'hidden' && textOf(message).includes(beginning) && turns < quietTurns) return undefined;
			continue;
		}
		const list = toolUses(message).findLast(({ name }) => name === 'TodoWrite');
		if (list) return turns < quietTurns ? undefined : reminderFor(unfinished(list.input), turns);
		turns++;
	}
	return undefined;
}

function reminderFor(steps: readonly string[], turns: number): string | undefined {
	if (steps.length === 0) return undefined;
	const more = steps.length > namedSteps ? [`… and ${steps.length - namedSteps} more`] : [];
	const lines = [...steps.slice(0, namedSteps), ...more].join('\n');
	return `${beginning} ${turns} turns. If it still holds, bring it up to date with TodoWrite; if not, clear it. Open steps:\n${lines}`;
}

function unfinished({ todos }: JsonObject): readonly string[] {
	if (!Array.isArray(todos)) return [];
	const items: readonly unknown[] = todos;
	return items.flatMap((todo) => {
		if (typeof todo !== 'object' || todo === null || !('content' in todo) || !('status' in todo)) return [];
		const { content, status } = todo;
		return typeof content === 'string' && status !== 'completed' ? [`- [${String(status)}] ${content}`] : [];
	});
}
