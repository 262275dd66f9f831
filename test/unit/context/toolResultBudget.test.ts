import assert from 'node:assert/strict';
import { budgetResults } from '../../../src/core/context/toolResultBudget.ts';
import { limits } from '../../../src/core/limits.ts';
import { project } from '../../../src/core/messages/projection.ts';
import type { CallSpec } from '../../support/contextWorld.ts';
import { contextDeps, contextInput, kindsOf, Talk } from '../../support/contextWorld.ts';

function talkWith(...calls: readonly CallSpec[]): Talk {
	return new Talk().prompt('go').turn({ calls });
}

suite('context: budget of tool results', () => {
	test('a result over its tool’s limit goes to a file; the message keeps the path and a beginning', async () => {
		const { messages } = talkWith(
			{ name: 'Bash', result: `start ${'x'.repeat(30_001)}` },
			{ name: 'Bash', result: 'ok' },
		);
		const deps = contextDeps();
		const { changes, items, freed } = await budgetResults(contextInput(messages), deps);
		assert.deepEqual(kindsOf(changes), ['results_stored']);
		assert.equal(items, 1);
		assert.ok(freed > 7_000, String(freed));
		assert.equal(deps.files.get('/results/t2_0.txt')?.length, 30_007);
		const [, , results] = project(messages, changes);
		const texts = results?.content.map((block) => (block.type === 'tool_result' ? block.content : []));
		const [first] = texts?.[0] ?? [];
		assert.ok(first?.type === 'text' && first.text.length < limits.resultPreviewChars + 300);
		assert.match(first.text, /30007 characters.*\/results\/t2_0\.txt.*\nstart xxx/);
		assert.deepEqual(texts?.[1], [{ type: 'text', text: 'ok' }]);
	});

	test('tools without a limit of their own have 50,000 characters', async () => {
		const within = await budgetResults(
			contextInput(talkWith({ name: 'Other', result: 'x'.repeat(50_000) }).messages),
			contextDeps(),
		);
		assert.deepEqual(within.changes, []);
		const over = await budgetResults(
			contextInput(talkWith({ name: 'Other', result: 'x'.repeat(50_001) }).messages),
			contextDeps(),
		);
		assert.deepEqual(kindsOf(over.changes), ['results_stored']);
	});

	test('results that are too large together: the largest go first, and only as many as it takes', async () => {
		const calls = [45_000, 49_000, 40_000, 48_000, 30_000].map((length) => ({
			name: 'Other',
			result: 'x'.repeat(length),
		}));
		const { changes } = await budgetResults(contextInput(talkWith(...calls).messages), contextDeps());
		const stored = changes.flatMap((change) =>
			change.kind === 'results_stored' ? change.results.map(({ toolUseId }) => toolUseId) : [],
		);
		assert.deepEqual(stored, ['t2_1']);
	});

	test('a tool that opted out stays whole, and that is written down when the message is over its budget', async () => {
		const { messages } = talkWith({ name: 'Read', result: 'x'.repeat(250_000) });
		const { changes } = await budgetResults(contextInput(messages), contextDeps());
		assert.deepEqual(changes, [{ kind: 'results_kept', at: 'a2-results', toolUseIds: ['t2_0'] }]);
		assert.deepEqual(project(messages, changes), messages);
	});

	test('a file that cannot be written keeps the result whole, for good', async () => {
		const { messages } = talkWith({ name: 'Bash', result: 'x'.repeat(40_000) });
		const input = contextInput(messages);
		const first = await budgetResults(input, contextDeps({ storeFails: true }));
		assert.deepEqual(kindsOf(first.changes), ['results_kept']);
		const again = await budgetResults({ ...input, changes: first.changes }, contextDeps());
		assert.deepEqual(again.changes, [], 'the decision is sticky');
	});

	test('decisions are sticky: what was stored is not stored again, what was sent whole stays whole', async () => {
		const talk = talkWith({ name: 'Bash', result: 'x'.repeat(40_000) });
		const deps = contextDeps();
		const first = await budgetResults(contextInput(talk.messages), deps);
		deps.files.clear();
		const again = await budgetResults(contextInput(talk.messages, { changes: first.changes }), deps);
		assert.deepEqual(again.changes, []);
		assert.equal(deps.files.size, 0);
		talk.turn({ text: 'answered', calls: [{ name: 'Bash', result: 'small' }] });
		const later = await budgetResults(contextInput(talk.messages), deps);
		assert.deepEqual(later.changes, [], 'without the decision it was sent whole, and stays so');
	});

	test('images of a stored result stay', async () => {
		const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;
		const { messages } = talkWith({ name: 'Bash', result: [{ type: 'text', text: 'x'.repeat(40_000) }, image] });
		const { changes } = await budgetResults(contextInput(messages), contextDeps());
		const block = project(messages, changes)[2]?.content[0];
		assert.deepEqual(block?.type === 'tool_result' && block.content[1], image);
	});
});
