// How the extension is put together: what the window has once. A conversation is put together in `openConversation.ts`; only in these
// two do adapters meet ports.
import * as vscode from 'vscode';
import { limits } from '../core/limits.ts';
import type { ModelFacts } from '../core/model/client.ts';
import { findRipgrep } from '../node/search/findRipgrep.ts';
import { SessionLibrary } from '../node/sessions/sessionLibrary.ts';
import { Checkpoints } from './checkpoints/checkpoints.ts';
import { RestoredDocuments } from './checkpoints/restoredDocuments.ts';
import { CodeActions } from './code/codeActions.ts';
import type { CommandDeps } from './commands/commands.ts';
import { RequestFocus } from './commands/focusRequest.ts';
import { mayShare } from './commands/sharing.ts';
import { later, versionOf } from './extensionFacts.ts';
import { SessionHistory } from './history/history.ts';
import { createLog } from './log.ts';
import { openConversation, type OpenConversation } from './openConversation.ts';
import { AgentDocuments } from './panel/agentDocuments.ts';
import { watchAttention } from './panel/attention.ts';
import { attentionWindow } from './panel/attentionWindow.ts';
import { ChatView } from './panel/chatView.ts';
import { ComposerDesk } from './panel/composerDesk.ts';
import { PanelPages } from './panel/panelPages.ts';
import { handlePanelRequest, type RequestDeps } from './panel/panelRequests.ts';
import { UpdateNotice } from './panel/updateNotice.ts';
import { managePermissions } from './permissions/managePermissions.ts';
import { RuleBook } from './permissions/ruleBook.ts';
import { ModelService, type Target } from './provider/modelService.ts';
import { pickMode, pickModel, saveModel, useDemo } from './provider/pickers.ts';
import { keyName, setApiKey } from './provider/setApiKey.ts';
import { ProposalMemory } from './proposals/proposalMemory.ts';
import { Proposals } from './proposals/proposals.ts';
import { Review } from './review/review.ts';
import { reviewConversations } from './review/reviewConversations.ts';
import { changeFolder } from './commands/places.ts';
import { Conversations } from './session/conversations.ts';
import { folderInUse } from './session/folders.ts';
import type { SessionController } from './session/sessionController.ts';
import { FileSessionMemory } from './session/sessionMemory.ts';
import { SessionTitles } from './session/sessionTitles.ts';
import { tabTitle, viewTitle } from './session/tabTitle.ts';
import type { WindowParts } from './session/windowParts.ts';
import { HostSettings, modesForAll } from './settings/hostSettings.ts';
import { tellProblems } from './settings/problemNotice.ts';
import { KeptTasks } from './tasks/keptTasks.ts';
import { useWorktree } from './worktrees/worktreeFlow.ts';
import { WorktreeRoots } from './worktrees/worktreeRoots.ts';
import { VscodeWorkspace } from './workspace/vscodeWorkspace.ts';

export interface Product extends CommandDeps, vscode.Disposable {
	readonly review: Review;
}

type WindowConversations = Conversations<OpenConversation>;

export function compose(context: vscode.ExtensionContext): Product {
	const window = windowParts(context, () => sessions);
	const { log, settings, review, service, composer, workspace } = window;
	const { failed } = log;
	const sessions: WindowConversations = windowConversations(window, (text) => chat.focusComposer(text));
	const front = () => sessions.front.controller;
	const selectModel = (model: string, conversation = sessions.front) => {
		conversation.model.follow();
		return saveModel(model).then(() => refreshAll(sessions));
	};
	const proposals = proposalsOf(window, sessions);
	const code = new CodeActions();
	const pages = pagesOf(window, sessions, { selectModel, useDemo, proposals, code });
	const chat = chatOf(window, sessions, pages);
	const cwd = () => sessions.front.root.path;
	const focusComposer = () => chat.focusComposer();
	const history = new SessionHistory({
		conversations: sessions,
		cwd,
		roots: async () => {
			await window.worktrees.look();
			return [...workspace.roots, ...window.worktrees.roots];
		},
		library: window.library,
		titles: window.titles,
		keepDays: () => settings.cleanupPeriodDays,
		forget: () => composer.forget(),
		openTab: (conversation) => chat.openInEditor(conversation, vscode.ViewColumn.Beside),
		focusComposer,
		later,
		version: versionOf(context),
		failed,
	});
	const requestFocus = new RequestFocus({
		waiting: () => sessions.requests.count,
		focus: () => sessions.focusIn,
		chat: { focusRequest: () => chat.focusRequest(sessions.waiting), focusComposer },
	});
	const book = new RuleBook({ settings, root: cwd, conversation: () => front().open() });
	const isSecret = async (file: string) => (await front().open()).permissions.isSecret(file);
	const notify = () => settings.notifications;
	sessions.bringBack().catch((error: unknown) => failed('finding conversations at work again', error));
	const subscriptions = vscode.Disposable.from(
		composer,
		chat,
		proposals,
		code,
		review,
		window.restored,
		window.checkpoints,
		history,
		watchAttention<OpenConversation>({ conversations: sessions, chat, notify, failed, window: attentionWindow }),
		keepInStep(window, sessions),
	);
	return {
		sessions,
		chat,
		review,
		conversations: reviewConversations({ conversations: sessions, chat, roots: () => workspace.roots, failed }),
		proposals,
		code,
		history,
		failed,
		terminals: composer.terminals,
		isSecret,
		mayShare: (document) => mayShare(document, isSecret),
		focusRequest: () => requestFocus.toggle(),
		useWorktree: () => useWorktree({ ...window, sessions, focusComposer, failed }),
		managePermissions: () => managePermissions({ book, folder: () => front().state.folder }),
		showLog: () => log.show(),
		setApiKey: () => setApiKey(context.secrets, service),
		selectModel: () => chooseModel(service, sessions.front.model.id, selectModel),
		selectMode: () => selectMode(front(), settings),
		cycleMode: () => cycleMode(front()),
		dispose: () => {
			subscriptions.dispose();
			void Promise.all([sessions.dispose(), service.dispose()]).finally(() => log.dispose());
		},
	};
}

