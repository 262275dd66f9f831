// The places of the panel: the view `loopwright.chat`, and any number of tabs in the editor, each with a conversation. All can be
// closed at any moment; nothing is lost, and nothing is answered by it.
import * as vscode from 'vscode';
import * as z from 'zod';
import type { Conversations, Member, Place } from '../session/conversations.ts';
import type { SurfaceHandle } from './channel.ts';
import type { PageSubject, PanelPage, PanelPages } from './panelPages.ts';

export const viewId = 'loopwright.chat';
export const editorType = 'loopwright.editor';

export interface ChatDeps<T extends Member & PageSubject> {
	readonly pages: PanelPages<T>;
	readonly conversations: Conversations<T>;
	/** What stands on the tab of a conversation. */
	readonly titleOf: (conversation: T) => string;
	/** What the view is called while it shows a conversation; undefined: by its own name. */
	readonly viewTitleOf: (conversation: T) => string | undefined;
	readonly titles: { onChange(listener: () => void): () => void };
}

/** Where the page keeps which conversation it shows. */
const kept = z.object({ sessionId: z.string().min(1) });

interface Tab<T extends PageSubject> {
	readonly panel: vscode.WebviewPanel;
	readonly page: PanelPage<T>;
}

export class ChatView<T extends Member & PageSubject> implements vscode.Disposable {
	private readonly deps: ChatDeps<T>;
	private view: { readonly view: vscode.WebviewView; readonly page: PanelPage<T> } | undefined;
	private readonly tabs = new Map<Place, Tab<T>>();
	/** Where the focus goes as soon as there is a view. */
	private awaited: ((handle: SurfaceHandle) => void) | undefined;
	private readonly unfollow: readonly (() => void)[];

	constructor(deps: ChatDeps<T>) {
		this.deps = deps;
		const { conversations, titles } = deps;
		this.unfollow = [
			conversations.onShown((place, conversation) => {
				const page = place === conversations.view ? this.view?.page : this.tabs.get(place)?.page;
				page?.show(conversation);
			}),
			conversations.onChange(() => this.showTitles()),
			titles.onChange(() => this.showTitles()),
		];
	}

	resolveWebviewView(view: vscode.WebviewView): void {
		const { pages, conversations } = this.deps;
		const place = conversations.view;
		const conversation = conversations.at(place);
		const page = pages.attach(
			{ webview: view.webview, surface: 'view', visible: () => view.visible, place },
			conversation,
		);
		this.view = { view, page };
		this.showTitles();
		view.onDidChangeVisibility(() => {
			page.visibilityChanged();
			conversations.looked();
		});
		view.onDidDispose(() => {
			page.detach();
			if (this.view?.view === view) this.view = undefined;
			conversations.looked();
		});
		this.awaited?.(page.handle);
		this.awaited = undefined;
		conversations.looked();
	}

	/** A conversation in a tab: the one that it has already, else another one. */
	openInEditor(conversation: T, column = vscode.ViewColumn.Active): void {
		const tab = this.deps.conversations.placesOf(conversation).find(({ kind }) => kind === 'tab');
		if (tab) return this.tabs.get(tab)?.panel.reveal();
		const panel = vscode.window.createWebviewPanel(editorType, 'Loopwright', column, this.deps.pages.options);
		this.adopt(panel, conversation);
	}

	/** A tab of the window before, with the conversation that it had. */
	deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
		const { conversations } = this.deps;
		const known = kept.safeParse(state).data?.sessionId;
		this.adopt(panel, known === undefined ? conversations.front : conversations.open(known, { patient: true }));
		return Promise.resolve();
	}

	/** Brings a conversation up where it is already, else in the side bar. */
	async reveal(preserveFocus: boolean, conversation: T = this.deps.conversations.front): Promise<void> {
		const place = this.placeFor(conversation);
		const panel = this.tabs.get(place)?.panel;
		if (panel) {
			if (!preserveFocus || !panel.visible) panel.reveal(undefined, preserveFocus);
		} else if (!preserveFocus || !this.view?.view.visible) {
			await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus });
		}
	}

	/** Brings a conversation up with the focus in the composer, and puts the text there. */
	async focusComposer(insert?: string, conversation: T = this.deps.conversations.front): Promise<void> {
		await this.revealThen(conversation, (handle) => handle.focusComposer(insert));
	}

	/** Brings a conversation up with the focus on the card of what waits for an answer. */
	async focusRequest(conversation: T): Promise<void> {
		await this.revealThen(conversation, (handle) => handle.focusRequest());
	}

	/** How many things wait for the person, or are done; shown on the view's icon. */
	showCount(count: number, meaning: 'waiting' | 'done'): void {
		const tooltip = meaning === 'waiting' ? vscode.l10n.t('Waiting for you') : vscode.l10n.t('Done');
		if (this.view) this.view.view.badge = count === 0 ? undefined : { value: count, tooltip };
	}

	dispose(): void {
		for (const end of this.unfollow) end();
		for (const { panel } of this.tabs.values()) panel.dispose();
	}

	private async revealThen(conversation: T, focus: (handle: SurfaceHandle) => void): Promise<void> {
		// It may have been left while somebody waited for it.
		if (!this.deps.conversations.all.includes(conversation)) return;
		const place = this.placeFor(conversation);
		await this.reveal(false, conversation);
		this.deps.conversations.focus(place);
		const page = this.tabs.get(place)?.page ?? this.view?.page;
		if (page) focus(page.handle);
		else this.awaited = focus;
	}

	/** Where a person sees it already, else where it was seen last, else the side bar. */
	private placeFor(conversation: T): Place {
		const { conversations } = this.deps;
		const places = conversations.placesOf(conversation);
		const visible = (place: Place) => this.tabs.get(place)?.panel.visible ?? this.view?.view.visible === true;
		const [best] = [...places.filter(visible), ...places];
		if (!best) conversations.show(conversation, conversations.view);
		return best ?? conversations.view;
	}

	private adopt(panel: vscode.WebviewPanel, conversation: T): void {
		const { pages, conversations } = this.deps;
		const place: Place = { kind: 'tab' };
		panel.iconPath = pages.icon;
		const page = pages.attach(
			{ webview: panel.webview, surface: 'editor', visible: () => panel.visible, place },
			conversation,
		);
		this.tabs.set(place, { panel, page });
		let { visible } = panel;
		panel.onDidChangeViewState(() => {
			if (panel.active) conversations.focus(place);
			if (panel.visible === visible) return;
			visible = panel.visible;
			page.visibilityChanged();
			conversations.looked();
		});
		panel.onDidDispose(() => {
			page.detach();
			this.tabs.delete(place);
			conversations.removePlace(place);
		});
		conversations.addPlace(place, conversation);
		if (panel.active) conversations.focus(place);
		this.showTitles();
	}

	private showTitles(): void {
		const { conversations, titleOf, viewTitleOf } = this.deps;
		const view = this.view?.view;
		const title = viewTitleOf(conversations.at(conversations.view));
		if (view && view.title !== title) Object.assign(view, { title });
		for (const [place, { panel }] of this.tabs) {
			const title = titleOf(conversations.at(place));
			if (panel.title !== title) panel.title = title;
		}
	}
}
