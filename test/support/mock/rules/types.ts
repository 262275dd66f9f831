// What the request rules share: how a violation looks, and narrow readers of unknown JSON.

/** A rule that a request breaks, as the API would answer it. */
export interface Violation {
	readonly status: number;
	readonly type: string;
	readonly message: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** A 400 with the API's wording. */
export const invalid = (message: string): Violation => ({ status: 400, type: 'invalid_request_error', message });

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string as it is, anything else as the empty one. */
export function asText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

export function objects(value: unknown): Json[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The content blocks of a message; a string is one text block. */
export function blocksOf(message: Json): Json[] {
	return typeof message['content'] === 'string'
		? [{ type: 'text', text: message['content'] }]
		: objects(message['content']);
}

/** Fields that are not among the known ones. */
export function* extraInputs(value: Json, known: readonly string[], path: string): Generator<Violation> {
	for (const key of Object.keys(value)) {
		if (!known.includes(key)) yield invalid(`${path === '' ? '' : `${path}.`}${key}: Extra inputs are not permitted`);
	}
}

/** What was found out about blocks that come again as the same objects; whoever gives it makes sure that none is changed. */
export interface BlockMemo {
	/** By block without a violation: the role of its message. */
	readonly sound: WeakMap<Json, string>;
	/** The JSON of a block without cache marks. */
	plainJson(block: Json): string;
	/** Tools and system prompt of a body as bytes, the same for the same ones. */
	headOf(body: Json): string | undefined;
}
