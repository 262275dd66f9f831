// From the response to a streaming request to the signals of one answer: events, or the one failure that ends them. Knows
// the answers that are no stream (a web page, JSON, nothing) and the errors that come inside one.
import type { ModelSignal } from '../../core/model/client.ts';
import type { ModelFailure } from '../../core/model/failure.ts';
import { safeMessage } from '../../core/model/classify.ts';
import { failureOfAnswer, failureOfError, type FailureContext } from './failures.ts';
import { readBody, type Limits } from './watchdog.ts';

/** Characters read of a body that is no stream. */
const bodyShown = 64 * 1024;
/** Milliseconds to let a finished answer's connection close by itself, so that it can be used again. */
const drainMs = 1000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The signals of one response. Contract: never throws; `failed` comes at most once and last; ends silently on abort.
 * `cancel` ends the connection.
 */
export async function* answerSignals(
	response: Response,
	limits: Limits,
	context: FailureContext,
	abort: { readonly signal: AbortSignal; cancel(): void },
): AsyncGenerator<ModelSignal> {
	const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
	const reader = response.body?.getReader() as Reader | undefined;
	if (!reader) return yield failed(notAStream(context, type, ''));
	let finished = false;
	try {
		if (type === 'text/html' || type === 'application/json') {
			const body = await readText(reader, limits.byteTimeoutMs);
			if (!abort.signal.aborted) yield failed(failureOfPlainBody(body, type, response, context));
			return;
		}
		for await (const signal of streamSignals(reader, type, response.headers, limits, context)) {
			if (abort.signal.aborted) return;
			finished = signal.kind === 'event' && signal.event.type === 'message_stop';
			yield signal;
			if (finished || signal.kind === 'failed') return;
		}
	} finally {
		if (finished) void drain(reader, () => abort.cancel());
		else abort.cancel();
	}
}

async function* streamSignals(
	reader: Reader,
	type: string,
	headers: Headers,
	limits: Limits,
	context: FailureContext,
): AsyncGenerator<ModelSignal> {
	let sawEvent = false;
	for await (const item of readBody(reader, limits)) {
		switch (item.kind) {
			case 'ping':
				break;
			case 'event':
				if (item.event.type === 'error') {
					return yield failed(failureOfAnswer({ headers, body: item.event }, context));
				}
				if (item.event.type === '') break;
				sawEvent = true;
				yield { kind: 'event', event: item.event };
				break;
			case 'unreadable':
				return yield failed(unreadable(item.data, sawEvent, type, context));
			case 'stalled':
				return yield failed({
					kind: 'stalled',
					message: `No ${item.what} from the service for ${Math.round(item.afterMs / 1000)} s.`,
					host: context.host,
				});
			case 'broken':
				return yield failed(failureOfError(item.error, context, 'within'));
			case 'end':
				if (!sawEvent) yield failed(notAStream(context, type, item.bytes === 0 ? 'an empty body' : ''));
				return;
		}
	}
}

function failed(failure: ModelFailure): ModelSignal {
	return { kind: 'failed', failure };
}

function unreadable(data: string, sawEvent: boolean, type: string, context: FailureContext): ModelFailure {
	if (!sawEvent) return notAStream(context, type, '');
	const message = safeMessage(`A record of the stream was no JSON: ${data}`, context.secrets);
	return { kind: 'dropped', message, host: context.host };
}

/** 200 with a body that is no stream: an error in JSON is taken at its word. */
function failureOfPlainBody(text: string, type: string, response: Response, context: FailureContext): ModelFailure {
	const body = parseJson(text);
	if (typeof body === 'object' && body !== null && 'error' in body && body.error) {
		return failureOfAnswer({ headers: response.headers, body }, context);
	}
	const title = /<title[^>]*>([^<]{1,100})/i.exec(text)?.[1]?.trim();
	return notAStream(context, type, title ? `a page titled "${title}"` : '');
}

function notAStream(context: FailureContext, type: string, detail: string): ModelFailure {
	const what = [type || 'no content type', detail].filter(Boolean).join(', ');
	const message = `${context.host} answered, but not with a stream of the Messages API (${what}).`;
	return { kind: 'not_a_stream', message: safeMessage(message, context.secrets), host: context.host };
}

/** The beginning of a body as text; what came so far when it breaks or takes too long. */
async function readText(reader: Reader, timeoutMs: number): Promise<string> {
	const decoder = new TextDecoder();
	const timer = setTimeout(() => void reader.cancel().catch(() => {}), timeoutMs);
	let text = '';
	try {
		while (text.length < bodyShown) {
			const { done, value } = await reader.read();
			if (done) break;
			text += decoder.decode(value, { stream: true });
		}
	} catch {
		// What was read is enough for a message.
	}
	clearTimeout(timer);
	return text;
}

/** Reads a finished answer's connection to its end, for at most `drainMs`. */
async function drain(reader: Reader, cancel: () => void): Promise<void> {
	const timer = setTimeout(cancel, drainMs);
	try {
		while (!(await reader.read()).done);
	} catch {
		// It was cut: nothing to keep.
	}
	clearTimeout(timer);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
