// One conversation of the window, put together: everything that belongs to it alone, on what the window shares. Beside
// `composition.ts` the only place in the host where adapters meet ports.
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
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
import type { ViewState } from '../shared/view.ts';
import { attachmentSources } from './attachments/attachmentSources.ts';
import { Restore } from './checkpoints/restore.ts';
import { later, versionOf } from './extensionFacts.ts';
import { Channel } from './panel/channel.ts';
import type { ConversationComposer } from './panel/composerDesk.ts';
import { PlanDocuments } from './plan/planDocuments.ts';
import { SessionModel } from './provider/sessionModel.ts';
import type { ReviewedConversation } from './review/review.ts';
import type { ModelStatus, OpenedSession, SessionWish, ShowEarly } from './session/controllerDeps.ts';
import type { Member } from './session/conversations.ts';
import { openFolders } from './session/folders.ts';
import { followSettings } from './session/followSettings.ts';
import { FreezableJournal } from './session/freezableJournal.ts';
import { PermissionDesk } from './session/permissionDesk.ts';
import { SessionController } from './session/sessionController.ts';
import { SessionRoot } from './session/sessionRoot.ts';
import { openStoredSession, type StorageState } from './session/storedSession.ts';
import type { WindowParts } from './session/windowParts.ts';
import { keepRule } from './settings/keepRule.ts';
import { mayLeave } from './tasks/leaving.ts';
import { TaskDesk } from './tasks/taskDesk.ts';
import type { WorktreeRoot } from './worktrees/worktreeRoots.ts';
import { TerminalShell } from './terminal/terminalShell.ts';

export interface OpenConversation extends Member {
	readonly controller: SessionController;
	readonly desk: PermissionDesk;
	readonly tasks: TaskDesk;
	readonly channel: Channel;
	readonly plans: PlanDocuments;
	readonly composer: ConversationComposer;
	readonly restore: Restore;
	readonly root: SessionRoot;
	readonly model: SessionModel;
	/** Resolves when it can go on; never rejects: a conversation that cannot be opened says so itself. */
	opened(): Promise<void>;
	/** The same, as soon as there is something to show: a large session is shown before it is open. */
	presentable(): Promise<void>;
}

/** How a conversation reaches the window. */
export interface ConversationLinks {
	/** Something of it is another: work, requests, commands. */
	readonly changed: () => void;
	/** Shows another session in the place of this one. */
	readonly show: (sessionId: string) => Promise<void>;
	/** Puts a text into its composer. */
	readonly compose: (text: string) => Promise<void>;
	/** What the person would want to know of other conversations. */
	readonly others: () => ViewState['others'];
}

export function openConversation(
	window: WindowParts,
	wish: SessionWish,
	{ changed, show, compose, others }: ConversationLinks,
): OpenConversation {
	const { log, checkpoints, keptTasks, restored: documents, worktrees } = window;
	const desk = new PermissionDesk();
	const tasks = new TaskDesk({ later, kept: keptTasks });
	const root = new SessionRoot(() => [...window.workspace.roots, ...worktrees.roots], wish.root);
	const workspace = window.workspace.rootedAt(() => root.path);
	const sessionId = () => controller.state.sessionId;
	const reviewed = window.review.ofConversation(workspace, sessionId);
	const model = new SessionModel(window.service);
	const composer = window.composer.ofConversation({ controller: () => controller, workspace, root: () => root.path });
	const engine: EngineParts = {
		window,
		desk,
		root,
		model,
		reviewed,
		composer,
		settled: { wait: () => Promise.resolve() },
		tellStorage: (state) => {
			controller.tellStorage(state);
			return channel.visible;
		},
	};
	const controller: SessionController = sessionController(engine, {
		wish,
		tasks,
		channel: () => channel,
		changed,
		others,
	});
	const channel = new Channel(() => controller.view, later);
	const opened = async () => {
		await controller.open().catch((error: unknown) => controller.reportFailure(error));
		window.composer.start();
	};
	const ownFolder = () => sessionFolder(root.path, sessionId());
	const plans = new PlanDocuments({ desk, sessionFolder: ownFolder, failed: log.failed });
	const settled = () => engine.settled.wait();
	const shared = { checkpoints, documents, show, compose };
	const restore = new Restore({ ...shared, controller, workspace, settled, mayLeave: () => mayLeave(tasks) });
	desk.onChange(changed);
	tasks.onChange(changed);
	controller.onEvent((event) => {
		log.event(event);
		reviewed.accept(event);
		if (event.type === 'prompt_taken') window.titles.follow(root.path, sessionId());
	});
	const parts = { controller, desk, tasks, channel, plans, composer, restore, root, model };
	return {
		wish,
		...parts,
		get visible() {
			return channel.visible;
		},
		get focus() {
			return channel.focus;
		},
		opened,
		presentable: () => Promise.race([controller.presentable, opened()]),
		close: async () => {
			await controller.close();
			tasks.leave();
			plans.dispose();
			channel.dispose();
		},
		dispose: async () => {
			plans.dispose();
			channel.dispose();
			await Promise.all([controller.dispose(), tasks.dispose()]);
		},
	};
}

