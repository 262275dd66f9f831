// Before a conversation is ended: commands that still run in its background end with it, unless the person keeps them.
import * as vscode from 'vscode';
import type { TaskDesk } from './taskDesk.ts';

/** Characters of a command that the question shows, and commands named. */
const shownCommand = 80;
const shownCommands = 5;

/** False: the person stays. */
export async function mayLeave(desk: Pick<TaskDesk, 'ending' | 'keep'>): Promise<boolean> {
	const running = desk.ending;
	if (running.length === 0) return true;
	const stop = running.length === 1 ? vscode.l10n.t('Stop It') : vscode.l10n.t('Stop Them');
	const keep = vscode.l10n.t('Keep Running');
	const names = running.slice(0, shownCommands).map(({ command }) => {
		const line = command.replaceAll(/\s+/g, ' ').trim();
		return line.length > shownCommand ? `${line.slice(0, shownCommand)}…` : line;
	});
	const more = running.length > names.length ? ['…'] : [];
	const message =
		running.length === 1
			? vscode.l10n.t('A command of this conversation is still running.')
			: vscode.l10n.t('{0} commands of this conversation are still running.', running.length);
	const detail = [...names, ...more].join('\n');
	const picked = await vscode.window.showWarningMessage(message, { modal: true, detail }, stop, keep);
	if (picked === undefined) return false;
	if (picked === keep) for (const { id } of running) desk.keep(id, true);
	return true;
}