/** What panels ask for of the window; the rest is their conversation's. */
interface PanelServices extends Pick<RequestDeps, 'useDemo' | 'proposals' | 'code'> {
	/** For this conversation, and for new ones. */
	selectModel(model: string, conversation: OpenConversation): Promise<void>;
}

function pagesOf(
	{ context, log, update }: WindowParts,
	sessions: WindowConversations,
	services: PanelServices,
): PanelPages<OpenConversation> {
	const agents = new AgentDocuments(() => sessions.front.controller.state);
	context.subscriptions.push(agents);
	return new PanelPages<OpenConversation>({
		extensionUri: context.extensionUri,
		handle: (message, conversation, surface) => {
			const folder = () => conversation.root.path;
			const selectFolder = (chosen: string) => changeFolder(sessions, conversation, chosen);
			const selectModel = (model: string) => services.selectModel(model, conversation);
			const own = { ...conversation, folder, selectFolder, selectModel };
			handlePanelRequest(message, { ...services, ...own, agents, update, failed: log.failed }, surface);
		},
		focused: (place) => sessions.focus(place),
		// For the keys of the panel: VS Code's own word on the focus does not follow it into a page.
		focusMoved: () =>
			void vscode.commands.executeCommand('setContext', 'loopwright.panelFocus', sessions.focusIn !== 'none'),
		refused: (problem) => log.info(`A message of the panel was refused: ${problem}`),
	});
}

/** `sessions` is there as soon as something happens. */
function windowParts(context: vscode.ExtensionContext, sessions: () => WindowConversations): WindowParts {
	const log = createLog();
	const { failed } = log;
	const settings = new HostSettings();
	const emptyFolder = vscode.Uri.joinPath(context.globalStorageUri, 'no-folder').fsPath;
	const workspace = new VscodeWorkspace(emptyFolder, () => settings.additionalFolders);
	const storage = context.storageUri ?? context.globalStorageUri;
	const checkpoints = new Checkpoints({ later, keepDays: () => settings.cleanupPeriodDays, failed });
	const changed = () => refreshAll(sessions());
	const sessionId = () => sessions().front.controller.state.sessionId;
	const { globalState: memory, extensionUri } = context;
	const library = new SessionLibrary();
	return {
		context,
		log,
		settings,
		emptyFolder,
		storage,
		workspace,
		checkpoints,
		restored: new RestoredDocuments(checkpoints.images),
		review: new Review({ storage, workspace, sessionId, later, failed }),
		service: modelService({ context, log, settings }, changed),
		composer: new ComposerDesk({
			storage,
			memory,
			workspace,
			isSecret: async () => {
				const { permissions } = await sessions().front.controller.open();
				return (file) => permissions.isSecret(file);
			},
			changed,
			settings: () => settings,
			ripgrep: () => findRipgrep({ appRoot: vscode.env.appRoot, from: [context.extensionPath] }),
			failed,
		}),
		update: new UpdateNotice({
			memory,
			version: versionOf(context),
			changed,
			openNews: () =>
				vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extensionUri, 'CHANGELOG.md')),
		}),
		keptTasks: new KeptTasks(),
		library,
		titles: new SessionTitles(library),
		worktrees: new WorktreeRoots(() => (settings.trusted ? workspace.roots : [])),
	};
}

