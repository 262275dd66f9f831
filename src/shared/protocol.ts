// The messages between the extension host and the panel. The panel says `ready` and gets a snapshot, then events with a
// rising `seq`; on a gap it says `ready` again. The host checks every inbound message with zod (host/panel/inbound.ts).
import type { Delivery, KeptDraft, MediaAttachment, MentionItem } from './composer.ts';
import type { ContextUse } from './contextUse.ts';
import type { PermissionAnswer, PermissionMode, RuleCheck } from './permission.ts';
import type { Row, ViewState } from './view.ts';

export type ViewEvent =
	| { readonly type: 'row_added'; readonly row: Row }
	/** The row with the same id is replaced whole. */
	| { readonly type: 'row_updated'; readonly row: Row }
	/** Text is appended to a `text` or `thinking` row, or to the `output` of a tool row's `command` view. */
	| { readonly type: 'text_appended'; readonly rowId: string; readonly text: string }
	| { readonly type: 'rows_removed'; readonly rowIds: readonly string[] }
	/** Only the fields that changed. */
	| { readonly type: 'state_changed'; readonly state: Partial<ViewState> };

export type ToWebview =
	| {
			readonly type: 'snapshot';
			readonly seq: number;
			readonly state: ViewState;
			readonly rows: readonly Row[];
			readonly earlier: number;
	  }
	| { readonly type: 'events'; readonly seq: number; readonly events: readonly ViewEvent[] }
	/** The answer to `rows_requested`: the rows just before the oldest known one; `earlier` are left. */
	| { readonly type: 'earlier_rows'; readonly rows: readonly Row[]; readonly earlier: number }
	/** The answer to `find_requested`, for exactly that query: the rows that have it, from top to bottom. */
	| { readonly type: 'found'; readonly query: string; readonly rows: readonly FoundRow[]; readonly total: number }
	/** The answer to `conversation_copied`: it lies in the clipboard, or is too long for it. */
	| { readonly type: 'copied'; readonly outcome: 'whole' | 'too_long' }
	/** The answer to `outline_requested`: every prompt of the person, the oldest first. */
	| { readonly type: 'outline'; readonly prompts: readonly OutlinePrompt[] }
	/** Put the focus into the composer, optionally with a text to start from (replacing an empty draft, appended else). */
	| {
			readonly type: 'composer_focused';
			readonly insert?: string;
			/** Of a queued prompt that was taken back. */
			readonly attachments?: readonly MediaAttachment[];
	  }
	/** The answer to `draft_requested`. */
	| { readonly type: 'draft'; readonly conversation: string; readonly draft: KeptDraft }
	/** Put this where the cursor is in the composer. */
	| { readonly type: 'text_inserted'; readonly text: string }
	/** The host could not keep it. */
	| { readonly type: 'media_refused'; readonly id: string }
	/** The answer to `mentions_requested`, for exactly that query; the best comes first. `done`: false while more may come. */
	| {
			readonly type: 'mentions_found';
			readonly query: string;
			readonly items: readonly MentionItem[];
			readonly done: boolean;
	  }
	/** The newest first. */
	| { readonly type: 'history'; readonly prompts: readonly string[] }
	/** The answer to `context_requested`; null before a conversation is open. */
	| { readonly type: 'context_shown'; readonly use: ContextUse | null }
	/** Put the focus on the card of what waits for an answer. */
	| { readonly type: 'request_focused' }
	/** The answer to `rule_typed`, for exactly that text. */
	| {
			readonly type: 'rule_checked';
			readonly requestId: string;
			readonly rule: string;
			readonly check: RuleCheck;
	  };

/** `count`: how often the text is in the row. */
export interface FoundRow {
	readonly rowId: string;
	readonly count: number;
}
/** `text`: the beginning of the prompt; `time`: milliseconds since the epoch. */
export interface OutlinePrompt {
	readonly id: string;
	readonly text: string;
	readonly time: number;
}

/** Where the keyboard is in the panel: on what waits for an answer, elsewhere, or not in the panel at all. */
export type PanelFocus = 'request' | 'elsewhere' | 'none';

