// One conversation: owns its messages, the exchange that runs, mode, usage and cost, and keeps them in step with the
// transcript. The panel's controller and the headless runner drive it only through `Conversation`.
import type { ContextUse } from '../../shared/contextUse.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { Todo } from '../../shared/view.ts';
import type { CompactionResult, ContextDeps } from '../context/contextTypes.ts';
import { compactNow } from '../context/pipeline.ts';
import { systemPrompt } from '../context/systemPrompt.ts';
import type { QueryDeps } from '../loop/deps.ts';
import type { LoopEvent } from '../loop/events.ts';
import type { QueryParams, ResumedTurn, StopReasonOfUser } from '../loop/params.ts';
import { contextInput } from '../loop/prepareRequest.ts';
import { query } from '../loop/query.ts';
import { ownMessage } from '../loop/record.ts';
import type { Terminal } from '../loop/state.ts';
import { initialState } from '../loop/state.ts';
import type { Prompt } from '../loop/promptParts.ts';
import { spoken } from '../loop/promptParts.ts';
import { writePrompt } from '../loop/writePrompt.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import { project } from '../messages/projection.ts';
import type { Message, Usage } from '../messages/types.ts';
import { FileState } from '../tools/fileState.ts';
import type { Registry } from '../tools/registry.ts';
import { createRegistry } from '../tools/registry.ts';
import type { BackgroundTasks } from '../tasks/backgroundTasks.ts';
import type { Background } from '../background/background.ts';
import { tap } from '../util/tap.ts';
import { Wakeup } from '../util/wakeup.ts';
import { backgroundWork } from './backgroundWork.ts';
import type { AskResult, Conversation } from './engineApi.ts';
import { contextDeps, contextUse, engineDeps, overheadTokens, turnSettings } from './enginePorts.ts';
import { ExchangeJournal } from './exchangeJournal.ts';
import { exchangeLimits } from './exchangeLimits.ts';
import { JournalledQueue } from './journalledQueue.ts';
import type { ModelCallParts } from './modelCalls.ts';
import { askModel } from './modelCalls.ts';
import type { Beginning } from './opening.ts';
import { notesBeforePrompt, openTranscript, writtenBefore } from './opening.ts';
import type { EngineOptions, SessionEvent } from './options.ts';
import type { ModelUse } from './ledger.ts';
import { Ledger } from './ledger.ts';
import { PermissionGate } from './permissionGate.ts';
import { sessionAgents } from './sessionAgents.ts';
import { SessionMode } from './sessionMode.ts';
import {
	allFinishedWork,
	endTasks,
	sessionContext,
	sessionTasks,
	sessionToolDeps,
	sessionTools,
} from './sessionTools.ts';
import { closePending, contextTokens, loadSession, pendingEntries, resumedMode } from './resume.ts';
import { TurnNotes } from './turnNotes.ts';

/** A conversation, new or resumed from `options.transcript`. */
export function createConversation(options: EngineOptions): Conversation {
	return new QueryEngine(options);
}

export class QueryEngine implements Conversation {
	readonly sessionId: string;
	messages: readonly Message[];
	todos: readonly Todo[];
	contextTokens: number;
	readonly tasks: BackgroundTasks;
	private readonly options: EngineOptions;
	private readonly journal: ExchangeJournal;
	private readonly tools: Registry;
	private readonly queue: JournalledQueue;
	private readonly listeners = new Set<(event: SessionEvent) => void>();
	private readonly gate: PermissionGate;
	private readonly modes: SessionMode;
	private readonly fileState: FileState;
	private readonly notes: TurnNotes;
	private readonly deps: QueryDeps;
	private readonly calls: ModelCallParts;
	private readonly context: ContextDeps;
	private readonly ledger: Ledger;
	private readonly background: Background;
	private changes: readonly ProjectionChange[];
	private pending: ResumedTurn | undefined;
	private cut: boolean;
	private cwd: string;
	private started: boolean;
	private exchange: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined;

