// One tool call from its arrival to its result: find → parse → prepare → permission → journal → run → result.
// Contract: never throws for what a model, a tool or a person does, and gives back exactly one result.
import type { JsonObject, ToolResultBlock, ToolResultContent, ToolUseBlock } from '../messages/types.ts';
import { changedInputText } from '../messages/changedInput.ts';
import type { HookWord } from '../permissions/query.ts';
import type { Clock } from '../ports/clock.ts';
import type { FinishedToolState, Journal } from '../messages/journal.ts';
import type { EditOutcome, PermissionMode } from '../../shared/permission.ts';
import type { ToolView } from '../../shared/view.ts';
import type { Registry } from './registry.ts';
import type { ParsedCall, PermissionNeed, PreparedCall, Tool, ToolContext, ToolOutput, ToolProgress } from './tool.ts';
import { limits } from '../limits.ts';

/** The permission layer's word on one call. `message` is written for the model. */
export type Decision =
	/**
	 * `input`: fields that replace those of the call's input; what comes of it is parsed, prepared and judged anew. `mode`: the
	 * mode to go on in. `edit`: what the person took of a proposed edit.
	 */
	| {
			readonly behavior: 'allow';
			readonly input?: JsonObject;
			readonly mode?: PermissionMode;
			readonly edit?: EditOutcome;
	  }
	| { readonly behavior: 'deny'; readonly message: string; readonly stopped?: boolean };

export interface PermissionQuestion {
	readonly toolUse: ToolUseBlock;
	readonly summary: string;
	readonly need: PermissionNeed;
	readonly context: ToolContext;
	/** The person has answered for exactly this input: where the verdict is to ask, that is settled. A denial still denies. */
	readonly answered?: boolean;
	/** What a hook said before: `allow` spares the prompt, no more; `ask` demands one. */
	readonly hook?: HookWord;
}

/**
 * A hook's word on a call. `allow` and `ask` (before): the permission rules hear it. `block`: not this call (before), or words
 * for the model (after). `stop`: end the exchange.
 */
export type HookVerdict =
	| { readonly kind: 'pass' }
	| { readonly kind: 'allow' | 'ask'; readonly reason?: string }
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
	/** Goes on in the mode that the person chose with an answer. Absent: the mode cannot be changed here. */
	setMode?(mode: PermissionMode): Promise<void>;
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
	/** Of a call that the person changed: what ran, in one line. */
	readonly ran?: string;
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
	return parseCall(toolUse, tool);
}

function parseCall(toolUse: ToolUseBlock, tool: Tool): CheckedCall {
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
	/** The person changed the call so that it may overlap no other any more: resolves when nothing else runs. */
	aloneNow(): Promise<void>;
	/** `changed`: the summary of what runs, when the person changed the call. */
	onStart(changed?: string): void;
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
	const { toolUse, signal } = run;
	try {
		const permitted = await permit(run, deps);
		return permitted.kind === 'answered' ? permitted.finished : await perform(permitted, run, deps);
	} catch (error) {
		if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
		return failed(toolUse, `${toolUse.name} failed unexpectedly: ${messageOf(error)}`);
	}
}

/** A call on its way to its run; `toolUse` with the input that will run. */
interface Candidate {
	readonly toolUse: ToolUseBlock;
	readonly parsed: ParsedCall;
	/** The fields that the person gave. */
	readonly answered?: JsonObject;
}
interface Permitted extends Candidate {
	readonly kind: 'permitted';
	readonly prepared: PreparedCall;
	readonly question: PermissionQuestion;
	readonly decision: Extract<Decision, { behavior: 'allow' }>;
}
interface Answered {
	readonly kind: 'answered';
	readonly finished: FinishedCall;
}

/** Prepares and judges the call; where the person changed its input, that goes the same way again before it may run. */
async function permit(run: RunCall, deps: ToolDeps): Promise<Permitted | Answered> {
	let permitted = await permitInput(run, deps);
	// What the person took of an edit may lie where the file has changed while they were asked.
	while (permitted.kind === 'permitted' && !(await stillFits(permitted, run))) permitted = await permitInput(run, deps);
	return permitted;
}

async function stillFits({ prepared, decision }: Permitted, { context }: RunCall): Promise<boolean> {
	return decision.edit === undefined || prepared.fits(decision.edit, context);
}

async function permitInput(run: RunCall, deps: ToolDeps): Promise<Permitted | Answered> {
	const { toolUse, call } = run;
	const first = await consider({ toolUse, parsed: call.parsed }, run, deps);
	if (first.kind === 'answered' || first.decision.input === undefined) return first;
	const answered = first.decision.input;
	const changed = { ...toolUse, input: { ...toolUse.input, ...answered } };
	const checked = parseCall(changed, call.tool);
	if (checked.kind === 'refused') {
		const message = `The user changed the input, and it does not work as changed. ${checked.message}`;
		return { kind: 'answered', finished: failed(toolUse, message) };
	}
	if (call.parsed.isConcurrencySafe() && !checked.parsed.isConcurrencySafe()) await run.aloneNow();
	const second = await consider({ toolUse: changed, parsed: checked.parsed, answered }, run, deps);
	return second.kind === 'answered' ? second : { ...second, decision: first.decision };
}

