// Fills webviews with the panel's page and connects them to the channel: the view and the editor tab are the same page.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ToHost, ToWebview } from '../../shared/protocol.ts';
import type { Channel, SurfaceHandle } from './channel.ts';
import { panelHtml } from './html.ts';
import { readInbound } from './inbound.ts';

export type PanelRequest = Exclude<
	ToHost,
	{ readonly type: 'ready' | 'rows_requested' | 'find_requested' | 'outline_requested' | 'focus_moved' }
>;

export interface PagesDeps {
	readonly extensionUri: vscode.Uri;
	readonly channel: Channel;
	/** Resolves when there is something to show; never rejects. */
	opened(): Promise<void>;
	handle(message: PanelRequest, surface: SurfaceHandle): void;
	refused(problem: string): void;
}

export interface Page {
	readonly webview: vscode.Webview;
	readonly surface: 'view' | 'editor';
	readonly visible: () => boolean;
}

export class PanelPages {
	private readonly deps: PagesDeps;

	constructor(deps: PagesDeps) {
		this.deps = deps;
	}

	get options(): vscode.WebviewOptions {
		return { enableScripts: true, enableForms: false, localResourceRoots: [this.folder] };
	}

	get icon(): vscode.Uri {
		return vscode.Uri.joinPath(this.deps.extensionUri, 'media', 'icon.png');
	}

	attach({ webview, surface, visible }: Page): SurfaceHandle {
		const handle = this.deps.channel.attach({
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's API, not a window
			post: (message: ToWebview) => void webview.postMessage(message),
			get visible() {
				return visible();
			},
		});
		webview.options = this.options;
		webview.onDidReceiveMessage((value: unknown) => this.receive(value, handle));
		webview.html = this.html(webview, surface);
		return handle;
	}

	private receive(value: unknown, handle: SurfaceHandle): void {
		const message = readInbound(value);
		if (message.type === 'invalid') this.deps.refused(message.problem);
		else if (message.type === 'ready') void this.deps.opened().then(() => handle.ready());
		else if (message.type === 'rows_requested') handle.earlierRows(message.before, message.through);
		else if (message.type === 'find_requested') void handle.find(message.query);
		else if (message.type === 'outline_requested') handle.outline();
		else if (message.type === 'focus_moved') handle.focusMoved(message.focus);
		else this.deps.handle(message, handle);
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
