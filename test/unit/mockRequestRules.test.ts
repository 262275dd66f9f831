// Every rule of the strict request checker: the request that breaks it, and the words of the refusal.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkRequest, MAX_REQUEST_BYTES, type RuleContext } from '../support/requestRules.ts';
import { isGenuine, signatureFor } from '../support/mock/compile.ts';
import { mockModels } from '../support/mock/rules/models.ts';
import { prefixHash } from '../support/mock/rules/thinking.ts';

type Body = Record<string, unknown>;

const headers = { 'content-type': 'application/json', authorization: 'Bearer k', 'anthropic-version': '2026-10-21' };
const user = (...content: unknown[]): Body => ({ role: 'user', content });
const assistant = (...content: unknown[]): Body => ({ role: 'assistant', content });
const words = (text = 'hello'): Body => ({ type: 'text', text });
const call = (id = 'toolu_1', more: Body = {}): Body => ({ type: 'tool_use', id, name: 'Read', input: {}, ...more });
const result = (id = 'toolu_1', more: Body = {}): Body => ({
	type: 'tool_result',
	tool_use_id: id,
	content: 'ok',
	...more,
});
const tool = (more: Body = {}): Body => ({ name: 'Read', input_schema: { type: 'object' }, ...more });
const body = (more: Body = {}): Body => ({
	model: 'claude-opus-5-5',
	max_tokens: 1000,
	messages: [user(words())],
	...more,
});
const conversation = (...messages: Body[]): Body => body({ messages });
const round = (uses: unknown[], results: unknown[]): Body =>
	conversation(user(words()), assistant(...uses), user(...results));

function messages(request: unknown, context: RuleContext = {}, more: Body = {}): string[] {
	return checkRequest({ body: request, headers, ...more }, context).map(({ message }) => message);
}
const valid = (request: unknown, context?: RuleContext): void => assert.deepEqual(messages(request, context), []);
const refused = (request: unknown, pattern: RegExp, context?: RuleContext): void => {
	const found = messages(request, context);
	assert.ok(
		found.some((message) => pattern.test(message)),
		`${pattern} not in ${JSON.stringify(found)}`,
	);
};