/** What the engine of a conversation works with. */
interface EngineParts {
	readonly window: WindowParts;
	readonly desk: PermissionDesk;
	readonly root: SessionRoot;
	readonly model: SessionModel;
	readonly reviewed: ReviewedConversation;
	readonly composer: ConversationComposer;
	/** Resolves when the list of checkpoints has what commands did so far; of the session that is open. */
	readonly settled: { wait: () => Promise<void> };
	/** Whether it can be stored; true when a person sees it there. */
	readonly tellStorage: (state: StorageState) => boolean;
}

interface ControllerOrder {
	readonly wish: SessionWish;
	readonly tasks: TaskDesk;
	/** There when something is to be told. */
	readonly channel: () => Channel;
	readonly changed: () => void;
	readonly others: () => ViewState['others'];
}

function sessionController(
	engine: EngineParts,
	{ wish, tasks, channel, changed, others }: ControllerOrder,
): SessionController {
	const { window, desk, root, model } = engine;
	const { settings, log } = window;
	return new SessionController({
		desk,
		tasks,
		wish,
		openSession: (wanted, showEarly) => openSession(engine, wanted, showEarly),
		modelStatus: () => statusOf(window, model),
		rights: () => ({ modes: settings.offeredModes, trusted: settings.trusted }),
		folder: () => (hasFolder() ? root.path : ''),
		folders: () => severalFolders(window.worktrees.of(root.path)),
		others,
		updatedTo: () => window.update.updatedTo,
		composer: () => window.composer.state,
		now: () => Date.now(),
		publish: (events) => channel().publish(events),
		viewReplaced: () => channel().reset(),
		workChanged: changed,
		failed: log.failed,
	});
}

/** The stored session with this id, or a new one. */
async function openSession(engine: EngineParts, wish: SessionWish, showEarly: ShowEarly): Promise<OpenedSession> {
	const { window, root } = engine;
	const { context, log, settings } = window;
	await Promise.all([settings.refresh(), mkdir(window.emptyFolder, { recursive: true }), wish.after]);
	await window.service.refresh();
	const secrets = () => window.service.secrets;
	const place = await openStoredSession(
		{
			root,
			id: wish.id,
			patient: wish.patient === true,
			look: () => window.worktrees.look(),
			secrets,
			tell: engine.tellStorage,
			showEarly,
		},
		log.failed,
	);
	const { file, stored, shown, sessionId } = place;
	const modelGone = await engine.model.resume(stored?.entries ?? []);
	const cwd = root.path;
	const journal = new FreezableJournal(file.journal);
	const shell = new TerminalShell({
		runnerPath: path.join(context.extensionPath, 'dist', 'shellRunner.js'),
		...(hasFolder() ? { root: root.path } : {}),
		log: (message) => log.info(message),
	});
	const rgPath = await findRipgrep({ appRoot: vscode.env.appRoot, from: [context.extensionPath] });
	const conversation = engineOf(engine, wish, { ...place, cwd, journal, shell, rgPath: rgPath ?? 'rg' });
	const openElsewhere = stored?.openElsewhere === true;
	const followed = openElsewhere ? undefined : followSettings(settings, conversation, log);
	const { titles } = window;
	conversation.onEvent((event) => {
		if (event.type !== 'session_titled' || openElsewhere) return;
		window.library
			.suggestTitle(cwd, sessionId, event.title)
			.then(() => titles.look(cwd, sessionId))
			.catch((error: unknown) => log.failed('keeping a title', error));
	});
	if (stored) {
		titles.follow(cwd, sessionId);
		void titles.look(cwd, sessionId);
	}
	const leave = () => {
		followed?.dispose();
		titles.leave(sessionId);
	};
	return {
		conversation,
		shown,
		...(modelGone ? { modelGone } : {}),
		damaged: (stored?.damaged ?? 0) > 0,
		openElsewhere,
		close: () => {
			leave();
			return file.journal.close();
		},
		abandon: () => {
			leave();
			journal.freeze();
			// Given free at once: the next window may be there before this one is gone.
			const closed = file.journal.close();
			return Promise.all([closed, shell.dispose()]).then(() => {});
		},
	};
}

