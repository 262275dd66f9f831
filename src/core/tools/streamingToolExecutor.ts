// Runs the tool calls of one answer while it still streams: a reader/writer lock in arrival order (loop.md 7). Safe calls
// overlap, an unsafe call runs alone and holds back all behind it. Results come out strictly in arrival order.
// Contract: every added call gets exactly one `tool_end` (unless discarded); nothing starts after `discard` or a stop.
import { limits } from '../limits.ts';
import { Wakeup } from '../util/wakeup.ts';
import type { ToolEvent } from './toolEvents.ts';
import type { ToolResultBlock, ToolUseBlock } from '../messages/types.ts';
import type { Registry } from './registry.ts';
import type { ToolContext } from './tool.ts';
import type { CheckedCall } from './checkCall.ts';
import { checkCall } from './checkCall.ts';
import type { CancelReason, FinishedCall } from './finishedCall.ts';
import { cancelled, failed } from './finishedCall.ts';
import type { Ahead, ToolDeps } from './permitCall.ts';
import { permitAhead } from './permitCall.ts';
import { journalResult, runToolUse } from './runToolUse.ts';

export interface ExecutorOptions {
	readonly tools: Registry;
	readonly context: ToolContext;
	readonly deps: ToolDeps;
	/** The exchange's signal: aborting it stops every call. */
	readonly signal: AbortSignal;
	/** Safe calls at once, 1-10. */
	readonly maxConcurrency?: number;
	/** A failed command cancels the calls beside it. */
	readonly bashErrorCancelsSiblings?: boolean;
	/** Called whenever `takeEvents` has something new, or everything has settled. */
	readonly onWake: () => void;
}

const shellTools: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

type Status = 'queued' | 'executing' | 'completed' | 'yielded';

interface Call {
	readonly toolUse: ToolUseBlock;
	readonly checked: CheckedCall;
	/** Judged per input; what cannot be judged counts as unsafe. The person may change a call into an unsafe one. */
	safe: boolean;
	/** Whether it is safe is not known yet: until then it does not start, and nothing behind it. */
	judging: boolean;
	readonly controller: AbortController;
	/** Rings when it may run alone; it was changed into an unsafe call and does nothing until then. */
	alone?: Wakeup;
	/** Of a call that is asked for before its turn. */
	ahead?: Ahead;
	readonly ended: Promise<void>;
	readonly end: () => void;
	status: Status;
	finished?: FinishedCall;
}

export class StreamingToolExecutor {
	private readonly calls: Call[] = [];
	private readonly events: ToolEvent[] = [];
	private readonly running = new Set<Promise<void>>();
	private context: ToolContext;
	/** Once set, calls that have not started are answered with it instead of running. */
	private closedBy: CancelReason | { readonly kind: 'refused'; readonly message: string } | undefined;
	private discarded = false;
	private failure: unknown;
	private unsafeStarted = false;
	/** Calls before this index are yielded. */
	private head = 0;

	private readonly options: ExecutorOptions;
	private readonly stop = () => this.cancel({ kind: 'stopped' });

	constructor(options: ExecutorOptions) {
		this.options = options;
		this.context = options.context;
		if (options.signal.aborted) this.stop();
		else options.signal.addEventListener('abort', this.stop, { once: true });
	}

	/** Takes a finished `tool_use` block; it starts at once if the lock allows it. */
	add(toolUse: ToolUseBlock): void {
		if (this.discarded) return;
		const checked = checkCall(toolUse, this.options.tools);
		const judged = checked.kind === 'runnable' && checked.parsed.isConcurrencySafe(this.context);
		const judging = typeof judged !== 'boolean';
		let end: () => void = () => undefined;
		const ended = new Promise<void>((resolve) => (end = resolve));
		const controller = new AbortController();
		const safe = judged === true;
		const call: Call = { toolUse, checked, safe, judging, controller, status: 'queued', ended, end };
		if (typeof judged !== 'boolean') void judged.then((found) => this.judged(call, found));
		const ahead = this.closedBy ? undefined : this.askAhead(call);
		if (ahead) call.ahead = ahead;
		this.calls.push(call);
		this.emit({
			type: 'tool_queued',
			toolUseId: toolUse.id,
			tool: toolUse.name,
			summary: this.summary(toolUse, checked),
		});
		this.advance();
	}

	/** Everything new, in order: progress at once, results in arrival order. Throws what the journal threw, once. */
	takeEvents(): readonly ToolEvent[] {
		if (this.failure !== undefined) {
			const failure = this.failure;
			this.failure = undefined;
			throw failure;
		}
		return this.discarded ? [] : this.events.splice(0);
	}

