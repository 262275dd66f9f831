// What a conversation needs to exist: adapters and settings, put together by the two composition roots.
import type { PermissionMode, PermissionRequest, RuleScope } from '../../shared/permission.ts';
import type { Todo } from '../../shared/view.ts';
import type { ModelClient, ModelFacts, ThinkingSetting } from '../model/client.ts';
import type { SourcedRule } from '../permissions/rule.ts';
import type { Tool } from '../tools/tool.ts';
import type { Clock, NewId, Random } from '../ports/clock.ts';
import type { ContextSettings, Reattachment } from '../context/contextTypes.ts';
import type { BackgroundSettings } from '../background/ask.ts';
import type { DreamPort } from '../memory/dreamPort.ts';
import type { MemoryStore } from '../memory/memoryStore.ts';
import type { AttachmentSource, StopHooks } from '../loop/params.ts';
import type { PromptReader } from '../loop/promptParts.ts';
import type { ToolHooks } from '../tools/permitCall.ts';
import type { FinishedWork } from '../ports/finishedWork.ts';
import type { OutputFiles } from '../ports/outputFiles.ts';
import type { ResultStore } from '../ports/resultStore.ts';
import type { Interaction } from '../ports/interaction.ts';
import type { AgentJournal, Journal, StoredEntry } from '../messages/journal.ts';
import type { Usage } from '../messages/types.ts';
import type { Search } from '../ports/search.ts';
import type { Shell } from '../ports/shell.ts';
import type { ShellParser } from '../ports/shellParser.ts';
import type { Workspace } from '../ports/workspace.ts';

export interface SessionPorts {
	readonly client: ModelClient;
	readonly workspace: Workspace;
	readonly search: Search;
	readonly shell: Shell;
	/** Reads command lines for the permissions; absent: only simple commands are understood, everything else asks. */
	readonly shellParser?: ShellParser;
	/** Where large results lie; absent: they stay in the conversation. */
	readonly results?: ResultStore;
	/** Where the output of commands goes as it comes; absent: it is kept in memory only. */
	readonly outputFiles?: OutputFiles;
	/** What a compaction puts back besides todos and mode; absent: recently read files only. */
	readonly reattach?: () => Promise<Partial<Reattachment>>;
	readonly stopHooks?: StopHooks;
	readonly toolHooks?: ToolHooks;
	readonly attachmentSources?: readonly AttachmentSource[];
	/** What prompts bring besides their words: what they mention, pictures; absent: nothing. */
	readonly readPrompt?: PromptReader;
	/** Absent: nothing runs on in the background. */
	readonly finishedWork?: FinishedWork;
	/** The project's own memory, and what its consolidation needs; absent: nothing is remembered. */
	readonly memory?: MemoryStore;
	readonly dream?: DreamPort;
	readonly interaction: Interaction;
	readonly journal: Journal;
	/** The transcript of a subagent, beside that of its conversation; absent: nothing of it is kept. */
	readonly agentJournal?: (agentId: string) => AgentJournal;
	readonly clock: Clock;
	readonly uuid: NewId;
	/** For the jitter of retries. */
	readonly random: Random;
}

/** Read anew for each request, so that a changed setting holds from the next turn on. */
export interface SessionSettings {
	readonly model: string;
	/** Asked in order when the model is overloaded or declines. */
	readonly fallbackModels?: readonly string[];
	/** For titles, labels and other small jobs; unset: the model itself. */
	readonly smallModel?: string;
	/** Tokens; unset: the model's maximum, at most the default cap. */
	readonly maxOutputTokens?: number;
	readonly thinking: ThinkingSetting;
	/** Requests in one exchange; unset: no limit. */
	readonly maxTurns?: number;
	/** USD that the session may cost; unset: no limit. */
	readonly maxCostUsd?: number;
	/** Output tokens wished for in each exchange; a prompt's own "+500k" wins. */
	readonly tokenTarget?: number;
	/** Attempts after the first when the service fails. */
	readonly maxRetries?: number;
	readonly compaction?: ContextSettings;
	/** Work beside the conversation; what is not named is off. */
	readonly background?: Partial<BackgroundSettings>;
	/** Milliseconds for a command that names no time of its own; unset: the default. */
	readonly commandTimeoutMs?: number;
	/** Safe calls at once, 1-10. */
	readonly maxConcurrency: number;
	readonly bashErrorCancelsSiblings: boolean;
	/** Run tools while the answer still streams. */
	readonly streamingTools: boolean;
	/** Permission rules of all sources: `Tool` or `Tool(specifier)`. Allow rules that wait for trust are not among them. */
	readonly allow: readonly SourcedRule[];
	readonly ask: readonly SourcedRule[];
	readonly deny: readonly SourcedRule[];
	/** False: the folder is not trusted, so that commands wait and edits always ask. Unset: trusted. */
	readonly trusted?: boolean;
	/** The mode that asks nothing is enabled; unset: it is not, and counts as the default mode. */
	readonly allowBypass?: boolean;
	/** Globs of files that hold secrets (`context.exclude`, gitignore syntax); unset: the built-in list. */
	readonly exclude?: readonly string[];
	/** Added to the system prompt. */
	readonly appendSystemPrompt?: string;
}

export interface EngineOptions {
	readonly sessionId: string;
	readonly ports: SessionPorts;
	readonly settings: () => SessionSettings;
	/** Awaited before each judgement, so that `settings` has what was written before it. Never rejects. */
	readonly freshSettings?: () => Promise<void>;
	readonly facts: (model: string) => ModelFacts;
	readonly mode: PermissionMode;
	/** True when a person can be asked; else what would ask is denied. */
	readonly interactive: boolean;
	/** The person's home folder, for permission rules that begin with `~/`. */
	readonly home?: string;
	/** Keeps an allow rule beyond the session. Rejects when it cannot be written; the session has it all the same. */
	readonly saveRule?: (rule: string, scope: Exclude<RuleScope, 'session'>) => Promise<void>;
	/** The version of the extension, for the transcript's first entry. */
	readonly app: string;
	/** Told to the model once, at the start: the operating system's name. */
	readonly platform: string;
	/** In the order in which they are sent; by default the built-in ones. */
	readonly tools?: readonly Tool[];
	/** The transcript to resume; absent for a new session. */
	readonly transcript?: readonly StoredEntry[];
}

/** What an engine tells besides the events of the loop. */
export type SessionEvent =
	| { readonly type: 'permission_requested'; readonly request: PermissionRequest }
	| {
			readonly type: 'permission_resolved';
			readonly requestId: string;
			readonly toolUseId: string;
			readonly allowed: boolean;
	  }
	| { readonly type: 'mode_changed'; readonly mode: PermissionMode }
	| { readonly type: 'model_changed'; readonly model: string }
	| { readonly type: 'todos_changed'; readonly todos: readonly Todo[] }
	/** A request outside of the conversation was answered and counted: a summary, a title, background work. */
	| { readonly type: 'side_call'; readonly model: string; readonly usage: Usage; readonly costUsd: number | null }
	/** What the person might want to say next, in their words; not told once a new exchange has begun. */
	| { readonly type: 'prompt_suggested'; readonly text: string }
	/** What the list of sessions may call this one, where the person has not named it. */
	| { readonly type: 'session_titled'; readonly title: string }
	/** Files of the project's memory were changed, by name. */
	| { readonly type: 'memory_changed'; readonly names: readonly string[] }
	/** For the log: work beside the conversation could not read or write its files. */
	| { readonly type: 'background_failed'; readonly work: string; readonly message: string };
