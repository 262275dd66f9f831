// What the session's controller needs from the rest of the host. No `vscode`.
import type { Conversation } from '../../core/session/engineApi.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import type { ModelChoice, ViewState } from '../../shared/view.ts';
import type { TaskDesk } from '../tasks/taskDesk.ts';
import type { PermissionDesk } from './permissionDesk.ts';
import type { ShownEntries } from './shownEntries.ts';

/** A conversation and what is stored of it. */
export interface OpenedSession {
	readonly conversation: Conversation;
	/** Of a new one nothing. */
	readonly shown: ShownEntries;
	/** The conversation's own model is not offered any more: names of it and of the one that goes on. */
	readonly modelGone?: { readonly from: string; readonly to: string };
	/** Some of the transcript could not be read. */
	readonly damaged: boolean;
	/** Another window has it: it is read here, and nothing of it may be written. */
	readonly openElsewhere: boolean;
	/** After the conversation's `dispose`. */
	close(): Promise<void>;
	/** The window goes: ends what runs, and leaves the transcript as it is, for the next window to go on. */
	abandon(): Promise<void>;
}

/** What the model settings say at this moment. */
export interface ModelStatus {
	readonly provider: ViewState['provider'];
	readonly model: ModelChoice;
	readonly models: readonly ModelChoice[];
	/** Tokens. */
	readonly contextWindow: number;
	readonly setup: ViewState['setup'];
	readonly maxCostUsd: ViewState['maxCostUsd'];
}

/** Which session is wanted. */
export interface SessionWish {
	/** Absent, or of one that cannot be found: a new one. */
	readonly id?: string | undefined;
	/** Of a new one; absent: as the settings say. */
	readonly mode?: PermissionMode | undefined;
	/** The folder of a new one, absolute; absent: the first one. */
	readonly root?: string;
	/** Who has it may be on its way out. */
	readonly patient?: boolean;
	/** Resolves when whoever had it in this window has given it free. */
	readonly after?: Promise<void>;
}

/** What of a large session is shown before it is open. */
export type ShowEarly = (sessionId: string, shown: ShownEntries) => void;

export interface ControllerDeps {
	/** Contract: what was shown early and is still all there comes again as the same `shown`. */
	openSession(wish: SessionWish, showEarly: ShowEarly): Promise<OpenedSession>;
	/** What is opened when it is first needed. */
	readonly wish: SessionWish;
	readonly desk: PermissionDesk;
	/** The commands in the background. */
	readonly tasks: Pick<TaskDesk, 'follow' | 'views' | 'onChange'>;
	modelStatus(): ModelStatus;
	/** The modes on offer, and whether the folder is trusted. */
	rights(): Pick<ViewState, 'modes' | 'trusted'>;
	/** Absolute; empty when no folder is open. */
	folder(): string;
	/** Of the window, when there are several. */
	folders(): ViewState['folders'];
	/** What the person would want to know of other conversations. */
	others(): ViewState['others'];
	/** An update that the person has not taken note of. */
	updatedTo(): ViewState['updatedTo'];
	/** How the composer sends, and the selection that would go with it. */
	composer(): Pick<ViewState, 'sendWith' | 'selection'>;
	now(): number;
	/** Changes that the view has taken, for the panel. */
	publish(events: readonly ViewEvent[]): void;
	/** The view was replaced. */
	viewReplaced(): void;
	/** Work begins or has ended; what waits for the person is in the desk. */
	workChanged(): void;
	readonly failed: (what: string, error: unknown) => void;
}
