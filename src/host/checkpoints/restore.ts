// Puts together what a window needs to go back: the flow, the documents that it shows, and the conversation's side.
import type * as vscode from 'vscode';
import { newUuid } from '../../node/clock.ts';
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { Checkpoints } from './checkpoints.ts';
import { RestoredDocuments } from './restoredDocuments.ts';
import { RestoreFlow } from './restoreFlow.ts';
import { SessionRewinding } from './rewinding.ts';

export interface RestoreDeps {
	readonly checkpoints: Checkpoints;
	readonly controller: SessionController;
	readonly workspace: { readonly roots: readonly string[] };
	/** Puts a text into the composer. */
	readonly compose: (text: string) => Promise<void>;
}

export class Restore implements vscode.Disposable {
	private readonly deps: RestoreDeps;
	private readonly documents: RestoredDocuments;
	private readonly flow: RestoreFlow;

	constructor(deps: RestoreDeps) {
		const { checkpoints, controller, workspace, compose } = deps;
		const cwd = () => workspace.roots[0] ?? '';
		const index = (sessionId: string) => checkpoints.index(cwd(), sessionId);
		this.deps = deps;
		this.documents = new RestoredDocuments(checkpoints.images);
		this.flow = new RestoreFlow({
			conversation: new SessionRewinding({ controller, store: new SessionStore(), cwd, index, uuid: newUuid }),
			images: checkpoints.images,
			documents: this.documents,
			index,
			settled: () => checkpoints.settled(),
			roots: () => workspace.roots,
			compose,
		});
	}

	/** `promptId`: the message to go back to; anything else asks for one. */
	async rewind(promptId?: unknown): Promise<void> {
		await this.deps.controller.open();
		await this.flow.run(typeof promptId === 'string' ? promptId : undefined);
	}

	/** Goes on in a copy of the open conversation; nothing happens before something was said in it. */
	async continueInCopy(): Promise<void> {
		await this.deps.controller.open();
		await this.flow.copy();
	}

	/** `promptId`: the message to say otherwise; anything else asks for one. */
	async edit(promptId?: unknown): Promise<void> {
		await this.deps.controller.open();
		await this.flow.edit(typeof promptId === 'string' ? promptId : undefined);
	}

	/** `promptId`: a message that stands elsewhere in the tree; anything else does nothing. */
	async showVersion(promptId: unknown): Promise<void> {
		await this.deps.controller.open();
		if (typeof promptId === 'string') await this.flow.switchTo(promptId);
	}

	async redo(): Promise<void> {
		await this.deps.controller.open();
		await this.flow.redo();
	}

	dispose(): void {
		this.documents.dispose();
		this.deps.checkpoints.dispose();
	}
}
