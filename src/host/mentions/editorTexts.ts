// What only the editor knows of a mention, as text for the model. Contract: never rejects; what comes from files with secrets is
// left out.
import path from 'node:path';
import * as vscode from 'vscode';
import { sessionMarkdown } from '../../core/session/sessionExport.ts';
import { fenced } from '../../core/util/fenced.ts';
import { headAndTail } from '../../core/util/text.ts';
import { displayPath } from '../../core/util/paths.ts';
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import { namedSecret } from '../commands/terminalOutput.ts';
import type { UserTerminals } from '../terminal/userTerminals.ts';
import type { EditorSources } from './editorSources.ts';
import { diffWithout } from './gitDiff.ts';
import type { MentionTexts } from './promptParts.ts';

export interface EditorTextsDeps {
	readonly terminals: Pick<UserTerminals, 'lastCommand'>;
	readonly sources: Pick<EditorSources, 'transcript'>;
	/** The session's root, absolute. */
	readonly root: () => string;
	readonly isSecret: () => Promise<(file: string) => boolean>;
}

/** Told in one note. */
const mostProblems = 100;
/** Characters; the middle goes first. */
const mostOutput = 20_000;

export function editorTexts(deps: EditorTextsDeps): MentionTexts {
	const guarded = (read: () => Promise<string | undefined>) => read().catch(() => undefined);
	return {
		problems: (file) => guarded(() => problems(file, deps)),
		terminal: (name) => guarded(() => terminal(name, deps)),
		changes: () => guarded(() => changes(deps)),
		session: (id) => guarded(() => session(id, deps)),
	};
}

async function problems(file: string | undefined, { root, isSecret }: EditorTextsDeps): Promise<string | undefined> {
	const secret = await isSecret();
	const all = file === undefined ? vscode.languages.getDiagnostics() : [ofFile(file)];
	const lines = all
		.flatMap(([uri, found]) => (uri.scheme === 'file' && !secret(uri.fsPath) ? found.map((one) => ({ uri, one })) : []))
		.filter(({ one }) => one.severity <= vscode.DiagnosticSeverity.Warning)
		.toSorted((a, b) => a.one.severity - b.one.severity)
		.map(({ uri, one }) => {
			const severity = one.severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
			const text = one.message.replaceAll(/\s*\n\s*/g, ' ').slice(0, 500);
			const source = one.source === undefined ? '' : ` [${one.source}]`;
			return `${displayPath(root(), uri.fsPath)}:${one.range.start.line + 1} ${severity}: ${text}${source}`;
		});
	if (lines.length === 0) return undefined;
	const more = lines.length > mostProblems ? [`… and ${lines.length - mostProblems} more`] : [];
	return `Problems that the editor reports:\n${[...lines.slice(0, mostProblems), ...more].join('\n')}`;
}

function ofFile(file: string): [vscode.Uri, readonly vscode.Diagnostic[]] {
	const uri = vscode.Uri.file(file);
	return [uri, vscode.languages.getDiagnostics(uri)];
}

async function terminal(name: string | undefined, deps: EditorTextsDeps): Promise<string | undefined> {
	const { activeTerminal, terminals } = vscode.window;
	const meant = name === undefined ? (activeTerminal ?? terminals[0]) : terminals.find((one) => one.name === name);
	const last = meant && (await deps.terminals.lastCommand(meant));
	if (!last) return undefined;
	const secret = await deps.isSecret();
	const named = await namedSecret(last, (file) => Promise.resolve(secret(file)));
	if (named !== undefined)
		return `The last command of the terminal names ${named}, which may hold secrets; it is kept from you.`;
	const { command, output, omitted, exitCode, running } = last;
	const kept = headAndTail(output.trimEnd(), mostOutput);
	const left = omitted + kept.omitted;
	const notes = [
		...(running ? ['still running'] : []),
		...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
		...(left === 0 ? [] : [`${left} characters left out`]),
	];
	const head = `The last command of the terminal ${meant.name}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
	return `${head}:\n${fenced(`$ ${command}\n${kept.text}`.trimEnd(), 'console')}`;
}

/** Of VS Code's own git extension, as far as it is used here. */
interface GitExtension {
	readonly enabled: boolean;
	readonly getAPI: (version: 1) => { readonly repositories: readonly GitRepository[] };
}
interface GitRepository {
	readonly rootUri: vscode.Uri;
	readonly state: { readonly untrackedChanges?: readonly { readonly uri: vscode.Uri }[] };
	readonly diff: (staged: boolean) => Promise<string>;
}

async function changes({ root, isSecret }: EditorTextsDeps): Promise<string | undefined> {
	const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
	const git = await extension?.activate();
	if (!git?.enabled) return 'Git is not available in this window; look with your tools.';
	const secret = await isSecret();
	const parts: string[] = [];
	for (const repository of git.getAPI(1).repositories) {
		const folder = repository.rootUri.fsPath;
		const keep = (file: string) => !secret(path.join(folder, file));
		const where = displayPath(root(), folder);
		const [staged, unstaged] = await Promise.all([repository.diff(true), repository.diff(false)]);
		const untracked = (repository.state.untrackedChanges ?? []).map(({ uri }) => displayPath(root(), uri.fsPath));
		if (staged.trim() !== '') parts.push(`Staged changes in ${where}:\n${diffWithout(staged, keep)}`);
		if (unstaged.trim() !== '') parts.push(`Changes in ${where} that are not staged:\n${diffWithout(unstaged, keep)}`);
		if (untracked.length > 0) parts.push(`Files that git does not know yet: ${untracked.slice(0, 100).join(', ')}`);
	}
	return parts.length === 0 ? undefined : parts.join('\n\n');
}

async function session(id: string, { sources, root }: EditorTextsDeps): Promise<string | undefined> {
	const file = await sources.transcript(id);
	if (file === undefined) return undefined;
	const transcript = await new SessionStore().read(root(), path.basename(file, path.extname(file)));
	if (!transcript) return undefined;
	const words = { you: 'The person', agent: 'You', cut: '[…]' };
	return `An earlier conversation (mentioned by the person):\n${sessionMarkdown('Conversation', transcript.entries, words)}`;
}
