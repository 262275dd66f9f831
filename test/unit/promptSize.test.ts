// What stands before every conversation: small, since it is sent, and paid for, with each request that misses the cache.
import assert from 'node:assert/strict';
import { systemPrompt } from '../../src/core/context/systemPrompt.ts';
import { modelFacts } from '../../src/core/model/models.ts';
import { builtinTools } from '../../src/core/tools/builtin/builtinTools.ts';
import { createRegistry, toolDefinitions } from '../../src/core/tools/registry.ts';
import { toBody } from '../../src/node/anthropic/body.ts';

const largest = 15_000;

test(`system prompt and tools take at most ${largest} bytes of a request`, () => {
	const model = 'claude-sonnet-5-5';
	const tools = toolDefinitions(createRegistry(builtinTools));
	const request = {
		model,
		system: systemPrompt(undefined),
		messages: [],
		tools,
		maxTokens: 1,
		thinking: 'auto',
	} as const;
	const body = toBody(request, modelFacts(model));
	const size = Buffer.byteLength(JSON.stringify([body['system'], body['tools']]), 'utf8');
	assert.ok(size <= largest, `${size} bytes`);
});

test('the answer is asked for in the language of the user', () => {
	assert.match([systemPrompt(undefined)].flat().join('\n'), /^- In the language the user writes in\./m);
});
