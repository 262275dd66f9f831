// `loopwright.focusRequest`: the focus goes to what waits for an answer, also when the panel is hidden, and back to where the
// person was. It lands on the card, never on one of its buttons.
import * as vscode from 'vscode';
import type { PanelFocus } from '../../shared/protocol.ts';

export interface RequestFocusDeps {
	/** How many things wait for the person. */
	waiting(): number;
	/** Where the keyboard is in the panel now. */
	focus(): PanelFocus;
	readonly chat: { focusRequest(): Promise<void>; focusComposer(): Promise<void> };
}

export class RequestFocus {
	private readonly deps: RequestFocusDeps;
	private cameFromPanel = false;

	constructor(deps: RequestFocusDeps) {
		this.deps = deps;
	}

	async toggle(): Promise<void> {
		const at = this.deps.focus();
		if (at !== 'request' && this.deps.waiting() > 0) {
			this.cameFromPanel = at === 'elsewhere';
			return this.deps.chat.focusRequest();
		}
		if (at === 'none') {
			void vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits for your answer.'));
			return;
		}
		if (at === 'request' && this.cameFromPanel) return this.deps.chat.focusComposer();
		await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
	}
}
