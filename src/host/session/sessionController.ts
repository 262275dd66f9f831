// Owns one conversation: drives it, queues what is typed meanwhile, and keeps the view current. The panel, the commands and the
// API talk to this; none of them is needed for it to go on. No `vscode`.
import type { CompactionResult } from '../../core/context/contextTypes.ts';
import type { LoopEvent } from '../../core/loop/events.ts';
import type { Prompt } from '../../core/loop/promptParts.ts';
import { spoken } from '../../core/loop/promptParts.ts';
import type { Terminal } from '../../core/loop/state.ts';
import { canUndoRewind } from '../../core/messages/activeEntries.ts';
import type { QueuedPrompt } from '../../core/messages/journal.ts';
import type { Conversation } from '../../core/session/engineApi.ts';
import type { Delivery } from '../../shared/composer.ts';
import type { PermissionAnswer, PermissionMode } from '../../shared/permission.ts';
import type { Status, ViewState } from '../../shared/view.ts';
import type { AgentEvent } from '../panel/projection.ts';
import { waitsForDecision } from '../panel/transcriptRows.ts';
import type { ViewModel } from '../panel/viewModel.ts';
import type { ControllerDeps, OpenedSession, SessionWish } from './controllerDeps.ts';
import { earlyState, windowState } from './initialState.ts';
import { slashCommand } from './slashCommands.ts';
import { isStop, tokenSums, waitsForInput } from './stateChanges.ts';
import { WindowView } from './windowView.ts';

export class SessionController {
	private readonly deps: ControllerDeps;
	private readonly listeners = new Set<(event: AgentEvent) => void>();
	private session: Conversation | undefined;
	private opened: OpenedSession | undefined;
	private opening: Promise<Conversation> | undefined;
	private readonly shown: WindowView;
	/** The exchange or compaction that runs, and all that follows from queued prompts; never rejects. */
	private work: Promise<void> | undefined;
	/** Stops the compaction that the person asked for, while one runs. */
	private compaction: AbortController | undefined;
	private stopped = false;
	/** It is ended here: nothing is done any more. */
	private closed = false;
	/** What was asked for and has not begun, or not ended. */
	private asked = 0;
	private canContinue = false;
	private wentBack = false;
	private unsubscribe: () => void = () => {};

	constructor(deps: ControllerDeps) {
		this.deps = deps;
		this.shown = new WindowView(deps);
		deps.desk.onChange(() => this.sync());
		deps.tasks.onChange(() => this.sync());
	}

	get view(): ViewModel {
		return this.shown.model;
	}

	get state(): ViewState {
		return this.shown.model.state;
	}

	/** Nothing runs, and nothing is about to. */
	get idle(): boolean {
		return !this.work && this.asked === 0;
	}

	/** Resolves when there is something to show, which a large session has before it is open. */
	get presentable(): Promise<void> {
		return this.shown.presentable;
	}

	/** Opens the session, once. */
	open(): Promise<Conversation> {
		this.opening ??= this.openSession(this.deps.wish);
		return this.opening.catch((error: unknown) => {
			this.opening = undefined;
			throw error;
		});
	}

	/**
	 * Takes a prompt: at once, or while something runs as `delivery` says. Resolves when all of it is done.
	 * `/compact [focus]` is a command, not a prompt.
	 */
	async submit(said: Prompt, delivery: Delivery = 'steer'): Promise<void> {
		const prompt = spoken(said);
		if (prompt.text.trim() === '' && (prompt.attachments ?? []).length === 0) return;
		const command = slashCommand(prompt.text);
		await (command ? this.compact(command.focus) : this.wanted(() => this.take(prompt, delivery)));
	}

	private async take(prompt: Prompt, delivery: Delivery): Promise<void> {
		const session = await this.open();
		if (this.refuses()) return;
		if (delivery === 'now') await this.stop('interrupt');
		if (this.work) {
			session.enqueue(prompt, delivery === 'queue');
			this.sync();
			await this.work;
		} else {
			await this.run(session.submitMessage(prompt));
		}
	}

	/** Goes on with a turn that a reload or crash cut. */
	resume(): Promise<void> {
		return this.wanted(async () => {
			const session = await this.open();
			if (this.refuses()) return;
			if (!this.work && session.interrupted) await this.run(session.resume());
		});
	}

	/** Summarises the conversation now; `focus` says what to keep above all. While something runs it says that it has to wait. */
	compact(focus?: string): Promise<void> {
		return this.wanted(() => this.compactNow(focus));
	}

