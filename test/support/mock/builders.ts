// The words that tests script a model with: `turn(thinking('…'), text('…'), toolUse('Read', {…}))`, `cut(…)`, `fail(…)`, `gate()`.
import { statusOf } from '../../../src/node/wire/errors.ts';
import type { WireEvent, WireUsage } from '../../../src/node/wire/events.ts';
import type { BlockPart, DropHow, Gate, Hold, Part, Piece, Settings, Step, ToolUseOptions } from './parts.ts';

/** A text block. Holds between the pieces stop the stream in the middle of the block. */
export const text = (...pieces: Piece[]): BlockPart => ({ kind: 'block', type: 'text', pieces });

/** A thinking block, signed unless told otherwise. `omitted`: the text stays on the server, only the signature comes. */
export const thinking = (
	content: Piece | readonly Piece[],
	options: { signature?: string | null; omitted?: true } = {},
): BlockPart => ({
	kind: 'block',
	type: 'thinking',
	pieces: typeof content === 'object' && 'length' in content ? content : [content],
	...options,
});

/** A thinking block without signature, as Ollama and others send it. */
export const unsignedThinking = (content: string): BlockPart => thinking(content, { signature: null });

/** A redacted thinking block. */
export const redactedThinking = (data: string): BlockPart => verbatim({ type: 'redacted_thinking', data });

/** A call of a tool. Without an id the server gives one that is unique for its lifetime. */
export const toolUse = (name: string, input: unknown, idOrOptions: string | ToolUseOptions = {}): BlockPart => ({
	kind: 'block',
	type: 'tool_use',
	name,
	input,
	options: typeof idOrOptions === 'string' ? { id: idOrOptions } : idOrOptions,
});

/** A block that comes whole in its start event, of any type. */
export const verbatim = (block: Record<string, unknown>): BlockPart => ({ kind: 'block', type: 'verbatim', block });

/** The block with another index than its place. */
export const at = (index: number, block: BlockPart): BlockPart => ({ ...block, index });

/** Blocks that are open at the same time, their deltas taking turns. */
export const interleaved = (...blocks: BlockPart[]): Part => ({ kind: 'interleaved', blocks });

/** An event as it is, known or not. */
export const event = (raw: WireEvent): Part => ({ kind: 'event', event: raw });

/** Bytes written as they are, in mid-stream. */
export const raw = (content: string): Part => ({ kind: 'raw', text: content });

/** An answer of blocks, holds and faults. It stops with `tool_use` if it calls a tool, else with `end_turn`. */
export const turn = (...parts: (Part | string)[]): Step => ({
	kind: 'turn',
	framed: true,
	parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
});

/** An answer of one text. */
export const answer = (content: string): Step => turn(text(content));

/** An answer that stops for another reason: `cut(text('half'), 'max_tokens')`. */
export const cut = (...args: [...parts: (Part | string)[], reason: string]): Step => {
	const reason = args.at(-1);
	return turn(...args.slice(0, -1), settings({ stopReason: typeof reason === 'string' ? reason : 'max_tokens' }));
};

/** Settings of the answer that they stand in. */
export const settings = (values: Settings): Part => ({ kind: 'settings', settings: values });
export const stop = (reason: string | null, details?: unknown): Part =>
	settings({ stopReason: reason, ...(details === undefined ? {} : { stopDetails: details }) });
export const usage = (values: WireUsage | null): Part => settings({ usage: values });
export const headers = (values: Record<string, string>): Part => settings({ headers: values });

/** Sends the bytes in chunks of this size, which also cuts characters and line ends in two. */
export const pace = (options: { chunkBytes: number; everyMs?: number }): Part => settings({ pace: options });

/** Streams as other servers write them. */
export const odd = {
	noPing: settings({ ping: false }),
	dataLinesOnly: settings({ dataLinesOnly: true }),
	noMessageStop: settings({ messageStop: false }),
	bareDone: settings({ done: 'bare' }),
	namedDone: settings({ done: 'named' }),
	openEnd: settings({ openEnd: true }),
	usageNull: settings({ usage: null }),
	usageAbsent: settings({ usageAbsent: true }),
} as const;

/** Waits that long before what follows, or before the headers. */
export const delay = (ms: number, options: { at?: 'headers' } = {}): Hold => ({
	kind: 'hold',
	...options,
	wait: () => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** Holds the stream here until `open()`. One gate may stand in several steps; once open it stays open. */
export const gate = (options: { at?: 'headers' } = {}): Gate => {
	const reached = deferred();
	const opened = deferred();
	return {
		kind: 'hold',
		...options,
		reached: reached.promise,
		open: () => opened.resolve(),
		wait: () => {
			reached.resolve();
			return opened.promise;
		},
	};
};

/** An error event in mid-stream, after which the server ends it. */
export const errorEvent = (type: string, message = defaultMessage(type)): Part => ({ kind: 'error', type, message });

/** Ends the connection: here, or once so many events or bytes of the answer were written, or before the headers. */
export const drop = (
	options: { afterEvents?: number; afterBytes?: number; how?: DropHow; at?: 'headers' } = {},
): Part => ({ kind: 'drop', how: 'reset', ...options });

/** Says nothing more, from here or after so many events; with `pings` only a ping every so many milliseconds. */
export const stall = (options: { after?: number; pings?: number | boolean; at?: 'headers' } = {}): Part => {
	const { pings, ...rest } = options;
	return { kind: 'stall', ...rest, ...(pings ? { pingEveryMs: pings === true ? 20 : pings } : {}) };
};

/** An error answer with its status: `fail(529, 'overloaded_error')`, `fail(429, 'rate_limit_error', '…', {'retry-after': '7'})`. */
export const fail = (
	status: number,
	type: string,
	message = defaultMessage(type),
	headers: Record<string, string> = {},
	details?: Record<string, unknown>,
): Step => ({ kind: 'fail', status, type, message, headers, ...(details ? { details } : {}) });

/** A body of any kind, for answers that are not the API's. */
export const body = (status: number, contentType: string, content: string): Step => ({
	kind: 'body',
	status,
	headers: { 'content-type': contentType },
	text: content,
});

/** HTTP 200 with a web page, as a captive portal answers. */
export const html = (page = '<!doctype html><title>Log in</title><p>Please log in to the network.</p>'): Step =>
	body(200, 'text/html; charset=utf-8', page);

/** HTTP 200 and a stream of exactly these bytes, then the faults given. */
export const rawSse = (content: string, ...parts: Part[]): Step => ({
	kind: 'turn',
	framed: false,
	parts: [raw(content), ...parts],
});

function defaultMessage(type: string): string {
	if (type === 'overloaded_error') return 'Overloaded';
	return statusOf(type) >= 500 ? 'Internal server error' : `The request was refused: ${type}`;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
	let resolve: () => void = () => {};
	const promise = new Promise<void>((done) => {
		resolve = done;
	});
	return { promise, resolve };
}
