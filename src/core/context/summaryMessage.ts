// What takes the place of a summarised conversation: the session's facts, the summary, the person's own words taken from the
// messages (never left to the model), and what is put back anew: files, skills, todos, plan, mode, memory, running work.
import type { PermissionMode } from '../../shared/permission.ts';
import { limits } from '../limits.ts';
import type { Message, UserBlock, UserMessage } from '../messages/types.ts';
import { toolUses } from '../messages/types.ts';
import { headAndTail, roughTokens } from '../util/text.ts';
import { currentToolName } from '../util/toolNames.ts';
import type { ContextDeps, Reattachment } from './contextTypes.ts';
import { isPrompt, wordsBefore } from './turns.ts';

/** The messages that stand in for everything before `end`. `room`: tokens that files, skills, plan and memory may take. */
export async function summaryMessages(
	about: {
		readonly messages: readonly Message[];
		readonly end: number;
		readonly summary: string;
		readonly reattached: Reattachment | undefined;
		readonly room: number;
	},
	deps: Pick<ContextDeps, 'storeResult' | 'uuid' | 'clock'>,
): Promise<readonly UserMessage[]> {
	const { messages, end, summary, reattached, room } = about;
	const words = await repeatedWords(messages, end, deps);
	const texts = [
		`[From Loopwright] The conversation up to here was summarised to save room. Go on from this as if nothing had happened: do not greet, do not repeat it.\n\n<summary>\n${summary}\n</summary>`,
		...(words ? [words] : []),
		...(reattached ? reattachedTexts(reattached, room) : []),
	];
	const message: UserMessage = {
		role: 'user',
		id: deps.uuid(),
		origin: 'hidden',
		content: [...sessionFacts(messages), ...texts.map((text) => ({ type: 'text', text }) as const)],
		time: deps.clock.now(),
	};
	return [message];
}

/** What stands before the first prompt: date, folder, project memory as they were told. Notes were of that moment only. */
function sessionFacts(messages: readonly Message[]): readonly UserBlock[] {
	const first = messages.findIndex((message) => message.role === 'assistant' || isPrompt(message));
	return messages
		.slice(0, Math.max(0, first))
		.flatMap(({ content }) =>
			content.flatMap((block) => (block.type === 'text' && !isNote(block.text) ? [block] : [])),
		);
}

function isNote(text: string): boolean {
	return text.startsWith('<system-note>');
}

/** Every message of the person, word for word. Only when all are very long the longest ones go to files. */
async function repeatedWords(
	messages: readonly Message[],
	end: number,
	deps: Pick<ContextDeps, 'storeResult'>,
): Promise<string | undefined> {
	const words = wordsBefore(messages, end);
	if (words.length === 0) return undefined;
	const files = new Map<string, string>();
	let total = words.reduce((sum, { text }) => sum + text.length, 0);
	for (const { id, text } of [...words].sort((one, other) => other.text.length - one.text.length)) {
		if (total <= limits.repeatedWordsChars || text.length <= 4 * limits.resultPreviewChars) break;
		try {
			const path = await deps.storeResult(`prompt-${id}`, text);
			const shown = headAndTail(text, 2 * limits.resultPreviewChars).text;
			files.set(id, `${shown}\n[The whole message is in the file ${path}.]`);
			total -= text.length - shown.length;
		} catch {
			// It stays whole: too long is better than lost.
		}
	}
	const parts = words.map(({ id, text }) => `<user_message>\n${files.get(id) ?? text}\n</user_message>`);
	return `The user's own messages so far, word for word, oldest first. What they ask for and forbid still holds, unless a later one says otherwise:\n${parts.join('\n')}`;
}

function reattachedTexts(about: Reattachment, room: number): readonly string[] {
	let left = Math.max(0, room);
	const within = (text: string, most = Infinity): string | undefined => {
		const tokens = Math.min(left, most);
		// Three characters a token, so that the estimate of what is kept stays within the room for plain text.
		const shown = roughTokens(text) <= tokens ? text : headAndTail(text, Math.floor(tokens) * 3).text;
		if (tokens < 50 || !text.trim()) return undefined;
		left -= roughTokens(shown);
		return shown;
	};
	const section = (title: string, text: string | undefined) => (text === undefined ? [] : [`${title}\n${text}`]);
	const { todos = [], running = [], skills = [] } = about;
	return [
		modeText(about.mode),
		...section('The plan:', within(about.plan ?? '')),
		...section('Project memory, read anew:', within(about.memory ?? '')),
		...(todos.length > 0
			? section('The todo list:', todos.map(({ status, content }) => `- [${status}] ${content}`).join('\n'))
			: []),
		...(running.length > 0
			? section('Still running in the background:', running.map((line) => `- ${line}`).join('\n'))
			: []),
		...skills.flatMap(({ name, text }) =>
			section(`The skill "${name}", which is in use:`, within(text, limits.reattachedFileTokens)),
		),
		...about.files
			.slice(0, limits.reattachedFiles)
			.flatMap(({ path, text }) =>
				section(`The file ${path} as it is now:`, within(text, limits.reattachedFileTokens)),
			),
	];
}

function modeText(mode: PermissionMode): string {
	switch (mode) {
		case 'default':
			return 'Permission mode: ask. Edits and commands are shown to the user before they happen.';
		case 'acceptEdits':
			return 'Permission mode: accept edits. Edits apply at once; the user reviews them.';
		case 'plan':
			return 'Permission mode: plan. Nothing may be changed; the work ends with a plan for the user to approve.';
		case 'dontAsk':
			return 'Permission mode: do not ask. What is not allowed is denied.';
		case 'bypassPermissions':
			return 'Permission mode: bypass. The user is not asked.';
	}
}

/** Files that were read or changed before `end`, the latest first; those read again after it are in the conversation anyway. */
export function recentFiles(messages: readonly Message[], end: number): readonly string[] {
	const seen = new Set<string>();
	for (const message of messages.slice(end)) for (const path of pathsOf(message, ['Read'])) seen.add(path);
	const found: string[] = [];
	for (let at = end - 1; at >= 0 && found.length < limits.reattachedFiles; at--) {
		const message = messages[at];
		for (const path of message ? pathsOf(message, ['Read', 'Edit', 'Write', 'NotebookEdit']).toReversed() : []) {
			if (!seen.has(path)) found.push(path);
			seen.add(path);
		}
	}
	return found.slice(0, limits.reattachedFiles);
}

function pathsOf(message: Message, tools: readonly string[]): readonly string[] {
	if (message.role === 'user') return [];
	return toolUses(message).flatMap(({ name, input }) => {
		const path = input[name === 'NotebookEdit' ? 'notebook_path' : 'file_path'];
		return tools.includes(currentToolName(name)) && typeof path === 'string' ? [path] : [];
	});
}
