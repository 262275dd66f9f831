// One tool call from its arrival to the word on it: prepare → hooks → permission. A proposed edit goes this way ahead of its turn.
// Contract: reads only; what was settled ahead holds at the turn only as far as rules and mode still say so.
import type { JsonObject, ToolUseBlock } from '../messages/types.ts';
import type { HookWord } from '../permissions/query.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../messages/journal.ts';
import type { EditOutcome, PermissionMode } from '../../shared/permission.ts';
import { parseCall } from './checkCall.ts';
import { isChosen } from './choice.ts';
import type { CancelReason, FinishedCall } from './finishedCall.ts';
import { cancelled, failed } from './finishedCall.ts';
import type { ParsedCall, PermissionNeed, PreparedCall, Tool, ToolContext } from './tool.ts';

/** The permission layer's word on one call. `message` is written for the model. */
export type Decision =
	/**
	 * `input`: fields that replace those of the call's input; what comes of it is parsed, prepared and judged anew. `mode`: the
	 * mode to go on in. `edit`: what the person took of a proposed edit.
	 */
	| {
			readonly behavior: 'allow';
			/** The person has answered, not a rule or the mode. */
			readonly asked?: true;
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
	/** The person chose what is taken of an edit that does not fit any more: no rule or mode may allow it in their place. */
	readonly mustAsk?: boolean;
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

export interface PermitRun {
	readonly toolUse: ToolUseBlock;
	readonly call: { readonly parsed: ParsedCall; readonly tool: Tool };
	readonly context: ToolContext;
	readonly signal: AbortSignal;
	/** What was asked before its turn came. */
	readonly ahead?: Ahead;
	/** See `PermissionQuestion`. */
	readonly mustAsk?: boolean;
	/** The person changed the call so that it may overlap no other any more: resolves when nothing else runs. */
	aloneNow(): Promise<void>;
}

/** A call on its way to its run; `toolUse` with the input that will run. */
interface Candidate {
	readonly toolUse: ToolUseBlock;
	readonly parsed: ParsedCall;
	/** The fields that the person gave. */
	readonly answered?: JsonObject;
}
export interface Permitted extends Candidate {
	readonly kind: 'permitted';
	readonly prepared: PreparedCall;
	readonly question: PermissionQuestion;
	readonly decision: Extract<Decision, { behavior: 'allow' }>;
}
export interface Answered {
	readonly kind: 'answered';
	readonly finished: FinishedCall;
}

/** Prepares and judges the call at its turn. */
export async function permit(run: PermitRun, deps: ToolDeps): Promise<Permitted | Answered> {
	await run.ahead?.keepIfItFits(run.context);
	const ahead = await run.ahead?.permitted;
	let permitted = ahead ? await confirmed(ahead, run, deps) : await permitInput(run, deps);
	// What the person took of an edit may lie where the file has changed while they were asked: they see it on that text.
	while (permitted.kind === 'permitted' && !(await stillFits(permitted, run))) {
		const { edit } = permitted.decision;
		const mustAsk = edit !== undefined && isChosen(edit);
		permitted = await permitInput({ ...run, context: { ...run.context, askedAgain: true }, mustAsk }, deps);
		// Nobody has seen it: then it goes by what the conversation knows of the file.
		if (permitted.kind === 'permitted' && !permitted.decision.asked) return permitInput(run, deps);
	}
	return permitted;
}

/** Rules and mode may have changed since: what a rule allowed is judged again, what the person allowed is denied if it is now. */
async function confirmed(ahead: Permitted | Answered, run: PermitRun, deps: ToolDeps): Promise<Permitted | Answered> {
	if (ahead.kind === 'answered') return ahead;
	const { question, decision } = ahead;
	const now = await deps.decide(decision.asked ? { ...question, answered: true } : question, run.signal);
	if (now.behavior === 'deny') return ended(denied(run.toolUse, now));
	return decision.asked ? ahead : { ...ahead, decision: now };
}

async function stillFits({ prepared, decision }: Permitted, { context }: PermitRun): Promise<boolean> {
	return !decision.asked || prepared.fits(decision.edit, context);
}

/** Where the person changed its input, that goes the same way again before it may run. */
async function permitInput(run: PermitRun, deps: ToolDeps): Promise<Permitted | Answered> {
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
	const { context } = run;
	if ((await call.parsed.isConcurrencySafe(context)) && !(await checked.parsed.isConcurrencySafe(context))) {
		await run.aloneNow();
	}
	const second = await consider({ toolUse: changed, parsed: checked.parsed, answered }, run, deps);
	return second.kind === 'answered' ? second : { ...second, decision: first.decision };
}

/** Prepare → hooks → permission, for one input. */
async function consider(candidate: Candidate, run: PermitRun, deps: ToolDeps): Promise<Permitted | Answered> {
	const { toolUse, parsed } = candidate;
	const { signal } = run;
	const context = candidate.answered === undefined ? run.context : { ...run.context, answered: true };
	if (signal.aborted) return ended(cancelled(toolUse, signal.reason as CancelReason));
	const prepared = await parsed.prepare(context, signal);
	if (signal.aborted) return ended(cancelled(toolUse, signal.reason as CancelReason));
	if (prepared.kind === 'refused') return ended(failed(toolUse, prepared.message, prepared.view));
	const { mustAsk = false } = run;
	return judge({ ...candidate, prepared: prepared.value }, { context, signal, mustAsk }, deps);
}

/** Hooks → permission, for what was prepared. */
async function judge(
	candidate: Candidate & Pick<Permitted, 'prepared'>,
	{ context, signal, mustAsk = false }: Pick<PermitRun, 'context' | 'signal' | 'mustAsk'>,
	deps: ToolDeps,
): Promise<Permitted | Answered> {
	const { toolUse, parsed, prepared, answered } = candidate;
	const stopped = () => ended(cancelled(toolUse, signal.reason as CancelReason));
	const question: PermissionQuestion = {
		toolUse,
		summary: parsed.summary(context),
		need: prepared.permission(context),
		context,
		...(answered === undefined ? {} : { answered: true }),
		...(mustAsk ? { mustAsk } : {}),
	};
	const before = await deps.hooks?.beforeTool(question, signal);
	if (signal.aborted) return stopped();
	if (before?.kind === 'stop') {
		return ended({ ...failed(toolUse, before.reason), state: 'denied', stopReason: before.reason });
	}
	if (before?.kind === 'block') return ended({ ...failed(toolUse, before.reason), state: 'denied' });
	const asked = before === undefined ? question : { ...question, ...hookWord(before) };
	const decision = await deps.decide(asked, signal);
	if (signal.aborted) return stopped();
	if (decision.behavior === 'deny') return ended(denied(toolUse, decision));
	return { kind: 'permitted', ...candidate, question: asked, decision };
}

function ended(finished: FinishedCall): Answered {
	return { kind: 'answered', finished };
}

function denied(toolUse: ToolUseBlock, { message, stopped }: Extract<Decision, { behavior: 'deny' }>): FinishedCall {
	return { ...failed(toolUse, message), state: stopped ? 'stopped' : 'denied' };
}

/** A call that is asked for before its turn. */
export interface Ahead {
	/** As the calls after it find it, once this one is done as proposed; known when it is prepared. */
	readonly after: Promise<ToolContext>;
	/** `undefined`: it cannot be prepared yet, or was taken back, and goes the ordinary way at its turn. */
	readonly permitted: Promise<Permitted | Answered | undefined>;
	/**
	 * At its turn: takes the question back if nobody has answered it and what it shows no longer fits, because a call that it builds
	 * on was denied or changed.
	 */
	keepIfItFits(context: ToolContext): Promise<void>;
}

/** Contract: `after` never rejects; what does not work ahead is tried again at the turn. */
export function permitAhead(
	run: Pick<PermitRun, 'toolUse' | 'call' | 'signal'>,
	before: Promise<ToolContext>,
	deps: ToolDeps,
): Ahead {
	const { toolUse, call, signal } = run;
	const { parsed } = call;
	const takenBack = new AbortController();
	let settled = false;
	const preparing = before.then(async (context) => {
		if (signal.aborted) return { context, prepared: undefined };
		const prepared = await parsed.prepare(context, signal).catch(() => undefined);
		return { context, prepared: prepared?.kind === 'ready' ? prepared.value : undefined };
	});
	const permitted = preparing.then(async ({ context, prepared }) => {
		if (prepared === undefined || signal.aborted) return undefined;
		const asked = { context, signal: AbortSignal.any([signal, takenBack.signal]) };
		const word = await judge({ toolUse, parsed, prepared }, asked, deps);
		settled = true;
		return takenBack.signal.aborted && !signal.aborted ? undefined : word;
	});
	// Of a call that never has its turn nobody waits for this.
	permitted.catch(() => undefined);
	return {
		after: preparing.then(({ context, prepared }) => prepared?.after(context) ?? context),
		permitted,
		keepIfItFits: async (context) => {
			const { prepared } = await preparing;
			if (settled || prepared === undefined) return;
			const fits = await prepared.fits(undefined, context).catch(() => false);
			if (!fits && !settled) takenBack.abort();
		},
	};
}

function hookWord(verdict: HookVerdict): Pick<PermissionQuestion, 'hook'> {
	if (verdict.kind !== 'allow' && verdict.kind !== 'ask') return {};
	const { kind, reason } = verdict;
	return { hook: { behavior: kind, ...(reason === undefined ? {} : { reason }) } };
}