/** `compose` puts a text into the composer in front. */
function windowConversations(window: WindowParts, compose: (text: string) => Promise<void>): WindowConversations {
	const { log, storage } = window;
	const sessions: WindowConversations = new Conversations<OpenConversation>({
		make: (wish, links) => {
			const conversation: OpenConversation = openConversation(window, wish, {
				...links,
				show: (sessionId) => {
					const next = sessions.open(sessionId);
					sessions.show(next, sessions.placesOf(conversation)[0]);
					return next.opened();
				},
				compose,
			});
			return conversation;
		},
		memory: new FileSessionMemory(storage.fsPath, (error) => log.failed('remembering the session', error)),
		folderInUse,
		failed: log.failed,
	});
	return sessions;
}

/** Keys, settings and folders may change while the window is open. */
function keepInStep({ context, log, settings, service, review }: WindowParts, sessions: WindowConversations) {
	let front = sessions.front;
	return vscode.Disposable.from(
		context.secrets.onDidChange(({ key }) => void (key === keyName && service.refresh())),
		settings,
		tellProblems(settings, (line) => log.info(line)),
		settings.onChange(() => void service.refresh()),
		vscode.workspace.onDidChangeWorkspaceFolders(() => refreshAll(sessions)),
		new vscode.Disposable(
			sessions.onChange(() => {
				if (front !== sessions.front) review.refreshSoon();
				front = sessions.front;
				// What each says of the others.
				refreshAll(sessions);
			}),
		),
	);
}

function chatOf(
	{ titles }: WindowParts,
	conversations: WindowConversations,
	pages: PanelPages<OpenConversation>,
): ChatView<OpenConversation> {
	const aboutOf = ({ controller }: OpenConversation) => titles.of(controller.state.sessionId) ?? controller.view.title;
	return new ChatView({
		pages,
		conversations,
		titles,
		titleOf: (conversation) => tabTitle(aboutOf(conversation), conversations.stateOf(conversation)),
		viewTitleOf: (conversation) => viewTitle(aboutOf(conversation)),
	});
}

function refreshAll({ all }: WindowConversations): void {
	for (const { controller } of all) controller.refresh();
}

function proposalsOf({ storage, settings, log }: WindowParts, sessions: WindowConversations): Proposals {
	return new Proposals({
		desk: sessions.requests,
		memory: new ProposalMemory(storage.fsPath, (error) => log.failed('keeping what was said of a proposal', error)),
		focusEditor: () => settings.focusEditor,
		panelFocus: () => sessions.focusIn,
		failed: log.failed,
	});
}

/** The SDK and the demo model are in files of their own, read when the first request is made. */
function modelService(
	{ context, log, settings }: Pick<WindowParts, 'context' | 'log' | 'settings'>,
	changed: () => void,
): ModelService {
	return new ModelService({
		settings: () => settings.service,
		env: process.env,
		storedKey: () => context.secrets.get(keyName),
		connect: async ({ idleTimeoutMs, ...target }: Target, facts: (model: string) => ModelFacts) => {
			const { createAnthropicClient } = await import('../node/anthropic/client.ts');
			const { byteTimeoutMs } = limits;
			const options = { baseUrl: target.baseUrl, idleTimeoutMs, byteTimeoutMs, version: versionOf(context), facts };
			return createAnthropicClient({
				...options,
				...(target.apiKey === undefined ? {} : { apiKey: target.apiKey }),
				...(target.authToken === undefined ? {} : { authToken: target.authToken }),
			});
		},
		demoName: vscode.l10n.t('Demo model (no AI)'),
		startDemo: async () => {
			const { startDemoServer } = await import('../node/demo/server.ts');
			return await startDemoServer();
		},
		changed,
		failed: log.failed,
	});
}

async function chooseModel(
	service: ModelService,
	current: string,
	select: (model: string) => Promise<void>,
): Promise<void> {
	const model = await pickModel(service, current);
	if (model !== undefined) await select(model);
}

/** To the next one of those that need no setting: nobody comes into the one that asks nothing by pressing a key once too often. */
async function cycleMode(controller: SessionController): Promise<void> {
	await controller.open();
	const at = modesForAll.indexOf(controller.state.mode);
	const next = modesForAll[(at + 1) % modesForAll.length];
	if (next) await controller.setMode(next);
}

async function selectMode(controller: SessionController, settings: HostSettings): Promise<void> {
	await controller.open();
	const mode = await pickMode(controller.state.mode, settings.offeredModes);
	if (mode) await controller.setMode(mode);
}
