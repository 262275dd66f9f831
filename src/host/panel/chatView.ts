// The two places of the panel: the view `loopwright.chat` and an editor tab. Both can be closed at any moment; nothing is lost.
import * as vscode from 'vscode';
import type { SurfaceHandle } from './channel.ts';
import type { PanelPages } from './panelPages.ts';

export const viewId = 'loopwright.chat';
export const editorType = 'loopwright.editor';

export class ChatView implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
	private readonly pages: PanelPages;
	private view: { readonly view: vscode.WebviewView; readonly handle: SurfaceHandle } | undefined;
	private editor: { readonly panel: vscode.WebviewPanel; readonly handle: SurfaceHandle } | undefined;
	private readonly changed = new vscode.EventEmitter<void>();
	/** A surface was shown or hidden. */
	readonly onDidChangeVisibility = this.changed.event;
	/** Where the focus goes as soon as there is a view. */
	private awaited: ((handle: SurfaceHandle) => void) | undefined;

	constructor(pages: PanelPages) {
		this.pages = pages;
	}

	resolveWebviewView(view: vscode.WebviewView): void {
		const handle = this.pages.attach({ webview: view.webview, surface: 'view', visible: () => view.visible });
		this.view = { view, handle };
		view.onDidChangeVisibility(() => {
			handle.visibilityChanged();
			this.changed.fire();
		});
		view.onDidDispose(() => {
			handle.detach();
			if (this.view?.view === view) this.view = undefined;
			this.changed.fire();
		});
		this.awaited?.(handle);
		this.awaited = undefined;
		this.changed.fire();
	}

	openInEditor(): void {
		if (this.editor) return this.editor.panel.reveal();
		const column = vscode.ViewColumn.Active;
		this.adopt(vscode.window.createWebviewPanel(editorType, 'Loopwright', column, this.pages.options));
	}

	deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
		this.adopt(panel);
		return Promise.resolve();
	}

	/** Brings the panel up where it is already, else as the view. */
	async reveal(preserveFocus: boolean): Promise<void> {
		if (this.editor && (this.editor.panel.visible || !this.view?.view.visible)) {
			if (!preserveFocus || !this.editor.panel.visible) this.editor.panel.reveal(undefined, preserveFocus);
		} else if (!preserveFocus || !this.view?.view.visible) {
			await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus });
		}
	}

	/** Brings the panel up with the focus in the composer, and puts the text there. */
	async focusComposer(insert?: string): Promise<void> {
		await this.revealThen((handle) => handle.focusComposer(insert));
	}

	/** Brings the panel up with the focus on the card of what waits for an answer. */
	async focusRequest(): Promise<void> {
		await this.revealThen((handle) => handle.focusRequest());
	}

	/** How many things wait for the person; shown on the view's icon. */
	setBadge(count: number, tooltip: string): void {
		if (this.view) this.view.view.badge = count === 0 ? undefined : { value: count, tooltip };
	}

	dispose(): void {
		this.changed.dispose();
		this.editor?.panel.dispose();
	}

	private async revealThen(focus: (handle: SurfaceHandle) => void): Promise<void> {
		await this.reveal(false);
		const place = this.editor?.panel.visible && !this.view?.view.visible ? this.editor : this.view;
		if (place) focus(place.handle);
		else this.awaited = focus;
	}

	private adopt(panel: vscode.WebviewPanel): void {
		panel.iconPath = this.pages.icon;
		const handle = this.pages.attach({ webview: panel.webview, surface: 'editor', visible: () => panel.visible });
		const editor = { panel, handle };
		this.editor = editor;
		let visible = panel.visible;
		panel.onDidChangeViewState(() => {
			if (panel.visible === visible) return;
			visible = panel.visible;
			handle.visibilityChanged();
			this.changed.fire();
		});
		panel.onDidDispose(() => {
			handle.detach();
			if (this.editor === editor) this.editor = undefined;
			this.changed.fire();
		});
	}
}