export type ToHost =
	| { readonly type: 'ready' }
	/** `delivery`: while the agent works; else it makes no difference. */
	| {
			readonly type: 'prompt_submitted';
			readonly text: string;
			readonly attachments?: readonly MediaAttachment[];
			readonly delivery?: Delivery;
	  }
	| { readonly type: 'prompt_unqueued'; readonly id: string }
	/** Take a queued prompt back to change it: comes back as `composer_focused`, unless it was read already. */
	| { readonly type: 'prompt_edited'; readonly id: string }
	/** To this place in the queue, from 0. */
	| { readonly type: 'prompt_moved'; readonly id: string; readonly to: number }
	/** A picture or PDF of the draft; the host keeps it under its id until it is sent. `data`: base64. */
	| { readonly type: 'media_added'; readonly media: MediaAttachment; readonly data: string }
	/** Show it in an editor. */
	| { readonly type: 'media_opened'; readonly media: MediaAttachment }
	/** Whether the selection goes with prompts from now on. */
	| { readonly type: 'selection_shared'; readonly shared: boolean }
	/** What `@` and these characters may mean; only the newest question is answered. */
	| { readonly type: 'mentions_requested'; readonly query: string }
	/** Earlier prompts of this workspace: answered by `history`. */
	| { readonly type: 'history_requested' }
	/** Dropped into the composer, as the drag named them; answered by `text_inserted`. */
	| { readonly type: 'uris_dropped'; readonly uris: readonly string[] }
	| { readonly type: 'wait_answered'; readonly waitId: string; readonly wait: boolean }
	| { readonly type: 'stop_requested' }
	/** A command, by its id in the background or by the id of its call: end it, show its terminal. */
	| { readonly type: 'task_stopped'; readonly id: string }
	| { readonly type: 'task_shown'; readonly id: string }
	/** A command in the background: whether it goes on when the conversation ends; take an ended one off the list. */
	| { readonly type: 'task_kept'; readonly id: string; readonly kept: boolean }
	| { readonly type: 'task_removed'; readonly id: string }
	/** Show all that a subagent did, by its call, as a document in an editor. */
	| { readonly type: 'agent_shown'; readonly toolUseId: string }
	/** Go back to before this message of the person; what that would change is asked in the editor. */
	| { readonly type: 'restore_requested'; readonly promptId: string }
	/** Take this message of the person back into the composer, to say it otherwise; files stay as they are. */
	| { readonly type: 'edit_requested'; readonly promptId: string }
	/** Show the conversation that has this version of a message. */
	| { readonly type: 'version_selected'; readonly promptId: string }
	| { readonly type: 'continue_requested' }
	/** Another window has the conversation: try to have it here. */
	| { readonly type: 'reopen_requested' }
	| { readonly type: 'retry_requested' }
	| { readonly type: 'permission_answered'; readonly requestId: string; readonly answer: PermissionAnswer }
	/** The person types a rule for a request: what would it do? */
	| { readonly type: 'rule_typed'; readonly requestId: string; readonly rule: string }
	/** The word on one hunk of a proposed edit, `null` takes it back; the request stays open. */
	| {
			readonly type: 'hunk_decided';
			readonly requestId: string;
			/** By its index in the request's hunks. */
			readonly hunk: number;
			readonly outcome: 'accepted' | 'denied' | null;
	  }
	/** Show a proposed edit as a diff in an editor. */
	| { readonly type: 'proposal_opened'; readonly requestId: string }
	/** Show the plan of a request as a document in an editor. */
	| { readonly type: 'plan_opened'; readonly requestId: string }
	| { readonly type: 'focus_moved'; readonly focus: PanelFocus }
	| { readonly type: 'mode_selected'; readonly mode: PermissionMode }
	| { readonly type: 'model_selected'; readonly model: string }
	/** The folder of a conversation in which nothing was said. `folder`: absolute. */
	| { readonly type: 'folder_selected'; readonly folder: string }
	/** Rows before this one: a page, or all from `through` on. */
	| { readonly type: 'rows_requested'; readonly before: string; readonly through?: string }
	/** Find in the whole conversation; an empty text ends it. */
	| { readonly type: 'find_requested'; readonly query: string }
	/** `conversation`: a session's id; empty for whatever conversation nothing was said in. */
	| { readonly type: 'draft_kept'; readonly conversation: string; readonly draft: KeptDraft }
	| { readonly type: 'draft_requested'; readonly conversation: string }
	| { readonly type: 'outline_requested' }
	/** All of the conversation is selected, and to be copied. */
	| { readonly type: 'conversation_copied' }
	/** What the context is made of: answered by `context_shown`. */
	| { readonly type: 'context_requested' }
	/** The person has taken note of the update; `show`: and wants to read what is new. */
	| { readonly type: 'update_seen'; readonly show: boolean }
	/** Use the built-in demo model, until another provider is chosen. */
	| { readonly type: 'demo_chosen' }
	| { readonly type: 'file_opened'; readonly path: string; readonly line?: number }
	| { readonly type: 'link_opened'; readonly url: string }
	| { readonly type: 'text_copied'; readonly text: string }
	/** A block of code of an answer: put it at the cursor of the editor, or open it as a new file. */
	| { readonly type: 'code_inserted'; readonly text: string }
	| { readonly type: 'code_opened'; readonly text: string; readonly language: string; readonly path?: string }
	/** Propose it as a change of the file that its fence names, else of the one in the editor; nothing is changed yet. */
	| { readonly type: 'code_applied'; readonly text: string; readonly path?: string }
	| {
			readonly type: 'command_requested';
			readonly command:
				| 'setApiKey'
				| 'newConversation'
				| 'history'
				| 'openSettings'
				| 'showLog'
				| 'selectModel'
				| 'compact'
				| 'manageTrust'
				| 'exportConversation'
				| 'continueInCopy'
				| 'showContext'
				| 'openWalkthrough'
				| 'openFolder'
				| 'redoRestore';
	  };

/** What the page is born with (in a JSON script element): display language and the l10n bundle for it. */
export interface PanelBirth {
	readonly language: string;
	/** English sentence → translation; empty for English. */
	readonly bundle: Readonly<Record<string, string>>;
	readonly surface: 'view' | 'editor';
}
