// The history of this workspace's conversations: the list, and what is done from it. Contract: nothing is deleted without a way back,
// except by the command that says so.
import * as vscode from 'vscode';
import { exportedSession } from '../../node/sessions/exportedSession.ts';
import type { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { OpenConversation } from '../openConversation.ts';
import type { Conversations } from '../session/conversations.ts';
import type { SessionTitles } from '../session/sessionTitles.ts';
import { mayLeave } from '../tasks/leaving.ts';
import { actionItems, titleOf } from './historyItems.ts';
import type { OpenHere } from './historyRows.ts';
import { pickSession, type HistoryChoice, type HistoryPickerDeps, type HistoryView } from './historyPicker.ts';
import { importConversation } from './importing.ts';
import { SessionActions } from './sessionActions.ts';

export interface HistoryDeps {
	readonly conversations: Conversations<OpenConversation>;
	/** The folder of the conversation in front; what is imported goes there. */
	readonly cwd: () => string;
	/** The folders whose sessions are shown. */
	readonly roots: () => Promise<readonly string[]>;
	readonly library: SessionLibrary;
	readonly titles: Pick<SessionTitles, 'look'>;
	/** Days that conversations are kept. */
	readonly keepDays: () => number;
	/** Deletes what else the window keeps of what was said. */
	readonly forget: () => Promise<void>;
	/** Shows a conversation in another tab of the editor, beside what is there. */
	readonly openTab: (conversation: OpenConversation) => void;
	/** Puts the focus into the composer of the conversation in front. */
	readonly focusComposer: () => Promise<void>;
	readonly later: (task: () => void, ms: number) => () => void;
	/** Of the extension. */
	readonly version: string;
	readonly failed: (what: string, error: unknown) => void;
}

/** Old sessions are cleared away once in a window, when it has long started. */
const cleanUpAfterMs = 60_000;
const begin: HistoryView = { text: '', archived: false };

export class SessionHistory implements vscode.Disposable {
	private readonly deps: HistoryDeps;
	private readonly library: SessionLibrary;
	private readonly store = new SessionStore();
	private readonly actions: SessionActions;
	private readonly changes = new vscode.EventEmitter<void>();
	private readonly cancelCleanUp: () => void;
	private readonly unfollow: () => void;

	constructor(deps: HistoryDeps) {
		this.deps = deps;
		this.library = deps.library;
		this.actions = new SessionActions({
			library: this.library,
			titles: deps.titles,
			store: this.store,
			leave: (id) => this.leave(id),
			cameBack: (id, left) => this.cameBack(id, left),
			now: Date.now,
			failed: deps.failed,
		});
		let states = '';
		this.unfollow = deps.conversations.onChange(() => {
			const now = JSON.stringify([...openHere(deps.conversations)]);
			if (now !== states) this.changes.fire();
			states = now;
		});
		this.cancelCleanUp = deps.later(() => {
			void this.library.cleanUpDaily(deps.keepDays()).then((removed) => removed.length > 0 && this.changes.fire());
		}, cleanUpAfterMs);
	}

	/** The list, until the person opens a conversation or leaves. */
	async show(): Promise<void> {
		let view: HistoryView | undefined = begin;
		while (view) {
			const choice: HistoryChoice | undefined = await pickSession(this.pickerDeps(), view);
			view = choice && (await this.follow(choice));
		}
	}

	/** Asks first; for good. */
	async deleteAll(): Promise<void> {
		const { conversations, roots: folders, forget } = this.deps;
		const roots = await folders();
		const confirmed = vscode.l10n.t('Delete Everything');
		const picked = await vscode.window.showWarningMessage(
			vscode.l10n.t('Delete all conversations of this workspace?'),
			{
				modal: true,
				detail: vscode.l10n.t(
					'All that Loopwright keeps of {0} is deleted for good: conversations with their results and the versions of files kept for them, what is in the trash, the prompts you have sent, and your own settings and rules for this workspace. Files of the workspace stay as they are.',
					roots.join(', '),
				),
			},
			confirmed,
		);
		if (picked !== confirmed) return;
		for (const { tasks } of conversations.all) if (!(await mayLeave(tasks))) return;
		const shown = conversations.front.controller.state.sessionId;
		await Promise.all(conversations.all.map((conversation) => conversations.end(conversation)));
		const open = await this.library.deleteWorkspace(...roots);
		if (open.length === 0) await forget();
		if (open.length > 0 && shown !== '') await this.present(shown);
		this.changes.fire();
		void (open.length > 0
			? vscode.window.showWarningMessage(
					vscode.l10n.t('Nothing was deleted: a conversation of this workspace is open in another window.'),
				)
			: vscode.window.showInformationMessage(vscode.l10n.t('All conversations of this workspace were deleted.')));
	}

	/** A stored conversation as a file that can be imported; undefined when nothing of it is stored. */
	json(id: string): Promise<string | undefined> {
		return exportedSession({ store: this.store, library: this.library }, id, Date.now());
	}

	dispose(): void {
		this.cancelCleanUp();
		this.unfollow();
		this.changes.dispose();
	}

	/** How the list is shown again; undefined when it is not. */
	private async follow({ what, info, view, without }: HistoryChoice): Promise<HistoryView | undefined> {
		if (what === 'import') {
			const id = await importConversation({ ...this.deps, now: Date.now });
			return id === undefined ? view : { ...begin, active: id };
		}
		if (what === 'undo') {
			await view.removed?.undo();
			return { ...view, active: view.removed?.info.id, removed: undefined };
		}
		if (!info) return view;
		switch (what) {
			case 'beside':
				await this.openBeside(info.id);
				return undefined;
			case 'open':
				await this.open(info.id);
				return undefined;
			case 'menu': {
				const picked = await vscode.window.showQuickPick(actionItems(info), { title: titleOf(info) });
				return picked ? await this.follow({ what: picked.action, info, view, without }) : view;
			}
			case 'rename':
				await this.actions.rename(info);
				return view;
			case 'pin':
				await this.actions.pin(info);
				return view;
			case 'archive':
				await this.actions.archive(info);
				return view.archived || info.archived ? view : without;
			case 'delete':
				return { ...without, removed: await this.actions.remove(info, this.isOurs(info.id)) };
			case 'markdown':
			case 'json':
				await this.actions.export(info, what);
				return view;
		}
	}

	private async open(id: string): Promise<void> {
		const opened = this.present(id);
		// As soon as there is something to show: a large session takes a moment longer to go on.
		await this.deps.focusComposer();
		await opened;
	}

	private async openBeside(id: string): Promise<void> {
		const conversation = this.deps.conversations.open(id);
		this.deps.openTab(conversation);
		await conversation.opened();
	}

	/** In the place that has the focus, unless the window shows it somewhere. */
	private async present(id: string): Promise<void> {
		const { conversations } = this.deps;
		const conversation = conversations.open(id);
		conversations.present(conversation);
		await conversation.opened();
		if (conversation.controller.state.sessionId === id) return;
		void vscode.window.showErrorMessage(vscode.l10n.t('The conversation could not be opened; the log says why.'));
	}

	/** This window has it: it has to be ended before it can go. */
	private isOurs(id: string): boolean {
		const conversation = this.deps.conversations.find(id);
		return conversation !== undefined && conversation.controller.state.openElsewhere !== true;
	}

	private async leave(id: string): Promise<boolean> {
		const { conversations } = this.deps;
		const conversation = conversations.find(id);
		if (!conversation) return true;
		if (!(await mayLeave(conversation.tasks))) return false;
		await conversations.end(conversation);
		return true;
	}

	private async cameBack(id: string, left: boolean): Promise<void> {
		this.changes.fire();
		// Nothing was said since: the person is where they were.
		if (left && this.deps.conversations.front.controller.view.all.length === 0) await this.present(id);
	}

	private pickerDeps(): HistoryPickerDeps {
		const { conversations, roots, failed, later } = this.deps;
		return {
			list: () => roots().then((folders) => this.library.list(...folders)),
			open: () => openHere(conversations),
			search: {
				sessions: () => roots().then((folders) => this.library.transcripts(...folders)),
				later,
				failed: (error) => failed('searching the conversations', error),
			},
			onChange: this.changes.event,
			now: Date.now,
		};
	}
}

function openHere(conversations: Conversations<OpenConversation>): ReadonlyMap<string, OpenHere> {
	return new Map(
		conversations.all.map((conversation) => {
			const { sessionId, openElsewhere = false, mode, costUsd } = conversation.controller.state;
			const shown = conversations.placesOf(conversation).length > 0;
			const state = conversations.stateOf(conversation);
			return [sessionId, { state, shown, elsewhere: openElsewhere, mode, costUsd }];
		}),
	);
}
