// What the model's context is made of, as a list by category: the long form of the panel's meter. Read-only, but for the way to
// make room.
import * as vscode from 'vscode';
import { categoryNames, type ContextUse } from '../../shared/contextUse.ts';
import type { SessionController } from '../session/sessionController.ts';

type Item = vscode.QuickPickItem & { readonly compacts?: true };

export async function showContext(controller: Pick<SessionController, 'open'>): Promise<void> {
	const use = (await controller.open()).contextUse();
	const picked = await vscode.window.showQuickPick<Item>(contextItems(use), {
		title: vscode.l10n.t('Context used: {0} of {1} tokens ({2})', number(use.tokens), number(use.window), share(use)),
		placeHolder: use.measured
			? vscode.l10n.t('Shares are estimated; their sum is what the service counted.')
			: vscode.l10n.t('All of it is estimated until the first answer.'),
	});
	if (picked?.compacts) await vscode.commands.executeCommand('loopwright.compact');
}

function contextItems(use: ContextUse): readonly Item[] {
	const items: Item[] = use.parts
		.filter(({ tokens }) => tokens > 0)
		.map(({ category, tokens }) => ({
			label: vscode.l10n.t(categoryNames[category]),
			description: vscode.l10n.t('{0} tokens', number(tokens)),
			detail: percent(tokens, use.tokens),
		}));
	const free = Math.max(0, use.window - use.tokens);
	items.push({ label: vscode.l10n.t('Free'), description: vscode.l10n.t('{0} tokens', number(free)) });
	if (use.cacheShare !== null) {
		const cached = vscode.l10n.t('{0} of the last request', percent(use.cacheShare, 1));
		items.push({ label: vscode.l10n.t('Read from the cache'), description: cached });
	}
	items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
	items.push({
		label: vscode.l10n.t('Compact the conversation'),
		iconPath: new vscode.ThemeIcon('fold'),
		compacts: true,
	});
	return items;
}

function share({ tokens, window }: ContextUse): string {
	return percent(tokens, Math.max(1, window));
}

function number(value: number): string {
	return value.toLocaleString(vscode.env.language);
}

function percent(part: number, whole: number): string {
	return (whole === 0 ? 0 : part / whole).toLocaleString(vscode.env.language, {
		style: 'percent',
		maximumFractionDigits: 0,
	});
}
