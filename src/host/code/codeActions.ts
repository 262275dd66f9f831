// What the person does with a block of code of an answer: at the cursor, as a new file, or as a proposed change that is shown as
// a diff first. Contract: nothing is written without the person's word on exactly that difference.
import path from 'node:path';
import * as vscode from 'vscode';
import { placedCode } from './codePlacement.ts';

const scheme = 'loopwright-code';

interface Proposed {
	readonly file: vscode.Uri;
	/** The text that the difference was made for; undefined for a file that does not exist. */
	readonly before: string | undefined;
	readonly after: string;
}

export class CodeActions implements vscode.Disposable {
	private readonly proposed = new Map<string, Proposed>();
	private readonly subscriptions: vscode.Disposable;
	private count = 0;

	constructor() {
		this.subscriptions = vscode.Disposable.from(
			vscode.workspace.registerTextDocumentContentProvider(scheme, {
				provideTextDocumentContent: (uri) => {
					const found = this.proposed.get(uri.authority);
					return uri.path.startsWith('/before/') ? (found?.before ?? '') : (found?.after ?? '');
				},
			}),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => {
				if (uri.scheme === scheme && !uri.path.startsWith('/before/')) this.proposed.delete(uri.authority);
			}),
		);
	}

	async insert(code: string): Promise<void> {
		const editor = editorInUse();
		if (!editor) return tell(vscode.l10n.t('Open a file first.'));
		await editor.edit((edit) => {
			for (const selection of editor.selections) edit.replace(selection, code);
		});
		await vscode.window.showTextDocument(editor.document, editor.viewColumn);
	}

	/** `language`: as the fence names it. */
	async openAsFile(content: string, language: string, file: string | undefined): Promise<void> {
		const known = await vscode.languages.getLanguages();
		const wanted = editorLanguage(language, file);
		const found = known.includes(wanted) ? { language: wanted } : {};
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, ...found }));
	}

	/** Shows the difference. `file`: absolute, as the fence names it; else the file in the editor. */
	async propose(code: string, file: string | undefined): Promise<void> {
		const editor = editorInUse();
		const uri = file === undefined ? editor?.document.uri : vscode.Uri.file(file);
		if (!uri) return tell(vscode.l10n.t('Open the file that the code belongs to first.'));
		if (file !== undefined && !vscode.workspace.getWorkspaceFolder(uri)) {
			return tell(vscode.l10n.t('{0} is outside of the open folder.', file));
		}
		const document = await documentOf(uri);
		const before = document?.getText();
		const same = editor && String(editor.document.uri) === String(uri) ? editor : undefined;
		const selection = {
			start: same ? same.document.offsetAt(same.selection.start) : 0,
			end: same ? same.document.offsetAt(same.selection.end) : 0,
		};
		const after = placedCode({ text: before ?? '', selection, named: file !== undefined }, code);
		if (after === before) return tell(vscode.l10n.t('The file has this code already.'));
		this.count += 1;
		const id = `code${this.count}`;
		this.proposed.set(id, { file: uri, before, after });
		const name = path.basename(uri.path);
		const side = (folder: string) => vscode.Uri.from({ scheme, authority: id, path: `${folder}/${name}` });
		const left = document ? uri : side('/before');
		await vscode.commands.executeCommand(
			'vscode.diff',
			left,
			side(''),
			vscode.l10n.t('{0} (code of the answer)', name),
		);
	}

	/** From the title of the diff. */
	async apply(argument: unknown): Promise<void> {
		const { id, found } = this.at(argument);
		if (!found) return tell(vscode.l10n.t('There is no proposed change here to decide on.'));
		const document = await documentOf(found.file);
		if (document?.getText() !== found.before) {
			return tell(vscode.l10n.t('The file has changed meanwhile. Propose the code again to see the difference.'));
		}
		const edit = new vscode.WorkspaceEdit();
		if (document) {
			const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
			edit.replace(found.file, document.validateRange(whole), found.after);
		} else edit.createFile(found.file, { contents: Buffer.from(found.after, 'utf8') });
		if (!(await vscode.workspace.applyEdit(edit))) return tell(vscode.l10n.t('The change could not be applied.'));
		await this.close(id);
		await vscode.window.showTextDocument(found.file, { preview: false });
	}

	async discard(argument: unknown): Promise<void> {
		await this.close(this.at(argument).id);
	}

	dispose(): void {
		this.subscriptions.dispose();
	}

	private at(argument: unknown): { readonly id: string; readonly found: Proposed | undefined } {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const id = uri?.scheme === scheme ? uri.authority : '';
		return { id, found: this.proposed.get(id) };
	}

	private async close(id: string): Promise<void> {
		this.proposed.delete(id);
		const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
		const ours = tabs.filter(
			({ input }) =>
				input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme && input.modified.authority === id,
		);
		if (ours.length > 0) await vscode.window.tabGroups.close(ours, true);
	}
}

/** The panel may have the focus: then the editor that is seen. */
function editorInUse(): vscode.TextEditor | undefined {
	const { activeTextEditor, visibleTextEditors } = vscode.window;
	return [activeTextEditor, ...visibleTextEditors].find((editor) => editor && isFile(editor.document.uri));
}

function isFile({ scheme: of }: vscode.Uri): boolean {
	return of === 'file' || of === 'untitled' || of === 'vscode-remote' || of === 'vscode-vfs';
}

/** Undefined when there is no such file. */
async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	try {
		return await vscode.workspace.openTextDocument(uri);
	} catch {
		return undefined;
	}
}

/** VS Code's id of a language that goes by a shorter name. */
function editorLanguage(language: string, file: string | undefined): string {
	const name = (language === '' && file !== undefined ? path.extname(file).slice(1) : language).toLowerCase();
	const ids: Readonly<Record<string, string>> = {
		ts: 'typescript',
		tsx: 'typescriptreact',
		js: 'javascript',
		jsx: 'javascriptreact',
		py: 'python',
		sh: 'shellscript',
		bash: 'shellscript',
		shell: 'shellscript',
		cs: 'csharp',
		md: 'markdown',
		yml: 'yaml',
		rb: 'ruby',
		rs: 'rust',
		ps1: 'powershell',
		docker: 'dockerfile',
	};
	return ids[name] ?? name;
}

function tell(message: string): void {
	void vscode.window.showInformationMessage(message);
}
