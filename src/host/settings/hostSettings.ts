// All settings as the host reads them: the editor's and those of files, as they are at this moment, and the rules that the person
// keeps. Tells when they change, and what is wrong with them. Contract: nothing is read or watched before it is made.
import path from 'node:path';
import * as vscode from 'vscode';
import type { PermissionMode, RuleOrigin, RuleView } from '../../shared/permission.ts';
import type { RuleBehavior } from '../../core/permissions/rule.ts';
import { rulesFrom } from '../../core/permissions/rule.ts';
import type { SessionSettings } from '../../core/session/options.ts';
import { loopwrightHome } from '../../node/sessions/paths.ts';
import { engineSettings } from '../../node/settings/engineSettings.ts';
import { LiveSettings, type ListedRule } from '../../node/settings/liveSettings.ts';
import { baseUrlOf, settingsOfEnvironment } from '../../node/settings/resolve.ts';
import type { RuleEditOutcome } from '../../node/settings/ruleFile.ts';
import { RuleStore, type StoredScope } from '../../node/settings/ruleStore.ts';
import { ruleTools } from '../../node/settings/ruleTools.ts';
import { say, type SettingsProblem } from '../../node/settings/sentence.ts';
import { claudeHome, managedFolders, mineFile } from '../../node/settings/settingsPlaces.ts';
import type { ServiceSettings } from '../provider/modelService.ts';
import { backgroundSettings } from '../session/backgroundSettings.ts';
import { editorValues } from './editorValues.ts';
import { FileWatch } from './fileWatch.ts';

/** Those that need no setting, in the order in which a key goes through them. */
export const modesForAll: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk'];

export interface SessionFacts {
	readonly model: string;
	/** Rules that the conversation has by itself. */
	readonly allow: readonly string[];
	/** The conversation is one of a folder that is open. */
	readonly inFolder: boolean;
	/** The conversation's root, absolute. */
	readonly root: string;
}

export class HostSettings implements vscode.Disposable {
	private readonly live: LiveSettings;
	private readonly store: RuleStore;
	private readonly subscriptions: vscode.Disposable;
	private readonly watch: FileWatch;

