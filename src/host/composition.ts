// How the extension is put together: the only place in the host where adapters meet ports.
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../core/limits.ts';
import type { ModelFacts } from '../core/model/client.ts';
import type { Workspace } from '../core/ports/workspace.ts';
import type { SessionPorts } from '../core/session/options.ts';
import type { Conversation } from '../core/session/engineApi.ts';
import { createConversation } from '../core/session/queryEngine.ts';
import { newUuid, systemClock, systemRandom } from '../node/clock.ts';
import { FileDreamPort } from '../node/memory/fileDreamPort.ts';
import { FolderMemoryStore } from '../node/memory/folderMemoryStore.ts';
import { findRipgrep } from '../node/search/findRipgrep.ts';
import { RipgrepSearch } from '../node/search/ripgrepSearch.ts';
import { FileResultStore } from '../node/sessions/fileResultStore.ts';
import { loopwrightHome, projectFolder, sessionFolder } from '../node/sessions/paths.ts';
import { TreeSitterShellParser } from '../node/shellParser/treeSitterShellParser.ts';
import type { PermissionMode } from '../shared/permission.ts';
import { attachmentSources } from './attachments/attachmentSources.ts';
import { Checkpoints } from './checkpoints/checkpoints.ts';
import { Restore } from './checkpoints/restore.ts';
import type { CommandDeps } from './commands/commands.ts';
import { RequestFocus } from './commands/focusRequest.ts';
import { mayShare } from './commands/sharing.ts';
import { SessionHistory } from './history/history.ts';
import { createLog, type Log } from './log.ts';
import { watchAttention } from './panel/attention.ts';
import { Channel } from './panel/channel.ts';
import { ChatView } from './panel/chatView.ts';
import { ComposerDesk } from './panel/composerDesk.ts';
import { PanelPages } from './panel/panelPages.ts';
import { CodeActions } from './code/codeActions.ts';
import { handlePanelRequest } from './panel/panelRequests.ts';
import { UpdateNotice } from './panel/updateNotice.ts';
import { managePermissions } from './permissions/managePermissions.ts';
import { RuleBook } from './permissions/ruleBook.ts';
import { PlanDocuments } from './plan/planDocuments.ts';
import { ModelService, type Target } from './provider/modelService.ts';
import { pickMode, pickModel, saveModel, useDemo } from './provider/pickers.ts';
import { keyName, setApiKey } from './provider/setApiKey.ts';
import { ProposalMemory } from './proposals/proposalMemory.ts';
import { Proposals } from './proposals/proposals.ts';
import { Review } from './review/review.ts';
import { reviewConversations } from './review/reviewConversations.ts';
import type { ModelStatus, OpenedSession } from './session/controllerDeps.ts';
import { followSettings } from './session/followSettings.ts';
import { FreezableJournal } from './session/freezableJournal.ts';
import { PermissionDesk } from './session/permissionDesk.ts';
import { SessionController } from './session/sessionController.ts';
import { openStoredSession } from './session/storedSession.ts';
import { FileSessionMemory } from './session/sessionMemory.ts';
import { HostSettings } from './settings/hostSettings.ts';
import { tellProblems } from './settings/problemNotice.ts';
import { keepRule } from './settings/keepRule.ts';
import { mayLeave } from './tasks/leaving.ts';
import { TaskDesk } from './tasks/taskDesk.ts';
import { TerminalShell } from './terminal/terminalShell.ts';
import { VscodeWorkspace } from './workspace/vscodeWorkspace.ts';

export interface Product extends CommandDeps, vscode.Disposable {
	readonly review: Review;
}

