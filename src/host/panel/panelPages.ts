// Fills webviews with the panel's page and connects each to the channel of the conversation that it shows: the side bar and the tabs
// of the editor are the same page, and each can show another conversation at any moment.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { PanelFocus, ToHost, ToWebview } from '../../shared/protocol.ts';
import type { Place } from '../session/conversations.ts';
import type { Channel, SurfaceHandle } from './channel.ts';
import { panelHtml } from './html.ts';
import { readInbound } from './inbound.ts';

export type PanelRequest = Exclude<
	ToHost,
	{ readonly type: 'ready' | 'rows_requested' | 'find_requested' | 'outline_requested' | 'focus_moved' }
>;

/** A conversation as a page needs it. */
export interface PageSubject {
	readonly channel: Pick<Channel, 'attach'>;
	/** Resolves when there is something to show; never rejects. */
	presentable(): Promise<void>;
}

export interface PagesDeps<T extends PageSubject> {
	readonly extensionUri: vscode.Uri;
	handle(message: PanelRequest, conversation: T, surface: SurfaceHandle): void;
	/** The keyboard is in a page, or the person does something there. */
	focused(place: Place): void;
	/** The keyboard came into a page, or left one. */
	focusMoved(): void;
	refused(problem: string): void;
}

export interface Page {
	readonly webview: vscode.Webview;
	readonly surface: 'view' | 'editor';
	readonly visible: () => boolean;
	readonly place: Place;
}

export class PanelPages<T extends PageSubject> {
	private readonly deps: PagesDeps<T>;

	constructor(deps: PagesDeps<T>) {
		this.deps = deps;
	}

	get options(): vscode.WebviewOptions {
		return { enableScripts: true, enableForms: false, localResourceRoots: [this.folder] };
	}

	get icon(): vscode.Uri {
		return vscode.Uri.joinPath(this.deps.extensionUri, 'media', 'icon.png');
	}

	attach(page: Page, conversation: T): PanelPage<T> {
		const { webview, surface } = page;
		const attached = new PanelPage(page, this.deps, conversation);
		webview.options = this.options;
		webview.onDidReceiveMessage((value: unknown) => attached.receive(value));
		webview.html = this.html(webview, surface);
		return attached;
	}

	private html(webview: vscode.Webview, surface: Page['surface']): string {
		const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.folder, name)).toString();
		return panelHtml({
			birth: { language: vscode.env.language, bundle: vscode.l10n.bundle ?? {}, surface },
			script: uri('panel.js'),
			styles: [uri('codicon.css'), uri('panel.css')],
			source: webview.cspSource,
			nonce: randomBytes(16).toString('base64url'),
		});
	}

	private get folder(): vscode.Uri {
		return vscode.Uri.joinPath(this.deps.extensionUri, 'dist', 'webview');
	}
}

/** One webview. */
export class PanelPage<T extends PageSubject> {
	private readonly page: Page;
	private readonly deps: PagesDeps<T>;
	private conversation: T;
	private attached: SurfaceHandle;
	/** It has said so, and says so again whenever it was thrown away. */
	private ready = false;
	private focus: PanelFocus = 'none';

	constructor(page: Page, deps: PagesDeps<T>, conversation: T) {
		this.page = page;
		this.deps = deps;
		this.conversation = conversation;
		this.attached = this.attach(conversation);
	}

	/** What can be told to it. */
	get handle(): SurfaceHandle {
		return this.attached;
	}

	/** Another conversation from now on. */
	show(conversation: T): void {
		if (conversation === this.conversation) return;
		this.attached.detach();
		this.conversation = conversation;
		this.attached = this.attach(conversation);
		this.attached.focusMoved(this.focus);
		if (this.ready) void this.start();
	}

	/** Contract: never throws, whatever the page says. */
	receive(value: unknown): void {
		const { attached: handle, deps, page } = this;
		const message = readInbound(value);
		if (message.type === 'invalid') deps.refused(message.problem);
		else if (message.type === 'ready') {
			this.ready = true;
			void this.start();
		} else if (message.type === 'rows_requested') handle.earlierRows(message.before, message.through);
		else if (message.type === 'find_requested') void handle.find(message.query);
		else if (message.type === 'outline_requested') handle.outline();
		else if (message.type === 'focus_moved') {
			this.focus = message.focus;
			handle.focusMoved(message.focus);
			if (message.focus !== 'none') deps.focused(page.place);
			deps.focusMoved();
		} else {
			// A draft is kept just when the keyboard goes elsewhere.
			if (message.type !== 'draft_kept' && message.type !== 'draft_requested') deps.focused(page.place);
			deps.handle(message, this.conversation, handle);
		}
	}

	visibilityChanged(): void {
		if (!this.page.visible()) this.focus = 'none';
		this.attached.visibilityChanged();
		this.deps.focusMoved();
	}

	detach(): void {
		this.attached.detach();
		this.deps.focusMoved();
	}

	private async start(): Promise<void> {
		const handle = this.attached;
		await this.conversation.presentable();
		if (handle !== this.attached) return;
		handle.ready();
		// A hidden page is told when it is shown.
		if (!this.page.visible()) handle.visibilityChanged();
	}

	private attach({ channel }: T): SurfaceHandle {
		const { webview, visible } = this.page;
		return channel.attach({
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's API, not a window
			post: (message: ToWebview) => void webview.postMessage(message),
			get visible() {
				return visible();
			},
		});
	}
}
