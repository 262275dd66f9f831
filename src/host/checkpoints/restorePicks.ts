// The quick picks of a restore. By keyboard alone; the list of files can show a difference and stays open meanwhile.
import * as vscode from 'vscode';
import type { PlannedFile } from '../../core/checkpoints/planRestore.ts';
import { differenceButton, type ActionItem, type FileItem } from './restoreItems.ts';

export interface PromptChoice {
	readonly id: string;
	readonly text: string;
	/** Milliseconds since the epoch. */
	readonly time: number;
}

/** The newest message comes first. */
export async function pickPrompt(prompts: readonly PromptChoice[]): Promise<PromptChoice | undefined> {
	if (prompts.length === 0) {
		void vscode.window.showInformationMessage(vscode.l10n.t('There is no message to go back to yet.'));
		return undefined;
	}
	const items = prompts.toReversed().map((prompt) => ({
		label: prompt.text.trim().split('\n', 1)[0] ?? '',
		description: new Date(prompt.time).toLocaleTimeString(vscode.env.language),
		prompt,
	}));
	const title = vscode.l10n.t('Restore to before which message?');
	return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.prompt;
}

/** `working`: the agent is, and will be stopped. */
export async function pickAction(
	title: string,
	items: Promise<readonly ActionItem[]>,
	working: boolean,
): Promise<ActionItem | undefined> {
	return await vscode.window.showQuickPick<ActionItem>(
		items.then((found) => [...found]),
		{
			title,
			placeHolder: working
				? vscode.l10n.t('The agent is working: it is stopped when you choose')
				: vscode.l10n.t('Nothing changes before you choose'),
		},
	);
}

/** The files to restore; undefined when the person has left. Conflicts are not chosen to begin with. */
export function pickFiles(
	items: readonly FileItem[],
	showDifference: (file: PlannedFile) => Promise<void>,
): Promise<readonly PlannedFile[] | undefined> {
	const picker = vscode.window.createQuickPick<FileItem>();
	picker.title = vscode.l10n.t('Files to restore: Alt+F5 shows the difference of one');
	picker.placeholder = vscode.l10n.t('Enter restores the chosen files; Escape changes nothing');
	picker.canSelectMany = true;
	// A difference that is looked at must not end the choice.
	picker.ignoreFocusOut = true;
	picker.items = items;
	picker.selectedItems = items.filter(({ file }) => file && file.conflict === undefined);
	// Of the line that the keys have reached.
	picker.buttons = [differenceButton()];
	const show = async (item: FileItem | undefined) => {
		if (!item?.file) return;
		await showDifference(item.file);
		await vscode.commands.executeCommand('workbench.action.focusQuickOpen');
	};
	const byKey = differenceByKey(() => show(picker.activeItems[0]));
	return new Promise((resolve) => {
		picker.onDidTriggerButton(() => void show(picker.activeItems[0]));
		picker.onDidTriggerItemButton(({ item }) => void show(item));
		picker.onDidAccept(() => {
			resolve(picker.selectedItems.flatMap(({ file }) => file ?? []));
			picker.hide();
		});
		picker.onDidHide(() => {
			resolve(undefined);
			byKey.dispose();
			picker.dispose();
		});
		picker.show();
	});
}

/** For as long as the list is open. */
function differenceByKey(show: () => Promise<void>): vscode.Disposable {
	const setContext = (open: boolean) =>
		void vscode.commands.executeCommand('setContext', 'loopwright.restoreFiles', open);
	setContext(true);
	return vscode.Disposable.from(
		vscode.commands.registerCommand('loopwright.restoreDifference', show),
		new vscode.Disposable(() => setContext(false)),
	);
}
