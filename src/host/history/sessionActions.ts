// What the person does with a stored session: name, pin, archive, delete with a way back, export. Each says what came of it.
import * as vscode from 'vscode';
import { sessionJson, sessionMarkdown } from '../../core/session/sessionExport.ts';
import type { SessionInfo } from '../../node/sessions/sessionInfo.ts';
import type { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';
import type { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { SessionTitles } from '../session/sessionTitles.ts';
import { titleOf, type Removed } from './historyItems.ts';

export interface SessionActionDeps {
	readonly library: SessionLibrary;
	readonly titles: Pick<SessionTitles, 'look'>;
	readonly store: Pick<SessionStore, 'read' | 'readAgents'>;
	/** Ends a session that this window shows, so that it can be deleted; false: the person stays. */
	readonly leave: (id: string) => Promise<boolean>;
	/** A deleted session is there again. `left`: this window showed it when it was deleted. */
	readonly cameBack: (id: string, left: boolean) => Promise<void>;
	readonly now: () => number;
	readonly failed: (what: string, error: unknown) => void;
}

export class SessionActions {
	private readonly deps: SessionActionDeps;

	constructor(deps: SessionActionDeps) {
		this.deps = deps;
	}

	async rename(info: SessionInfo): Promise<void> {
		const title = await vscode.window.showInputBox({
			title: vscode.l10n.t('Rename Conversation'),
			prompt: vscode.l10n.t('Leave it empty to take the first prompt as the title'),
			value: info.title,
			ignoreFocusOut: true,
		});
		if (title === undefined || title === info.title) return;
		await this.deps.library.rename(info.root, info.id, title);
		await this.deps.titles.look(info.root, info.id);
	}

	async pin({ root, id, pinned }: SessionInfo): Promise<void> {
		await this.deps.library.pin(root, id, !pinned);
	}

	async archive({ root, id, archived }: SessionInfo): Promise<void> {
		await this.deps.library.archive(root, id, !archived);
	}

	/** Into the trash; a notification, and what this gives back, take it back. Undefined when it was not deleted. */
	async remove(info: SessionInfo, shown: boolean): Promise<Removed | undefined> {
		const { library, leave } = this.deps;
		if (shown && !(await leave(info.id))) return undefined;
		const outcome = await library.remove(info.root, info.id);
		if (outcome === 'open') {
			void vscode.window.showWarningMessage(
				vscode.l10n.t('“{0}” is open in another window and was not deleted.', titleOf(info)),
			);
		}
		return outcome === 'removed' ? this.offerUndo(info, shown) : undefined;
	}

	async export(info: SessionInfo, format: 'markdown' | 'json'): Promise<void> {
		const { store, now } = this.deps;
		const stored = await store.read(info.root, info.id);
		const file = stored && (await pickFile(info.id, format));
		if (!file) return;
		const title = titleOf(info);
		const { entries } = stored;
		const text =
			format === 'json'
				? sessionJson({ title, entries, subagents: await store.readAgents(info.root, info.id) }, now())
				: sessionMarkdown(title, entries, words());
		await vscode.workspace.fs.writeFile(file, Buffer.from(text, 'utf8'));
		const open = vscode.l10n.t('Open');
		const shown = vscode.window.showInformationMessage(vscode.l10n.t('Exported to {0}', file.fsPath), open);
		void shown.then((picked) => picked === open && vscode.commands.executeCommand('vscode.open', file));
	}

	/** The notification is not waited for: it stays until the person answers it. */
	private offerUndo(info: SessionInfo, shown: boolean): Removed {
		const { library, cameBack, failed } = this.deps;
		const restore = async () => {
			if (await library.restore(info.root, info.id)) await cameBack(info.id, shown);
			else void vscode.window.showWarningMessage(vscode.l10n.t('“{0}” cannot be taken back any more.', titleOf(info)));
		};
		// By whichever of the two ways the person takes first.
		let restored: Promise<void> | undefined;
		const undo = () => (restored ??= restore());
		const label = vscode.l10n.t('Undo');
		vscode.window
			.showInformationMessage(vscode.l10n.t('“{0}” was deleted.', titleOf(info)), label)
			.then((picked) => (picked === label ? undo() : undefined))
			.then(undefined, (error: unknown) => failed('taking back a deleted conversation', error));
		return { info, undo };
	}
}

function words() {
	return { you: vscode.l10n.t('You'), agent: 'Loopwright', cut: vscode.l10n.t('… (cut)') };
}

function pickFile(sessionId: string, format: 'markdown' | 'json'): Thenable<vscode.Uri | undefined> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = `conversation-${sessionId.slice(0, 8)}.${format === 'json' ? 'json' : 'md'}`;
	return vscode.window.showSaveDialog({
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
		filters: format === 'json' ? { JSON: ['json'] } : { Markdown: ['md'] },
		title: vscode.l10n.t('Export Conversation'),
	});
}