	constructor(options: EngineOptions) {
		const loaded = loadSession(options.transcript ?? []);
		this.options = options;
		this.sessionId = options.sessionId;
		this.messages = loaded.messages;
		this.pending = loaded.pending;
		this.cut = loaded.interrupted;
		this.modes = new SessionMode({
			mode: options.transcript ? resumedMode(loaded, options.mode) : options.mode,
			entries: loaded.entries,
			messages: loaded.messages,
			changed: (mode) => this.modeChanged(mode),
		});
		this.todos = loaded.todos;
		this.fileState = new FileState(loaded.files);
		this.tasks = sessionTasks(options, loaded.entries);
		this.ledger = new Ledger(loaded);
		this.contextTokens = loaded.contextTokens;
		this.started = options.transcript?.some(({ type }) => type === 'session') ?? false;
		this.cwd = options.ports.workspace.roots[0] ?? '/';
		this.journal = new ExchangeJournal(options, loaded.model, () => this.ledger);
		this.queue = new JournalledQueue(loaded.queued, this.journal);
		this.tools = createRegistry(sessionTools(options), (tool) => !this.gate.isDenied(tool));
		this.notes = new TurnNotes(options, {
			fileState: this.fileState,
			ofMode: (sent) => this.modes.note(sent),
			onEvent: (listener) => this.onEvent(listener),
		});
		this.changes = loaded.changes;
		this.deps = engineDeps(options, this.journal);
		const { settings, facts } = options;
		this.calls = { deps: this.deps, settings, facts, tools: this.tools, onUsage: this.countSideCall };
		const state = () => ({ ...this.modes.reattached, todos: this.todos });
		this.context = contextDeps(options, this.calls, state, (path) => this.gate.isSecret(path));
		this.background = backgroundWork(options, this.calls, (event) => this.emit(event));
		this.gate = new PermissionGate({
			options,
			journal: this.journal,
			mode: () => this.mode,
			requestIds: loaded.requestIds,
			emit: (event) => this.emit(event),
		});
	}

	get mode(): PermissionMode {
		return this.modes.current;
	}

	get usage(): Usage {
		return this.ledger.usage;
	}

	get costUsd(): number | null {
		return this.ledger.costUsd;
	}

	get modelUsage(): ReadonlyMap<string, ModelUse> {
		return this.ledger.byModel;
	}

	contextUse(): ContextUse {
		const { messages, changes, tools } = this;
		const written = this.running ? this.journal.entries : [];
		return contextUse(this.options, { messages, changes, tools, written }, this.context.cache);
	}

	get running(): boolean {
		return this.exchange !== undefined;
	}

	get interrupted(): boolean {
		return this.cut && !this.running;
	}

	get denials(): Conversation['denials'] {
		return this.gate.denials;
	}

	get permissions(): Conversation['permissions'] {
		return this.gate;
	}

	get queued(): Conversation['queued'] {
		return this.queue.waiting;
	}

	submitMessage(prompt: Prompt, queuedId?: string): AsyncGenerator<LoopEvent, Terminal> {
		return this.run(async (signal) => {
			const said = this.queue.claim(queuedId) ?? { ...spoken(prompt), id: this.deps.uuid() };
			// What a crash left open is answered now: the person goes on with something else.
			const left = this.pending ? closePending(this.pending) : [];
			const opening = await this.open();
			const due = await this.notes.beforePrompt(this.messages, project(this.messages, this.changes), signal);
			const work = allFinishedWork(this.tasks, this.options.ports.finishedWork);
			const notes = await notesBeforePrompt(due, { messages: this.messages, work }, this.deps);
			const { message, attached } = await writePrompt(said, this.deps);
			const messages = [...this.messages, ...left, ...opening, ...notes, message, ...attached];
			return { messages, left, prompt: message };
		});
	}

	resume(): AsyncGenerator<LoopEvent, Terminal> {
		return this.run(async () => {
			const resumed = this.pending;
			if (resumed || this.messages.at(-1)?.role === 'user') {
				return { messages: this.messages, left: [], ...(resumed ? { resumed } : {}) };
			}
			const message = ownMessage('Go on where your answer was cut off.', 'hidden', this.deps);
			await this.journal.append({ type: 'user', message });
			return { messages: [...this.messages, message], left: [] };
		});
	}

