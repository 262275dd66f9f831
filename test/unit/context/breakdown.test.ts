// What the context is made of, for people: the categories, and that they add up to what the service counted.
import assert from 'node:assert/strict';
import { contextBreakdown } from '../../../src/core/context/breakdown.ts';
import { ContextCache } from '../../../src/core/context/contextCache.ts';
import type { Message } from '../../../src/core/messages/types.ts';
import type { ContextUse } from '../../../src/shared/contextUse.ts';
import { Talk, tokensOfText } from '../../support/contextWorld.ts';

const breakdown = (messages: readonly Message[]): ContextUse =>
	contextBreakdown({ messages, changes: [], system: 500, tools: 1_500, window: 200_000 }, new ContextCache());
const part = (use: ContextUse, name: string) => use.parts.find(({ category }) => category === name)?.tokens ?? 0;
const whole = (use: ContextUse) => use.parts.reduce((sum, { tokens }) => sum + tokens, 0);
const hidden = (text: string): Message => ({
	role: 'user',
	id: 'hidden',
	origin: 'hidden',
	time: 0,
	content: [{ type: 'text', text }],
});

suite('context: by category', () => {
	test('before the first request all of it is estimated', () => {
		const use = breakdown([]);
		assert.deepEqual([use.tokens, use.measured, use.cacheShare], [2_000, false, null]);
		assert.deepEqual([part(use, 'system'), part(use, 'tools'), whole(use)], [500, 1_500, 2_000]);
	});

	test('prompts, answers, results, notes and memory are apart', () => {
		const talk = new Talk()
			.prompt(tokensOfText(1_000))
			.turn({ calls: [{ name: 'Read', result: tokensOfText(4_000) }] });
		const memory = `<project-memory>${tokensOfText(300)}</project-memory>`;
		const use = breakdown([hidden(`<context>${tokensOfText(100)}</context>${memory}`), ...talk.messages]);
		const near = (name: string, tokens: number) => Math.abs(part(use, name) - tokens) < 60;
		assert.ok(
			near('prompts', 1_000) && near('results', 4_000) && near('memory', 300) && near('notes', 120),
			JSON.stringify(use),
		);
		assert.equal(whole(use), use.tokens);
	});

	test('the parts add up to what the service counted', () => {
		const talk = new Talk().prompt(tokensOfText(1_000)).turn({ text: 'hi', tokens: 9_001 });
		const use = breakdown(talk.messages);
		assert.equal(use.measured, true);
		assert.equal(whole(use), use.tokens);
		assert.ok(use.tokens >= 9_001, String(use.tokens));
	});

	test('the share of the cache is of the newest counted prompt', () => {
		const messages = new Talk()
			.prompt('a')
			.turn({ text: 'hi', tokens: 10 })
			.messages.map((message) =>
				message.role === 'assistant'
					? {
							...message,
							usage: { inputTokens: 10, cacheCreationTokens: 30, cacheReadTokens: 120, outputTokens: 7 },
						}
					: message,
			);
		assert.equal(breakdown(messages).cacheShare, 0.75);
	});
});
