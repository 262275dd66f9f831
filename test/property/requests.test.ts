// Whatever a conversation holds (blank text, unsigned thinking, calls without results, results without calls, ids used
// twice), what is sent keeps every message rule of the API; and sending more later leaves the earlier part as it was.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toRequestMessages, wireId } from '../../src/core/messages/toRequest.ts';
import type { AssistantBlock, Message, UserBlock } from '../../src/core/messages/types.ts';
import { noUsage } from '../../src/core/messages/types.ts';
import { checkRequest } from '../support/requestRules.ts';

const anyText = fc.oneof(fc.constantFrom('', ' \n', 'hello', '\ud800 lone', '登录'), fc.string({ maxLength: 8 }));
const anyId = fc.oneof(fc.constantFrom('toolu_1', 'toolu_2', 'toolu_3', 'call:odd/1', ''), fc.string({ maxLength: 6 }));

const assistantBlock: fc.Arbitrary<AssistantBlock> = fc.oneof(
	anyText.map((text) => ({ type: 'text', text }) as const),
	fc.record({ type: fc.constant('thinking' as const), thinking: anyText, signature: fc.constantFrom('', 'c2ln') }),
	fc.record({
		type: fc.constant('tool_use' as const),
		id: anyId,
		name: fc.constantFrom('Read', 'No such tool!'),
		input: fc.constant({ file_path: 'a' }),
	}),
);
const textBlock = anyText.map((text) => ({ type: 'text', text }) as const);
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } } as const);
const userBlock: fc.Arbitrary<UserBlock> = fc.oneof(
	textBlock,
	fc.record({
		type: fc.constant('tool_result' as const),
		tool_use_id: anyId,
		content: fc.array(fc.oneof(textBlock, image), { maxLength: 2 }),
		is_error: fc.boolean(),
	}),
);
const message: fc.Arbitrary<Message> = fc.oneof(
	fc.array(assistantBlock, { maxLength: 4 }).map((content): Message => ({
		role: 'assistant',
		id: 'a',
		content,
		model: 'claude-sonnet-5',
		stopReason: 'end_turn',
		usage: noUsage,
		complete: true,
		time: 0,
	})),
	fc
		.array(userBlock, { maxLength: 4 })
		.map((content): Message => ({ role: 'user', id: 'u', origin: 'prompt', content, time: 0 })),
);

function violations(messages: readonly unknown[]) {
	const body = { model: 'claude-sonnet-5', max_tokens: 1000, stream: true, messages };
	const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'k', 'content-type': 'application/json' };
	return checkRequest({ body: JSON.parse(JSON.stringify(body)), headers });
}

suite('request messages', () => {
	test('are valid for any conversation', () => {
		fc.assert(
			fc.property(fc.array(message, { maxLength: 12 }), (conversation) => {
				assert.deepEqual(violations(toRequestMessages(conversation)), []);
			}),
			{ numRuns: 2000 },
		);
	});

	test('stay as they were when the conversation grows by whole turns', () => {
		const turn = fc.tuple(fc.array(assistantBlock, { maxLength: 3 }), textBlock);
		/** A whole turn as the loop makes it: an answer that says something, and the results of all its calls. */
		const messagesOf = ([content, said]: readonly [AssistantBlock[], UserBlock], turnIndex: number): Message[] => {
			const answered = { model: 'm', stopReason: null, usage: noUsage, complete: true, time: 0 } as const;
			const blocks = content.map((block, index) =>
				block.type === 'tool_use' ? { ...block, id: `t${turnIndex}-${index}` } : block,
			);
			const results = blocks.flatMap((block): UserBlock[] =>
				block.type === 'tool_use'
					? [{ type: 'tool_result', tool_use_id: block.id, content: [{ type: 'text', text: 'ok' }] }]
					: [],
			);
			const spoken: AssistantBlock = { type: 'text', text: 'spoken' };
			const next: UserBlock = { type: 'text', text: 'go on' };
			return [
				{ role: 'assistant', id: 'a', content: [spoken, ...blocks], ...answered },
				{ role: 'user', id: 'u', origin: 'tool_results', content: [...results, said, next], time: 0 },
			];
		};
		const start: Message = {
			role: 'user',
			id: 'u',
			origin: 'prompt',
			content: [{ type: 'text', text: 'start' }],
			time: 0,
		};
		fc.assert(
			fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), (turns) => {
				let earlier: readonly string[] = [];
				for (let count = 0; count <= turns.length; count++) {
					const sent: readonly string[] = toRequestMessages([start, ...turns.slice(0, count).flatMap(messagesOf)]).map(
						withoutMarks,
					);
					assert.deepEqual(sent.slice(0, earlier.length), earlier);
					earlier = sent;
				}
			}),
		);
	});

	test('carry at most two cache marks, on the last two user messages', () => {
		fc.assert(
			fc.property(fc.array(message, { maxLength: 12 }), (conversation) => {
				const marks = JSON.stringify(toRequestMessages(conversation)).split('cache_control').length - 1;
				assert.ok(marks >= 1 && marks <= 2, String(marks));
			}),
		);
	});

	test('foreign tool ids become stable ones that the API accepts', () => {
		assert.equal(wireId('toolu_01abc'), 'toolu_01abc');
		assert.match(wireId('call_1__thought__a+b='), /^toolu_[0-9a-f]{24}$/);
		assert.equal(wireId('call:1'), wireId('call:1'));
	});
});

function withoutMarks(sent: unknown): string {
	return JSON.stringify(sent, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
}
