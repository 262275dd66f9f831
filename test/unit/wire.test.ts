// The wire code: exact bytes of the stream, order of events, error answers.
import assert from 'node:assert/strict';
import { errorBody, errorEvent, errorHeaders, statusOf } from '../../src/node/wire/errors.ts';
import { eventsOf, messageOf, splitText, type WireAnswer } from '../../src/node/wire/events.ts';
import { parseJson } from '../../src/node/wire/httpServer.ts';
import { sseRecord } from '../../src/node/wire/sse.ts';

const described: WireAnswer = {
	id: 'msg_1',
	model: 'm',
	blocks: [
		{ type: 'thinking', thinking: 'hm', signature: 'sig' },
		{ type: 'text', text: 'Hello' },
		{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a' } },
	],
	stopReason: 'tool_use',
	usage: { input_tokens: 7, output_tokens: 9 },
};

suite('wire', () => {
	test('a record is an event line, a data line that repeats the type, and a blank line', () => {
		assert.equal(
			sseRecord({ type: 'content_block_stop', index: 0 }),
			'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
		);
	});

	test('an answer becomes the event sequence of the API', () => {
		const events = [...eventsOf(described)];
		assert.deepEqual(
			events.map((event) => event.type),
			[
				'message_start',
				'content_block_start',
				'ping',
				'content_block_delta',
				'content_block_delta',
				'content_block_stop',
				'content_block_start',
				'content_block_delta',
				'content_block_stop',
				'content_block_start',
				'content_block_delta',
				'content_block_delta',
				'content_block_delta',
				'content_block_stop',
				'message_delta',
				'message_stop',
			],
		);
		assert.deepEqual(events[4]?.['delta'], { type: 'signature_delta', signature: 'sig' });
		const json = events
			.filter((event) => event['index'] === 2 && event.type === 'content_block_delta')
			.map((event) => (event['delta'] as { partial_json: string }).partial_json);
		assert.equal(json[0], '');
		assert.equal(json.join(''), '{"file_path":"a"}');
	});

	test('usage starts with one output token and ends with the whole count', () => {
		const events = [...eventsOf(described)];
		const start = events[0]?.['message'] as { usage: { output_tokens: number; input_tokens: number } };
		assert.deepEqual([start.usage.input_tokens, start.usage.output_tokens], [7, 1]);
		assert.equal((events.at(-2)?.['usage'] as { output_tokens: number } | undefined)?.output_tokens, 9);
	});

	test('the message without streaming has the same content', () => {
		const message = messageOf(described);
		assert.deepEqual(message['content'], described.blocks);
		assert.equal(message['stop_reason'], 'tool_use');
	});

	test('pieces of text never end inside a character', () => {
		const text = '你好🙂🙂a🙂';
		for (const size of [1, 2, 3, 5]) {
			const pieces = splitText(text, size);
			assert.equal(pieces.join(''), text);
			for (const piece of pieces) assert.ok(!/[\uD800-\uDBFF]$/.test(piece), `size ${size}: ${piece}`);
		}
		assert.deepEqual(splitText(''), []);
	});

	test('error answers have the envelope, the status of their type, and their headers', () => {
		const error = { type: 'rate_limit_error', message: 'slow', retryAfterSeconds: 7, details: { error_code: 'x' } };
		assert.deepEqual(errorBody(error, 'req_1'), {
			type: 'error',
			error: { type: 'rate_limit_error', message: 'slow', details: { error_code: 'x' } },
			request_id: 'req_1',
		});
		assert.equal(statusOf('rate_limit_error'), 429);
		assert.equal(statusOf('overloaded_error'), 529);
		assert.equal(statusOf('toString'), 500);
		const headers = errorHeaders(error, 'req_1');
		assert.equal(headers['retry-after'], '7');
		assert.equal(headers['request-id'], 'req_1');
		assert.equal(errorEvent(error, 'req_1').type, 'error');
	});

	test('parsing JSON never throws', () => {
		assert.equal(parseJson('{'), undefined);
		assert.deepEqual(parseJson('{"a":1}'), { a: 1 });
	});
});