	private async compactNow(focus: string | undefined): Promise<void> {
		const session = await this.open();
		if (this.refuses()) return;
		if (this.work) return this.shown.addNotice('compact_busy');
		this.shown.removeErrors();
		const controller = new AbortController();
		this.compaction = controller;
		this.stopped = false;
		await this.begin(
			session
				.compact(focus, controller.signal)
				.then((result) => this.compacted(result))
				.catch((error: unknown) => this.shown.reportInternal('a compaction', error))
				.then(() => {
					this.compaction = undefined;
					// A turn that a crash had cut is closed by it.
					if (this.canContinue && !session.interrupted) this.shown.closeRows();
					this.canContinue &&= session.interrupted;
				}),
		);
	}

	/** Asks again after a failure, with the conversation as it is; nothing is sent twice. */
	retry(): Promise<void> {
		return this.wanted(async () => {
			const session = await this.open();
			if (this.refuses() || this.work || session.messages.length === 0) return;
			this.shown.removeErrors();
			await this.run(session.resume());
		});
	}

	/** `interrupt`: because a prompt takes its place. */
	async stop(reason: 'stop' | 'interrupt' = 'stop'): Promise<void> {
		this.compaction?.abort('stop');
		await this.session?.stop(reason);
		await this.work;
	}

	/** Takes a queued prompt back; undefined when it was read already. */
	unqueue(id: string): QueuedPrompt | undefined {
		const prompt = this.session?.queued.find((queued) => queued.id === id);
		const removed = this.session?.unqueue(id) === true;
		this.sync();
		return removed ? prompt : undefined;
	}

	/** Puts a queued prompt at this place, from 0. */
	moveQueued(id: string, to: number): void {
		this.session?.moveQueued(id, to);
		this.sync();
	}

	answerWait(waitId: string, wait: boolean): void {
		this.deps.desk.answerWait(waitId, wait);
	}

	answer(requestId: string, answer: PermissionAnswer): void {
		this.deps.desk.answer(requestId, answer);
	}

	async setMode(mode: PermissionMode): Promise<void> {
		if (!this.deps.rights().modes.includes(mode)) return;
		const session = await this.open();
		if (this.refuses()) return;
		await session.setMode(mode);
		this.sync();
	}

	/** Ends what runs, lets `change` do what needs a session that nobody has open, and opens it anew. */
	async reopen(change: (sessionId: string | undefined) => Promise<void> = () => Promise.resolve()): Promise<void> {
		const before = this.opening;
		// From this moment on the conversation is the next one: a prompt that comes meanwhile waits for it.
		this.opening = (async () => {
			const old = await before?.catch(() => undefined);
			await this.end();
			await change(old?.sessionId);
			return await this.openSession({ ...this.deps.wish, patient: false, id: old?.sessionId, mode: old?.mode });
		})();
		await this.open();
	}

	/** Ends what runs, and gives the session free; for good. */
	async close(): Promise<void> {
		this.closed = true;
		await this.opening?.catch(() => undefined);
		await this.end();
		this.listeners.clear();
	}