export function compose(context: vscode.ExtensionContext): Product {
	const log = createLog();
	const emptyFolder = vscode.Uri.joinPath(context.globalStorageUri, 'no-folder').fsPath;
	const settings = new HostSettings();
	const workspace = new VscodeWorkspace(emptyFolder, () => settings.additionalFolders);
	const folder = () => (hasFolder() ? (workspace.roots[0] ?? '') : '');
	const desk = new PermissionDesk();
	const storage = context.storageUri ?? context.globalStorageUri;
	const review = new Review({ storage, workspace, later, failed: log.failed });
	const checkpoints = new Checkpoints({ later, failed: log.failed });
	const service = modelService({ context, log, settings }, () => controller.refresh());
	const tasks = new TaskDesk({ later });
	const window = { context, log, settings, emptyFolder, storage, workspace: review.workspace, desk };
	const composer = composerDesk(window, () => controller);
	const update = updateNotice(context, () => controller.refresh());
	const parts = { ...window, checkpoints, tasks, service, composer, update };
	const controller: SessionController = sessionController(parts, { folder, channel: () => channel });
	const channel = new Channel(() => controller.view, later);
	const selectModel = (model: string) => saveModel(model).then(() => controller.refresh());
	const ownFolder = () => sessionFolder(workspace.roots[0] ?? '', controller.state.sessionId);
	const plans = new PlanDocuments({ desk, sessionFolder: ownFolder, failed: log.failed });
	const proposals = proposalsOf(window, channel);
	const code = new CodeActions();
	const shown = { plans, proposals, code, tasks, composer, update };
	const panelDeps = { controller, folder, selectModel, useDemo, ...shown, failed: log.failed };
	const pages = new PanelPages({
		extensionUri: context.extensionUri,
		channel,
		opened: () => openedOrReported(controller).then(() => composer.start()),
		handle: (message, surface) => handlePanelRequest(message, panelDeps, surface),
		refused: (problem) => log.info(`A message of the panel was refused: ${problem}`),
	});
	const chat = new ChatView(pages);
	const restore = new Restore({ checkpoints, controller, workspace, compose: (text) => chat.focusComposer(text) });
	const history = sessionHistory(parts, controller, chat);
	const requestFocus = new RequestFocus({ waiting: () => desk.count, focus: () => channel.focus, chat });
	const book = new RuleBook({ settings, conversation: () => controller.open() });
	const isSecret = async (file: string) => (await controller.open()).permissions.isSecret(file);
	const subscriptions = vscode.Disposable.from(
		composer,
		chat,
		plans,
		proposals,
		code,
		review,
		restore,
		history,
		watchAttention({ desk, channel, chat, controller, notify: () => settings.notifications, failed: log.failed }),
		keepInStep(parts, controller),
		review.follow(controller),
	);
	return {
		controller,
		chat,
		plans,
		review,
		conversations: reviewConversations({ controller, chat, cwd: () => workspace.roots[0] ?? '', failed: log.failed }),
		proposals,
		code,
		restore,
		history,
		failed: log.failed,
		terminals: composer.terminals,
		isSecret,
		mayShare: (document) => mayShare(document, isSecret),
		mayLeave: () => mayLeave(tasks),
		focusRequest: () => requestFocus.toggle(),
		managePermissions: () => managePermissions({ book, folder }),
		showLog: () => log.show(),
		setApiKey: () => setApiKey(context.secrets, service),
		selectModel: () => chooseModel(service, selectModel),
		selectMode: () => selectMode(controller, settings),
		dispose: () => {
			subscriptions.dispose();
			channel.dispose();
			void Promise.all([controller.dispose(), tasks.dispose(), service.dispose()]).finally(() => log.dispose());
		},
	};
}

function sessionHistory(
	{ context, workspace, tasks, log }: SessionParts,
	controller: SessionController,
	chat: ChatView,
): SessionHistory {
	return new SessionHistory({
		controller,
		cwd: () => workspace.roots[0] ?? '',
		mayLeave: () => mayLeave(tasks),
		focusComposer: () => chat.focusComposer(),
		later,
		version: versionOf(context),
		failed: log.failed,
	});
}

function updateNotice(context: vscode.ExtensionContext, changed: () => void): UpdateNotice {
	const { globalState: memory, extensionUri } = context;
	return new UpdateNotice({ memory, extensionUri, version: versionOf(context), changed });
}

