// From an error answer of a Messages server to a `ModelFailure`: by its type, then its status, and by its text only where
// neither says enough (anthropic-api 2). Other servers' shapes are understood as far as they are known (9).
import type { ModelFailure, ModelFailureKind, RefusedMedia } from './failure.ts';

/** An error as it came: `type`, `code` and `message` from the body, as far as it had them. */
export interface ServiceError {
	readonly status?: number | undefined;
	readonly type?: string | undefined;
	/** `details.error_code`, or `code` of an OpenAI-shaped body. */
	readonly code?: string | undefined;
	readonly message: string;
	readonly requestId?: string | undefined;
	/** `details.paths` and `details.max_side_length_pixels`: which images are meant. */
	readonly paths?: readonly string[] | undefined;
	readonly maxSide?: number | undefined;
	/** Milliseconds. */
	readonly retryAfterMs?: number | undefined;
}

const billingCodes = [
	'contract_spend_limit_reached',
	'enforced_spend_limit_reached',
	'linked_organization_billing_unavailable',
	'linked_organization_spend_limit_reached',
	'insufficient_quota',
];
const kindOfCode: Readonly<Record<string, ModelFailureKind>> = {
	...Object.fromEntries(billingCodes.map((code) => [code, 'billing' as const])),
	organization_on_hold: 'permission',
	image_dimensions_too_large: 'media_too_large',
	request_body_too_large_after_decoding: 'prompt_too_long',
	context_length_exceeded: 'prompt_too_long',
	ramp_limit_exceeded: 'rate_limited',
	compaction_unavailable: 'overloaded',
};
const kindOfType: Readonly<Record<string, ModelFailureKind>> = {
	authentication_error: 'authentication',
	billing_error: 'billing',
	permission_error: 'permission',
	not_found_error: 'not_found',
	request_too_large: 'prompt_too_long',
	rate_limit_error: 'rate_limited',
	overloaded_error: 'overloaded',
	api_error: 'server_error',
	timeout_error: 'server_error',
	conflict_error: 'server_error',
};
const kindOfStatus: Readonly<Record<number, ModelFailureKind>> = {
	401: 'authentication',
	402: 'billing',
	403: 'permission',
	408: 'server_error',
	409: 'server_error',
	413: 'prompt_too_long',
	429: 'rate_limited',
	529: 'overloaded',
};

