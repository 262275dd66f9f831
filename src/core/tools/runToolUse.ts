// One tool call from its arrival to its result: find → parse → prepare → permission → journal → run → result.
// Contract: never throws for what a model, a tool or a person does, and gives back exactly one result.
import type { JsonObject, ToolResultBlock, ToolResultContent, ToolUseBlock } from '../messages/types.ts';
import type { Clock } from '../ports/clock.ts';
import type { FinishedToolState, Journal } from '../messages/journal.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { ToolView } from '../../shared/view.ts';
import type { Registry } from './registry.ts';
import type { ParsedCall, PermissionNeed, Tool, ToolContext, ToolOutput, ToolProgress } from './tool.ts';
import { limits } from '../limits.ts';

/** The permission layer's word on one call. `message` is written for the model. */
export type Decision =
	/** `input`: the call as the person changed it, to be parsed and judged anew. `mode`: the mode to go on in. */
	| { readonly behavior: 'allow'; readonly input?: JsonObject; readonly mode?: PermissionMode }
	| { readonly behavior: 'deny'; readonly message: string; readonly stopped?: boolean };

export interface PermissionQuestion {
	readonly toolUse: ToolUseBlock;
	readonly summary: string;
	readonly need: PermissionNeed;
	readonly context: ToolContext;
}

/** A hook's word on a call. `block`: not this call (before), or words for the model (after). `stop`: end the exchange. */
export type HookVerdict =
	| { readonly kind: 'pass' }
	| { readonly kind: 'block'; readonly reason: string }
	| { readonly kind: 'stop'; readonly reason: string };

/** The port to configured hooks. Contract: never rejects; ends soon after the signal aborts. */
export interface ToolHooks {
	beforeTool(question: PermissionQuestion, signal: AbortSignal): Promise<HookVerdict>;
	afterTool(question: PermissionQuestion, finished: FinishedCall, signal: AbortSignal): Promise<HookVerdict>;
}

/** What running a call needs from outside. */
export interface ToolDeps {
	/** Contract: resolves also when the signal aborts (as a denial that says `stopped`). */
	decide(question: PermissionQuestion, signal: AbortSignal): Promise<Decision>;
	readonly journal: Journal;
	readonly clock: Clock;
	/** Runs before permission and after the run; absent when no hooks are configured. */
	readonly hooks?: ToolHooks;
}

/** Why running calls are cancelled; the `reason` of their abort signals. */
export type CancelReason =
	| { readonly kind: 'stopped' }
	/** A Bash call beside it failed. */
	| { readonly kind: 'sibling_failed'; readonly command: string }
	/** A new message of the person, for tools that declare `interrupt: 'cancel'`. */
	| { readonly kind: 'interrupted_by_message' }
	/** The attempt that asked for it was retracted. */
	| { readonly kind: 'discarded' };

export interface FinishedCall {
	readonly result: ToolResultBlock;
	readonly state: FinishedToolState;
	readonly view: ToolView;
	readonly durationMs: number;
	readonly context?: ToolOutput['context'];
	/** A hook said that the agent must stop after this call. */
	readonly stopReason?: string;
}

/** A call as the executor holds it, after find and parse. */
export type CheckedCall =
	| { readonly kind: 'runnable'; readonly parsed: ParsedCall; readonly tool: Tool }
	| { readonly kind: 'refused'; readonly message: string };

/** Find and parse: what can be known of a call before its turn comes. */
export function checkCall(toolUse: ToolUseBlock, tools: Registry): CheckedCall {
	const tool = tools.find(toolUse.name);
	if (!tool) return { kind: 'refused', message: tools.unknown(toolUse.name) };
	if (toolUse.malformed !== undefined) {
		if (endsEarly(toolUse.malformed)) return { kind: 'refused', message: cutText(tool.name) };
		const shown = toolUse.malformed.slice(0, limits.malformedInputShown);
		return {
			kind: 'refused',
			message: `The input of ${tool.name} was no JSON object, so nothing ran. Received: ${shown}`,
		};
	}
	try {
		const parsed = tool.parse(toolUse.input);
		if (parsed.kind === 'parsed') return { kind: 'runnable', parsed, tool };
		return { kind: 'refused', message: `The input of ${tool.name} is not valid, so nothing ran.\n${parsed.message}` };
	} catch (error) {
		return { kind: 'refused', message: `The input of ${tool.name} could not be checked: ${messageOf(error)}` };
	}
}

/** True for JSON that stops before its end: the output limit, or the connection, cut it. */
function endsEarly(json: string): boolean {
	let depth = 0;
	let inString = false;
	for (let at = 0; at < json.length; at++) {
		const char = json[at];
		if (inString) {
			if (char === '\\') at++;
			else if (char === '"') inString = false;
		} else if (char === '"') inString = true;
		else if (char === '{' || char === '[') depth++;
		else if (char === '}' || char === ']') depth--;
	}
	return json.trimStart().startsWith('{') && (inString || depth > 0);
}

function cutText(tool: string): string {
	return `The input of ${tool} was cut off before its end, so nothing ran and nothing was changed. Make the call again in smaller parts: for a long text first its beginning, then the rest step by step.`;
}

export interface RunCall {
	readonly toolUse: ToolUseBlock;
	readonly call: { readonly parsed: ParsedCall; readonly tool: Tool };
	readonly context: ToolContext;
	readonly signal: AbortSignal;
	onStart(): void;
	onProgress(update: ToolProgress): void;
}

