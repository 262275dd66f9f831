// Asks for the key in a password box, tries it at the service, and keeps it in the secret storage. The key is nowhere else:
// not in settings, not in the log.
import * as vscode from 'vscode';
import type { ModelFailure } from '../../core/model/failure.ts';

/** Name of the key in the secret storage. */
export const keyName = 'loopwright.apiKey';

export interface KeyCheck {
	check(apiKey: string, signal: AbortSignal): Promise<ModelFailure | undefined>;
}

/** Left empty, it removes the stored key. Esc changes nothing. */
export async function setApiKey(secrets: vscode.SecretStorage, service: KeyCheck): Promise<void> {
	const stored = await secrets.get(keyName);
	let problem: string | undefined;
	let typed = '';
	for (;;) {
		const key = await askForKey(typed, stored !== undefined, problem);
		if (key === undefined) return;
		if (key === '') {
			await secrets.delete(keyName);
			if (stored) void vscode.window.showInformationMessage(vscode.l10n.t('The API key was removed.'));
			return;
		}
		const failure = await checked(key, service);
		if (failure === 'cancelled') return;
		if (failure && rejected(failure)) {
			typed = key;
			problem = vscode.l10n.t('The service did not accept this key. Try again, or press Esc.');
			continue;
		}
		if (failure && !(await saveAnyway(failure))) return;
		await secrets.store(keyName, key);
		void vscode.window.showInformationMessage(vscode.l10n.t('The API key is saved.'));
		return;
	}
}

function rejected({ kind }: ModelFailure): boolean {
	return kind === 'authentication' || kind === 'permission' || kind === 'not_configured';
}

function askForKey(value: string, stored: boolean, problem: string | undefined): Promise<string | undefined> {
	const input = vscode.window.createInputBox();
	input.title = vscode.l10n.t('Loopwright: API key');
	input.prompt = stored
		? vscode.l10n.t('A key is stored. Type a new one, or leave it empty to remove it.')
		: vscode.l10n.t('The key is kept in the secret storage of VS Code, and sent only to the model service.');
	input.placeholder = 'sk-ant-…';
	input.password = true;
	input.ignoreFocusOut = true;
	input.value = value;
	if (problem !== undefined) input.validationMessage = problem;
	return new Promise((resolve) => {
		input.onDidChangeValue(() => {
			input.validationMessage = undefined;
		});
		input.onDidAccept(() => {
			resolve(input.value.trim());
			input.hide();
		});
		input.onDidHide(() => {
			resolve(undefined);
			input.dispose();
		});
		input.show();
	});
}

function checked(key: string, service: KeyCheck): Thenable<ModelFailure | 'cancelled' | undefined> {
	const title = vscode.l10n.t('Checking the key…');
	const location = vscode.ProgressLocation.Notification;
	return vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
		const controller = new AbortController();
		const subscription = token.onCancellationRequested(() => controller.abort());
		try {
			const failure = await service.check(key, controller.signal);
			return token.isCancellationRequested ? 'cancelled' : failure;
		} finally {
			subscription.dispose();
		}
	});
}

/** The service could not say whether the key is right, such as without a network. */
async function saveAnyway(failure: ModelFailure): Promise<boolean> {
	const save = vscode.l10n.t('Save anyway');
	const message = vscode.l10n.t('The key could not be checked: {0}', failure.message);
	return (await vscode.window.showWarningMessage(message, { modal: true }, save)) === save;
}
