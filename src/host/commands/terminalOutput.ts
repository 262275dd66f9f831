// What the person's terminal shows, into the prompt: the selection, or the last command with its output. Contract: what may
// hold secrets is put there only after a word to it.
import path from 'node:path';
import * as vscode from 'vscode';
import { fenced } from '../../core/util/fenced.ts';
import { headAndTail } from '../../core/util/text.ts';
import type { LastCommand, UserTerminals } from '../terminal/userTerminals.ts';
import { askToShare } from './sharing.ts';

export interface TerminalCommandDeps {
	readonly chat: { focusComposer(insert: string): Promise<void> };
	readonly terminals: Pick<UserTerminals, 'lastCommand' | 'selection'>;
	/** Whether the secrets policy keeps this file (absolute) from the model. */
	readonly isSecret: (file: string) => Promise<boolean>;
}

/** Characters of output that a prompt takes; the middle goes first. */
const mostOutput = 20_000;

/** By their ids without the prefix; `deps` is asked for when one runs. */
export function terminalCommands(deps: () => TerminalCommandDeps): Readonly<Record<string, () => Promise<void>>> {
	return {
		addTerminalOutput: () => addLastCommand(deps()),
		addTerminalSelection: () => addSelection(deps()),
	};
}

async function addLastCommand(deps: TerminalCommandDeps): Promise<void> {
	const terminal = vscode.window.activeTerminal;
	const last = terminal && (await deps.terminals.lastCommand(terminal));
	if (!last) return nothingToAdd();
	if (await mayShare(last, deps)) await deps.chat.focusComposer(commandText(last));
}

async function addSelection(deps: TerminalCommandDeps): Promise<void> {
	const selected = (await deps.terminals.selection()).trimEnd();
	if (selected === '') return nothingToAdd();
	const terminal = vscode.window.activeTerminal;
	const last = terminal && (await deps.terminals.lastCommand(terminal));
	// It may be what a command has read from a file with secrets.
	if (last && !(await mayShare(last, deps))) return;
	const { text } = headAndTail(selected, mostOutput);
	await deps.chat.focusComposer(`${vscode.l10n.t('From the terminal:')}\n${fenced(text, '')}\n`);
}

function commandText({ command, output, omitted, exitCode }: LastCommand): string {
	const kept = headAndTail(output.trimEnd(), mostOutput);
	const left = omitted + kept.omitted;
	const notes = [
		...(exitCode === undefined ? [] : [vscode.l10n.t('Exit code {0}', exitCode)]),
		...(left === 0 ? [] : [vscode.l10n.t('{0} characters left out', left)]),
	];
	const head = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
	return `${vscode.l10n.t('From the terminal')}${head}:\n${fenced(`$ ${command}\n${kept.text}`.trimEnd(), 'console')}\n`;
}

async function mayShare(last: LastCommand, { isSecret }: TerminalCommandDeps): Promise<boolean> {
	const secret = await namedSecret(last, isSecret);
	return secret === undefined || (await askToShare(secret));
}

/** The name of a file with secrets that a command names: it has probably printed some of it. */
export async function namedSecret(
	{ command, cwd }: LastCommand,
	isSecret: (file: string) => Promise<boolean>,
): Promise<string | undefined> {
	const folder = cwd ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
	const words = new Set(command.split(/[\s'"<>|;&()=]+/).filter((word) => word !== '' && !word.startsWith('-')));
	for (const word of words) if (await isSecret(path.resolve(folder, word))) return path.basename(word);
	return undefined;
}

function nothingToAdd(): void {
	const message = vscode.l10n.t('Select some text in a terminal, or run a command in it, first.');
	void vscode.window.showInformationMessage(message);
}
