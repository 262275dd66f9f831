// Commands about where a conversation is: in the side bar or a tab, and in which folder of the workspace.
import * as vscode from 'vscode';
import type { OpenConversation } from '../openConversation.ts';
import type { ChatView } from '../panel/chatView.ts';
import type { Conversations } from '../session/conversations.ts';
import { openFolders } from '../session/folders.ts';

export interface PlaceDeps {
	readonly sessions: Conversations<OpenConversation>;
	readonly chat: ChatView<OpenConversation>;
}

type Command = (...args: unknown[]) => Promise<void> | void;

/** What stands in the side bar's title: there it is about the side bar's conversation, whatever has the focus. */
const ofView = [
	'newConversation',
	'history',
	'openInEditor',
	'showContext',
	'compact',
	'exportConversation',
	'selectMode',
];

/** By their ids without the prefix; `deps` is asked for when one runs. */
export function placeCommands(deps: () => PlaceDeps): Readonly<Record<string, Command>> {
	return {
		openInEditor: () => deps().chat.openInEditor(deps().sessions.front),
		newConversation: () => newConversation(deps()),
		newConversationInTab: () => newConversationInTab(deps()),
		selectFolder: () => selectFolder(deps()),
	};
}

/** The same commands for the side bar's title. `commands`: all, by their ids without the prefix. */
export function viewCommands(
	deps: () => PlaceDeps,
	commands: Readonly<Record<string, Command>>,
): Readonly<Record<string, Command>> {
	const inView = (run: Command | undefined) => () => {
		const { sessions } = deps();
		sessions.focus(sessions.view);
		return run?.();
	};
	return Object.fromEntries(ofView.map((name) => [`view.${name}`, inView(commands[name])]));
}

/** The folder of a conversation in which nothing was said: another one, which is as empty, takes its places. */
export function changeFolder(
	sessions: Conversations<OpenConversation>,
	conversation: OpenConversation,
	folder: string,
): void {
	const { view, state } = conversation.controller;
	if (view.all.length > 0 || folder === conversation.root.path) return;
	const next = sessions.begin({ root: folder, mode: state.mode });
	for (const place of sessions.placesOf(conversation)) sessions.show(next, place);
}

/** In the place that has the focus; what was there goes on. */
async function newConversation({ chat, sessions }: PlaceDeps, root?: string): Promise<void> {
	const conversation = sessions.begin(root === undefined ? {} : { root });
	sessions.show(conversation);
	await conversation.controller.open();
	await chat.focusComposer(undefined, conversation);
}

async function newConversationInTab({ chat, sessions }: PlaceDeps): Promise<void> {
	const conversation = sessions.begin();
	chat.openInEditor(conversation);
	await conversation.controller.open();
	await chat.focusComposer(undefined, conversation);
}

/** Of an empty conversation the folder changes; else a new one begins in the chosen folder. */
async function selectFolder({ chat, sessions }: PlaceDeps): Promise<void> {
	const folders = openFolders();
	const conversation = sessions.front;
	const current = conversation.root.path;
	if (folders.length < 2) {
		void vscode.window.showInformationMessage(vscode.l10n.t('Only one folder is open.'));
		return;
	}
	const empty = conversation.controller.view.all.length === 0;
	const items = folders.map(({ path, name }) => ({
		label: name,
		description: path,
		iconPath: new vscode.ThemeIcon(path === current ? 'check' : 'blank'),
		path,
	}));
	const title = empty
		? vscode.l10n.t('Folder of this conversation')
		: vscode.l10n.t('A new conversation in another folder');
	const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
	if (!picked) return;
	if (!empty) return newConversation({ chat, sessions }, picked.path);
	changeFolder(sessions, conversation, picked.path);
}