/** Texts of 400 answers for which the API has no code (2.2). The first that matches decides. */
const textsOfRefusal: readonly (readonly [RegExp, ModelFailureKind])[] = [
	[
		/prompt is too long|exceeds? (the )?(available |maximum |model's )?context (size|length|limit|window)/i,
		'prompt_too_long',
	],
	[
		/exceed context limit|maximum context length is|request exceeds the maximum allowed number of bytes/i,
		'prompt_too_long',
	],
	[/credit balance is too low|specified API usage limits/i, 'billing'],
	[/invalid `?signature`? in `?thinking`?|bound to a different conversation/i, 'invalid_signature'],
	[
		/thinking`? or `?redacted_thinking`? blocks in the latest assistant message cannot be modified/i,
		'invalid_signature',
	],
	[/image exceeds|image dimensions exceed|could not process image|image_dimensions_too_large/i, 'media_too_large'],
	[/image was specified using|does not match the provided media type|maximum of \d+ PDF pages/i, 'media_too_large'],
];

/** What an error means. Contract: never throws; `message` is taken as it is (redact and cut it before). */
export function classify(error: ServiceError): ModelFailure {
	const kind = kindOf(error);
	return {
		kind,
		message: error.message,
		...(error.status === undefined ? {} : { status: error.status }),
		...(error.requestId ? { requestId: error.requestId } : {}),
		...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
		...(kind === 'prompt_too_long' ? tokensIn(error.message) : {}),
		...(kind === 'media_too_large' ? { media: refusedIn(error) } : {}),
	};
}

function kindOf({ status, type, code, message }: ServiceError): ModelFailureKind {
	const byCode = code && Object.hasOwn(kindOfCode, code) ? kindOfCode[code] : undefined;
	if (byCode) return byCode;
	const byType = type && Object.hasOwn(kindOfType, type) ? kindOfType[type] : undefined;
	// A server that is no Messages API says 404 without the API's words: the address is wrong, not the model.
	if ((status === 404 || status === 405) && !type) return 'not_a_stream';
	const byStatus = status === undefined ? undefined : kindOfStatus[status];
	const known = byType ?? byStatus;
	// A spend limit comes as a rate limit that never ends.
	if (known === 'rate_limited' && /spend limit|specified API usage limits/i.test(message)) return 'billing';
	if (known) return known;
	if (status !== undefined && status >= 300 && status < 400) return 'not_a_stream';
	if (status !== undefined && status >= 500 && type !== 'invalid_request_error') {
		return overflow(message) ? 'prompt_too_long' : 'server_error';
	}
	const byText = textsOfRefusal.find(([pattern]) => pattern.test(message))?.[1];
	if (byText) return byText;
	if (status === 404) return 'not_found';
	if (type === 'invalid_request_error' || (status !== undefined && status >= 400)) return 'invalid_request';
	return 'unknown';
}

function overflow(message: string): boolean {
	return textsOfRefusal.some(([pattern, kind]) => kind === 'prompt_too_long' && pattern.test(message));
}

/** The numbers in an overflow message, in tokens. */
function tokensIn(message: string): { actual?: number; maximum?: number } {
	const long = /too long: (\d+) tokens > (\d+) maximum/i.exec(message);
	if (long) return { actual: Number(long[1]), maximum: Number(long[2]) };
	const sum = /context limit: (\d+) \+ (\d+) > (\d+)/i.exec(message);
	if (sum) return { actual: Number(sum[1]) + Number(sum[2]), maximum: Number(sum[3]) };
	const requested = /maximum context length is (\d+) tokens.*?requested (\d+)/is.exec(message);
	if (requested) return { actual: Number(requested[2]), maximum: Number(requested[1]) };
	return {};
}

/** What an error says of the media that it is about. */
function refusedIn({ message, paths = [], maxSide }: ServiceError): RefusedMedia {
	const named = message.match(/\bmessages\.\d+\.content\.\d+(?:\.\w+)*/g) ?? [];
	const side = maxSide ?? numberIn(message, /max(?:imum)? allowed size[^:]*: (\d+) pixels/i);
	const bytes = numberIn(message, /\d+ bytes > (\d+) bytes/i);
	return {
		paths: [...paths, ...named],
		...(side === undefined ? {} : { maxSide: side }),
		...(bytes === undefined ? {} : { maxBytes: bytes }),
	};
}

function numberIn(message: string, pattern: RegExp): number | undefined {
	const found = pattern.exec(message)?.[1];
	return found === undefined ? undefined : Number(found);
}

/**
 * The wait that a server demands, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as a date. Undefined
 * when there is none or it makes no sense. `now`: milliseconds since the epoch.
 */
export function retryAfter(header: (name: string) => string | null, now: number): number | undefined {
	const exact = Number.parseFloat(header('retry-after-ms') ?? '');
	if (Number.isFinite(exact) && exact >= 0) return exact;
	const text = (header('retry-after') ?? '').trim();
	if (text === '') return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const maxMessage = 500;

/**
 * One line of at most 500 characters for the log: secrets replaced, HTML reduced to its title. `secrets` are the key and
 * the token in use; what looks like a key is replaced in any case.
 */
export function safeMessage(text: string, secrets: readonly string[] = []): string {
	// Bodies can be megabytes; nothing beyond this is ever shown.
	let safe = text.slice(0, 20_000);
	if (/^\s*(?:\d{3} )?\s*<(?:!doctype|html|head|body)\b/i.test(safe)) {
		const title = /<title[^>]*>([^<]*)/i.exec(safe)?.[1]?.trim();
		safe = title ? `HTML page: ${title}` : 'HTML page';
	}
	for (const secret of secrets) if (secret.length >= 4) safe = safe.replaceAll(secret, '[key]');
	safe = safe
		.replace(/\bsk-[\w-]{8,}/g, '[key]')
		.replace(/\bBearer\s+[\w.~+/=-]{8,}/gi, 'Bearer [key]')
		// Line ends, and control characters that a log should not get.
		.replace(/\p{Cc}+/gu, ' ')
		.trim();
	return safe.length > maxMessage ? `${safe.slice(0, maxMessage - 1)}…` : safe;
}