	constructor() {
		const home = loopwrightHome();
		const folders = workspaceFolders;
		this.live = new LiveSettings({
			home,
			claudeHome: claudeHome(process.env),
			managed: managedFolders(process.platform),
			folders,
			trusted: () => vscode.workspace.isTrusted,
			environment: settingsOfEnvironment(process.env).values,
			editor: () => editorValues(inspectSetting),
			tools: ruleTools,
		});
		this.store = new RuleStore({ home, folders, refresh: () => this.refresh(), isUnsaved });
		const refresh = () => void this.refresh();
		const watched = () => this.live.places.map(({ file }) => file);
		this.watch = new FileWatch(watched, refresh);
		this.subscriptions = vscode.Disposable.from(
			this.watch,
			vscode.workspace.onDidGrantWorkspaceTrust(refresh),
			vscode.workspace.onDidChangeWorkspaceFolders(() => {
				this.watch.renew();
				refresh();
			}),
			vscode.workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration('loopwright')) refresh();
			}),
			// What no watcher told, such as a file of a folder that was not there.
			vscode.window.onDidChangeWindowState(({ focused }) => {
				if (focused) refresh();
			}),
		);
	}

	/** Reads all of it anew. Contract: never rejects. */
	refresh(): Promise<void> {
		return this.live.refresh();
	}

	/** Told when settings, rules, trust or problems are others. */
	onChange(listener: () => void): vscode.Disposable {
		return new vscode.Disposable(this.live.onChange(listener));
	}

	/** All rules with their origin, also those that wait for trust: deny, ask, allow. Those of the session are its own. */
	get rules(): readonly ListedRule[] {
		return this.live.list;
	}

	/** Broken files, values that do not count, rules that are not understood. */
	get problems(): readonly SettingsProblem[] {
		return this.live.problems;
	}

	get trusted(): boolean {
		return vscode.workspace.isTrusted;
	}

	/** Contract: never rejects. */
	saveRule(text: string, behavior: RuleBehavior, scope: StoredScope, root: string): Promise<RuleEditOutcome> {
		return this.store.save(text, behavior, scope, root);
	}

	/** From our own files and the editor's settings; others are not ours to change. Contract: never rejects. */
	async removeRule(rule: RuleView): Promise<RuleEditOutcome> {
		if (rule.origin.source !== 'vscode') return this.store.remove(rule);
		try {
			await removeFromEditor(rule);
			await this.refresh();
			return { kind: 'saved', file: '' };
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			return { kind: 'refused', problem: say('{0} cannot be written ({1})', 'settings.json', reason) };
		}
	}

	/** Whether the person wants to be told of what waits while the panel is hidden. */
	get notifications(): boolean {
		return vscode.workspace.getConfiguration('loopwright').get('notifications') !== false;
	}

	/** The file of a proposed edit takes the focus when it is shown. */
	get sendWith(): 'enter' | 'ctrlEnter' {
		return vscode.workspace.getConfiguration('loopwright').get('sendWith') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
	}

	/** Whether the selection goes with prompts while the person has not said otherwise in the composer. */
	get shareSelection(): boolean {
		return vscode.workspace.getConfiguration('loopwright').get('context.shareSelection') !== false;
	}

	get focusEditor(): boolean {
		return vscode.workspace.getConfiguration('loopwright').get('review.focusEditor') === true;
	}

	/** Days that conversations, and versions of files, are kept. */
	get cleanupPeriodDays(): number {
		return this.live.current.cleanupPeriodDays;
	}

	/** Folders beside those of the workspace to which the agent has access. Absolute. */
	get additionalFolders(): readonly string[] {
		return this.live.current.additionalDirectories;
	}

	/** The modes that the panel offers. */
	get offeredModes(): readonly PermissionMode[] {
		return this.live.current.allowBypass && this.trusted ? [...modesForAll, 'bypassPermissions'] : modesForAll;
	}

	/** The mode of a new conversation. */
	get initialMode(): PermissionMode {
		const { permissionMode } = this.live.current;
		return this.offeredModes.includes(permissionMode) ? permissionMode : 'default';
	}

	get service(): ServiceSettings {
		const { provider, model, modelIsSet, idleTimeoutMs } = this.live.current;
		const baseUrl = baseUrlOf(this.live.current, process.env) ?? '';
		return { provider, baseUrl, model: modelIsSet ? model : '', idleTimeoutMs };
	}

	/** Tokens that the context may have: the model's, or fewer where a setting says so. */
	contextWindow(ofModel: number): number {
		return Math.min(ofModel, this.live.current.compaction.window ?? ofModel);
	}

	/** USD at which a conversation stops; null without a limit. */
	get maxCostUsd(): number | null {
		return engineSettings(this.live.current, '').maxCostUsd ?? null;
	}

	session({ model, allow, inFolder, root }: SessionFacts): SessionSettings {
		const { trusted } = this;
		const settings = vscode.workspace.getConfiguration('loopwright');
		const { rules, smallModel } = this.live.current;
		const place = { model, trusted, inFolder, smallModel: smallModel !== undefined };
		return {
			...engineSettings(this.live.current, model),
			allow: [
				...rules.allow.filter(({ origin }) => isOfRoot(origin, root)),
				...rulesFrom({ source: 'session' }, allow),
			],
			ask: rules.ask,
			deny: rules.deny,
			trusted,
			background: backgroundSettings((name) => settings.get(name), place),
		};
	}

	dispose(): void {
		this.subscriptions.dispose();
	}
}

/** What the person allows in one folder of the workspace is not allowed in the others; what they deny is denied in all. */
function isOfRoot({ source, file }: RuleOrigin, root: string): boolean {
	return source !== 'mine' || file === undefined || file === mineFile(loopwrightHome(), root);
}

/** Folders of the workspace that lie on the disk, the session's root first. */
export function workspaceFolders(): readonly string[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === 'file')
		.map(({ uri }) => path.normalize(uri.fsPath));
}

function inspectSetting(name: string) {
	const folders = vscode.workspace.workspaceFolders ?? [];
	const scopes = [undefined, ...folders.map(({ uri }) => uri)];
	return scopes.map((scope) => vscode.workspace.getConfiguration('loopwright', scope).inspect(name) ?? {});
}

function isUnsaved(file: string): boolean {
	return vscode.workspace.textDocuments.some(
		({ uri, isDirty }) => isDirty && uri.scheme === 'file' && path.normalize(uri.fsPath) === file,
	);
}

/** Wherever the editor has the rule: user, workspace, folders. */
async function removeFromEditor({ text, behavior }: RuleView): Promise<void> {
	const name = `permissions.${behavior}`;
	const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
	const take = async (scope: vscode.Uri | undefined, target: vscode.ConfigurationTarget, list: unknown) => {
		if (!Array.isArray(list) || !list.includes(text)) return;
		const rest = list.filter((rule) => rule !== text);
		const configuration = vscode.workspace.getConfiguration('loopwright', scope);
		await configuration.update(name, rest.length > 0 ? rest : undefined, target);
	};
	const inspect = (scope: vscode.Uri | undefined) =>
		vscode.workspace.getConfiguration('loopwright', scope).inspect<unknown>(name);
	const window = inspect(undefined);
	await take(undefined, Global, window?.globalValue);
	await take(undefined, Workspace, window?.workspaceValue);
	for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
		await take(uri, WorkspaceFolder, inspect(uri)?.workspaceFolderValue);
	}
}
