// What the panel shows, as plain data. The host owns all of it; the webview only draws.
import type { PromptAttachment, SelectionView } from './composer.ts';
import type { HunkView, PermissionMode, PermissionRequest } from './permission.ts';

export interface Todo {
	readonly content: string;
	readonly activeForm: string;
	readonly status: 'pending' | 'in_progress' | 'completed';
}

/** What a finished (or running) tool call has to show; cards are chosen by `kind`. Texts are bounded by the tool. */
export type ToolView =
	| { readonly kind: 'none' }
	| { readonly kind: 'text'; readonly text: string; readonly note?: ViewNote }
	| {
			readonly kind: 'read';
			readonly path: string;
			readonly firstLine: number;
			readonly lines: number;
			readonly text: string;
			readonly partial: boolean;
	  }
	| { readonly kind: 'files'; readonly files: readonly string[]; readonly total: number; readonly truncated: boolean }
	| {
			readonly kind: 'matches';
			readonly matches: readonly MatchView[];
			readonly total: number;
			readonly files: number;
			readonly truncated: boolean;
	  }
	| {
			readonly kind: 'edit';
			readonly path: string;
			readonly created: boolean;
			readonly hunks: readonly HunkView[];
			readonly added: number;
			readonly removed: number;
			/** Hunk lines left out of `hunks` because there are too many. */
			readonly omittedLines?: number;
	  }
	| {
			readonly kind: 'command';
			readonly command: string;
			readonly output: string;
			readonly omitted: number;
			readonly exitCode?: number;
			readonly outcome: CommandOutcome;
			readonly durationMs: number;
			/** It waits for the person, in its terminal. */
			readonly waiting?: true;
			/** The id that it has in the background. */
			readonly taskId?: string;
			/** Where all of its output is; absolute. */
			readonly file?: string;
	  }
	| { readonly kind: 'todos'; readonly todos: readonly Todo[] }
	/** An approved plan, in Markdown. */
	| { readonly kind: 'plan'; readonly plan: string }
	/** An image or a PDF that the model was shown. */
	| {
			readonly kind: 'media';
			readonly path: string;
			readonly bytes: number;
			/** Pixels. */
			readonly size?: { readonly width: number; readonly height: number };
			readonly pages?: number;
	  }
	/** A page of the web, or what was made of it for a question. */
	| {
			readonly kind: 'web';
			/** `http:` or `https:`; where it led in the end. */
			readonly url: string;
			/** HTTP. */
			readonly status: number;
			/** May be empty. */
			readonly title: string;
			/** Of the page, as it was loaded. */
			readonly bytes: number;
			/** Markdown; hostile, like all that comes from outside. */
			readonly text: string;
	  }
	/** What a subagent has done: a conversation of its own, and its answer. */
	| {
			readonly kind: 'agent';
			/** Its newest rows, those of tools, texts and thinking. */
			readonly log: readonly Row[];
			/** Rows before them. */
			readonly omitted: number;
			/** Markdown; empty while it works. */
			readonly answer: string;
			readonly toolUses: number;
			readonly tokens: number;
			/** It waits for the service, until then: milliseconds since the epoch. */
			readonly retryAt?: number;
			/** The id of its transcript, where all that it did is; absent when it has none. */
			readonly agentId?: string;
	  }
	| { readonly kind: 'answers'; readonly answers: readonly { readonly question: string; readonly answer: string }[] };

/** `background`: its call is answered, and it goes on. */
export type CommandOutcome =
	'running' | 'background' | 'exited' | 'killed_by_signal' | 'timed_out' | 'stopped' | 'not_started';

/** A command in the background. */
export interface TaskView {
	readonly id: string;
	readonly command: string;
	/** In the model's words; may be empty. */
	readonly description: string;
	/** `left`: the command has ended, what it left behind runs. */
	readonly state: 'running' | 'waiting' | 'left' | 'ended';
	/** Of an ended one; `lost`: it ended with an earlier window. */
	readonly outcome?: Exclude<CommandOutcome, 'running' | 'background'> | 'lost';
	readonly exitCode?: number;
	readonly lastLine: string;
	/** Where all of its output is; absolute. */
	readonly file?: string;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly endedAt?: number;
	/** It goes on when the conversation ends. */
	readonly kept: boolean;
}

