// Brings conversations into this workspace: our own exports, and transcripts of Claude Code, which are only read.
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { readClaudeTranscript } from '../../core/session/claudeTranscript.ts';
import { textOf } from '../../core/messages/types.ts';
import { newUuid } from '../../node/clock.ts';
import { loopwrightHome } from '../../node/sessions/paths.ts';
import { claudeTranscripts, importSession } from '../../node/sessions/sessionImport.ts';
import { head } from '../../node/sessions/sessionStore.ts';

export interface ImportDeps {
	/** The folder that they will belong to. */
	readonly cwd: () => string;
	readonly now: () => number;
	/** Of the extension. */
	readonly version: string;
}

/** Of Claude Code's transcripts; of each the beginning is read. */
const mostShown = 100;
const titleLength = 200;

/** Gives the id of the new session; undefined when the person has left, or nothing could be imported, which is said. */
export async function importConversation(deps: ImportDeps): Promise<string | undefined> {
	const file = await pickSource(deps);
	if (file === undefined) return undefined;
	const sessionId = newUuid();
	const order = { file, home: loopwrightHome(), cwd: deps.cwd(), sessionId, app: deps.version, now: deps.now() };
	if (await importSession(order)) return sessionId;
	void vscode.window.showWarningMessage(
		vscode.l10n.t('{0} holds no conversation: it is neither an export of Loopwright (JSON) nor a transcript.', file),
	);
	return undefined;
}

/** The file to read. Where Claude Code has transcripts of this folder they are offered, too. */
async function pickSource({ cwd, now }: ImportDeps): Promise<string | undefined> {
	const claudeHome = process.env['CLAUDE_CONFIG_DIR'] ?? path.join(homedir(), '.claude');
	const transcripts = (await claudeTranscripts(claudeHome, cwd())).slice(0, mostShown);
	if (transcripts.length === 0) return await pickFile();
	const items = await Promise.all(
		transcripts.map(async ({ file, mtime }) => ({
			label: titleOf(await head(file), now()) || path.basename(file),
			description: new Date(mtime).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }),
			file,
		})),
	);
	const fromFile = { label: `$(folder-opened) ${vscode.l10n.t('Choose a file…')}`, file: '' };
	const separator = { label: 'Claude Code', kind: vscode.QuickPickItemKind.Separator, file: '' };
	const picked = await vscode.window.showQuickPick([fromFile, separator, ...items], {
		title: vscode.l10n.t('Import a Conversation'),
		matchOnDescription: true,
	});
	if (!picked) return undefined;
	return picked.file === '' ? await pickFile() : picked.file;
}

async function pickFile(): Promise<string | undefined> {
	const picked = await vscode.window.showOpenDialog({
		title: vscode.l10n.t('Import a Conversation'),
		openLabel: vscode.l10n.t('Import'),
		filters: { [vscode.l10n.t('Conversations')]: ['json', 'jsonl'] },
	});
	return picked?.[0]?.fsPath;
}

/** Its name, else what the person said first; empty when neither is in the beginning of the file. */
function titleOf(beginning: string, now: number): string {
	const session = readClaudeTranscript(beginning, now);
	if (!session || session.title !== '') return session?.title ?? '';
	const first = session.entries.find((entry) => entry.type === 'user' && entry.message.origin === 'prompt');
	return first?.type === 'user' ? textOf(first.message).replaceAll(/\s+/g, ' ').trim().slice(0, titleLength) : '';
}
