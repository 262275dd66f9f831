// Addresses as people paste them, headers, and lists of models in other shapes.
import assert from 'node:assert/strict';
import { normaliseBaseUrl } from '../../../src/node/anthropic/baseUrl.ts';
import { customHeaderNames, ownHeaders } from '../../../src/node/anthropic/headers.ts';
import { remoteModels } from '../../../src/node/anthropic/modelList.ts';

suite('base URL', () => {
	const cases: Readonly<Record<string, string | undefined>> = {
		'https://api.anthropic.com': 'https://api.anthropic.com',
		'https://api.anthropic.com/v1': 'https://api.anthropic.com',
		' https://api.anthropic.com/v1/messages/ ': 'https://api.anthropic.com',
		'https://openrouter.ai/api/v1': 'https://openrouter.ai/api',
		'https://api.deepseek.com/anthropic/v1/messages?beta=true#x': 'https://api.deepseek.com/anthropic',
		'http://localhost:11434/': 'http://localhost:11434',
		'localhost:8080/v1': 'http://localhost:8080',
		'gateway.example': 'https://gateway.example',
		'https://x.example/v1beta': 'https://x.example/v1beta',
		'https://x.example/v1/models': 'https://x.example',
		'': undefined,
		'ftp://x': undefined,
		'::::': undefined,
	};
	for (const [typed, expected] of Object.entries(cases)) {
		test(typed || '(empty)', () => {
			const normal = normaliseBaseUrl(typed);
			assert.equal(normal, expected);
			if (normal !== undefined) assert.equal(normaliseBaseUrl(normal), normal);
		});
	}

	test('one credential per server, in the form that it knows', () => {
		assert.deepEqual(ownHeaders('https://api.anthropic.com', { apiKey: 'k' }), { authorization: 'Bearer k' });
		assert.deepEqual(ownHeaders('https://api.deepseek.com/anthropic', { apiKey: 'k' }), {
			'x-api-key': 'k',
			'anthropic-version': '2023-06-01',
		});
		assert.equal(ownHeaders('http://localhost:1', { apiKey: 'k', authToken: 't' })['authorization'], 'Bearer t');
		assert.deepEqual(customHeaderNames('X-One: 1\nbroken\n Two : 2:3'), ['x-one', 'two']);
	});

	test('lists of models in other shapes', () => {
		assert.deepEqual(remoteModels({ object: 'list', data: [{ id: 'a' }, { id: 'a' }, { id: 7 }, null] }), [
			{ id: 'a', displayName: 'a', maxInputTokens: null, maxTokens: null },
		]);
		assert.deepEqual(remoteModels({ models: [{ name: 'llama', max_tokens: 0 }] })?.[0]?.maxTokens, null);
		assert.deepEqual(remoteModels({ data: [{ id: 'old', lifecycle: 'retired' }] }), []);
		for (const body of [undefined, null, 'x', {}, { data: 'x' }]) assert.equal(remoteModels(body), undefined);
	});
});
