// Server-sent events exactly as the Messages API writes them: an `event:` line, a `data:` line whose JSON repeats the name in
// `type`, and a blank line.
import type { WireEvent } from './events.ts';

/** Response headers of a stream. */
export const sseHeaders: Readonly<Record<string, string>> = {
	'content-type': 'text/event-stream; charset=utf-8',
	'cache-control': 'no-cache',
};

/** One record of the stream. */
export function sseRecord(event: WireEvent): string {
	return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
