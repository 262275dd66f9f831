// The bytes of a body are what JSON.stringify makes of it, whatever was written before.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextCache } from '../../../src/core/context/contextCache.ts';
import { toRequestMessages } from '../../../src/core/messages/toRequest.ts';
import type { Message } from '../../../src/core/messages/types.ts';
import { noUsage } from '../../../src/core/messages/types.ts';
import { modelFacts } from '../../../src/core/model/models.ts';
import { BodyWriter, toBody } from '../../../src/node/anthropic/body.ts';
import { request } from './helpers.ts';

function turn(at: number): readonly Message[] {
	const call = { type: 'tool_use', id: `t${at}`, name: 'Read', input: { file_path: `${at}"\ud800` } } as const;
	const result = {
		type: 'tool_result',
		tool_use_id: `t${at}`,
		content: [{ type: 'text', text: `result ${at}` }],
	} as const;
	const answer = { model: 'm', stopReason: null, usage: noUsage, complete: true, time: 0 } as const;
	return [
		{ role: 'assistant', id: `a${at}`, content: [{ type: 'text', text: 'I read.' }, call], ...answer },
		{ role: 'user', id: `u${at}`, origin: 'tool_results', content: [result], time: 0 },
	];
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

suite('bodies as bytes', () => {
	test('equal to JSON.stringify at every turn, with and without the memory of earlier ones', () => {
		const writer = new BodyWriter();
		const { params: memo } = new ContextCache();
		const facts = modelFacts(request.model);
		const prompt = {
			role: 'user',
			id: 'p',
			origin: 'prompt',
			content: [{ type: 'text', text: 'Go.' }],
			time: 0,
		} as const;
		let messages: readonly Message[] = [prompt];
		for (let at = 0; at < 5; at++) {
			const body = toBody({ ...request, messages: toRequestMessages(messages, { memo }) }, facts);
			assert.equal(text(writer.write({ ...body, stream: true })), JSON.stringify({ ...body, stream: true }));
			assert.deepEqual(body['messages'], toRequestMessages(messages));
			messages = [...messages, ...turn(at)];
		}
	});

	test('whatever changes from one body to the next', () => {
		const blocks = ['a', 'b', 'c'].map((text) => ({ type: 'text', text }));
		const message = fc.record({
			role: fc.constantFrom('user', 'assistant'),
			content: fc.array(fc.constantFrom(...blocks, { type: 'text', text: 'd' }), { maxLength: 3 }),
		});
		const tool = fc.record({ name: fc.constantFrom('R', 'W'), input_schema: fc.constantFrom(...blocks) });
		const body = fc.record(
			{
				tools: fc.array(tool, { maxLength: 2 }),
				system: fc.array(fc.string(), { maxLength: 1 }),
				messages: fc.array(message),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(fc.array(body, { minLength: 2, maxLength: 6 }), (bodies) => {
				const writer = new BodyWriter();
				for (const one of bodies) assert.equal(text(writer.write(one)), JSON.stringify(one));
			}),
		);
	});

	test('messages of any shape', () => {
		const odd = [
			null,
			'text',
			{ role: 'user' },
			{ role: 'user', content: 'x' },
			{ content: [], role: 'user', more: 1 },
		];
		const body = { messages: [...odd, { role: 'user', content: [null, 'x', { type: 'text' }] }], list: [1] };
		assert.equal(text(new BodyWriter().write(body)), JSON.stringify(body));
	});
});
