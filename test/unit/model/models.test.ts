// Model facts: the table, what the Models API overrides, careful defaults, and cost.
import assert from 'node:assert/strict';
import {
	canDisableThinking,
	costOf,
	defaultModel,
	defaultSmallModel,
	isKnownModel,
	knownModels,
	modelFacts,
} from '../../../src/core/model/models.ts';
import { noUsage } from '../../../src/core/messages/types.ts';

const usage = (inputTokens: number, outputTokens = 0, cacheCreationTokens = 0, cacheReadTokens = 0) => ({
	inputTokens,
	outputTokens,
	cacheCreationTokens,
	cacheReadTokens,
});

suite('model facts', () => {
	test('the default model', () => {
		assert.deepEqual(modelFacts(defaultModel), {
			id: 'claude-sonnet-5-5',
			name: 'Claude Sonnet 5.5',
			contextWindow: 1_000_000,
			maxOutputTokens: 128_000,
			prices: { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 },
			thinking: 'adaptive',
		});
	});

	test('dated ids and a provider in front are the same model', () => {
		for (const id of ['claude-haiku-4-5-20251001', 'claude-haiku-4-5@20251001', 'anthropic/claude-haiku-4-5']) {
			assert.equal(modelFacts(id).contextWindow, 200_000);
			assert.equal(modelFacts(id).thinking, 'budget');
			assert.equal(modelFacts(id).id, id);
		}
		assert.equal(modelFacts('anthropic.claude-opus-5-5').prices?.input, 4);
	});

	test('what the Models API says wins, its nulls do not', () => {
		const remote = { id: 'x', displayName: 'New', maxInputTokens: 5000, maxTokens: null };
		const facts = modelFacts('claude-opus-5-5', remote);
		assert.equal(facts.name, 'New');
		assert.equal(facts.contextWindow, 5000);
		assert.equal(facts.maxOutputTokens, 128_000);
	});

	test('unknown models: careful limits, no thinking, no prices, even for names of object members', () => {
		for (const id of ['llama4:70b', 'constructor', '__proto__', '']) {
			const facts = modelFacts(id);
			assert.deepEqual([facts.prices, facts.thinking, facts.maxOutputTokens], [null, 'none', 8192]);
			assert.equal(costOf(facts, usage(1000)), null);
			assert.equal(isKnownModel(id), false);
		}
		assert.ok(isKnownModel(defaultSmallModel));
		assert.ok(knownModels().every(({ id }) => isKnownModel(id)));
	});

	test('cost counts each bucket once', () => {
		const facts = modelFacts('claude-sonnet-5-5');
		assert.equal(costOf(facts, usage(1e6, 1e6, 1e6, 1e6)), 2 + 10 + 2.5 + 0.1);
		assert.equal(costOf(facts, noUsage), 0);
	});

	test('the price of Haiku depends on the whole prompt', () => {
		const facts = modelFacts('claude-haiku-5-5');
		assert.equal(costOf(facts, usage(100_000)), 0.01);
		assert.equal(costOf(facts, usage(100_001))?.toFixed(6), '0.050001');
		assert.equal(
			costOf(facts, usage(1, 0, 50_000, 50_000))?.toFixed(6),
			((0.5 + 50_000 * 0.625 + 50_000 * 0.05) / 1e6).toFixed(6),
		);
	});

	test('which models can be told not to think', () => {
		assert.equal(canDisableThinking('claude-sonnet-5'), true);
		assert.equal(canDisableThinking('claude-sonnet-5-5'), false);
	});
});
