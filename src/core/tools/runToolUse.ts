// One tool call from its turn to its result: permission → journal → run → result.
// Contract: never throws for what a model, a tool or a person does, and gives back exactly one result.
import type { ToolUseBlock } from '../messages/types.ts';
import { changedInputText } from '../messages/changedInput.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, KnownFile } from '../messages/journal.ts';
import { limits } from '../limits.ts';
import type { CancelReason, FinishedCall } from './finishedCall.ts';
import { cancelled, cancelText, failed, resultBlock } from './finishedCall.ts';
import type { HookVerdict, Permitted, PermitRun, ToolDeps } from './permitCall.ts';
import { permit } from './permitCall.ts';
import type { Tool, ToolOutput, ToolProgress } from './tool.ts';

export interface RunCall extends PermitRun {
	/** `changed`: the summary of what runs, when the person changed the call. */
	onStart(changed?: string): void;
	onProgress(update: ToolProgress): void;
}

/** Everything after the lock was taken. The result is journalled before it is given back. */
export async function runToolUse(run: RunCall, deps: ToolDeps): Promise<FinishedCall> {
	const finished = await attempt(run, deps);
	await journalResult(finished, deps.journal, run.context.fileState.takeFresh());
	return finished;
}

/** `files`: what the call, or one beside it, came to know. */
export async function journalResult(
	finished: FinishedCall,
	journal: Journal,
	files: readonly KnownFile[] = [],
): Promise<void> {
	const { result, state, view } = finished;
	const known = files.length > 0 ? { files } : {};
	await journal.append({ type: 'tool_result', toolUseId: result.tool_use_id, result, state, view, ...known });
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

function contentBlocks(content: ToolOutput['content']): FinishedCall['result']['content'] {
	return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
