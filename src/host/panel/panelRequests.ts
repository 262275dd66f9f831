// What the person does in the panel: to the controller, or to the editor.
import path from 'node:path';
import * as vscode from 'vscode';
import type { PermissionAnswer } from '../../shared/permission.ts';
import type { CodeActions } from '../code/codeActions.ts';
import type { PlanDocuments } from '../plan/planDocuments.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { TaskDesk } from '../tasks/taskDesk.ts';
import type { SurfaceHandle } from './channel.ts';
import type { AgentDocuments } from './agentDocuments.ts';
import { copyConversation } from './copyConversation.ts';
import type { ConversationComposer } from './composerDesk.ts';
import { handleComposerRequest, isComposerRequest } from './composerRequests.ts';
import { externalLink } from './inbound.ts';
import { openFile } from './openFile.ts';
import type { PanelRequest } from './panelPages.ts';
import { handleStateRequest, isStateRequest, type StateDeps } from './stateRequests.ts';

export interface RequestDeps extends Pick<StateDeps, 'useDemo' | 'update'> {
	readonly controller: SessionController;
	/** Absolute; relative paths start here. */
	folder(): string;
	selectModel(model: string): Promise<void>;
	/** Of a conversation in which nothing was said. */
	selectFolder(folder: string): void;
	readonly plans: Pick<PlanDocuments, 'open' | 'completed'>;
	readonly proposals: Pick<Proposals, 'completed' | 'decide' | 'openDiff'>;
	readonly code: Pick<CodeActions, 'insert' | 'openAsFile' | 'propose'>;
	readonly agents: Pick<AgentDocuments, 'show'>;
	readonly tasks: Pick<TaskDesk, 'stop' | 'show' | 'keep' | 'remove'>;
	readonly composer: Pick<ConversationComposer, 'requests'>;
	readonly failed: (what: string, error: unknown) => void;
}

/** Where the request came from. */
export type FocusTarget = Pick<SurfaceHandle, 'focusComposer' | 'ruleChecked' | 'post' | 'newestQuery'>;

/** Contract: never throws or rejects; a request that fails is in the log. */
export function handlePanelRequest(message: PanelRequest, deps: RequestDeps, surface: FocusTarget): void {
	perform(message, deps, surface).catch((error: unknown) => deps.failed(message.type, error));
}

async function perform(message: PanelRequest, deps: RequestDeps, surface: FocusTarget): Promise<void> {
	const { controller } = deps;
	if (isComposerRequest(message)) return handleComposerRequest(message, deps.composer.requests, surface);
	if (isStateRequest(message)) return handleStateRequest(message, deps, surface);
	switch (message.type) {
		case 'wait_answered':
			return controller.answerWait(message.waitId, message.wait);
		case 'stop_requested':
			return controller.stop();
		case 'task_stopped':
			return deps.tasks.stop(message.id);
		case 'task_shown':
			return deps.tasks.show(message.id);
		case 'task_kept':
			return deps.tasks.keep(message.id, message.kept);
		case 'task_removed':
			return deps.tasks.remove(message.id);
		case 'agent_shown':
			return deps.agents.show(controller, deps.folder(), message.toolUseId);
		case 'restore_requested':
			await vscode.commands.executeCommand('loopwright.rewind', message.promptId);
			return;
		case 'edit_requested':
			await vscode.commands.executeCommand('loopwright.editMessage', message.promptId);
			return;
		case 'version_selected':
			await vscode.commands.executeCommand('loopwright.showVersion', message.promptId);
			return;
		case 'continue_requested':
			return controller.resume();
		case 'reopen_requested':
			return controller.reopen();
		case 'retry_requested':
			return controller.retry();
		case 'permission_answered':
			return controller.answer(message.requestId, completed(message, deps));
		case 'hunk_decided':
			return decideHunk(message, deps.proposals);
		case 'proposal_opened':
			return deps.proposals.openDiff(message.requestId, true);
		case 'plan_opened':
			return deps.plans.open(message.requestId);
		case 'rule_typed': {
			const { requestId, rule } = message;
			const { permissions } = await controller.open();
			const check = await permissions.checkRule(requestId, rule);
			if (check) surface.ruleChecked({ requestId, rule, check });
			return;
		}
		case 'mode_selected':
			// A step of the tour.
			void vscode.commands.executeCommand('setContext', 'loopwright.modeChosen', true);
			return controller.setMode(message.mode);
		case 'model_selected':
			return deps.selectModel(message.model);
		case 'folder_selected':
			return deps.selectFolder(message.folder);
		case 'file_opened':
			return openFile(path.resolve(deps.folder(), message.path), message.line);
		case 'link_opened': {
			const link = externalLink(message.url);
			if (link !== undefined) await vscode.env.openExternal(vscode.Uri.parse(link, true));
			return;
		}
		case 'text_copied':
			return vscode.env.clipboard.writeText(message.text);
		case 'conversation_copied':
			return copyConversation(controller, surface);
		case 'code_inserted':
			return deps.code.insert(message.text);
		case 'code_opened':
			return deps.code.openAsFile(message.text, message.language, message.path);
		case 'code_applied':
			return deps.code.propose(message.text, message.path && path.resolve(deps.folder(), message.path));
		case 'command_requested':
			await vscode.commands.executeCommand(...editorCommand(message.command));
	}
}

function decideHunk(
	{ requestId, hunk, outcome }: Extract<PanelRequest, { type: 'hunk_decided' }>,
	proposals: RequestDeps['proposals'],
): void {
	proposals.decide(requestId, [hunk], outcome && { kind: outcome }, false);
}

/** With what the person wrote and decided elsewhere than on the card. */
function completed(
	{ requestId, answer }: Extract<PanelRequest, { type: 'permission_answered' }>,
	{ plans, proposals }: RequestDeps,
): PermissionAnswer {
	return proposals.completed(requestId, plans.completed(requestId, answer));
}

function editorCommand(
	command: Extract<PanelRequest, { type: 'command_requested' }>['command'],
): [string, ...string[]] {
	if (command === 'openSettings') return ['workbench.action.openSettings', '@ext:loopwright.loopwright'];
	if (command === 'openWalkthrough') return ['workbench.action.openWalkthrough', 'loopwright.loopwright#start'];
	if (command === 'openFolder') return ['vscode.openFolder'];
	if (command === 'manageTrust') return ['workbench.trust.manage'];
	return [`loopwright.${command}`];
}
