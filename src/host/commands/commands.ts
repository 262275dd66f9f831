// The commands of the manifest. What the person starts from an editor leaves the focus there, except where they go on typing in
// the composer.
import * as vscode from 'vscode';
import * as z from 'zod';
import type { SessionHistory } from '../history/history.ts';
import type { ChatView } from '../panel/chatView.ts';
import type { OpenConversation } from '../openConversation.ts';
import type { CodeActions } from '../code/codeActions.ts';
import { proposalCommands } from '../proposals/proposalCommands.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { Review } from '../review/review.ts';
import type { ReviewConversations } from '../review/reviewComment.ts';
import { reviewCommands } from '../review/reviewCommands.ts';
import type { Conversations } from '../session/conversations.ts';
import { conversationCommands } from './conversationCommands.ts';
import { placeCommands, viewCommands } from './places.ts';
import { terminalCommands, type TerminalCommandDeps } from './terminalOutput.ts';
import { fileText, pickTask, selectionText, taskNames, taskPrompt, type TaskName } from './tasks.ts';

export interface CommandDeps extends Pick<TerminalCommandDeps, 'terminals' | 'isSecret'> {
	readonly sessions: Conversations<OpenConversation>;
	readonly chat: ChatView<OpenConversation>;
	readonly history: Pick<SessionHistory, 'show' | 'deleteAll' | 'json'>;
	readonly review: Pick<Review, 'book' | 'threads'>;
	readonly conversations: ReviewConversations;
	readonly proposals: Proposals;
	readonly code: CodeActions;
	setApiKey(): Promise<void>;
	selectModel(): Promise<void>;
	selectMode(): Promise<void>;
	cycleMode(): Promise<void>;
	/** May text of the document go into a prompt? Asks the person where it may hold secrets. */
	readonly mayShare: (document: vscode.TextDocument) => Promise<boolean>;
	focusRequest(): Promise<void>;
	managePermissions(): Promise<void>;
	useWorktree(): Promise<void>;
	showLog(): void;
	readonly failed: (what: string, error: unknown) => void;
}

const openArguments = z.object({ prompt: z.string().optional(), submit: z.boolean().optional() });

/** `deps` is asked for when a command runs, so that nothing is made before. They are about the conversation in front. */
export function registerCommands(deps: () => CommandDeps): vscode.Disposable {
	const front = () => deps().sessions.front;
	const commands: Readonly<Record<string, (...args: unknown[]) => Promise<void> | void>> = {
		open: (argument) => open(deps(), argument),
		compact: async () => {
			await deps().chat.reveal(true);
			await front().controller.compact();
		},
		stop: () => front().controller.stop(),
		history: () => deps().history.show(),
		deleteAllConversations: () => deps().history.deleteAll(),
		rewind: (promptId) => front().restore.rewind(promptId),
		continueInCopy: () => front().restore.continueInCopy(),
		editMessage: (promptId) => front().restore.edit(promptId),
		showVersion: (promptId) => front().restore.showVersion(promptId),
		redoRestore: () => front().restore.redo(),
		setApiKey: () => deps().setApiKey(),
		selectModel: () => deps().selectModel(),
		selectMode: () => deps().selectMode(),
		cycleMode: () => deps().cycleMode(),
		focusRequest: () => deps().focusRequest(),
		managePermissions: () => deps().managePermissions(),
		worktree: () => deps().useWorktree(),
		addSelection: async () => {
			const editor = vscode.window.activeTextEditor;
			const text = selectionText(editor);
			if (!editor || text === undefined) {
				void vscode.window.showInformationMessage(vscode.l10n.t('Select some text in an editor first.'));
			} else if (await deps().mayShare(editor.document)) await deps().chat.focusComposer(text);
		},
		addFile: (first, all) => addFiles(deps(), first, all),
		showLog: () => deps().showLog(),
		runTask: async () => {
			const task = await pickTask();
			if (task) await runTask(deps(), task);
		},
		// VS Code calls these from its comment threads only.
		'plan.comment': (reply) => {
			for (const { plans } of deps().sessions.all) plans.comments.add(reply as vscode.CommentReply);
		},
		'plan.removeComment': (thread) => {
			for (const { plans } of deps().sessions.all) plans.comments.remove(thread as vscode.CommentThread);
		},
		...placeCommands(deps),
		...conversationCommands(() => ({ ...deps(), controller: front().controller })),
		...terminalCommands(deps),
		...proposalCommands(() => deps().proposals),
		...reviewCommands(() => {
			const { review, conversations, failed } = deps();
			return { book: review.book, threads: review.threads, conversations, failed };
		}),
		...Object.fromEntries(taskNames.map((task) => [task, () => runTask(deps(), task)])),
	};
	return vscode.Disposable.from(
		...Object.entries({ ...commands, ...viewCommands(deps, commands) }).map(([name, run]) =>
			vscode.commands.registerCommand(`loopwright.${name}`, async (...args: unknown[]) => {
				try {
					await run(...args);
				} catch (error) {
					deps().failed(`the command ${name}`, error);
					throw error;
				}
			}),
		),
	);
}

/** Without arguments the person wants to type; with a prompt something else brings the panel up beside their work. */
async function open({ chat, sessions, failed }: CommandDeps, argument: unknown): Promise<void> {
	const { prompt, submit } = openArguments.safeParse(argument).data ?? {};
	if (prompt === undefined) return chat.focusComposer();
	if (submit !== true) return chat.focusComposer(prompt);
	const { controller } = sessions.front;
	await chat.reveal(true);
	controller.submit(prompt).catch((error: unknown) => failed('a prompt', error));
}

async function runTask({ chat, sessions, failed, mayShare }: CommandDeps, task: TaskName): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const prompt = taskPrompt(task, editor);
	if (!editor || prompt === undefined || !(await mayShare(editor.document))) return;
	const { controller } = sessions.front;
	await chat.reveal(true);
	controller.submit(prompt).catch((error: unknown) => failed('a prompt', error));
}

/** From the explorer come the clicked file and all that are selected; from the palette nothing. */
async function addFiles({ chat }: CommandDeps, first: unknown, all: unknown): Promise<void> {
	const clicked = [all, [first]].map(uris).find((found) => found.length > 0);
	const active = vscode.window.activeTextEditor?.document.uri;
	const files = clicked ?? (active ? [active] : []);
	if (files.length > 0) return chat.focusComposer(files.map(fileText).join(''));
	void vscode.window.showInformationMessage(vscode.l10n.t('Open a file first.'));
}

function uris(value: unknown): readonly vscode.Uri[] {
	return Array.isArray(value) ? value.filter((item) => item instanceof vscode.Uri) : [];
}
