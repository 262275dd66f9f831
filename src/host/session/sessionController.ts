// Owns the window's conversation: drives it, queues what is typed meanwhile, and keeps the view current. The panel, the
// commands and the API talk to this; none of them is needed for it to go on. No `vscode`.
import type { LoopEvent } from '../../core/loop/events.ts';
import type { Terminal } from '../../core/loop/state.ts';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { Conversation } from '../../core/session/engineApi.ts';
import type { PermissionAnswer, PermissionMode } from '../../shared/permission.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import type { ModelChoice, Row, Status, ViewState } from '../../shared/view.ts';
import { internalError } from '../errorView.ts';
import type { AgentEvent } from '../panel/projectView.ts';
import { showTranscript, waitsForDecision } from '../panel/transcriptRows.ts';
import { ViewModel } from '../panel/viewModel.ts';
import type { PermissionDesk } from './permissionDesk.ts';
import type { SessionMemory } from './sessionMemory.ts';

/** A conversation and what is stored of it. */
export interface OpenedSession {
	readonly conversation: Conversation;
	/** Empty for a new one. */
	readonly entries: readonly StoredEntry[];
	/** Some of the transcript could not be read. */
	readonly damaged: boolean;
	/** After the conversation's `dispose`. */
	close(): Promise<void>;
	/** The window goes: ends what runs, and leaves the transcript as it is, for the next window to go on. */
	abandon(): Promise<void>;
}

/** What the model settings say at this moment. */
export interface ModelStatus {
	readonly provider: ViewState['provider'];
	readonly model: ModelChoice;
	readonly models: readonly ModelChoice[];
	/** Tokens. */
	readonly contextWindow: number;
}

export interface ControllerDeps {
	/** The session with this id, or a new one when it is absent or cannot be found. `mode`: of a new one. */
	openSession(sessionId: string | undefined, mode: PermissionMode | undefined): Promise<OpenedSession>;
	readonly desk: PermissionDesk;
	readonly memory: SessionMemory;
	modelStatus(): ModelStatus;
	readonly modes: readonly PermissionMode[];
	/** Absolute; empty when no folder is open. */
	folder(): string;
	now(): number;
	/** Changes that the view has taken, for the panel. */
	publish(events: readonly ViewEvent[]): void;
	/** The view was replaced. */
	viewReplaced(): void;
	readonly failed: (what: string, error: unknown) => void;
}

export class SessionController {
	private readonly deps: ControllerDeps;
	private readonly listeners = new Set<(event: AgentEvent) => void>();
	private session: Conversation | undefined;
	private opened: OpenedSession | undefined;
	private opening: Promise<Conversation> | undefined;
	private current: ViewModel;
	/** The exchange that runs, and all that follow from queued prompts; never rejects. */
	private work: Promise<void> | undefined;
	private stopped = false;
	private canContinue = false;
	private unsubscribe: () => void = () => {};

	constructor(deps: ControllerDeps) {
		this.deps = deps;
		this.current = this.newView(undefined);
		deps.desk.onChange(() => this.sync());
	}

	get view(): ViewModel {
		return this.current;
	}

	get state(): ViewState {
		return this.current.state;
	}

	/** Opens the window's session, once: the one it had before, or a new one. */
	open(): Promise<Conversation> {
		this.opening ??= this.deps.memory.recall().then((id) => this.start(id, undefined));
		return this.opening.catch((error: unknown) => {
			this.opening = undefined;
			throw error;
		});
	}

	/** Takes a prompt: at once, or at the next turn boundary of the running exchange. Resolves when all of it is done. */
	async submit(text: string): Promise<void> {
		if (text.trim() === '') return;
		const session = await this.open();
		if (this.work) {
			session.enqueue(text);
			this.sync();
			await this.work;
		} else {
			await this.run(session.submitMessage(text));
		}
	}

	/** Goes on with a turn that a reload or crash cut. */
	async resume(): Promise<void> {
		const session = await this.open();
		if (!this.work && session.interrupted) await this.run(session.resume());
	}

	/** Asks again after a failure, with the conversation as it is; nothing is sent twice. */
	async retry(): Promise<void> {
		const session = await this.open();
		if (this.work || session.messages.length === 0) return;
		const errors = this.current.all.filter((row) => row.kind === 'error');
		this.apply({ type: 'rows_removed', rowIds: errors.map(({ id }) => id) });
		await this.run(session.resume());
	}

	async stop(): Promise<void> {
		await this.session?.stop('stop');
		await this.work;
	}

	unqueue(id: string): void {
		this.session?.unqueue(id);
		this.sync();
	}

	answer(requestId: string, answer: PermissionAnswer): void {
		this.deps.desk.answer(requestId, answer);
	}

	async setMode(mode: PermissionMode): Promise<void> {
		if (!this.deps.modes.includes(mode)) return;
		const session = await this.open();
		await session.setMode(mode);
		this.sync();
	}

	/** Ends what runs and begins anew; the old conversation stays in its transcript. */
	async newConversation(): Promise<void> {
		const old = await this.open().catch(() => undefined);
		const mode = old?.mode;
		await this.stop();
		await this.close();
		this.opening = this.start(undefined, mode);
		await this.open();
	}