	/** True when every call has come out. */
	get settled(): boolean {
		return this.discarded || (this.head === this.calls.length && this.events.length === 0);
	}

	/** True when a call that may change something has started: this attempt cannot be repeated any more. */
	get hasUnsafeStarted(): boolean {
		return this.unsafeStarted;
	}

	/** The results that came out so far, in arrival order. */
	get results(): readonly ToolResultBlock[] {
		return this.calls.slice(0, this.head).flatMap((call) => (call.finished ? [call.finished.result] : []));
	}

	/** True when there were calls and none of them could run: unknown tools, unusable input. */
	get nothingRan(): boolean {
		return this.calls.length > 0 && this.calls.every(({ checked }) => checked.kind === 'refused');
	}

	/** A hook said that the agent must stop after these calls; its words. */
	get stopReason(): string | undefined {
		return this.calls.find(({ finished }) => finished?.stopReason !== undefined)?.finished?.stopReason;
	}

	/** The context after the calls that finished. */
	get toolContext(): ToolContext {
		return this.context;
	}

	/** Calls that have not started are answered with an error instead; running ones go on. */
	refuseQueued(message: string): void {
		this.closedBy ??= { kind: 'refused', message };
		this.advance();
	}

	/** Stops running calls and answers the rest. */
	cancel(reason: CancelReason): void {
		this.closedBy ??= reason;
		for (const call of this.calls) if (call.status === 'executing') call.controller.abort(reason);
		this.advance();
	}

	/** A new message of the person: stops the running calls whose tools say so. */
	interruptByMessage(): void {
		for (const { status, checked, controller } of this.calls) {
			const cancels = checked.kind === 'runnable' && checked.tool.interrupt === 'cancel';
			if (status === 'executing' && cancels)
				controller.abort({ kind: 'interrupted_by_message' } satisfies CancelReason);
		}
	}

	/** The attempt is retracted: nothing of it comes out any more, late results included. */
	discard(): void {
		this.discarded = true;
		this.cancel({ kind: 'discarded' });
		this.events.length = 0;
		this.options.onWake();
	}

	/** Lets go of the exchange's signal; call when the turn is over. */
	dispose(): void {
		this.options.signal.removeEventListener('abort', this.stop);
	}

	/** Resolves when nothing runs any more. */
	async idle(): Promise<void> {
		while (this.running.size > 0) await Promise.all(this.running);
	}

	private summary(toolUse: ToolUseBlock, checked: CheckedCall): string {
		if (checked.kind === 'refused') return toolUse.name;
		try {
			return checked.parsed.summary(this.context);
		} catch {
			return toolUse.name;
		}
	}

	/** Starts what the lock allows, answers what may not start any more, and lets results out. */
	private advance(): void {
		for (const call of this.calls.slice(this.head)) {
			if (call.status !== 'queued') continue;
			if (this.closedBy || call.checked.kind === 'refused') {
				// An unsafe call before it keeps its place: answers stay in arrival order, but nothing has to be waited for.
				this.answerWithoutRunning(call);
				continue;
			}
			if (!this.mayStart(call)) break;
			this.start(call, call.checked);
		}
		this.release();
	}

	private judged(call: Call, safe: boolean): void {
		call.judging = false;
		call.safe = safe;
		this.advance();
	}

	private mayStart(call: Call): boolean {
		if (call.judging) return false;
		const executing = this.calls.filter((other) => other.status === 'executing');
		if (executing.length === 0) return true;
		const cap = Math.min(this.options.maxConcurrency ?? limits.toolConcurrency, limits.toolConcurrency);
		return call.safe && executing.length < cap && executing.every((other) => other.safe);
	}

	private start(call: Call, runnable: Extract<CheckedCall, { kind: 'runnable' }>): void {
		call.status = 'executing';
		this.track(
			runToolUse(
				{
					toolUse: call.toolUse,
					call: runnable,
					context: this.context,
					signal: call.controller.signal,
					...(call.ahead ? { ahead: call.ahead } : {}),
					aloneNow: () => this.alone(call),
					onStart: (changed) => {
						if (!call.safe || runnable.parsed.hasEffects) this.unsafeStarted = true;
						const summary = changed === undefined ? {} : { summary: changed };
						this.emit({ type: 'tool_start', toolUseId: call.toolUse.id, ...summary });
					},
					onProgress: (update) => {
						if (call.status === 'executing') this.emit({ type: 'tool_progress', toolUseId: call.toolUse.id, update });
					},
				},
				this.options.deps,
			),
			call,
		);
	}

