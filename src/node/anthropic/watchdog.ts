// Reads a body with an eye on the clock: no bytes for too long, or no events for too long outside of thinking, is a stall
// (loop.md 6). Only time in which a read is pending counts: a consumer that takes its time is no stall.
import type { SseItem } from './sse.ts';
import { joinDeltas, SseReader } from './sse.ts';

export interface Limits {
	/** Milliseconds without an event; pings are none. */
	readonly idleTimeoutMs: number;
	/** Milliseconds without a byte. */
	readonly byteTimeoutMs: number;
}

/** `end`: the body ended. `stalled` and `broken` end the reading as well. */
export type BodyItem =
	| SseItem
	| { readonly kind: 'end'; readonly bytes: number }
	| { readonly kind: 'stalled'; readonly what: 'bytes' | 'events'; readonly afterMs: number }
	| { readonly kind: 'broken'; readonly error: unknown };

type Chunk = { readonly done: boolean; readonly value?: Uint8Array | undefined };

/** Reads the events of a body. Contract: never throws; the last item is `end`, `stalled` or `broken`. */
export async function* readBody(
	reader: { read(): Promise<Chunk> },
	limits: Limits,
	now: () => number = () => performance.now(),
): AsyncGenerator<BodyItem> {
	const sse = new SseReader();
	const progress = new Progress();
	let bytes = 0;
	while (true) {
		const idleLeft = progress.thinking ? Infinity : limits.idleTimeoutMs - progress.idleMs;
		const patience = Math.max(0, Math.min(limits.byteTimeoutMs, idleLeft));
		const asked = now();
		const chunk = await readWithin(reader, patience);
		if (chunk === 'too_long') {
			const what = idleLeft < limits.byteTimeoutMs ? 'events' : 'bytes';
			yield { kind: 'stalled', what, afterMs: what === 'events' ? limits.idleTimeoutMs : limits.byteTimeoutMs };
			return;
		}
		if ('error' in chunk) {
			yield { kind: 'broken', error: chunk.error };
			return;
		}
		progress.waited(now() - asked);
		bytes += chunk.value?.byteLength ?? 0;
		for (const item of chunk.value ? joinDeltas(sse.push(chunk.value)) : []) {
			progress.saw(item);
			yield item;
		}
		if (chunk.done) {
			yield* sse.end();
			yield { kind: 'end', bytes };
			return;
		}
	}
}

/** How long there was no event, and whether the model is thinking (it may then be silent for minutes). */
class Progress {
	idleMs = 0;
	readonly #thinking = new Set<unknown>();

	get thinking(): boolean {
		return this.#thinking.size > 0;
	}

	waited(ms: number): void {
		this.idleMs = this.thinking ? 0 : this.idleMs + ms;
	}

	saw(item: SseItem): void {
		if (item.kind !== 'event') return;
		this.idleMs = 0;
		const { event } = item;
		if (event.type === 'content_block_start') {
			const block = event['content_block'];
			const type = typeof block === 'object' && block !== null && 'type' in block ? block['type'] : '';
			if (type === 'thinking' || type === 'redacted_thinking') this.#thinking.add(event['index']);
			else this.#thinking.clear();
		} else if (event.type === 'content_block_stop') this.#thinking.delete(event['index']);
		else if (event.type === 'message_delta') this.#thinking.clear();
	}
}

function readWithin(
	reader: { read(): Promise<Chunk> },
	ms: number,
): Promise<Chunk | 'too_long' | { readonly error: unknown }> {
	return new Promise((resolve) => {
		const timer = Number.isFinite(ms) ? setTimeout(() => resolve('too_long'), ms) : undefined;
		reader.read().then(
			(chunk) => {
				clearTimeout(timer);
				resolve(chunk);
			},
			(error: unknown) => {
				clearTimeout(timer);
				resolve({ error });
			},
		);
	});
}
