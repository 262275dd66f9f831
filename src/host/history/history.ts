// The history of this workspace's conversations: the list, and what is done from it. Contract: nothing is deleted without a way back,
// except by the command that says so.
import * as vscode from 'vscode';
import { exportedSession } from '../../node/sessions/exportedSession.ts';
import { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { SessionController } from '../session/sessionController.ts';
import { actionItems, titleOf } from './historyItems.ts';
import { pickSession, type HistoryChoice, type HistoryPickerDeps, type HistoryView } from './historyPicker.ts';
import { importConversation } from './importing.ts';
import { SessionActions } from './sessionActions.ts';

export interface HistoryDeps {
	readonly controller: SessionController;
	/** The folder that the sessions belong to. */
	readonly cwd: () => string;
	/** Asks what becomes of commands that still run; false: the person stays. */
	readonly mayLeave: () => Promise<boolean>;
	/** Puts the focus into the composer. */
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
	private readonly library = new SessionLibrary();
	private readonly store = new SessionStore();
	private readonly actions: SessionActions;
	private readonly changes = new vscode.EventEmitter<void>();
	private readonly cancelCleanUp: () => void;

	constructor(deps: HistoryDeps) {
		this.deps = deps;
		this.actions = new SessionActions({
			library: this.library,
			store: this.store,
			cwd: deps.cwd,
			leave: (id) => this.leave(id),
			cameBack: (id, left) => this.cameBack(id, left),
			now: Date.now,
			failed: deps.failed,
		});
		this.cancelCleanUp = deps.later(() => {
			const days = vscode.workspace.getConfiguration('loopwright').get('cleanupPeriodDays', 30);
			void this.library.cleanUp(days).then((removed) => removed.length > 0 && this.changes.fire());
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
		const { controller, cwd, mayLeave } = this.deps;
		const confirmed = vscode.l10n.t('Delete Everything');
		const picked = await vscode.window.showWarningMessage(
			vscode.l10n.t('Delete all conversations of this workspace?'),
			{
				modal: true,
				detail: vscode.l10n.t(
					'All that Loopwright keeps of {0} is deleted for good: conversations with their results, what is in the trash, and your own settings and rules for this workspace. Files of the workspace stay as they are.',
					cwd(),
				),
			},
			confirmed,
		);
		if (picked !== confirmed || !(await mayLeave())) return;
		let open: readonly string[] = [];
		await controller.replace(async (shown) => {
			open = await this.library.deleteWorkspace(cwd());
			return open.length > 0 ? shown : undefined;
		});
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
		this.changes.dispose();
	}

	/** How the list is shown again; undefined when it is not. */
	private async follow({ what, info, view, without }: HistoryChoice): Promise<HistoryView | undefined> {
		if (what === 'import') {
			const id = await importConversation({ ...this.deps, now: Date.now });
			return id === undefined ? view : { ...begin, active: id };
		}
		if (!info) return view;
		switch (what) {
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
				await this.actions.remove(info, this.isOurs(info.id));
				return without;
			case 'markdown':
			case 'json':
				await this.actions.export(info, what);
				return view;
		}
	}

	private async open(id: string): Promise<void> {
		const { controller, focusComposer, mayLeave } = this.deps;
		if (controller.state.sessionId !== id) {
			if (!(await mayLeave())) return;
			await controller.replace(() => Promise.resolve(id));
			if (controller.state.sessionId !== id) {
				void vscode.window.showErrorMessage(vscode.l10n.t('The conversation could not be opened; the log says why.'));
			}
		}
		await focusComposer();
	}

	/** This window shows it, and has it: it has to be left before it can go. */
	private isOurs(id: string): boolean {
		const { sessionId, openElsewhere } = this.deps.controller.state;
		return id === sessionId && openElsewhere !== true;
	}

	private async leave(id: string): Promise<boolean> {
		const { controller, mayLeave } = this.deps;
		if (controller.state.sessionId !== id) return true;
		if (!(await mayLeave())) return false;
		await controller.newConversation();
		return true;
	}

	private async cameBack(id: string, left: boolean): Promise<void> {
		this.changes.fire();
		const { controller } = this.deps;
		// Nothing was said since: the person is where they were.
		if (left && controller.view.all.length === 0) await controller.replace(() => Promise.resolve(id));
	}

	private pickerDeps(): HistoryPickerDeps {
		const { controller, cwd, failed, later } = this.deps;
		return {
			list: () => this.library.list(cwd()),
			current: () => {
				const { sessionId: id, status, openElsewhere = false } = controller.state;
				return { id, status, elsewhere: openElsewhere };
			},
			search: {
				sessions: () => this.library.transcripts(cwd()),
				later,
				failed: (error) => failed('searching the conversations', error),
			},
			onChange: this.changes.event,
			now: Date.now,
		};
	}
}
