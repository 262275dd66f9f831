// Puts together what a conversation needs to go back: the flow, the documents that it shows, and the conversation's side.
import { newUuid } from '../../node/clock.ts';
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { RestoredDocuments } from './restoredDocuments.ts';
import { RestoreFlow } from './restoreFlow.ts';
import { SessionRewinding } from './rewinding.ts';

export interface RestoreDeps {
	readonly checkpoints: Checkpoints;
	readonly controller: SessionController;
	readonly workspace: { readonly roots: readonly string[] };
	/** Of the window. */
	readonly documents: RestoredDocuments;
	/** What commands did so far is in the list. */
	readonly settled: () => Promise<void>;
	/** Shows another session in the conversation's place. */
	readonly show: (sessionId: string) => Promise<void>;
	/** Puts a text into the composer. */
	readonly compose: (text: string) => Promise<void>;
	/** Commands in the conversation's background end when it goes on from elsewhere; false: the person would rather stay. */
	readonly mayLeave: () => Promise<boolean>;
}

export class Restore {
	private readonly deps: RestoreDeps;
	private readonly flow: RestoreFlow;

	constructor(deps: RestoreDeps) {
		const { checkpoints, controller, workspace, documents, settled, show, compose, mayLeave } = deps;
		const cwd = () => workspace.roots[0] ?? '';
		const index = (sessionId: string) => checkpoints.index(cwd(), sessionId);
		this.deps = deps;
		this.flow = new RestoreFlow({
			conversation: new SessionRewinding({ controller, show, store: new SessionStore(), cwd, index, uuid: newUuid }),
			images: checkpoints.images,
			documents,
			index,
			settled,
			roots: () => workspace.roots,
			compose,
			mayLeave,
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
}
