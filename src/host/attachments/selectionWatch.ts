// The selection of the active editor, which may go with the next prompt. Contract: the person's choice stays, also across reloads
// and other selections; the secrets policy overrules it.
import path from 'node:path';
import * as vscode from 'vscode';
import type { SelectionAttachment, SelectionView } from '../../shared/composer.ts';

export interface SelectionDeps {
	readonly memory: vscode.Memento;
	/** Whether it is shared while the person has made no choice. */
	readonly sharedAtFirst: () => boolean;
	readonly isSecret: () => Promise<(file: string) => boolean>;
	/** The view is another. */
	readonly changed: () => void;
	readonly failed: (what: string, error: unknown) => void;
}

const key = 'loopwright.shareSelection';
/** Milliseconds of rest after a move of the cursor. */
const restMs = 120;

export class SelectionWatch implements vscode.Disposable {
	readonly #deps: SelectionDeps;
	#subscriptions: vscode.Disposable | undefined;
	#timer: NodeJS.Timeout | undefined;
	#selected: SelectionAttachment | undefined;
	#withheld = false;

	constructor(deps: SelectionDeps) {
		this.#deps = deps;
	}

	/** From now on the view is kept current; nothing is looked at before. */
	start(): void {
		if (this.#subscriptions) return;
		const later = () => {
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => this.#look(), restMs);
		};
		this.#subscriptions = vscode.Disposable.from(
			vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
				if (textEditor === vscode.window.activeTextEditor) later();
			}),
			vscode.window.onDidChangeActiveTextEditor(later),
		);
		later();
	}

	get view(): SelectionView | null {
		if (!this.#selected) return null;
		const name = path.basename(this.#selected.path);
		return { ...this.#selected, name, shared: this.#shared, withheld: this.#withheld };
	}

	/** What goes with a prompt that is sent now. */
	get attachment(): SelectionAttachment | undefined {
		return this.#shared && !this.#withheld ? this.#selected : undefined;
	}

	/** The person's choice, from now on. */
	async share(shared: boolean): Promise<void> {
		await this.#deps.memory.update(key, shared);
		this.#deps.changed();
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#subscriptions?.dispose();
	}

	get #shared(): boolean {
		return this.#deps.memory.get<boolean>(key) ?? this.#deps.sharedAtFirst();
	}

	#look(): void {
		const editor = vscode.window.activeTextEditor;
		// The panel itself may be the active editor: what was selected before is meant still, while its file is open.
		if (!editor && this.#selected && isOpen(this.#selected.path)) return;
		const selected = selectedLines(editor);
		const same = JSON.stringify(selected) === JSON.stringify(this.#selected);
		if (same) return;
		this.#selected = selected;
		// Kept back until the policy has been asked.
		this.#withheld = true;
		if (!selected) return this.#deps.changed();
		this.#deps.isSecret().then(
			(isSecret) => {
				if (this.#selected !== selected) return;
				this.#withheld = isSecret(selected.path);
				this.#deps.changed();
			},
			(error: unknown) => this.#deps.failed('the selection', error),
		);
	}
}

function isOpen(file: string): boolean {
	return vscode.window.tabGroups.all.some(({ tabs }) =>
		tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === file),
	);
}

/** Of files only; a caret alone is no selection, and the line in which a selection ends before its first letter is none of it. */
function selectedLines(editor: vscode.TextEditor | undefined): SelectionAttachment | undefined {
	if (!editor || editor.document.uri.scheme !== 'file' || editor.selection.isEmpty) return undefined;
	const { start, end } = editor.selection;
	const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
	return { kind: 'selection', path: editor.document.uri.fsPath, firstLine: start.line + 1, lastLine: last + 1 };
}
