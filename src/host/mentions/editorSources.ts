// What the editor offers to mentions: open files, symbols, problems, terminals, and the earlier sessions of the folder.
// Contract: nothing here is asked for before someone types; nothing rejects.
import * as vscode from 'vscode';
import { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';
import type { SessionInfo } from '../../node/sessions/sessionInfo.ts';

export interface FoundSymbol {
	readonly name: string;
	readonly container: string;
	/** Absolute. */
	readonly file: string;
	/** From 1, both included. */
	readonly first: number;
	readonly last: number;
}
export interface ProblemFile {
	/** Absolute. */
	readonly file: string;
	readonly errors: number;
	readonly warnings: number;
}

export class EditorSources {
	readonly #library = new SessionLibrary();
	readonly #folder: () => string;
	#sessions: { readonly at: number; readonly list: Promise<readonly SessionInfo[]> } | undefined;

	/** `folder`: the session's root, absolute. */
	constructor(folder: () => string) {
		this.#folder = folder;
	}

	/** Absolute paths, the active editor's first. */
	openFiles(): readonly string[] {
		const active = vscode.window.activeTextEditor?.document.uri;
		const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all.flatMap(({ input }) => uriOf(input) ?? []));
		const uris = [...(active ? [active] : []), ...tabs].filter(({ scheme }) => scheme === 'file');
		return [...new Set(uris.map(({ fsPath }) => fsPath))];
	}

	/** Of the whole workspace, as the language services know them. */
	async symbols(query: string): Promise<readonly FoundSymbol[]> {
		try {
			const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
				'vscode.executeWorkspaceSymbolProvider',
				query,
			);
			return (found ?? []).flatMap(({ name, containerName, location }) => {
				if (location.uri.scheme !== 'file') return [];
				const { start, end } = location.range ?? new vscode.Range(0, 0, 0, 0);
				return [
					{ name, container: containerName, file: location.uri.fsPath, first: start.line + 1, last: end.line + 1 },
				];
			});
		} catch {
			return [];
		}
	}

	/** With errors or warnings; the ones with most errors first. */
	problemFiles(): readonly ProblemFile[] {
		return vscode.languages
			.getDiagnostics()
			.map(([uri, found]) => ({
				file: uri.scheme === 'file' ? uri.fsPath : '',
				errors: count(found, vscode.DiagnosticSeverity.Error),
				warnings: count(found, vscode.DiagnosticSeverity.Warning),
			}))
			.filter(({ file, errors, warnings }) => file !== '' && errors + warnings > 0)
			.toSorted((a, b) => b.errors - a.errors || b.warnings - a.warnings);
	}

	/** Names of the person's terminals, the active one first. */
	terminals(): readonly string[] {
		const active = vscode.window.activeTerminal;
		const all = active ? [active, ...vscode.window.terminals] : vscode.window.terminals;
		return [...new Set(all.map(({ name }) => name))];
	}

	/** Of this folder, the newest first; read again after a while. */
	async sessions(): Promise<readonly SessionInfo[]> {
		if (!this.#sessions || Date.now() - this.#sessions.at > 10_000) {
			this.#sessions = { at: Date.now(), list: this.#library.list(this.#folder()).catch(() => []) };
		}
		const list = await this.#sessions.list;
		return list.filter(({ title, archived }) => title !== '' && !archived);
	}

	/** Absolute path of a session's transcript, by the beginning of its id. */
	async transcript(id: string): Promise<string | undefined> {
		const all = await this.#library.transcripts(this.#folder()).catch(() => []);
		return all.find((session) => session.id.startsWith(id))?.file;
	}
}

function uriOf(input: unknown): vscode.Uri | undefined {
	if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return input.uri;
	return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function count(found: readonly vscode.Diagnostic[], severity: vscode.DiagnosticSeverity): number {
	return found.filter((problem) => problem.severity === severity).length;
}
