// The face of a conversation: the panel's controller and the headless runner drive it only through this.
import type { ContextUse } from '../../shared/contextUse.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { Todo } from '../../shared/view.ts';
import type { CompactionResult, SummaryAnswer } from '../context/contextTypes.ts';
import type { LoopEvent } from '../loop/events.ts';
import type { Terminal } from '../loop/state.ts';
import type { Prompt } from '../loop/promptParts.ts';
import type { QueuedPrompt } from '../messages/journal.ts';
import type { Message, Usage } from '../messages/types.ts';
import type { BackgroundTasks } from '../tasks/backgroundTasks.ts';
import type { ModelUse } from './ledger.ts';
import type { SessionEvent } from './options.ts';
import type { PermissionInquiry } from './permissionInquiry.ts';

export interface Conversation {
	readonly sessionId: string;
	readonly messages: readonly Message[];
	readonly mode: PermissionMode;
	readonly todos: readonly Todo[];
	/** The commands that run, and those of the background that have ended. */
	readonly tasks: BackgroundTasks;
	/** Of the whole session. */
	readonly usage: Usage;
	/** USD of the whole session; null when a model's prices are unknown. */
	readonly costUsd: number | null;
	/** Of this process, by model; everything that asked a model, summaries and background work too. */
	readonly modelUsage: ReadonlyMap<string, ModelUse>;
	/** Tokens of the last request and answer; 0 before the first. */
	readonly contextTokens: number;
	/** What the context is made of at this moment; estimates brought to the service's own count. */
	contextUse(): ContextUse;
	readonly running: boolean;
	/** A turn was cut by a reload or crash: `resume()` goes on with it. */
	readonly interrupted: boolean;
	/** Calls that were not allowed, for the headless result. */
	readonly denials: readonly { readonly tool: string; readonly toolUseId: string; readonly input: unknown }[];

	/** Runs one exchange. `queuedId`: of the queued prompt that this is. Contract: one at a time; a second call while one runs throws. */
	submitMessage(prompt: Prompt, queuedId?: string): AsyncGenerator<LoopEvent, Terminal>;
	/** Goes on with a turn that a reload or crash cut: asks again for what was not started, never repeats what was. */
	resume(): AsyncGenerator<LoopEvent, Terminal>;
	/** One question without tools, outside the conversation, with the conversation as context when asked for. */
	ask(
		prompt: string,
		options: { readonly signal: AbortSignal; readonly withConversation?: boolean },
	): Promise<AskResult>;
	/** `/compact [focus]`: summarises now. Contract: not while an exchange runs. */
	compact(focus: string | undefined, signal: AbortSignal): Promise<CompactionResult>;
	/** A prompt typed while the agent works: read at the next turn boundary, or `afterExchange`. Returns its id. */
	enqueue(prompt: Prompt, afterExchange?: boolean): string;
	unqueue(id: string): boolean;
	/** Puts a queued prompt at this place, from 0; false when it is there, or was read already. */
	moveQueued(id: string, to: number): boolean;
	readonly queued: readonly QueuedPrompt[];
	/** Stops what runs; resolves when the exchange has ended. `interrupt`: because a new message takes its place. */
	stop(reason: 'stop' | 'interrupt'): Promise<void>;
	setMode(mode: PermissionMode): Promise<void>;
	/** For the person: what a rule would do, what would be decided. */
	readonly permissions: PermissionInquiry;
	/** Rules or trust are others now: open requests are judged again. */
	rulesChanged(): Promise<void>;
	/** Adds a rule for this session, as written. */
	allowForSession(rule: string): void;
	onEvent(listener: (event: SessionEvent) => void): () => void;
	/** Stops everything but the commands that are to be kept, and releases the shell once nothing runs in it. */
	dispose(): Promise<void>;
}

export type AskResult = SummaryAnswer;
