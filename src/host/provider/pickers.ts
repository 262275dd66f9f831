// Quick picks for the model and the permission mode.
import * as vscode from 'vscode';
import type { PermissionMode } from '../../shared/permission.ts';
import type { ModelService } from './modelService.ts';

/** Milliseconds that the list waits for the service before it shows what is known without it. */
const listPatience = 5000;

/** `current`: the model of the conversation in front. */
export async function pickModel(service: ModelService, current: string): Promise<string | undefined> {
	const items = service
		.listModels(AbortSignal.timeout(listPatience))
		.catch(() => undefined)
		.then(() => {
			const { models } = service.status(current);
			return models.map(({ id, name }) => ({
				label: name,
				description: id === name ? '' : id,
				detail: contextText(service.facts(id).contextWindow),
				iconPath: new vscode.ThemeIcon(id === current ? 'check' : 'blank'),
				id,
			}));
		});
	const picked = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Loopwright: model'),
		matchOnDescription: true,
	});
	return picked?.id;
}

function contextText(tokens: number): string {
	return vscode.l10n.t('{0} tokens of context', tokens.toLocaleString(vscode.env.language));
}

export async function pickMode(
	current: PermissionMode,
	modes: readonly PermissionMode[],
): Promise<PermissionMode | undefined> {
	const items = modes.map((mode) => ({
		...modeWords(mode),
		iconPath: new vscode.ThemeIcon(mode === current ? 'check' : 'blank'),
		mode,
	}));
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Loopwright: mode') }))?.mode;
}

export function modeWords(mode: PermissionMode): { readonly label: string; readonly description: string } {
	switch (mode) {
		case 'default':
			return { label: vscode.l10n.t('Ask'), description: vscode.l10n.t('Asks before edits and commands') };
		case 'acceptEdits':
			return { label: vscode.l10n.t('Accept edits'), description: vscode.l10n.t('Edits apply at once, commands ask') };
		case 'plan':
			return { label: vscode.l10n.t('Plan'), description: vscode.l10n.t('Reads and plans, changes nothing') };
		case 'dontAsk':
			return { label: vscode.l10n.t("Don't ask"), description: vscode.l10n.t('What is not allowed is denied') };
		case 'bypassPermissions':
			return { label: vscode.l10n.t('Bypass'), description: vscode.l10n.t('Runs everything without asking') };
	}
}

/** Until another provider is chosen in the person's own settings. */
export async function useDemo(): Promise<void> {
	const configuration = vscode.workspace.getConfiguration('loopwright');
	await configuration.update('provider', 'demo', vscode.ConfigurationTarget.Global);
}

/** Keeps the choice where the setting comes from: the workspace when it is set there, else the person's own settings. */
export async function saveModel(model: string): Promise<void> {
	const configuration = vscode.workspace.getConfiguration('loopwright');
	const workspace = configuration.inspect<string>('model')?.workspaceValue !== undefined;
	const target = workspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
	await configuration.update('model', model, target);
}