/** A sentence to localise: English text is the key of the l10n bundle, `{0}` its arguments. */
export interface ViewNote {
	readonly code: string;
	readonly args?: readonly string[];
}
export interface MatchView {
	readonly file: string;
	readonly line?: number;
	readonly text?: string;
	readonly count?: number;
}

export type ToolState = 'queued' | 'waiting' | 'running' | 'done' | 'error' | 'denied' | 'stopped';

/** A row of the conversation. Ids are stable: a block's row keeps its id from the first delta to the last. */
export type Row =
	| {
			readonly kind: 'prompt';
			readonly id: string;
			readonly text: string;
			readonly time: number;
			readonly attachments?: readonly PromptAttachment[];
			/** Ids of all that was said in its place, itself included, the oldest first; absent when nothing else was. */
			readonly versions?: readonly string[];
	  }
	| { readonly kind: 'text'; readonly id: string; readonly text: string; readonly open: boolean }
	| {
			readonly kind: 'thinking';
			readonly id: string;
			readonly text: string;
			readonly open: boolean;
			readonly durationMs?: number;
	  }
	| {
			readonly kind: 'tool';
			readonly id: string;
			readonly toolUseId: string;
			readonly tool: string;
			/** One line, such as the path or the command. Empty while the arguments are still streaming. */
			readonly summary: string;
			readonly state: ToolState;
			readonly view: ToolView;
			/** The text that the model got, when it is an error or a denial. */
			readonly message?: string;
			/** Of the first call of an answer: what all of its calls did, in a few words of the model. */
			readonly batchLabel?: string;
			readonly startedAt?: number;
			readonly durationMs?: number;
	  }
	| {
			readonly kind: 'notice';
			readonly id: string;
			readonly code: NoticeCode;
			readonly args: Readonly<Record<string, string>>;
	  }
	/** Ends an answer; shown on demand. */
	| {
			readonly kind: 'summary';
			readonly id: string;
			readonly model: string;
			readonly inputTokens: number;
			readonly outputTokens: number;
			readonly costUsd: number;
			readonly durationMs: number;
			readonly time: number;
	  }
	/** What came before was replaced by a summary in what the model reads; here it all stays. Tokens are estimates. */
	| {
			readonly kind: 'compacted';
			readonly id: string;
			readonly before: number;
			readonly after: number;
			/** Bounded; empty when it is not known. */
			readonly summary: string;
	  }
	| { readonly kind: 'error'; readonly id: string; readonly error: ErrorView };

export type NoticeCode =
	| 'interrupted'
	| 'max_turns'
	| 'resumed'
	| 'transcript_damaged'
	| 'host_restarted'
	| 'open_elsewhere'
	/** `from` and `to`: names of models. */
	| 'model_fallback'
	/** The same: the model of a stored conversation is not offered any more. */
	| 'model_gone'
	/** `limit`: USD; absent when it is not known. */
	| 'budget_exhausted'
	| 'stop_hook_prevented'
	| 'hook_stopped'
	/** A compaction was wanted: it failed, there is nothing to summarise, nothing new, it was stopped, or it has to wait. */
	| 'compact_failed'
	| 'compact_nothing'
	| 'compact_no_growth'
	| 'compact_stopped'
	| 'compact_busy'
	/** The disk takes no more of the conversation, which goes on in memory; or all of it is stored again. */
	| 'storage_full'
	| 'storage_read_only'
	| 'storage_failed'
	| 'storage_stored';

/** A failure for people: `code` is localised by the view, `detail` is shown small below (English, from the service). */
export interface ErrorView {
	readonly code: string;
	readonly args: Readonly<Record<string, string>>;
	readonly detail: string;
	/** Buttons under the message. */
	readonly actions: readonly ('set_key' | 'retry' | 'compact' | 'open_settings' | 'show_log')[];
}

