// Deltas that came together are passed on together, and nothing else changes.
import assert from 'node:assert/strict';
import { joinDeltas, type SseItem } from '../../../src/node/anthropic/sse.ts';

const event = (type: string, fields: Record<string, unknown> = {}): SseItem => ({
	kind: 'event',
	event: { ...(fields as Record<string, string>), type },
});
const delta = (index: number, fields: Record<string, unknown>): SseItem =>
	event('content_block_delta', { index, delta: fields });
const text = (index: number, words: string): SseItem => delta(index, { type: 'text_delta', text: words });

suite('joined deltas', () => {
	test('neighbours of one block and kind', () => {
		const items = [
			event('message_start'),
			text(0, 'a'),
			text(0, 'b'),
			text(1, 'c'),
			text(0, 'd'),
			delta(0, { type: 'thinking_delta', thinking: 'e' }),
			delta(0, { type: 'thinking_delta', thinking: 'f' }),
			{ kind: 'ping' } as const,
			delta(2, { type: 'input_json_delta', partial_json: '' }),
			delta(2, { type: 'input_json_delta', partial_json: '{"a"' }),
			delta(2, { type: 'input_json_delta', partial_json: ':1}' }),
			event('content_block_stop', { index: 2 }),
		];
		assert.deepEqual(joinDeltas(items), [
			event('message_start'),
			text(0, 'ab'),
			text(1, 'c'),
			text(0, 'd'),
			delta(0, { type: 'thinking_delta', thinking: 'ef' }),
			{ kind: 'ping' },
			delta(2, { type: 'input_json_delta', partial_json: '{"a":1}' }),
			event('content_block_stop', { index: 2 }),
		]);
	});

	test('what is more than text, or no text, stays as it came', () => {
		const items = [
			delta(0, { type: 'text_delta', text: 'a', logprobs: [] }),
			delta(0, { type: 'text_delta', text: 'b', logprobs: [] }),
			delta(0, { type: 'signature_delta', signature: 's' }),
			delta(0, { type: 'signature_delta', signature: 't' }),
			delta(0, { type: 'text_delta', text: 1 }),
			event('content_block_delta', { index: 0, delta: null }),
			event('content_block_delta'),
		];
		assert.deepEqual(joinDeltas(items), items);
	});
});
