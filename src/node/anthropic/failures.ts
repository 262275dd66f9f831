// From what the SDK and fetch throw to a `ModelFailure`. Reads the errors by their fields, not by their classes: the same
// failure comes in several classes (anthropic-api 1.11).
import { classify, retryAfter, safeMessage, type ServiceError } from '../../core/model/classify.ts';
import type { ModelFailure } from '../../core/model/failure.ts';

/** What a failure is told with. */
export interface FailureContext {
	readonly host: string;
	/** Never to appear in a message. */
	readonly secrets: readonly string[];
	/** Milliseconds since the epoch. */
	now(): number;
}

/** An error answer: status, headers and body (parsed JSON, or the text itself). */
export function failureOfAnswer(
	answer: { readonly status?: number | undefined; readonly headers?: Headers | undefined; readonly body: unknown },
	context: FailureContext,
): ModelFailure {
	const header = (name: string) => answer.headers?.get(name) ?? null;
	const fields = errorFields(answer.body);
	const fallback = answer.status === undefined ? 'The service reported an error.' : `HTTP ${answer.status}`;
	const error: ServiceError = {
		status: answer.status,
		type: fields.type,
		code: fields.code,
		message: safeMessage(fields.message || fallback, context.secrets),
		requestId: header('request-id') ?? fields.requestId,
		retryAfterMs: retryAfter(header, context.now()),
	};
	return { ...classify(error), host: context.host };
}

/** An exception of the SDK or of fetch, before or in mid-stream. */
export function failureOfError(error: unknown, context: FailureContext, when: 'before' | 'within'): ModelFailure {
	const status = field(error, 'status');
	const headers = field(error, 'headers');
	if (typeof status === 'number') {
		const body = field(error, 'error') ?? messageOf(error).replace(/^\d{3} /, '');
		return failureOfAnswer({ status, headers: headers instanceof Headers ? headers : undefined, body }, context);
	}
	const code = systemCode(error);
	const message = safeMessage(deepestMessage(error), context.secrets);
	const base = { message, host: context.host, ...(code ? { code } : {}) };
	if (code === 'UND_ERR_BODY_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return { kind: 'stalled', ...base };
	if (when === 'within' || (code && brokenConnection.has(code))) return { kind: 'dropped', ...base };
	if (code === 'ERR_INVALID_URL') return { kind: 'not_configured', ...base };
	return { kind: 'unreachable', ...base };
}

/** Carries what fetch threw past the SDK, which forgets the cause of everything that looks like a timeout. */
export class SendFailure extends Error {
	readonly reason: unknown;
	constructor(reason: unknown) {
		super('The request failed');
		this.reason = reason;
	}
}

/** A connection was there and broke: worth another try, unlike one that could not be made. */
const brokenConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);

/** The error object of a body in the API's shape, in OpenAI's, or plain text. */
function errorFields(body: unknown): {
	type?: string | undefined;
	code?: string | undefined;
	message: string;
	requestId?: string | undefined;
	paths?: readonly string[];
	maxSide?: number;
} {
	if (typeof body === 'string') return { message: body };
	const inner = field(body, 'error');
	if (typeof inner === 'string') return { message: inner };
	const source = typeof inner === 'object' && inner !== null ? inner : body;
	const details = field(source, 'details');
	const [paths, maxSide] = [field(details, 'paths'), field(details, 'max_side_length_pixels')];
	const code = text(field(details, 'error_code')) ?? text(field(source, 'code'));
	const type = text(field(source, 'type'));
	return {
		type: type === 'error' ? undefined : type,
		code,
		message: text(field(source, 'message')) ?? text(field(source, 'detail')) ?? JSON.stringify(source ?? ''),
		requestId: text(field(body, 'request_id')),
		...(Array.isArray(paths) ? { paths: paths.filter((path) => typeof path === 'string') } : {}),
		...(typeof maxSide === 'number' ? { maxSide } : {}),
	};
}

/** The system's or undici's code, from the error or what caused it. */
function systemCode(error: unknown): string | undefined {
	let at: unknown = error;
	for (let depth = 0; depth < 6 && at; depth++) {
		const code = field(at, 'code');
		if (typeof code === 'string' && code !== '') return code;
		at = causeOf(at);
	}
	return undefined;
}

/** The message nearest to the cause: "fetch failed" says nothing, "connect ECONNREFUSED …" does. */
function deepestMessage(error: unknown): string {
	let best = messageOf(error);
	let at: unknown = error;
	for (let depth = 0; depth < 6 && at; depth++) {
		best = messageOf(at) || best;
		at = causeOf(at);
	}
	return best;
}

/** Of several attempts (IPv6 and IPv4) the first. */
function causeOf(error: unknown): unknown {
	const errors = field(error, 'errors');
	return Array.isArray(errors) && errors.length > 0 ? errors[0] : (field(error, 'reason') ?? field(error, 'cause'));
}

function messageOf(error: unknown): string {
	return text(field(error, 'message')) ?? String(error);
}
function field(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && name in value
		? (value as Readonly<Record<string, unknown>>)[name]
		: undefined;
}
function text(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}