	/** The engine's events, as they come. Gives back how to end the subscription. */
	onEvent(listener: (event: AgentEvent) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Settings, keys, folders, trust or the selection changed. */
	refresh(): void {
		this.shown.change(windowState(this.deps));
	}

	/** Something of ours failed: the panel says so, the log says what. */
	reportFailure(error: unknown): void {
		this.shown.reportInternal('opening the conversation', error);
	}

	/** The disk takes no more of it, or all of it again. */
	tellStorage(state: 'full' | 'read_only' | 'failed' | 'stored'): void {
		this.shown.addNotice(`storage_${state}`);
	}

	/** The window goes; the next one goes on. */
	async dispose(): Promise<void> {
		this.unsubscribe();
		this.listeners.clear();
		await this.opened?.abandon();
	}

	/** It is not idle from now on until all of it is done. */
	private async wanted(work: () => Promise<void>): Promise<void> {
		this.asked++;
		try {
			await work();
		} finally {
			this.asked--;
			this.deps.workChanged();
		}
	}

	/** Another window has the conversation: nothing is done, which is said. */
	private refuses(): boolean {
		if (this.closed) return true;
		if (!this.opened?.openElsewhere) return false;
		this.shown.addNotice('open_elsewhere');
		return true;
	}

	private async end(): Promise<void> {
		await this.stop();
		this.unsubscribe();
		try {
			await this.session?.dispose();
			await this.opened?.close();
		} catch (error) {
			this.deps.failed('ending a conversation', error);
		}
		this.session = undefined;
	}

	private async openSession(wish: SessionWish): Promise<Conversation> {
		const opened = await this.deps.openSession(wish, (sessionId, shown) =>
			this.shown.show(shown, earlyState(sessionId, shown.entries)),
		);
		const { conversation, shown, damaged, openElsewhere } = opened;
		const interrupted = conversation.interrupted && !openElsewhere;
		this.opened = opened;
		this.session = conversation;
		this.deps.tasks.follow(conversation.tasks);
		this.stopped = false;
		this.canContinue = interrupted;
		this.wentBack = canUndoRewind(shown.entries) && !openElsewhere;
		this.shown.show(shown, { ...windowState(this.deps), ...this.stateOf(conversation), costUsd: conversation.costUsd });
		if (damaged) this.shown.addNotice('transcript_damaged');
		if (opened.modelGone) this.shown.addNotice('model_gone', opened.modelGone);
		if (interrupted) this.shown.addNotice('host_restarted');
		this.unsubscribe = conversation.onEvent((event) => this.accept(event));
		this.deps.workChanged();
		// The request for permission that was open is asked again; nothing is sent before its answer.
		if (interrupted && waitsForDecision(shown.entries)) void this.run(conversation.resume());
		return conversation;
	}

	private run(exchange: AsyncGenerator<LoopEvent, Terminal>): Promise<void> {
		this.stopped = false;
		this.canContinue = false;
		this.wentBack = false;
		return this.begin(this.drive(exchange));
	}

	/** `task` is what runs now, and after it what was queued meanwhile. */
	private begin(task: Promise<void>): Promise<void> {
		const work = task.then(() => {
			this.work = undefined;
			this.sync();
			if (this.session) this.shown.change({ costUsd: this.session.costUsd });
			// Typed in the very moment in which the exchange ended.
			const late = this.nextQueued();
			return late ? this.run(late) : this.deps.workChanged();
		});
		this.work = work;
		this.sync();
		this.deps.workChanged();
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
				this.shown.closeRows();
				this.shown.reportInternal('an exchange', error);
			}
			exchange = this.nextQueued();
		}
	}

	private compacted(result: CompactionResult): void {
		if (result.kind === 'compacted') {
			const { changes, report } = result;
			for (const change of changes) this.accept({ type: 'projection_changed', change });
			// Large results alone made room: there is no summary to show.
			if (!changes.some(({ kind }) => kind === 'compacted')) {
				const { before, after } = report;
				this.shown.addCompacted(before, after);
			}
			this.shown.change({ contextTokens: report.after });
			return;
		}
		this.stopped = result.problem === 'stopped';
		this.shown.addNotCompacted(result);
	}

	/** What was typed too late for the exchange that ended; a stop leaves it in the queue. */
	private nextQueued(): AsyncGenerator<LoopEvent, Terminal> | undefined {
		const session = this.session;
		const next = session?.queued[0];
		if (!session || !next || this.stopped || session.running) return undefined;
		return session.submitMessage(next, next.id);
	}

	private accept(event: AgentEvent): void {
		this.shown.accept(event);
		if (event.type !== 'block_delta' && !isOutput(event)) this.sync();
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
		if (this.session) this.shown.change(this.stateOf(this.session));
	}

	private stateOf(session: Conversation) {
		const { mode, todos } = session;
		const openElsewhere = this.opened?.openElsewhere === true;
		const { pending: requests, wait } = this.deps.desk;
		return {
			status: this.status(),
			sessionId: session.sessionId,
			...(openElsewhere ? { openElsewhere } : {}),
			queued: openElsewhere ? [] : session.queued,
			canContinue: this.canContinue && !this.work,
			wentBack: this.wentBack,
			mode,
			todos,
			usage: tokenSums(session.usage),
			tasks: openElsewhere ? [] : this.deps.tasks.views,
			requests,
			wait,
		};
	}

	private status(): Status {
		if (!this.work) return this.stopped ? 'stopped' : 'ready';
		if (this.deps.desk.count > 0 || waitsForInput(this.shown.model)) return 'waiting';
		return this.compaction ? 'compacting' : this.shown.model.projected.phase;
	}
}

function isOutput(event: AgentEvent): boolean {
	return event.type === 'tool_progress' && event.update.kind === 'output';
}