/** Everything after the lock was taken. The result is journalled before it is given back. */
export async function runToolUse(run: RunCall, deps: ToolDeps): Promise<FinishedCall> {
	const finished = await attempt(run, deps);
	await journalResult(finished, deps.journal);
	return finished;
}

export async function journalResult(finished: FinishedCall, journal: Journal): Promise<void> {
	const { result, state, view } = finished;
	await journal.append({ type: 'tool_result', toolUseId: result.tool_use_id, result, state, view });
}

async function attempt(run: RunCall, deps: ToolDeps): Promise<FinishedCall> {
	const { toolUse, call, context, signal } = run;
	try {
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		const prepared = await call.parsed.prepare(context, signal);
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		if (prepared.kind === 'refused') return failed(toolUse, prepared.message, prepared.view);
		const question = {
			toolUse,
			summary: call.parsed.summary(context),
			need: prepared.value.permission(context),
			context,
		};
		const before = await deps.hooks?.beforeTool(question, signal);
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		if (before?.kind === 'stop')
			return { ...failed(toolUse, before.reason), state: 'denied', stopReason: before.reason };
		if (before?.kind === 'block') return { ...failed(toolUse, before.reason), state: 'denied' };
		const decision = await deps.decide(question, signal);
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		if (decision.behavior === 'deny') {
			return { ...failed(toolUse, decision.message), state: decision.stopped ? 'stopped' : 'denied' };
		}
		await deps.journal.append({ type: 'tool_start', toolUseId: toolUse.id, name: toolUse.name, input: toolUse.input });
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		run.onStart();
		const startedAt = deps.clock.now();
		const output = await withGrace(
			prepared.value.run(context, { toolUseId: toolUse.id, signal, progress: (update) => run.onProgress(update) }),
			signal,
			deps.clock,
		);
		const durationMs = deps.clock.now() - startedAt;
		const finished = { ...conclude(toolUse, output, signal), durationMs };
		return signal.aborted ? finished : withHookWords(finished, await deps.hooks?.afterTool(question, finished, signal));
	} catch (error) {
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		return failed(toolUse, `${toolUse.name} failed unexpectedly: ${messageOf(error)}`);
	}
}

/** What a hook says after a call goes to the model with the result. */
function withHookWords(finished: FinishedCall, verdict: HookVerdict | undefined): FinishedCall {
	if (!verdict || verdict.kind === 'pass') return finished;
	const words = { type: 'text', text: verdict.reason } as const;
	const result = { ...finished.result, content: [...finished.result.content, words] };
	return { ...finished, result, ...(verdict.kind === 'stop' ? { stopReason: verdict.reason } : {}) };
}

/** A stopped tool gets a short time to clean up; then its call is answered without it. */
async function withGrace(
	running: Promise<ToolOutput>,
	signal: AbortSignal,
	clock: Clock,
): Promise<ToolOutput | undefined> {
	const ended = new AbortController();
	const abandoned = (async (): Promise<undefined> => {
		await aborted(signal, ended.signal);
		if (!ended.signal.aborted) await clock.sleep(limits.stopGraceMs, ended.signal);
	})();
	try {
		return await Promise.race([running, abandoned]);
	} finally {
		// A reason of our own: the default one is an exception with a stack.
		ended.abort('ended');
	}
}

/** Resolves when either signal aborts; leaves no listener behind. */
function aborted(signal: AbortSignal, other: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			signal.removeEventListener('abort', done);
			other.removeEventListener('abort', done);
			resolve();
		};
		if (signal.aborted || other.aborted) return resolve();
		signal.addEventListener('abort', done);
		other.addEventListener('abort', done);
	});
}

function conclude(toolUse: ToolUseBlock, output: ToolOutput | undefined, signal: AbortSignal): FinishedCall {
	if (!output) return cancelled(toolUse, signal.reason as CancelReason);
	const content = contentBlocks(output.content);
	const context = output.context ? { context: output.context } : {};
	if (signal.aborted) {
		const note = { type: 'text', text: cancelText(signal.reason as CancelReason) } as const;
		const result = { ...resultBlock(toolUse, [note, ...content]), is_error: true };
		return { result, state: 'stopped', view: output.view, durationMs: 0, ...context };
	}
	const result = resultBlock(toolUse, content);
	return output.isError
		? { result: { ...result, is_error: true }, state: 'error', view: output.view, durationMs: 0, ...context }
		: { result, state: 'done', view: output.view, durationMs: 0, ...context };
}

/** The answer to a call that did not run to its end because something cancelled it. */
export function cancelled(toolUse: ToolUseBlock, reason: CancelReason): FinishedCall {
	return { ...failed(toolUse, cancelText(reason)), state: 'stopped' };
}

/** The answer to a call that cannot work. */
export function failed(toolUse: ToolUseBlock, message: string, view: ToolView = { kind: 'none' }): FinishedCall {
	const result = { ...resultBlock(toolUse, [{ type: 'text', text: message }]), is_error: true };
	return { result, state: 'error', view, durationMs: 0 };
}

function cancelText(reason: CancelReason): string {
	switch (reason.kind) {
		case 'sibling_failed':
			return `Cancelled, because a command beside it failed: ${reason.command}`;
		case 'interrupted_by_message':
			return 'Cancelled, because the user sent a new message.';
		default:
			return 'Interrupted by user.';
	}
}

function resultBlock(toolUse: ToolUseBlock, content: readonly ToolResultContent[]): ToolResultBlock {
	return { type: 'tool_result', tool_use_id: toolUse.id, content };
}

function contentBlocks(content: ToolOutput['content']): readonly ToolResultContent[] {
	return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
