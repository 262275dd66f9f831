// The raw stream events of the Messages API, and how a described answer becomes their exact sequence: message_start, then
// for each block start, deltas and stop, then message_delta and message_stop. Pure; shared by demo model and test server.

/** Token counts as `message_start` and `message_delta` report them; the input side is the uncached remainder only. */
export interface WireUsage {
	readonly input_tokens: number;
	readonly output_tokens: number;
	readonly cache_creation_input_tokens?: number;
	readonly cache_read_input_tokens?: number;
}

/** A finished content block of an answer. */
export type WireBlock =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
	| { readonly type: 'redacted_thinking'; readonly data: string }
	| { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

/** One event: its `type` is also the name in the `event:` line. */
export interface WireEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** An answer as a whole, before it is cut into events. `pieceChars` is the length of a text or JSON delta. */
export interface WireAnswer {
	readonly id: string;
	readonly model: string;
	readonly blocks: readonly WireBlock[];
	readonly stopReason: string | null;
	readonly stopSequence?: string;
	readonly stopDetails?: unknown;
	readonly usage: WireUsage | null;
	readonly pieceChars?: number;
}

const DEFAULT_PIECE_CHARS = 16;

/**
 * Cuts text into pieces of about `size` UTF-16 units. Contract: joined they are the text again, and no piece ends inside a
 * surrogate pair.
 */
export function splitText(text: string, size = DEFAULT_PIECE_CHARS): string[] {
	const pieces: string[] = [];
	let piece = '';
	for (const character of text) {
		piece += character;
		if (piece.length >= size) {
			pieces.push(piece);
			piece = '';
		}
	}
	if (piece !== '') pieces.push(piece);
	return pieces;
}

/** The usage object with every field that the API writes. `output` replaces the count of output tokens. */
function fullUsage(usage: WireUsage, output: number): Record<string, unknown> {
	const created = usage.cache_creation_input_tokens ?? 0;
	return {
		input_tokens: usage.input_tokens,
		cache_creation_input_tokens: created,
		cache_read_input_tokens: usage.cache_read_input_tokens ?? 0,
		cache_creation: { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 },
		output_tokens: output,
		service_tier: 'standard',
	};
}

/** First event. The message is empty, its stop reason null; output tokens start at a small value. */
export function messageStart(answer: Pick<WireAnswer, 'id' | 'model' | 'usage'>): WireEvent {
	return {
		type: 'message_start',
		message: {
			id: answer.id,
			type: 'message',
			role: 'assistant',
			model: answer.model,
			content: [],
			stop_reason: null,
			stop_sequence: null,
			usage: answer.usage && fullUsage(answer.usage, Math.min(1, answer.usage.output_tokens)),
		},
	};
}

/** A block opens empty; a redacted one comes whole here. */
export function blockStart(index: number, block: WireBlock): WireEvent {
	switch (block.type) {
		case 'text':
			return blockStartOf(index, { type: 'text', text: '' });
		case 'thinking':
			return blockStartOf(index, { type: 'thinking', thinking: '', signature: '' });
		case 'redacted_thinking':
			return blockStartOf(index, block);
		case 'tool_use':
			return blockStartOf(index, { type: 'tool_use', id: block.id, name: block.name, input: {} });
	}
}

/** The start of a block given as it shall appear on the wire. */
export function blockStartOf(index: number, contentBlock: unknown): WireEvent {
	return { type: 'content_block_start', index, content_block: contentBlock };
}

/** One piece of an open block. */
export function blockDelta(index: number, delta: { readonly type: string } & Record<string, unknown>): WireEvent {
	return { type: 'content_block_delta', index, delta };
}

/** The deltas of a block in order. Tool input begins with an empty piece, as the API does; a signature comes last. */
export function blockDeltas(index: number, block: WireBlock, pieceChars?: number): WireEvent[] {
	switch (block.type) {
		case 'text':
			return splitText(block.text, pieceChars).map((text) => blockDelta(index, { type: 'text_delta', text }));
		case 'thinking': {
			const pieces = splitText(block.thinking, pieceChars);
			const signature = blockDelta(index, { type: 'signature_delta', signature: block.signature });
			return [...pieces.map((thinking) => blockDelta(index, { type: 'thinking_delta', thinking })), signature];
		}
		case 'redacted_thinking':
			return [];
		case 'tool_use': {
			const pieces = ['', ...splitText(JSON.stringify(block.input), pieceChars)];
			return pieces.map((json) => blockDelta(index, { type: 'input_json_delta', partial_json: json }));
		}
	}
}

/** A block is complete. */
export function blockStop(index: number): WireEvent {
	return { type: 'content_block_stop', index };
}

/** The stop reason and the final, cumulative usage. */
export function messageDelta(answer: WireAnswer): WireEvent {
	return {
		type: 'message_delta',
		delta: {
			stop_reason: answer.stopReason,
			stop_sequence: answer.stopSequence ?? null,
			...(answer.stopDetails === undefined ? {} : { stop_details: answer.stopDetails }),
		},
		usage: answer.usage && fullUsage(answer.usage, answer.usage.output_tokens),
	};
}

/** Last event. */
export function messageStop(): WireEvent {
	return { type: 'message_stop' };
}

/** Keep-alive, possible anywhere. */
export function ping(): WireEvent {
	return { type: 'ping' };
}

/** The whole stream of an answer, with one ping after the first block has opened, as the API sends it. */
export function* eventsOf(answer: WireAnswer): Generator<WireEvent> {
	yield messageStart(answer);
	for (const [index, block] of answer.blocks.entries()) {
		yield blockStart(index, block);
		if (index === 0) yield ping();
		yield* blockDeltas(index, block, answer.pieceChars);
		yield blockStop(index);
	}
	yield messageDelta(answer);
	yield messageStop();
}

/** The same answer as the body of a request without `stream`. */
export function messageOf(answer: WireAnswer): Record<string, unknown> {
	return {
		id: answer.id,
		type: 'message',
		role: 'assistant',
		model: answer.model,
		content: answer.blocks,
		stop_reason: answer.stopReason,
		stop_sequence: answer.stopSequence ?? null,
		...(answer.stopDetails === undefined ? {} : { stop_details: answer.stopDetails }),
		usage: answer.usage && fullUsage(answer.usage, answer.usage.output_tokens),
	};
}
