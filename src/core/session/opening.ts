// What an exchange begins with. Of a new session also its first entries: who it is, and the facts before the first prompt.
import { sessionFacts } from '../context/systemPrompt.ts';
import { tellFinished } from '../loop/attachments.ts';
import { hiddenMessage } from '../loop/record.ts';
import { writeNotes } from '../loop/writePrompt.ts';
import type { PromptDeps } from '../loop/writePrompt.ts';
import type { FinishedWork } from '../ports/finishedWork.ts';
import type { ResumedTurn } from '../loop/params.ts';
import type { Journal, StoredEntry } from '../messages/journal.ts';
import { transcriptVersion } from '../messages/journal.ts';
import type { Message, UserMessage } from '../messages/types.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { EngineOptions } from './options.ts';
import { remembered } from './projectMemory.ts';
import { closePending } from './resume.ts';

/** What an exchange starts from. */
export interface Beginning {
	readonly messages: readonly Message[];
	/** What a crash left open, answered because the person goes on with something else. */
	readonly left: readonly Message[];
	readonly prompt?: UserMessage;
	readonly resumed?: ResumedTurn;
}

export interface Opening {
	readonly options: EngineOptions;
	readonly journal: Journal;
	readonly cwd: string;
	readonly mode: PermissionMode;
}

/** Writes them down; the messages that the conversation begins with. */
export async function openTranscript({ options, journal, cwd, mode }: Opening): Promise<readonly Message[]> {
	const { workspace, shell, clock } = options.ports;
	const told = sessionFacts({
		time: clock.now(),
		platform: options.platform,
		shell: shell.name,
		folders: workspace.roots,
	});
	const facts = hiddenMessage(told + (await remembered(options)), options.ports);
	const { sessionId, app } = options;
	await journal.append({ type: 'session', version: transcriptVersion, sessionId, cwd, app });
	await journal.append({ type: 'mode', mode });
	await journal.append({ type: 'model', model: options.settings().model });
	await journal.append({ type: 'user', message: facts });
	return [facts];
}

/** What has come up since the last exchange, written down before the prompt. */
export async function notesBeforePrompt(
	due: readonly string[],
	{ messages, work }: { readonly messages: readonly Message[]; readonly work: FinishedWork | undefined },
	deps: PromptDeps,
): Promise<readonly Message[]> {
	const told = due.length === 0 ? [] : [await writeNotes(due, deps)];
	return [...told, ...(await tellFinished(messages, work, deps))];
}

/** What stands in the transcript of a prompt that could not be written itself: it counts all the same. Empty when nothing does. */
export function writtenBefore(entries: readonly StoredEntry[], pending: ResumedTurn | undefined): readonly Message[] {
	const written = entries.flatMap((entry) => (entry.type === 'user' ? [entry.message] : []));
	return written.length > 0 && pending ? [...closePending(pending), ...written] : written;
}
