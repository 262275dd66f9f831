// Errors by type, then status, then text; waits; and messages without secrets.
import assert from 'node:assert/strict';
import { classify, retryAfter, safeMessage, type ServiceError } from '../../../src/core/model/classify.ts';

const bad = (message: string): ServiceError => ({ status: 400, type: 'invalid_request_error', message });

suite('classify', () => {
	const cases: readonly [string, ServiceError, string][] = [
		['529 by status', { status: 529, message: 'x' }, 'overloaded'],
		['529 in a stream: type without status', { type: 'overloaded_error', message: 'x' }, 'overloaded'],
		['type before status', { status: 500, type: 'rate_limit_error', message: 'x' }, 'rate_limited'],
		[
			'a code before the type',
			{ status: 429, type: 'rate_limit_error', code: 'enforced_spend_limit_reached', message: '' },
			'billing',
		],
		[
			'a spend limit by its words',
			{ status: 429, message: 'You have reached your specified API usage limits' },
			'billing',
		],
		[
			'acceleration',
			{ status: 429, type: 'rate_limit_error', code: 'ramp_limit_exceeded', message: '' },
			'rate_limited',
		],
		['credit as 400', bad('Your credit balance is too low to access the Anthropic API.'), 'billing'],
		['credit as 402', { status: 402, type: 'billing_error', message: 'x' }, 'billing'],
		['on hold', { status: 403, type: 'permission_error', code: 'organization_on_hold', message: 'x' }, 'permission'],
		['signature', bad('messages.1.content.0: Invalid `signature` in `thinking` block.'), 'invalid_signature'],
		[
			'thinking edited',
			bad('`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'),
			'invalid_signature',
		],
		[
			'image bytes',
			bad('messages.46.content.9.image.source.base64: image exceeds 5 MB maximum: 6 bytes > 5 bytes'),
			'media_too_large',
		],
		['image by code', { ...bad('x'), code: 'image_dimensions_too_large' }, 'media_too_large'],
		['pages', bad('A maximum of 100 PDF pages may be provided.'), 'media_too_large'],
		['413', { status: 413, message: 'x' }, 'prompt_too_long'],
		['another 400', bad('tools.0.custom.name: String should match'), 'invalid_request'],
		['retired model', { status: 404, type: 'not_found_error', message: 'model: claude-2' }, 'not_found'],
		['404 of no API', { status: 404, message: '404 page not found' }, 'not_a_stream'],
		['conflict', { status: 409, type: 'conflict_error', message: 'x' }, 'server_error'],
		['gateway', { status: 504, message: 'HTML page' }, 'server_error'],
		[
			'OpenAI overflow',
			{ status: 400, type: 'invalid_request_error', code: 'context_length_exceeded', message: 'x' },
			'prompt_too_long',
		],
		[
			'llama.cpp overflow',
			{ status: 500, type: 'server_error', message: 'the request exceeds the available context size' },
			'prompt_too_long',
		],
		['OpenAI quota', { status: 429, type: 'insufficient_quota', code: 'insufficient_quota', message: 'x' }, 'billing'],
		['names of object members', { type: 'constructor', code: 'toString', message: 'x' }, 'unknown'],
	];
	for (const [name, error, kind] of cases) test(name, () => assert.equal(classify(error).kind, kind));

	test('numbers of an overflow', () => {
		const numbers = (message: string) => {
			const { kind, actual, maximum } = classify(bad(message));
			return [kind, actual, maximum];
		};
		assert.deepEqual(numbers('prompt is too long: 205 tokens > 200 maximum'), ['prompt_too_long', 205, 200]);
		assert.deepEqual(numbers('Prompt is too long'), ['prompt_too_long', undefined, undefined]);
		assert.deepEqual(
			numbers('input length and `max_tokens` exceed context limit: 190 + 20 > 200, decrease input length'),
			['prompt_too_long', 210, 200],
		);
		assert.deepEqual(
			numbers("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"),
			['prompt_too_long', 9000, 8192],
		);
	});

	test('waits', () => {
		const wait = (headers: Record<string, string>) => retryAfter((name) => headers[name] ?? null, 1_000_000_000_000);
		assert.equal(wait({ 'retry-after': '7' }), 7000);
		assert.equal(wait({ 'retry-after-ms': '250', 'retry-after': '7' }), 250);
		assert.equal(wait({ 'retry-after': new Date(1_000_000_030_000).toUTCString() }), 30_000);
		assert.equal(wait({ 'retry-after': new Date(0).toUTCString() }), 0);
		for (const text of ['', 'soon', '-5 s']) assert.equal(wait({ 'retry-after': text }) ?? 0, 0);
	});

	test('messages: one line, cut, no secrets, no HTML', () => {
		assert.equal(safeMessage('a\nb\u0000c \u001b[1m'), 'a b c  [1m');
		assert.equal(safeMessage('x'.repeat(9000)).length, 500);
		assert.equal(safeMessage('key hunter22 used', ['hunter22']), 'key [key] used');
		assert.equal(safeMessage('<!DOCTYPE html><html><head><title>Log in</title>'), 'HTML page: Log in');
		assert.equal(safeMessage('Authorization: Bearer abcdefghijklmnop'), 'Authorization: Bearer [key]');
	});
});
