// The transcript's entries and the port that writes them ahead (loop.md 9). One JSON line each, append-only.
// Contract: `append` resolves when the line is handed to the operating system (it survives a killed process). What
// depends on an entry happens only after its `append` resolved.
import type { PromptAttachment } from '../../shared/composer.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { ProjectionChange } from './projection.ts';
import type { AssistantBlock, JsonObject, StopReason, ToolResultBlock, Usage, UserMessage } from './types.ts';
import type { ToolView } from '../../shared/view.ts';

export const transcriptVersion = 1;

export type Entry =
	| {
			readonly type: 'session';
			readonly version: number;
			readonly sessionId: string;
			readonly cwd: string;
			readonly app: string;
	  }
	/** A user message: a prompt, "interrupted", or a hidden one. Tool results have entries of their own. */
	| { readonly type: 'user'; readonly message: UserMessage }
	/** Before each request. */
	| { readonly type: 'request'; readonly turn: number; readonly model: string; readonly messageCount: number }
	/** A finished block of an answer, as soon as it is complete. `messageId` is ours. */
	| {
			readonly type: 'block';
			readonly messageId: string;
			readonly index: number;
			readonly model: string;
			readonly block: AssistantBlock;
	  }
	/** The end of an answer; without it the answer was cut at its last block. */
	| {
			readonly type: 'answer';
			readonly messageId: string;
			readonly apiId?: string;
			readonly stopReason: StopReason;
			readonly usage: Usage;
			readonly complete: boolean;
			readonly costUsd: number | null;
	  }
	/** A request outside of the conversation was answered: a summary, a title, background work. It counts, nothing more. */
	| { readonly type: 'side_call'; readonly model: string; readonly usage: Usage; readonly costUsd: number | null }
	/** A label for the calls of a batch; for views, never sent. */
	| { readonly type: 'tools_labelled'; readonly toolUseIds: readonly string[]; readonly label: string }
	/** The answer is retracted: none of its blocks counts any more. */
	| { readonly type: 'tombstone'; readonly messageId: string }
	/** A call waits for the person's decision. */
	| { readonly type: 'permission'; readonly requestId: string; readonly toolUseId: string }
	/** Before a tool runs: from here on it may have had effects. */
	| { readonly type: 'tool_start'; readonly toolUseId: string; readonly name: string; readonly input: JsonObject }
	| {
			readonly type: 'tool_result';
			readonly toolUseId: string;
			readonly result: ToolResultBlock;
			readonly state: FinishedToolState;
			readonly view: ToolView;
			/** What the conversation came to know of files since the result before. */
			readonly files?: readonly KnownFile[];
	  }
	/** What is sent has changed; before the request that uses it. */
	| { readonly type: 'projection'; readonly change: ProjectionChange }
	| { readonly type: 'mode'; readonly mode: PermissionMode }
	| { readonly type: 'model'; readonly model: string }
	/** `spent`: of the whole session up to here, so that nobody has to read all of it for a sum. */
	| { readonly type: 'exchange_end'; readonly reason: string; readonly spent?: Spent }
	/** A prompt waits for the next turn boundary. It was taken when there is a `user` entry whose message has its id. */
	| ({ readonly type: 'queued' } & QueuedPrompt)
	/** The person took a queued prompt back. */
	| { readonly type: 'unqueued'; readonly id: string }
	/** The order in which the prompts wait is another; those that are not named come last. */
	| { readonly type: 'queue_ordered'; readonly ids: readonly string[] }
	/** The conversation goes on from before this message of the person: it and all after it do not count any more. */
	| { readonly type: 'rewound'; readonly to: string }
	/** The newest `rewound` does not count; written only while no message came after it. */
	| { readonly type: 'rewind_undone' }
	/** The conversation goes on at the end of another version: the newest one that holds this message of the person. */
	| { readonly type: 'switched'; readonly to: string };

/** `costUsd`: null when the price of an answer was unknown. */
export interface Spent {
	readonly usage: Usage;
	readonly costUsd: number | null;
}

/** A file as the model has seen it. */
export interface KnownFile {
	/** Absolute, links resolved. */
	readonly path: string;
	/** Of the whole text. */
	readonly hash: string;
	/** Only a part was shown. */
	readonly partial: boolean;
}

export type FinishedToolState = 'done' | 'error' | 'denied' | 'stopped';

/** An entry as it lies in the file: with its time in milliseconds since the epoch. */
export type StoredEntry = Entry & { readonly time: number };

/** A prompt that waits to be read. */
export interface QueuedPrompt {
	readonly id: string;
	readonly text: string;
	readonly attachments?: readonly PromptAttachment[];
	/** Not before the exchange is done. */
	readonly afterExchange?: boolean;
}

export interface Journal {
	append(entry: Entry): Promise<void>;
}

/** Of a subagent: its file is not held any longer than it works. */
export interface AgentJournal extends Journal {
	/** The subagent has ended. */
	close(): void;
}