	/** Gives up the place among safe calls: nothing starts any more, and this one goes on when the others are done. */
	private async alone(call: Call): Promise<void> {
		const turn = new Wakeup();
		call.safe = false;
		call.alone = turn;
		const { signal } = call.controller;
		signal.addEventListener('abort', () => turn.ring(), { once: true });
		this.letAlone();
		if (!signal.aborted) await turn.wait();
		if (signal.aborted) delete call.alone;
	}

	/** The first call that waits to run alone may, once only such calls are left. */
	private letAlone(): void {
		const executing = this.calls.filter(({ status }) => status === 'executing');
		const [next] = executing;
		if (!next?.alone || executing.some(({ alone }) => alone === undefined)) return;
		const turn = next.alone;
		delete next.alone;
		turn.ring();
	}

	/**
	 * A proposed edit is shown as soon as it arrives, on top of those still open, once the safe calls before it are done. Not
	 * behind any other unsafe call: that could change what it is computed on.
	 */
	private askAhead({ toolUse, checked, controller }: Call): Ahead | undefined {
		if (checked.kind === 'refused' || !checked.tool.asksAhead) return undefined;
		const open = this.calls.filter(({ status }) => status === 'queued' || status === 'executing');
		if (!open.every(({ safe, ahead }) => safe || ahead !== undefined)) return undefined;
		const below = open.findLast(({ ahead }) => ahead !== undefined)?.ahead;
		const reads = open.filter(({ ahead }) => ahead === undefined).map(({ ended }) => ended);
		const before = Promise.all(reads).then(() => below?.after ?? this.context);
		const ahead = permitAhead({ toolUse, call: checked, signal: controller.signal }, before, this.options.deps);
		const settled = ahead.permitted.then(
			() => undefined,
			() => undefined,
		);
		this.running.add(settled);
		void settled.finally(() => this.running.delete(settled));
		return ahead;
	}

	private answerWithoutRunning(call: Call): void {
		call.status = 'executing';
		if (call.ahead) call.controller.abort(this.closedBy);
		const finished = this.answer(call);
		this.track(
			journalResult(finished, this.options.deps.journal).then(() => finished),
			call,
		);
	}

	private answer(call: Call): FinishedCall {
		if (call.checked.kind === 'refused') return failed(call.toolUse, call.checked.message);
		const closed = this.closedBy ?? { kind: 'stopped' };
		return closed.kind === 'refused' ? failed(call.toolUse, closed.message) : cancelled(call.toolUse, closed);
	}

	private track(work: Promise<FinishedCall>, call: Call): void {
		const tracked = work.then(
			(finished) => this.complete(call, finished),
			(error: unknown) => {
				// Only the journal can reject: without it nothing may go on.
				this.failure ??= error ?? new Error('The transcript could not be written.');
				this.complete(call, failed(call.toolUse, 'The transcript could not be written.'));
			},
		);
		this.running.add(tracked);
		void tracked.finally(() => this.running.delete(tracked));
	}

	private complete(call: Call, finished: FinishedCall): void {
		call.finished = finished;
		call.status = 'completed';
		call.end();
		this.context = { ...this.context, ...finished.context };
		if (this.calls[this.head] !== call && finished.view.kind !== 'none') {
			// Its turn to come out has not come, but the person may see what it found.
			this.emit({ type: 'tool_progress', toolUseId: call.toolUse.id, update: { kind: 'view', view: finished.view } });
		}
		const cascades = this.options.bashErrorCancelsSiblings !== false && shellTools.has(call.toolUse.name);
		if (cascades && finished.state === 'error' && call.checked.kind === 'runnable') {
			const command = finished.ran ?? this.summary(call.toolUse, call.checked);
			this.cancel({ kind: 'sibling_failed', command });
		}
		this.letAlone();
		this.advance();
	}

	/** Lets completed calls out, in arrival order, up to the first one that is still running. */
	private release(): void {
		for (
			let call = this.calls[this.head];
			call?.status === 'completed' && call.finished;
			call = this.calls[this.head]
		) {
			call.status = 'yielded';
			this.head++;
			this.emit({
				type: 'tool_end',
				toolUseId: call.toolUse.id,
				tool: call.toolUse.name,
				state: call.finished.state,
				result: call.finished.result,
				view: call.finished.view,
				durationMs: call.finished.durationMs,
			});
		}
	}

	private emit(event: ToolEvent): void {
		if (this.discarded) return;
		this.events.push(event);
		this.options.onWake();
	}
}
