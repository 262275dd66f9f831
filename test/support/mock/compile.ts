// Turns the parts of a scripted answer into the operations that the player carries out, the JSON message for a request
// without `stream`, and the record of what was sent (for the check of the next request). Pure.
import { createHash } from 'node:crypto';
import {
	blockDelta,
	blockStartOf,
	blockStop,
	messageDelta,
	messageOf,
	messageStart,
	messageStop,
	ping,
	splitText,
	type WireAnswer,
	type WireBlock,
	type WireEvent,
	type WireUsage,
} from '../../../src/node/wire/events.ts';
import { errorEvent } from '../../../src/node/wire/errors.ts';
import type { BlockPart, DropHow, Hold, Part, Piece, Settings } from './parts.ts';

export type Operation =
	| { readonly op: 'event'; readonly event: WireEvent }
	| { readonly op: 'raw'; readonly text: string }
	| { readonly op: 'hold'; readonly hold: Hold }
	| { readonly op: 'stall'; readonly pingEveryMs?: number }
	| { readonly op: 'drop'; readonly how: DropHow };

/** A thinking block as it was sent: what must come back byte for byte. */
export interface SentThinking {
	readonly thinking: string;
	readonly signature: string;
}

export interface Compiled {
	readonly beforeHeaders: readonly Operation[];
	readonly operations: readonly Operation[];
	readonly settings: Settings;
	readonly dropAfterBytes?: { readonly bytes: number; readonly how: DropHow };
	readonly message: Record<string, unknown>;
	readonly thinking: readonly SentThinking[];
	readonly toolUseIds: readonly string[];
}

export interface CompileContext {
	/** Unique for the server's lifetime; ids are made from it. */
	readonly serial: number;
	readonly model: string;
	readonly inputTokens: number;
	readonly framed: boolean;
	readonly requestId: string;
}

/** The signature that the mock gives to a thinking block; it differs by answer and can be checked without memory. */
export function signatureFor(thinking: string, serial: number | string): string {
	return `mock/${serial}/${createHash('sha256').update(`${serial} ${thinking}`).digest('base64')}`;
}

/** Whether a mock server made this signature for exactly this text. */
export function isGenuine(thinking: string, signature: string): boolean {
	return signature === signatureFor(thinking, signature.split('/')[1] ?? '');
}

interface OpenBlock {
	readonly start: unknown;
	readonly deltas: readonly (Hold | ({ readonly type: string } & Record<string, unknown>))[];
	readonly final: WireBlock;
}

function pieceDeltas(
	pieces: readonly Piece[],
	chars: number | undefined,
	delta: (piece: string) => { type: string } & Record<string, unknown>,
): OpenBlock['deltas'] {
	return pieces.flatMap((piece): OpenBlock['deltas'] =>
		typeof piece === 'string' ? splitText(piece, chars).map(delta) : [piece],
	);
}

function joined(pieces: readonly Piece[]): string {
	return pieces.filter((piece) => typeof piece === 'string').join('');
}

function openBlock(
	part: BlockPart,
	{ id, serial, chars }: { id: string; serial: number; chars: number | undefined },
): OpenBlock {
	switch (part.type) {
		case 'text':
			return {
				start: { type: 'text', text: '' },
				deltas: pieceDeltas(part.pieces, chars, (text) => ({ type: 'text_delta', text })),
				final: { type: 'text', text: joined(part.pieces) },
			};
		case 'thinking':
			return openThinking(part, serial, chars);
		case 'tool_use':
			return openToolUse(part, part.options.id ?? id, chars);
		case 'verbatim':
			return { start: part.block, deltas: [], final: part.block as unknown as WireBlock };
	}
}