	async ask(
		prompt: string,
		{ signal, withConversation }: { readonly signal: AbortSignal; readonly withConversation?: boolean },
	): Promise<AskResult> {
		const question = ownMessage(prompt, 'hidden', this.deps);
		const messages = withConversation ? [...project(this.messages, this.changes), question] : [question];
		return await askModel(messages, { signal, conversation: withConversation === true }, this.calls);
	}

	async compact(focus: string | undefined, signal: AbortSignal): Promise<CompactionResult> {
		if (this.exchange) throw new Error('An exchange is running.');
		this.journal.begin();
		await this.closeCutTurn();
		const params = this.params({ messages: this.messages, left: [] }, signal);
		const input = contextInput(initialState(params), params);
		const result = await compactNow(input, this.context, signal, focus);
		if (result.kind === 'not_compacted') return result;
		for (const change of result.changes) await this.journal.append({ type: 'projection', change });
		this.changes = [...this.changes, ...result.changes];
		this.contextTokens = result.report.after;
		return result;
	}

	enqueue(prompt: Prompt, afterExchange = false): string {
		const id = this.options.ports.uuid();
		this.queue.add({ ...spoken(prompt), id, ...(afterExchange ? { afterExchange } : {}) });
		return id;
	}

	moveQueued(id: string, to: number): boolean {
		return this.queue.move(id, to);
	}

	unqueue(id: string): boolean {
		return this.queue.remove(id);
	}

	async stop(reason: StopReasonOfUser): Promise<void> {
		const exchange = this.exchange;
		if (!exchange) return;
		exchange.controller.abort(reason);
		await exchange.ended;
	}

	setMode(mode: PermissionMode): Promise<void> {
		return this.modes.set(mode);
	}

	private async modeChanged(mode: PermissionMode): Promise<void> {
		if (this.started) await this.journal.append({ type: 'mode', mode });
		this.emit({ type: 'mode_changed', mode });
		await this.gate.judgeAgain();
	}

	rulesChanged(): Promise<void> {
		return this.gate.judgeAgain();
	}

	allowForSession(rule: string): void {
		this.gate.allow(rule);
	}

