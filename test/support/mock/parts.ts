// The parts that a scripted answer is made of: blocks, holds (gate, delay), faults (drop, stall, error event) and settings.
// Pure data; compile.ts turns them into what is written on the wire.
import type { WireEvent, WireUsage } from '../../../src/node/wire/events.ts';

/** Waits in mid-answer, until it resolves or the client has gone. `at: 'headers'` waits before the response headers. */
export interface Hold {
	readonly kind: 'hold';
	readonly at?: 'headers';
	wait(): Promise<void>;
}

/** A hold that the test releases. `reached` resolves when the server has arrived at it. */
export interface Gate extends Hold {
	readonly reached: Promise<void>;
	open(): void;
}

/** A piece of text, or a hold between two pieces of one block. */
export type Piece = string | Hold;

/** Where the input of a tool call is put. `deltas` is what the API does; the others are seen from other servers. */
export type InputPlace = 'deltas' | 'one_delta' | 'start' | 'nowhere';

export interface ToolUseOptions {
	readonly id?: string;
	readonly inputIn?: InputPlace;
	/** The JSON text as it is streamed, in place of the input's own; may be invalid, may have holds. */
	readonly json?: readonly Piece[];
}

/** A content block. `index` overrides its place, for streams that number oddly. */
export type BlockPart = { readonly kind: 'block'; readonly index?: number } & (
	| { readonly type: 'text'; readonly pieces: readonly Piece[] }
	| {
			readonly type: 'thinking';
			readonly pieces: readonly Piece[];
			readonly signature?: string | null;
			readonly omitted?: true;
	  }
	| { readonly type: 'tool_use'; readonly name: string; readonly input: unknown; readonly options: ToolUseOptions }
	| { readonly type: 'verbatim'; readonly block: Readonly<Record<string, unknown>> }
);

/** How a connection ends early: RST, FIN without the end of the body, or a proper end of the body. */
export type DropHow = 'reset' | 'close' | 'end';

export interface Settings {
	readonly stopReason?: string | null;
	readonly stopDetails?: unknown;
	readonly usage?: WireUsage | null;
	/** Write no usage field at all. */
	readonly usageAbsent?: true;
	readonly model?: string;
	readonly pieceChars?: number;
	readonly ping?: false;
	/** Records without their `event:` line. */
	readonly dataLinesOnly?: true;
	readonly messageStop?: false;
	/** `[DONE]` after the end: alone, or with `event: done`. */
	readonly done?: 'bare' | 'named';
	/** The last record lacks its blank line. */
	readonly openEnd?: true;
	readonly headers?: Readonly<Record<string, string>>;
	/** Cuts of the byte stream: chunks of that many bytes, so often. */
	readonly pace?: { readonly chunkBytes: number; readonly everyMs?: number };
}

export type Part =
	| BlockPart
	| Hold
	| { readonly kind: 'interleaved'; readonly blocks: readonly BlockPart[] }
	| { readonly kind: 'event'; readonly event: WireEvent }
	| { readonly kind: 'raw'; readonly text: string }
	| { readonly kind: 'error'; readonly type: string; readonly message: string }
	| DropPart
	| StallPart
	| { readonly kind: 'settings'; readonly settings: Settings };

export interface DropPart {
	readonly kind: 'drop';
	readonly how: DropHow;
	readonly afterEvents?: number;
	readonly afterBytes?: number;
	readonly at?: 'headers';
}

export interface StallPart {
	readonly kind: 'stall';
	readonly after?: number;
	readonly pingEveryMs?: number;
	readonly at?: 'headers';
}

/** What the server does with one request. */
export type Step =
	| { readonly kind: 'turn'; readonly parts: readonly Part[]; readonly framed: boolean }
	| {
			readonly kind: 'body';
			readonly status: number;
			readonly headers: Readonly<Record<string, string>>;
			readonly text: string;
	  }
	| {
			readonly kind: 'fail';
			readonly status: number;
			readonly type: string;
			readonly message: string;
			readonly headers: Readonly<Record<string, string>>;
			readonly details?: Readonly<Record<string, unknown>>;
	  };