function openThinking(part: BlockPart & { type: 'thinking' }, serial: number, chars: number | undefined): OpenBlock {
	const whole = joined(part.pieces);
	const shown = part.omitted ? '' : whole;
	const signature = part.signature === undefined ? signatureFor(shown, serial) : part.signature;
	const holds = part.omitted ? part.pieces.filter((piece) => typeof piece !== 'string') : part.pieces;
	const deltas = pieceDeltas(holds, chars, (thinking) => ({ type: 'thinking_delta', thinking }));
	if (signature === null) {
		const bare = { type: 'thinking', thinking: shown } as unknown as WireBlock;
		return { start: { type: 'thinking', thinking: '' }, deltas, final: bare };
	}
	return {
		start: { type: 'thinking', thinking: '', signature: '' },
		deltas: [...deltas, { type: 'signature_delta', signature }],
		final: { type: 'thinking', thinking: shown, signature },
	};
}

function openToolUse(part: BlockPart & { type: 'tool_use' }, id: string, chars: number | undefined): OpenBlock {
	const { inputIn = 'deltas', json } = part.options;
	const whole = [JSON.stringify(part.input)];
	const block = { type: 'tool_use', id, name: part.name } as const;
	const delta = (partial: string) => ({ type: 'input_json_delta', partial_json: partial });
	const deltas = {
		deltas: () => [delta(''), ...pieceDeltas(json ?? whole, chars, delta)],
		one_delta: () => pieceDeltas(json ?? whole, Infinity, delta),
		start: () => [],
		nowhere: () => [],
	}[inputIn]();
	return {
		start: { ...block, input: inputIn === 'start' ? part.input : {} },
		deltas,
		final: { ...block, input: part.input },
	};
}

/** Writes blocks side by side: all starts, one delta of each in turn, all stops. A single block is the ordinary case. */
function blockOperations(blocks: readonly { index: number; block: OpenBlock }[], pingHere: boolean): Operation[] {
	const operations: Operation[] = blocks.map(({ index, block }) => sendEvent(blockStartOf(index, block.start)));
	if (pingHere) operations.push(sendEvent(ping()));
	const longest = Math.max(0, ...blocks.map(({ block }) => block.deltas.length));
	for (let round = 0; round < longest; round++) {
		for (const { index, block } of blocks) {
			const next = block.deltas[round];
			if (!next) continue;
			operations.push('kind' in next ? { op: 'hold', hold: next as Hold } : sendEvent(blockDelta(index, next)));
		}
	}
	return [...operations, ...blocks.map(({ index }) => sendEvent(blockStop(index)))];
}

function sendEvent(event: WireEvent): Operation {
	return { op: 'event', event };
}

/** The operations of an answer, in order. */
export function compile(parts: readonly Part[], context: CompileContext): Compiled {
	const settings: Settings = Object.assign({}, ...parts.map((part) => (part.kind === 'settings' ? part.settings : {})));
	const opened = openAll(parts, context, settings);
	const blocks = [...opened.values()].flat().map(({ block }) => block.final);
	const wireAnswer = describe(blocks, settings, context);
	const body: Operation[] = [];
	let ended = false;
	let pinged = settings.ping === false;
	for (const part of parts) {
		if ('at' in part && part.at === 'headers') continue;
		const group = opened.get(part);
		body.push(...(group ? blockOperations(group, !pinged) : partOperations(part, context)));
		pinged ||= group !== undefined;
		ended ||= part.kind === 'error';
	}
	const operations = context.framed ? framed(body, ended, wireAnswer, settings) : body;
	const byteDrop = parts.find((part) => part.kind === 'drop' && part.afterBytes !== undefined);
	return {
		beforeHeaders: parts.flatMap((part) =>
			'at' in part && part.at === 'headers' ? partOperations(part, context) : [],
		),
		operations: insertCounted(operations, parts),
		settings,
		...(byteDrop?.kind === 'drop' && byteDrop.afterBytes !== undefined
			? { dropAfterBytes: { bytes: byteDrop.afterBytes, how: byteDrop.how } }
			: {}),
		message: messageOf(wireAnswer),
		thinking: blocks.flatMap((block) => (block.type === 'thinking' && block.signature ? [block] : [])),
		toolUseIds: blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
	};
}