/** Prepare → hooks → permission, for one input. */
async function consider(candidate: Candidate, run: RunCall, deps: ToolDeps): Promise<Permitted | Answered> {
	const { toolUse, parsed } = candidate;
	const { signal } = run;
	const answered = candidate.answered !== undefined;
	const context = answered ? { ...run.context, answered } : run.context;
	const ended = (finished: FinishedCall): Answered => ({ kind: 'answered', finished });
	const stopped = () => ended(cancelled(toolUse, signal.reason as CancelReason));
	if (signal.aborted) return stopped();
	const prepared = await parsed.prepare(context, signal);
	if (signal.aborted) return stopped();
	if (prepared.kind === 'refused') return ended(failed(toolUse, prepared.message, prepared.view));
	const question: PermissionQuestion = {
		toolUse,
		summary: parsed.summary(context),
		need: prepared.value.permission(context),
		context,
		...(answered ? { answered } : {}),
	};
	const before = await deps.hooks?.beforeTool(question, signal);
	if (signal.aborted) return stopped();
	if (before?.kind === 'stop') {
		return ended({ ...failed(toolUse, before.reason), state: 'denied', stopReason: before.reason });
	}
	if (before?.kind === 'block') return ended({ ...failed(toolUse, before.reason), state: 'denied' });
	const decision = await deps.decide(before === undefined ? question : { ...question, ...hookWord(before) }, signal);
	if (signal.aborted) return stopped();
	if (decision.behavior === 'deny') {
		return ended({ ...failed(toolUse, decision.message), state: decision.stopped ? 'stopped' : 'denied' });
	}
	return { kind: 'permitted', ...candidate, prepared: prepared.value, question, decision };
}

function hookWord(verdict: HookVerdict): Pick<PermissionQuestion, 'hook'> {
	if (verdict.kind !== 'allow' && verdict.kind !== 'ask') return {};
	const { kind, reason } = verdict;
	return { hook: { behavior: kind, ...(reason === undefined ? {} : { reason }) } };
}

async function perform(permitted: Permitted, run: RunCall, deps: ToolDeps): Promise<FinishedCall> {
	const { toolUse, prepared, question, answered, decision } = permitted;
	const { context, signal } = run;
	// What really runs, so that a resumed session knows it.
	await deps.journal.append({ type: 'tool_start', toolUseId: toolUse.id, name: toolUse.name, input: toolUse.input });
	if (signal.aborted) return cancelled(toolUse, signal.reason as CancelReason);
	const fields = Object.keys(propertiesOf(run.call.tool));
	const note = answered && changedInputText(run.toolUse.input, toolUse.input, fields);
	run.onStart(note === undefined ? undefined : question.summary);
	if (decision.mode !== undefined) await deps.setMode?.(decision.mode);
	const startedAt = deps.clock.now();
	const output = await withGrace(
		prepared.run(context, {
			toolUseId: toolUse.id,
			signal,
			progress: (update) => run.onProgress(update),
			...(answered === undefined ? {} : { answered }),
			...(decision.edit === undefined ? {} : { edit: decision.edit }),
		}),
		signal,
		deps.clock,
	);
	const durationMs = deps.clock.now() - startedAt;
	const concluded = { ...conclude(toolUse, output, signal), durationMs };
	const finished = note === undefined ? concluded : { ...withNote(concluded, note), ran: question.summary };
	return signal.aborted ? finished : withHookWords(finished, await deps.hooks?.afterTool(question, finished, signal));
}

function propertiesOf(tool: Tool): object {
	const { properties } = tool.inputSchema;
	return typeof properties === 'object' && properties !== null ? properties : {};
}

/** What the person changed stands before what came of it. */
function withNote(finished: FinishedCall, text: string): FinishedCall {
	const content = [{ type: 'text', text } as const, ...finished.result.content];
	return { ...finished, result: { ...finished.result, content } };
}

/** What a hook says after a call goes to the model with the result. */
function withHookWords(finished: FinishedCall, verdict: HookVerdict | undefined): FinishedCall {
	if (verdict?.kind !== 'block' && verdict?.kind !== 'stop') return finished;
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
	return await new Promise((resolve, reject) => {
		let grace: AbortController | undefined;
		const onAbort = () => {
			const ended = new AbortController();
			grace = ended;
			void clock.sleep(limits.stopGraceMs, ended.signal).then(() => resolve(undefined));
		};
		const settle = () => {
			signal.removeEventListener('abort', onAbort);
			// A reason of our own: the default one is an exception with a stack.
			grace?.abort('ended');
		};
		if (signal.aborted) onAbort();
		else signal.addEventListener('abort', onAbort, { once: true });
		running.then(resolve, reject).finally(settle);
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