	/** The engine's events, as they come. Gives back how to end the subscription. */
	onEvent(listener: (event: AgentEvent) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Settings, keys or folders changed. */
	refresh(): void {
		const { provider, model, models, contextWindow } = this.deps.modelStatus();
		this.change({ provider, model, models, contextWindow, folder: this.deps.folder() });
	}

	/** Something of ours failed: the panel says so, the log says what. */
	reportFailure(error: unknown): void {
		this.deps.failed('opening the conversation', error);
		this.addRow({ kind: 'error', id: `internal:${this.deps.now()}`, error: internalError() });
	}

	async dispose(): Promise<void> {
		this.unsubscribe();
		this.listeners.clear();
		await this.opened?.abandon();
	}

	private async close(): Promise<void> {
		this.unsubscribe();
		try {
			await this.session?.dispose();
			await this.opened?.close();
		} catch (error) {
			this.deps.failed('ending a conversation', error);
		}
	}

	private async start(id: string | undefined, mode: PermissionMode | undefined): Promise<Conversation> {
		const opened = await this.deps.openSession(id, mode);
		const { conversation, entries, damaged } = opened;
		this.opened = opened;
		this.session = conversation;
		this.stopped = false;
		this.canContinue = conversation.interrupted;
		this.current = this.newView(conversation);
		showTranscript(this.current, entries, this.deps.folder());
		this.current.apply({ type: 'state_changed', state: { ...this.stateOf(conversation), ...totals(conversation) } });
		if (damaged) this.addNotice('transcript_damaged');
		if (conversation.interrupted) this.addNotice('host_restarted');
		this.unsubscribe = conversation.onEvent((event) => this.accept(event));
		this.deps.viewReplaced();
		await this.deps.memory.remember(conversation.sessionId);
		// The request for permission that was open is asked again; nothing is sent before its answer.
		if (conversation.interrupted && waitsForDecision(entries)) void this.run(conversation.resume());
		return conversation;
	}

	private run(exchange: AsyncGenerator<LoopEvent, Terminal>): Promise<void> {
		this.stopped = false;
		this.canContinue = false;
		const work = this.drive(exchange).then(() => {
			this.work = undefined;
			this.sync();
			if (this.session) this.change(totals(this.session));
			// Typed in the very moment in which the exchange ended.
			const late = this.nextQueued();
			return late ? this.run(late) : undefined;
		});
		this.work = work;
		this.sync();
		return work;
	}

	/** Contract: never rejects, whatever an exchange or a listener does. */
	private async drive(first: AsyncGenerator<LoopEvent, Terminal>): Promise<void> {
		let exchange: AsyncGenerator<LoopEvent, Terminal> | undefined = first;
		while (exchange) {
			try {
				for await (const event of exchange) {
					this.accept(event);
					if (event.type === 'exchange_end') this.stopped = isStop(event.terminal);
				}
			} catch (error) {
				this.deps.failed('an exchange', error);
				this.addRow({ kind: 'error', id: `internal:${this.deps.now()}`, error: internalError() });
			}
			exchange = this.nextQueued();
		}
	}

	/** What was typed too late for the exchange that ended; a stop leaves it in the queue. */
	private nextQueued(): AsyncGenerator<LoopEvent, Terminal> | undefined {
		const session = this.session;
		const next = session?.queued[0];
		if (!session || !next || this.stopped || session.running) return undefined;
		session.unqueue(next.id);
		return session.submitMessage(next.text);
	}

	private accept(event: AgentEvent): void {
		this.deps.publish(this.current.accept(event, this.deps.now()));
		if (event.type !== 'block_delta' && event.type !== 'tool_progress') this.sync();
		for (const listener of this.listeners) {
			try {
				listener(event);
			} catch (error) {
				this.deps.failed('a listener', error);
			}
		}
	}

	/** Brings the parts of the state that no event tells up to date. */
	private sync(): void {
		if (this.session) this.change(this.stateOf(this.session));
	}

	private change(next: Partial<ViewState>): void {
		const before = this.current.state;
		const changed = Object.fromEntries(
			Object.entries(next).filter(([key, value]) => !equal(before[key as keyof ViewState], value)),
		) as Partial<ViewState>;
		if (Object.keys(changed).length === 0) return;
		this.apply({ type: 'state_changed', state: changed });
	}

	private stateOf(session: Conversation) {
		const { mode, todos } = session;
		const requests = this.deps.desk.pending;
		return {
			status: this.status(),
			sessionId: session.sessionId,
			queued: session.queued.map(({ id, text }) => ({ id, text })),
			canContinue: this.canContinue && !this.work,
			mode,
			todos,
			requests,
		};
	}

	private status(): Status {
		if (!this.work) return this.stopped ? 'stopped' : 'ready';
		return this.deps.desk.pending.length > 0 ? 'waiting' : 'working';
	}

	private addNotice(code: 'transcript_damaged' | 'host_restarted'): void {
		this.addRow({ kind: 'notice', id: `${code}:${this.deps.now()}`, code, args: {} });
	}

	private addRow(row: Row): void {
		this.apply({ type: 'row_added', row });
	}

	private apply(event: ViewEvent): void {
		this.current.apply(event);
		this.deps.publish([event]);
	}

	private newView(session: Conversation | undefined): ViewModel {
		return new ViewModel({
			status: 'ready',
			sessionId: '',
			mode: 'default',
			queued: [],
			todos: [],
			requests: [],
			contextTokens: 0,
			costUsd: 0,
			canContinue: false,
			modes: this.deps.modes,
			folder: this.deps.folder(),
			...this.deps.modelStatus(),
			...(session ? this.stateOf(session) : {}),
		});
	}
}

function totals({ contextTokens, costUsd }: Conversation) {
	return { contextTokens, costUsd };
}

function isStop({ reason }: Terminal): boolean {
	return reason === 'aborted_streaming' || reason === 'aborted_tools';
}

/** Lists of small plain objects are compared by what is in them, everything else by identity. */
function equal(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (typeof one !== 'object' || typeof other !== 'object') return false;
	return JSON.stringify(one) === JSON.stringify(other);
}