/** Keys, settings and folders may change while the window is open. */
function keepInStep({ context, log, settings, service }: SessionParts, controller: SessionController) {
	return vscode.Disposable.from(
		context.secrets.onDidChange(({ key }) => void (key === keyName && service.refresh())),
		settings,
		tellProblems(settings, (line) => log.info(line)),
		settings.onChange(() => void service.refresh()),
		vscode.workspace.onDidChangeWorkspaceFolders(() => controller.refresh()),
		new vscode.Disposable(controller.onEvent((event) => log.event(event))),
	);
}

function composerDesk(
	{ context, log, settings, storage, workspace }: WindowParts,
	controller: () => SessionController,
): ComposerDesk {
	return new ComposerDesk({
		storage,
		memory: context.globalState,
		workspace,
		controller,
		settings: () => settings,
		ripgrep: () => findRipgrep({ appRoot: vscode.env.appRoot, from: [context.extensionPath] }),
		failed: log.failed,
	});
}

function proposalsOf({ desk, storage, settings, log }: WindowParts, channel: Channel): Proposals {
	return new Proposals({
		desk,
		memory: new ProposalMemory(storage.fsPath, (error) => log.failed('keeping what was said of a proposal', error)),
		focusEditor: () => settings.focusEditor,
		panelFocus: () => channel.focus,
		failed: log.failed,
	});
}

type WindowParts = Omit<SessionParts, 'checkpoints' | 'tasks' | 'service' | 'composer' | 'update'>;

interface SessionParts {
	readonly storage: vscode.Uri;
	readonly context: vscode.ExtensionContext;
	readonly log: Log;
	readonly settings: HostSettings;
	/** The root of sessions without a folder. */
	readonly emptyFolder: string;
	readonly workspace: Workspace;
	readonly checkpoints: Checkpoints;
	readonly desk: PermissionDesk;
	readonly tasks: TaskDesk;
	readonly service: ModelService;
	readonly composer: ComposerDesk;
	readonly update: UpdateNotice;
}

function sessionController(
	parts: SessionParts,
	window: {
		readonly folder: () => string;
		/** There when something is to be told. */
		readonly channel: () => Channel;
	},
): SessionController {
	const { desk, tasks, log, service, settings } = parts;
	return new SessionController({
		desk,
		tasks,
		memory: new FileSessionMemory(parts.storage.fsPath, (error) => log.failed('remembering the session', error)),
		openSession: (id, mode, patient) => openSession(parts, { id, mode, patient }),
		modelStatus: () => statusOf(service, settings),
		rights: () => ({ modes: settings.offeredModes, trusted: settings.trusted }),
		folder: window.folder,
		updatedTo: () => parts.update.updatedTo,
		composer: () => parts.composer.state,
		now: () => Date.now(),
		publish: (events) => window.channel().publish(events),
		viewReplaced: () => window.channel().reset(),
		failed: log.failed,
	});
}

interface SessionWish {
	readonly id: string | undefined;
	readonly mode: PermissionMode | undefined;
	readonly patient: boolean;
}