export type Status = 'ready' | 'working' | 'waiting' | 'retrying' | 'compacting' | 'stopped';

/** Why the request is made again; a recovered failure is never shown as an error. */
export interface RetryView {
	readonly code: string;
	readonly args: Readonly<Record<string, string>>;
	/** The attempt that comes next; the first one counts. */
	readonly attempt: number;
}

/** The service asks to wait for long: the person decides. */
export interface WaitView {
	readonly id: string;
	readonly delayMs: number;
}

export interface FolderView {
	/** Absolute. */
	readonly path: string;
	readonly name: string;
}

/** How many of the other conversations wait for the person, work, are done and not seen, or were interrupted by a reload. */
export interface OthersView {
	readonly waiting: number;
	readonly working: number;
	readonly done: number;
	readonly interrupted?: number;
}

export interface ModelChoice {
	readonly id: string;
	readonly name: string;
}

export interface QueuedView {
	readonly id: string;
	readonly text: string;
	readonly attachments?: readonly PromptAttachment[];
	/** It waits for the end of the exchange, not for the next step. */
	readonly afterExchange?: boolean;
}

export interface ViewState {
	readonly status: Status;
	/** Of `retrying`: milliseconds since the epoch at which it tries again. */
	readonly retryAt?: number;
	/** From the first failure of a request until something of its answer comes. */
	readonly retry: RetryView | null;
	readonly wait: WaitView | null;
	/** What the person may want to say next, in their words. */
	readonly suggestion: string | null;
	readonly sessionId: string;
	readonly mode: PermissionMode;
	readonly modes: readonly PermissionMode[];
	readonly model: ModelChoice;
	readonly models: readonly ModelChoice[];
	/** `demo` is the built-in model that is no AI. */
	readonly provider: 'anthropic' | 'compatible' | 'demo';
	/** Prompts that wait their turn. */
	readonly queued: readonly QueuedView[];
	/** The key that sends; the other one breaks the line. */
	readonly sendWith: 'enter' | 'ctrlEnter';
	/** In the active editor; null without one, or without a selection. */
	readonly selection: SelectionView | null;
	readonly todos: readonly Todo[];
	/** Commands in the background, the oldest first. */
	readonly tasks: readonly TaskView[];
	readonly requests: readonly PermissionRequest[];
	/** Tokens of the last request and answer, and the model's window; 0 before the first. */
	readonly contextTokens: number;
	readonly contextWindow: number;
	/** USD of the whole session; null when prices are unknown. */
	readonly costUsd: number | null;
	/** USD at which the session stops; null without a limit. */
	readonly maxCostUsd: number | null;
	/** Tokens of the whole session, side calls included: all that was sent, and all that was answered. */
	readonly usage: { readonly input: number; readonly output: number };
	/** The service limits how much may be asked for; `until`: milliseconds since the epoch, null when it did not say. */
	readonly rateLimit: { readonly until: number | null } | null;
	/** What keeps a model from being asked at all. */
	readonly setup: 'ready' | 'no_key' | 'bad_address';
	/** The version that this one came to by an update the person has not seen the news of. */
	readonly updatedTo: string | null;
	/** Another window has the conversation: it is read here. */
	readonly openElsewhere?: boolean;
	/** A turn was cut by a reload or crash and can go on. */
	readonly canContinue: boolean;
	/** The person went back to before a message, and nothing was said since: it can be taken back. */
	readonly wentBack: boolean;
	readonly folder: string;
	/** The folders that are open when there are several, `folder` among them; it can be another while nothing was said. */
	readonly folders: readonly FolderView[];
	/** What goes on in the window's other conversations; null: nothing that the person would want to know. */
	readonly others: OthersView | null;
	/** False: VS Code's restricted mode; nothing runs in the folder, and edits always ask. */
	readonly trusted: boolean;
}
