// The conversation's side of a restore: where it goes on from is an entry of its transcript, and the session is opened anew.
// Contract: a transcript only grows. No `vscode`.
import { canUndoRewind } from '../../core/messages/activeEntries.ts';
import type { Entry } from '../../core/messages/journal.ts';
import type { CheckpointIndex } from '../../core/ports/checkpoints.ts';
import type { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { PromptChoice } from './restorePicks.ts';

export interface RewindingDeps {
	readonly controller: SessionController;
	/** Shows another session in its place. */
	readonly show: (sessionId: string) => Promise<void>;
	readonly store: Pick<SessionStore, 'open' | 'read' | 'fork' | 'copy'>;
	/** The folder that the sessions belong to. */
	readonly cwd: () => string;
	readonly index: (sessionId: string) => CheckpointIndex;
	readonly uuid: () => string;
}

export class SessionRewinding {
	private readonly deps: RewindingDeps;

	constructor(deps: RewindingDeps) {
		this.deps = deps;
	}

	/** All messages of the person, or all from this one on: of a large conversation some may still be on the disk only. */
	async promptsFrom(promptId?: string): Promise<readonly PromptChoice[]> {
		const { view } = this.deps.controller;
		await view.older?.until(() => promptId !== undefined && view.row(promptId) !== undefined);
		return this.prompts;
	}

	/** Messages of the person in what is shown of the open conversation, oldest first. */
	get prompts(): readonly PromptChoice[] {
		return this.deps.controller.view.all.filter((row) => row.kind === 'prompt');
	}

	get sessionId(): string {
		return this.deps.controller.state.sessionId;
	}

	/** Something runs that has to be stopped first. */
	get working(): boolean {
		const { status } = this.deps.controller.state;
		return status !== 'ready' && status !== 'stopped';
	}

	/** What the person typed meanwhile and the agent has not read. */
	get queued(): readonly string[] {
		return this.deps.controller.state.queued.map(({ text }) => text);
	}

	stop(): Promise<void> {
		return this.deps.controller.stop();
	}

	/** Goes on from before the message. */
	async rewind(promptId: string): Promise<void> {
		await this.goOnAfter({ type: 'rewound', to: promptId });
	}

	/** Goes on at the end of the conversation that has this message instead. */
	async switchTo(promptId: string): Promise<void> {
		await this.goOnAfter({ type: 'switched', to: promptId });
	}

	/** Takes the last rewind back; false when something was said since. */
	async undoRewind(): Promise<boolean> {
		await this.stop();
		const stored = await this.deps.store.read(this.deps.cwd(), this.sessionId);
		if (!stored || !canUndoRewind(stored.entries)) return false;
		await this.goOnAfter({ type: 'rewind_undone' });
		return true;
	}

	/** A new session from before the message, or with all of them, with what was kept of its files; the open one is left as it is. */
	async fork(promptId?: string): Promise<void> {
		const { store, uuid, index, show } = this.deps;
		const [from, to, cwd] = [this.sessionId, uuid(), this.deps.cwd()];
		// What waits for an answer must not be asked for in both of them.
		await this.stop();
		if (promptId === undefined) await store.copy(cwd, from, to);
		else if (!(await store.fork({ cwd, from, to, before: promptId }))) return;
		const records = await index(from).read();
		const found = records.findIndex((record) => record.type === 'prompt' && record.id === promptId);
		const end = promptId === undefined ? records.length : found;
		const copy = index(to);
		for (const record of records.slice(0, Math.max(0, end))) await copy.append(record);
		await show(to);
	}

	private async goOnAfter(entry: Entry): Promise<void> {
		const { controller, store } = this.deps;
		await controller.reopen(async (id) => {
			const stored = id === undefined ? undefined : await store.open(this.deps.cwd(), id);
			if (!stored || stored.openElsewhere) return;
			await stored.journal.append(entry);
			await stored.journal.close();
		});
	}
}
