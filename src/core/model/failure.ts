// What can go wrong with a model request, as data. Views localise `kind`; nothing is decided by the text of a message.

export type ModelFailureKind =
	| 'authentication'
	| 'permission'
	| 'billing'
	| 'not_found'
	| 'prompt_too_long'
	| 'media_too_large'
	| 'invalid_request'
	| 'invalid_signature'
	| 'rate_limited'
	| 'overloaded'
	| 'server_error'
	/** No connection could be made (no network, refused, name not found, certificate). */
	| 'unreachable'
	/** 200, but no stream of the Messages API: an HTML page, JSON, or nothing. */
	| 'not_a_stream'
	/** The connection ended before `message_stop`. */
	| 'dropped'
	/** No bytes for too long. */
	| 'stalled'
	/** The answer was cut by the output limit. */
	| 'output_limit'
	/** The model declined (`stop_reason: refusal`). */
	| 'refused'
	/** No key, or a setting that cannot work. */
	| 'not_configured'
	| 'unknown';

export interface ModelFailure {
	readonly kind: ModelFailureKind;
	/** English, one line, cut to 500 characters, no secrets. For the log and as detail under the localised sentence. */
	readonly message: string;
	readonly status?: number;
	readonly requestId?: string;
	/** Milliseconds the server asks to wait. */
	readonly retryAfterMs?: number;
	/** Of `prompt_too_long`: tokens. */
	readonly actual?: number;
	readonly maximum?: number;
	/** Of `media_too_large`: what was refused, as far as the service says. */
	readonly media?: RefusedMedia;
	/** Host name of the base URL, for "could not reach …". */
	readonly host?: string;
	/** Of `unreachable`: the system's code, such as ECONNREFUSED. */
	readonly code?: string;
}

/** Which images or documents of a request a service does not take. Empty: it did not say. */
export interface RefusedMedia {
	/** Places in the request, such as `messages.4.content.0.source.base64`. */
	readonly paths: readonly string[];
	/** Pixels of a side. */
	readonly maxSide?: number;
	/** Bytes of one medium. */
	readonly maxBytes?: number;
}