function openAll(
	parts: readonly Part[],
	context: CompileContext,
	settings: Settings,
): Map<Part, { index: number; block: OpenBlock }[]> {
	const opened = new Map<Part, { index: number; block: OpenBlock }[]>();
	let place = 0;
	for (const part of parts) {
		if (part.kind !== 'block' && part.kind !== 'interleaved') continue;
		const group = (part.kind === 'block' ? [part] : part.blocks).map((block) => {
			const id = `toolu_${String(context.serial).padStart(4, '0')}_${place}`;
			return {
				index: block.index ?? place++,
				block: openBlock(block, { id, serial: context.serial, chars: settings.pieceChars }),
			};
		});
		opened.set(part, group);
	}
	return opened;
}

function describe(blocks: readonly WireBlock[], settings: Settings, context: CompileContext): WireAnswer {
	const callsTool = blocks.some((block) => block.type === 'tool_use');
	const outputTokens = Math.max(1, Math.ceil(JSON.stringify(blocks).length / 4));
	const estimate: WireUsage = { input_tokens: context.inputTokens, output_tokens: outputTokens };
	return {
		id: `msg_${String(context.serial).padStart(4, '0')}`,
		model: settings.model ?? context.model,
		blocks,
		stopReason: settings.stopReason === undefined ? (callsTool ? 'tool_use' : 'end_turn') : settings.stopReason,
		stopDetails: settings.stopDetails,
		usage: settings.usage === undefined ? estimate : settings.usage,
	};
}

function framed(body: Operation[], ended: boolean, wireAnswer: WireAnswer, settings: Settings): Operation[] {
	const start = sendEvent(withoutUsage(messageStart(wireAnswer), settings));
	if (ended) return [start, ...body];
	return [
		start,
		...body,
		sendEvent(withoutUsage(messageDelta(wireAnswer), settings)),
		...(settings.messageStop === false ? [] : [sendEvent(messageStop())]),
		...(settings.done ? [{ op: 'raw', text: doneRecord(settings.done) } as const] : []),
	];
}

function doneRecord(kind: 'bare' | 'named'): string {
	return kind === 'bare' ? 'data: [DONE]\n\n' : 'event: done\ndata: [DONE]\n\n';
}

function withoutUsage(event: WireEvent, settings: Settings): WireEvent {
	if (!settings.usageAbsent) return event;
	const { usage: _usage, message, ...rest } = event;
	if (message === undefined) return rest;
	const { usage: _inner, ...bare } = message as Record<string, unknown>;
	return { ...rest, message: bare };
}

function partOperations(part: Part, context: CompileContext): Operation[] {
	switch (part.kind) {
		case 'hold':
			return [{ op: 'hold', hold: part }];
		case 'event':
			return [sendEvent(part.event)];
		case 'raw':
			return [{ op: 'raw', text: part.text }];
		case 'error':
			return [sendEvent(errorEvent(part, context.requestId)), { op: 'drop', how: 'end' }];
		case 'drop':
			return part.afterEvents === undefined && part.afterBytes === undefined ? [{ op: 'drop', how: part.how }] : [];
		case 'stall':
			return part.after === undefined ? [stallOperation(part)] : [];
		default:
			return [];
	}
}

function stallOperation(part: Part & { kind: 'stall' }): Operation {
	return { op: 'stall', ...(part.pingEveryMs === undefined ? {} : { pingEveryMs: part.pingEveryMs }) };
}

/** Puts drops and stalls that count events at their place. */
function insertCounted(operations: readonly Operation[], parts: readonly Part[]): Operation[] {
	const counted = parts.flatMap((part): { after: number; operation: Operation }[] => {
		if (part.kind === 'drop' && part.afterEvents !== undefined) {
			return [{ after: part.afterEvents, operation: { op: 'drop', how: part.how } }];
		}
		if (part.kind === 'stall' && part.after !== undefined) {
			return [{ after: part.after, operation: stallOperation(part) }];
		}
		return [];
	});
	const due = (events: number) => counted.filter(({ after }) => after === events).map(({ operation }) => operation);
	let events = 0;
	const placed = due(0);
	for (const operation of operations) {
		placed.push(operation);
		if (operation.op === 'event') placed.push(...due(++events));
	}
	return placed;
}