/** Where a session lies, and what is its own. */
interface EnginePlace extends Awaited<ReturnType<typeof openStoredSession>> {
	readonly cwd: string;
	readonly journal: FreezableJournal;
	readonly shell: TerminalShell;
	readonly rgPath: string;
}

function engineOf(engine: EngineParts, { mode }: SessionWish, place: EnginePlace): Conversation {
	const { window, desk, model, reviewed, composer, settled } = engine;
	const { context, settings, service } = window;
	const { cwd, sessionId, stored, journal, shell, file } = place;
	const shellParser = new TreeSitterShellParser(path.join(context.extensionPath, 'dist', 'grammars'));
	/** A worktree has the rules and the memory of the folder that it stands for. */
	const home = window.worktrees.mainOf(cwd);
	const results = new FileResultStore({ cwd, sessionId, secrets: () => service.secrets });
	const inFolder = hasFolder();
	const entries = stored?.entries ?? [];
	const recorded = window.checkpoints.record(
		{ workspace: reviewed.workspace, journal, shell },
		{ cwd, sessionId, shellParser, entries },
	);
	settled.wait = () => recorded.watch.compared();
	const conversation: Conversation = createConversation({
		sessionId,
		ports: {
			client: service,
			...recorded.parts,
			search: new RipgrepSearch({ rgPath: place.rgPath }),
			shellParser,
			results,
			outputFiles: results,
			agentJournal: (agentId) => journal.guard(file.journal.agentJournal(agentId)),
			readPrompt: composer.readPrompt,
			attachmentSources: attachmentSources(cwd, (file) => conversation.permissions.isSecret(file)),
			...(inFolder ? memoryPorts(home) : {}),
			interaction: desk,
			clock: systemClock,
			uuid: newUuid,
			random: systemRandom,
		},
		settings: () => settings.session({ model: model.id, allow: results.allowRules, inFolder, root: home }),
		freshSettings: () => settings.refresh(),
		saveRule: (rule, scope) => keepRule(settings, rule, { scope, root: home }),
		facts: service.facts,
		mode: mode ?? settings.initialMode,
		interactive: true,
		home: homedir(),
		app: versionOf(context),
		platform: process.platform,
		...(stored ? { transcript: stored.entries } : {}),
	});
	return conversation;
}

/** The folder's memory lies in the folder; what its consolidation needs lies beside the folder's sessions. */
function memoryPorts(root: string): Required<Pick<SessionPorts, 'memory' | 'dream'>> {
	return {
		memory: new FolderMemoryStore(root),
		dream: new FileDreamPort(projectFolder(loopwrightHome(), root)),
	};
}

function statusOf({ settings }: WindowParts, { status }: SessionModel): ModelStatus {
	const { maxCostUsd } = settings;
	return { ...status, maxCostUsd, contextWindow: settings.contextWindow(status.contextWindow) };
}

function hasFolder(): boolean {
	return openFolders().length > 0;
}

function severalFolders(worktree: WorktreeRoot | undefined): ViewState['folders'] {
	const own = worktree ? [{ path: worktree.root, name: worktree.branch }] : [];
	const folders = [...own, ...openFolders()];
	return folders.length > 1 ? folders : [];
}