	onEvent(listener: (event: SessionEvent) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	async dispose(): Promise<void> {
		await this.stop('interrupt');
		this.context.staged.clear();
		await this.background.dispose();
		await endTasks(this.tasks, this.options);
	}

	/** One exchange around the loop: takes its start from `begin`, and keeps the conversation in step however it ends. */
	private async *run(begin: (signal: AbortSignal) => Promise<Beginning>): AsyncGenerator<LoopEvent, Terminal> {
		if (this.exchange) throw new Error('An exchange is running already.');
		const controller = new AbortController();
		const ended = new Wakeup();
		this.exchange = { controller, ended: ended.wait() };
		this.background.promptComes();
		this.journal.begin();
		const before = this.messages;
		let beginning: Beginning | undefined;
		let terminal: Terminal | undefined;
		try {
			beginning = await begin(controller.signal);
			if (beginning.prompt) yield { type: 'prompt_taken', message: beginning.prompt };
			const params = this.params(beginning, controller.signal);
			terminal = yield* tap(query(params), (event) => this.note(event));
			return terminal;
		} finally {
			controller.abort('stop');
			if (beginning) this.settle(terminal, beginning, before);
			const kept = beginning ? [] : writtenBefore(this.journal.entries, this.pending);
			if (kept.length > 0) [this.messages, this.pending] = [[...this.messages, ...kept], undefined];
			this.exchange = undefined;
			this.journal.begin();
			ended.ring();
			if (terminal?.reason === 'completed') this.background.exchangeEnded(this.messages);
		}
	}

	/** The person goes on with something else: what a crash left open is answered, here and in the transcript. */
	private async closeCutTurn(): Promise<void> {
		if (!this.pending) return;
		await this.journal.append({ type: 'exchange_end', reason: 'aborted_tools' });
		this.messages = [...this.messages, ...closePending(this.pending)];
		this.pending = undefined;
		this.cut = false;
	}

	/** After an exchange: what the loop returned, or (it threw, or its consumer left) what the transcript says. */
	private settle(terminal: Terminal | undefined, beginning: Beginning, before: readonly Message[]): void {
		if (terminal) {
			this.messages = terminal.messages;
			this.changes = terminal.changes;
			this.cwd = terminal.toolContext.cwd;
			this.pending = undefined;
			this.cut = false;
			return;
		}
		const resumed = beginning.resumed ? pendingEntries(beginning.resumed) : [];
		const loaded = loadSession([...resumed, ...this.journal.entries]);
		this.messages = [...before, ...beginning.left, ...loaded.messages];
		this.changes = [...this.changes, ...loaded.changes];
		if (loaded.todos.length > 0) this.todos = loaded.todos;
		this.pending = loaded.pending;
		this.cut = loaded.interrupted;
	}

	private note(event: LoopEvent): void {
		this.modes.follow(event);
		if (event.type === 'answer_end') {
			this.ledger.add(event.message.model, event.message.usage, event.costUsd);
			this.contextTokens = contextTokens(event.message.usage);
		}
		if (event.type === 'tool_end' && event.view.kind === 'todos') {
			this.todos = event.view.todos;
			this.emit({ type: 'todos_changed', todos: this.todos });
		}
	}

	private readonly countSideCall = (usage: Usage, model: string): void => {
		const costUsd = this.deps.cost(model, usage);
		this.ledger.add(model, usage, costUsd);
		const call = { type: 'side_call', model, usage, costUsd } as const;
		// Nothing depends on this entry: a transcript that cannot be written shows with the next one.
		if (this.started) this.journal.append(call).catch(() => {});
		this.emit(call);
	};

	private async open(): Promise<readonly Message[]> {
		if (this.started) return [];
		const { options, journal, cwd, mode } = this;
		const opening = await openTranscript({ options, journal, cwd, mode });
		// The person may have chosen another one meanwhile.
		for (let told = mode; told !== this.mode;) await journal.append({ type: 'mode', mode: (told = this.mode) });
		// Not before: what a full disk cut short begins anew with the next prompt.
		this.started = true;
		return opening;
	}

	private params(beginning: Beginning, signal: AbortSignal): QueryParams {
		const { ports, facts } = this.options;
		const { tasks, fileState, cwd, todos, mode, modes: planMode, gate, calls, options, journal } = this;
		const setMode = (next: PermissionMode) => planMode.goOnIn(next);
		const runSubagent = sessionAgents({ options, gate, calls, modes: planMode, spentUsd: () => this.costUsd });
		const settings = this.options.settings();
		const system = systemPrompt(settings.appendSystemPrompt);
		return {
			messages: beginning.messages,
			changes: this.changes,
			system,
			tools: this.tools,
			toolContext: sessionContext(options, gate, { tasks, fileState, cwd, todos, mode, planMode, runSubagent }),
			settings: () => turnSettings(this.options.settings()),
			facts,
			context: this.context,
			overheadTokens: overheadTokens(system, this.tools),
			spentUsd: () => this.costUsd,
			queue: this.queue,
			signal,
			deps: this.deps,
			toolDeps: sessionToolDeps(options, { gate, journal: journal.ofExchange(), setMode }),
			...exchangeLimits(settings, beginning.prompt),
			...(FEATURES.TOOL_SUMMARIES && settings.background?.labels ? { labelTools: this.background.labelTools } : {}),
			...(ports.stopHooks ? { stopHooks: ports.stopHooks } : {}),
			attachmentSources: this.notes.sources,
			dueNotes: (messages, turnSignal) => this.notes.afterTurn(messages, turnSignal),
			finishedWork: allFinishedWork(this.tasks, ports.finishedWork),
			...(beginning.resumed ? { resumed: beginning.resumed } : {}),
		};
	}

	private emit(event: SessionEvent): void {
		for (const listener of this.listeners) listener(event);
	}
}