/** The stored session with this id, or a new one. */
async function openSession(parts: SessionParts, { id, mode, patient }: SessionWish): Promise<OpenedSession> {
	const { context, log, settings, workspace, desk, service } = parts;
	await Promise.all([settings.refresh(), mkdir(parts.emptyFolder, { recursive: true })]);
	await service.refresh();
	const cwd = workspace.roots[0] ?? '';
	const { sessionId, file, stored } = await openStoredSession({ cwd, id, patient }, log.failed);
	const journal = new FreezableJournal(file.journal);
	const shell = new TerminalShell({
		runnerPath: path.join(context.extensionPath, 'dist', 'shellRunner.js'),
		log: (message) => log.info(message),
	});
	const rgPath = await findRipgrep({ appRoot: vscode.env.appRoot, from: [context.extensionPath] });
	const shellParser = new TreeSitterShellParser(path.join(context.extensionPath, 'dist', 'grammars'));
	const results = new FileResultStore({ cwd, sessionId });
	const inFolder = hasFolder();
	const entries = stored?.entries ?? [];
	const conversation: Conversation = createConversation({
		sessionId,
		ports: {
			client: service,
			...parts.checkpoints.record({ workspace, journal, shell }, { cwd, sessionId, shellParser, entries }),
			search: new RipgrepSearch({ rgPath: rgPath ?? 'rg' }),
			shellParser,
			results,
			outputFiles: results,
			readPrompt: parts.composer.readPrompt,
			attachmentSources: attachmentSources(cwd, (file) => conversation.permissions.isSecret(file)),
			...(inFolder ? memoryPorts(cwd) : {}),
			interaction: desk,
			clock: systemClock,
			uuid: newUuid,
			random: systemRandom,
		},
		settings: () => settings.session({ model: service.model, allow: results.allowRules, inFolder }),
		freshSettings: () => settings.refresh(),
		saveRule: (rule, scope) => keepRule(settings, rule, scope),
		facts: service.facts,
		mode: mode ?? settings.initialMode,
		interactive: true,
		home: homedir(),
		app: versionOf(context),
		platform: process.platform,
		...(stored ? { transcript: stored.entries } : {}),
	});
	const openElsewhere = stored?.openElsewhere === true;
	const followed = openElsewhere ? undefined : followSettings(settings, conversation, log);
	return {
		conversation,
		entries,
		damaged: (stored?.damaged ?? 0) > 0,
		openElsewhere,
		close: () => {
			followed?.dispose();
			return file.journal.close();
		},
		abandon: () => {
			followed?.dispose();
			journal.freeze();
			// Given free at once: the next window may be there before this one is gone.
			const closed = file.journal.close();
			return Promise.all([closed, shell.dispose()]).then(() => {});
		},
	};
}

/** The folder's memory lies in the folder; what its consolidation needs lies beside the folder's sessions. */
function memoryPorts(root: string): Required<Pick<SessionPorts, 'memory' | 'dream'>> {
	return {
		memory: new FolderMemoryStore(root),
		dream: new FileDreamPort(projectFolder(loopwrightHome(), root)),
	};
}

/** The SDK and the demo model are in files of their own, read when the first request is made. */
function modelService(
	{ context, log, settings }: Pick<SessionParts, 'context' | 'log' | 'settings'>,
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
		startDemo: async () => {
			const { startDemoServer } = await import('../node/demo/server.ts');
			return await startDemoServer();
		},
		changed,
		failed: log.failed,
	});
}

async function chooseModel(service: ModelService, select: (model: string) => Promise<void>): Promise<void> {
	const model = await pickModel(service);
	if (model !== undefined) await select(model);
}

function statusOf(service: ModelService, settings: HostSettings): ModelStatus {
	const status = service.status();
	const { maxCostUsd } = settings;
	return { ...status, maxCostUsd, contextWindow: settings.contextWindow(status.contextWindow) };
}

async function selectMode(controller: SessionController, settings: HostSettings): Promise<void> {
	await controller.open();
	const mode = await pickMode(controller.state.mode, settings.offeredModes);
	if (mode) await controller.setMode(mode);
}

/** For the panel: a conversation that cannot be opened is reported there, too. */
async function openedOrReported(controller: SessionController): Promise<void> {
	await controller.open().catch((error: unknown) => controller.reportFailure(error));
}

function hasFolder(): boolean {
	return (vscode.workspace.workspaceFolders ?? []).some((folder) => folder.uri.scheme === 'file');
}

function later(task: () => void, ms: number): () => void {
	const timer = setTimeout(task, ms);
	return () => clearTimeout(timer);
}

function versionOf(context: vscode.ExtensionContext): string {
	return (context.extension.packageJSON as { readonly version: string }).version;
}