suite('request rules', () => {
	test('valid requests pass', () => {
		valid(body());
		valid(conversation({ role: 'user', content: 'string' }));
		valid(round([words(), call(), call('toolu_2')], [result('toolu_2'), result(), words('go on')]));
		valid(round([call()], [result('toolu_1', { content: [words()], is_error: true })]));
		valid(body({ system: [words('be brief')], tools: [tool()], tool_choice: { type: 'auto' }, stream: true }));
		valid(body({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } }));
		valid(
			round([call('call_1'), { type: 'server_tool_use', id: 'srvtoolu_1', name: 'x', input: {} }], [result('call_1')]),
		);
	});

	test('headers: key, version, content type', () => {
		const check = (changed: Record<string, string | undefined>) =>
			checkRequest({ body: body(), headers: { ...headers, ...changed } });
		assert.equal(check({ authorization: undefined })[0]?.status, 401);
		assert.deepEqual(check({ authorization: undefined, 'x-api-key': 'k' }), []);
		assert.equal(check({ 'x-api-key': 'k' })[0]?.status, 401);
		assert.match(check({ 'anthropic-version': undefined })[0]?.message ?? '', /anthropic-version: header is required/);
		assert.match(check({ 'anthropic-version': '2020-01-01' })[0]?.message ?? '', /not a valid version/);
		assert.match(check({ 'content-type': 'text/plain' })[0]?.message ?? '', /content-type/);
		const [wrong] = checkRequest({ body: body(), headers }, { keys: ['other'] });
		assert.deepEqual([wrong?.status, wrong?.type], [401, 'authentication_error']);
	});

	test('size, JSON, unknown fields, sampling parameters', () => {
		const [big] = checkRequest({ body: body(), headers, bytes: MAX_REQUEST_BYTES + 1 });
		assert.deepEqual([big?.status, big?.type], [413, 'request_too_large']);
		refused(undefined, /not valid JSON/);
		refused(body({ foo: 1 }), /^foo: Extra inputs are not permitted$/);
		for (const field of ['temperature', 'top_p', 'top_k', 'context_management']) {
			refused(body({ [field]: 1 }), new RegExp(`^${field}: Extra inputs are not permitted$`));
		}
		const betas = { headers: { ...headers, 'anthropic-beta': 'context-management-2025-06-27' } };
		assert.deepEqual(messages(body({ context_management: {} }), {}, betas), []);
		refused(body({ stream: 'yes' }), /stream: Input should be a valid boolean/);
	});

	test('model and max_tokens', () => {
		const [unknown] = checkRequest({ body: body({ model: 'gpt' }), headers });
		assert.deepEqual(unknown, { status: 404, type: 'not_found_error', message: 'model: gpt' });
		refused(body({ model: undefined }), /model: Field required/);
		refused(body({ max_tokens: undefined }), /max_tokens: Field required/);
		refused(body({ max_tokens: 1.5 }), /valid integer/);
		refused(body({ max_tokens: -1 }), /greater than or equal to 1/);
		refused(
			body({ max_tokens: 128_001 }),
			/max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens/,
		);
		refused(body({ model: 'claude-haiku-4-5', max_tokens: 64_001 }), /64001 > 64000/);
		assert.deepEqual(
			messages({ model: 'claude-opus-5-5', messages: [user(words())] }, {}, { endpoint: 'count_tokens' }),
			[],
		);
		assert.match(messages(body(), {}, { endpoint: 'count_tokens' })[0] ?? '', /max_tokens: Extra inputs/);
	});

	test('a prompt longer than the window', () => {
		const small = { ...mockModels.find(({ id }) => id === 'claude-opus-5-5')!, window: 10 };
		refused(body(), /^prompt is too long: \d+ tokens > 10 maximum$/, { models: [small] });
	});

	test('roles, begin and end', () => {
		refused(body({ messages: undefined }), /messages: Field required/);
		refused(conversation(), /at least one message/);
		refused(conversation(assistant(words()), user(words())), /first message must use the "user" role/);
		refused(conversation(user(words()), assistant(words())), /does not support assistant message prefill/);
		refused(conversation({ role: 'tool', content: 'x' }), /messages.0.role/);
		refused(conversation({ role: 'user', content: 'x', id: 'm1' }), /messages.0.id: Extra inputs/);
		refused(conversation({ role: 'user' }), /messages.0.content: Field required/);
		refused(conversation(user()), /non-empty content/);
		refused(conversation({ role: 'user', content: '' }), /non-empty/);
	});

	test('system messages in mid-conversation', () => {
		const note = { role: 'system', content: 'note' };
		valid(conversation(user(words()), note));
		refused(
			{ ...conversation(user(words()), note), model: 'claude-sonnet-5' },
			/role 'system' is not supported on this model/,
		);
		refused(conversation(note, user(words())), /must follow a 'user' message/);
		refused(conversation(user(words()), note, user(words())), /last or be followed by an 'assistant'/);
	});

	test('blank text', () => {
		refused(conversation(user(words(''))), /text content blocks must be non-empty/);
		refused(conversation(user(words(' \n'))), /non-whitespace/);
		refused(conversation(user(words()), assistant(words('')), user(words())), /non-empty/);
		refused(round([call()], [result('toolu_1', { content: [words('')] })]), /non-empty/);
		refused(body({ system: [words(' ')] }), /non-whitespace/);
	});

	test('tool calls and results are paired exactly', () => {
		const without = /^messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_/;
		refused(round([call()], [words()]), without);
		refused(round([call(), call('toolu_2')], [result()]), /immediately after: toolu_2\. Each/);
		refused(conversation(user(words()), assistant(call()), assistant(words()), user(result())), without);
		refused(
			conversation(user(words()), assistant(call('a'), call('b')), user(result('a')), user(result('b'))),
			/after: b\./,
		);
		refused(
			round([words()], [result()]),
			/^messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1\./,
		);
		refused(conversation(user(result())), /unexpected `tool_use_id`/);
		refused(round([call()], [result(), result()]), /single result/);
		refused(round([call()], [words(), result()]), /must come first/);
		refused(round([call(), call()], [result()]), /ids must be unique/);
		const again = [assistant(call()), user(result())];
		refused(conversation(user(words()), ...again, ...again), /ids must be unique/);
		refused(conversation(user(words()), assistant(call())), without);
	});

	test('fields of tool calls and results', () => {
		refused(round([call('bad id')], [result('bad id')]), /tool_use.id: String should match pattern/);
		refused(
			round([call('toolu_1', { input: '{}' })], [result()]),
			/tool_use.input: Input should be a valid dictionary/,
		);
		refused(round([call('toolu_1', { input: [] })], [result()]), /valid dictionary/);
		refused(round([call('toolu_1', { name: 'x'.repeat(201) })], [result()]), /at most 200 characters/);
		refused(round([call('toolu_1', { name: 'a b' })], [result()]), /tool_use.name: String should match/);
		refused(round([call('toolu_1', { malformed: 'x' })], [result()]), /tool_use.malformed: Extra inputs/);
		refused(round([call()], [result('toolu_1', { view: {} })]), /tool_result.view: Extra inputs/);
		refused(round([call()], [result('toolu_1', { is_error: 'yes' })]), /valid boolean/);
		refused(round([call()], [result('toolu_1', { content: 5 })]), /valid list/);
		refused(round([call()], [result('toolu_1', { content: [call()] })]), /does not match any of the expected tags/);
		refused(round([call()], [result('toolu_1', { content: [png()], is_error: true })]), /must be type "text"/);
	});

	test('blocks stand where they may', () => {
		refused(conversation(user(call())), /can only be in `assistant` messages/);
		refused(conversation(user(words()), assistant(png()), user(words())), /can only be in `user` messages/);
		refused(conversation(user({ type: 'opaque', value: 1 })), /Input tag 'opaque'/);
		refused(conversation(user({ ...words(), citations: null })), /citations: Extra inputs/);
		refused(conversation({ role: 'user', content: ['x'] }), /valid dictionary/);
	});

	test('tool definitions', () => {
		refused(body({ tools: [tool({ name: 'a b' })] }), /tools.0.custom.name: String should match pattern/);
		refused(body({ tools: [tool({ name: 'a'.repeat(129) })] }), /should match pattern/);
		refused(body({ tools: [tool(), tool()] }), /unique/);
		refused(body({ tools: [tool({ input_schema: undefined })] }), /input_schema: Field required/);
		refused(body({ tools: [tool({ input_schema: { type: 'string' } })] }), /input_schema.type/);
		refused(body({ tools: [tool({ input_schema: { type: 'object', anyOf: [] } })] }), /oneOf, allOf, or anyOf/);
		refused(body({ tools: [tool({ run: 1 })] }), /tools.0.custom.run: Extra inputs/);
		valid(body({ tools: [{ type: 'web_search_20260318', name: 'web_search', max_uses: 3 }] }));
	});

	test('tool choice', () => {
		const choose = (choice: Body, more: Body = {}): Body => body({ tools: [tool()], tool_choice: choice, ...more });
		refused(choose({ type: 'any' }), /"tool" and "any" are not supported/);
		valid(choose({ type: 'any' }, { model: 'claude-sonnet-5' }));
		refused(choose({ type: 'tool', name: 'Nope' }, { model: 'claude-sonnet-5' }), /'Nope' not found/);
		refused(body({ tool_choice: { type: 'auto' } }), /while providing tools/);
		refused(choose({ type: 'maybe' }), /Input tag 'maybe'/);
	});

	test('cache marks', () => {
		const mark = (more: Body = {}): Body => ({ cache_control: { type: 'ephemeral', ...more } });
		const marked = (count: number): unknown[] => Array.from({ length: count }, () => ({ ...words(), ...mark() }));
		valid(conversation(user(...marked(4))));
		refused(conversation(user(...marked(5))), /^A maximum of 4 blocks with cache_control may be provided. Found 5.$/);
		refused({ ...conversation(user(...marked(4))), ...mark() }, /Found 5/);
		refused(
			conversation(user({ ...words(''), ...mark() })),
			/messages.0.content.0.text: cache_control cannot be set for empty text/,
		);
		refused(round([{ ...signed('x'), ...mark() }, call()], [result()]), /thinking.cache_control: Extra inputs/);
		refused(body({ tools: [tool({ cache_control: { type: 'forever' } })] }), /cache_control: Input tag/);
		refused(conversation(user({ ...words(), ...mark({ ttl: '2h' }) })), /ttl: Input should be '5m' or '1h'/);
		refused(conversation(user(...marked(1), { ...words(), ...mark({ ttl: '1h' }) })), /must not come after/);
	});

	test('thinking configuration', () => {
		const old = { model: 'claude-haiku-4-5', max_tokens: 4000 };
		valid(body({ ...old, thinking: { type: 'enabled', budget_tokens: 2000 } }));
		refused(
			body({ ...old, thinking: { type: 'enabled', budget_tokens: 4000 } }),
			/must be greater than `thinking.budget_tokens`/,
		);
		refused(body({ ...old, thinking: { type: 'enabled', budget_tokens: 100 } }), /greater than or equal to 1024/);
		refused(body({ ...old, thinking: { type: 'enabled' } }), /budget_tokens: Field required/);
		refused(body({ ...old, thinking: { type: 'adaptive' } }), /adaptive thinking is not supported/);
		refused(body({ ...old, output_config: { effort: 'low' } }), /effort is not supported/);
		refused(body({ thinking: { type: 'enabled', budget_tokens: 1024 } }), /"thinking.type.enabled" is not supported/);
		refused(body({ thinking: { type: 'disabled' } }), /"thinking.type.disabled" is not supported/);
		refused(body({ thinking: { type: 'adaptive', budget_tokens: 5 } }), /budget_tokens: Extra inputs/);
		refused(body({ thinking: { type: 'wild' } }), /Input tag 'wild'/);
		refused(body({ output_config: { effort: 'extreme' } }), /output_config.effort/);
	});

	test('thinking blocks are signed and unmodified', () => {
		const memory = { blocks: new Map(), turns: new Map([['toolu_1', [signatureFor('hm', 1)]]]), isGenuine };
		const back = (...uses: unknown[]): Body => round([...uses, call()], [result()]);
		valid(back(signed('hm')), { memory });
		refused(back({ type: 'thinking', thinking: 'hm' }), /signature: Field required/);
		refused(back({ ...signed('hm'), signature: '' }), /Invalid `signature` in `thinking` block/);
		refused(back({ ...signed('hm'), thinking: 'hn' }), /^messages.1.content.0: Invalid `signature`/, { memory });
		const modified =
			/^messages.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified/;
		refused(back(signed('other')), modified, { memory });
		// All thinking up to a point may be left out, only some of it may not.
		valid(back(), { memory });
	});

	test('thinking is bound to what stands before it', () => {
		const before = body({ system: 'be brief', tools: [tool()] });
		const block = signed('hm');
		const sent = { thinking: 'hm', prefix: prefixHash(before, 1) };
		const context = { memory: { blocks: new Map([[block.signature, sent]]), turns: new Map() } };
		const next = (more: Body = {}): Body => ({
			...before,
			messages: [user({ ...words(), cache_control: { type: 'ephemeral' } }), assistant(block, call()), user(result())],
			...more,
		});
		valid(next(), context);
		valid(next({ max_tokens: 5000 }), context);
		const bound = /bound to a different conversation/;
		refused(next({ system: 'be long' }), bound, context);
		refused(next({ tools: [tool({ description: 'new' })] }), bound, context);
		refused(next({ messages: [user(words('changed')), assistant(block, call()), user(result())] }), bound, context);
		valid(next({ system: 'be long', model: 'claude-opus-5' }), context);
		const dropping = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } };
		valid(next({ system: 'be long', thinking: dropping }), context);
	});

	test('images', () => {
		valid(conversation(user(png())));
		refused(conversation(user(png({ media_type: 'image/bmp' }))), /media_type/);
		refused(conversation(user(png({ media_type: 'image/jpeg' }))), /appears to be a image\/png/);
		refused(conversation(user(png({ data: 'not an image' }))), /Could not process image/);
		const huge = 'iVBORw0KGgo'.padEnd(5_242_884, 'A');
		refused(conversation(user(png({ data: huge }))), /image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes/);
		refused(
			{ ...conversation(user(...Array.from({ length: 101 }, () => png()))), model: 'claude-haiku-4-5' },
			/100 images/,
		);
	});

	test('any JSON is judged without throwing', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
				checkRequest({ body: one, headers: {} });
				checkRequest({ body: body({ messages: one, tools: two, thinking: one, system: two }), headers });
				checkRequest({
					body: conversation(user(one), assistant(two), user({ type: 'tool_result', content: one })),
					headers,
				});
			}),
		);
	});
});

function signed(thinking: string): Body & { signature: string } {
	return { type: 'thinking', thinking, signature: signatureFor(thinking, 1) };
}

function png(source: Body = {}): Body {
	return {
		type: 'image',
		source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEA', ...source },
	};
}
