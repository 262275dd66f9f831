// The extension's entry: registers what the manifest names and makes nothing before it is needed.
import * as vscode from 'vscode';
import type { LoopwrightApi } from './api.ts';
import { registerCommands } from './commands/commands.ts';
import { compose, type Product } from './composition.ts';
import { editorType, viewId } from './panel/chatView.ts';
import { reviewWaits } from './review/review.ts';

export function activate(context: vscode.ExtensionContext): LoopwrightApi {
	let made: Product | undefined;
	const product = (): Product => {
		if (!made) {
			made = compose(context);
			context.subscriptions.push(made);
		}
		return made;
	};
	context.subscriptions.push(
		vscode.window.registerWebviewViewProvider(viewId, {
			resolveWebviewView: (view) => product().chat.resolveWebviewView(view),
		}),
		vscode.window.registerWebviewPanelSerializer(editorType, {
			deserializeWebviewPanel: (panel, state) => product().chat.deserializeWebviewPanel(panel, state),
		}),
		registerCommands(product),
	);
	void restoreReview(context.storageUri ?? context.globalStorageUri, product);
	if (process.env['LOOPWRIGHT_OPEN_PANEL'] === '1') {
		void vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus: true });
	}
	const manifest = context.extension.packageJSON as { readonly version: string };
	return {
		version: manifest.version,
		onEvent: (listener) => {
			const { sessions } = product();
			return new vscode.Disposable(
				sessions.onEvent((event, conversation) => conversation === sessions.front && listener(event)),
			);
		},
		submit: (prompt) => product().sessions.front.controller.submit(prompt),
		state: () => {
			const { status, sessionId, mode, model, requests } = product().sessions.front.controller.state;
			return {
				status,
				sessionId,
				mode,
				model: model.id,
				requests: requests.map(({ id, tool, summary }) => ({ id, tool, summary })),
			};
		},
	};
}

/** What waits for review is marked again without being asked for; else nothing is made. */
async function restoreReview(storage: vscode.Uri, product: () => Product): Promise<void> {
	if (!(await reviewWaits(storage))) return;
	const { review, failed } = product();
	await review.restore().catch((error: unknown) => failed('finding the review again', error));
}
