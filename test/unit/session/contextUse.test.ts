// What fills the context, asked of a conversation: before, in the middle of an exchange, and after it.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineTool } from '../../../src/core/tools/tool.ts';
import type { ContextUse } from '../../../src/shared/contextUse.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import type { MockServer } from '../../support/mockServer.ts';
import { answer, startMockServer, toolUse, turn } from '../../support/mockServer.ts';

const part = (use: ContextUse | undefined, name: string) =>
	use?.parts.find(({ category }) => category === name)?.tokens ?? 0;

suite('what fills the context', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());

	test('it is there at any moment, and knows what the running exchange has added', async () => {
		mock.setScript([turn(toolUse('Note', {})), turn(toolUse('Note', {})), answer('Done.')]);
		const seen: ContextUse[] = [];
		const note = defineTool({
			name: 'Note',
			description: 'Notes.',
			schema: z.object({}),
			isConcurrencySafe: () => true,
			interrupt: 'cancel',
			maxResultChars: 10_000,
			summary: () => 'note',
			permission: () => ({ access: { kind: 'none' }, detail: { kind: 'generic', input: '' } }),
			run: () => {
				seen.push(conversation.contextUse());
				return Promise.resolve({ content: 'noted '.repeat(400), view: { kind: 'none' } });
			},
		});
		const { conversation } = startConversation({ url: mock.url, tools: [note] });
		const before = conversation.contextUse();
		assert.ok(part(before, 'tools') > 0 && part(before, 'prompts') === 0 && before.window > 0);
		await finish(conversation.submitMessage('please note it'));
		const after = conversation.contextUse();
		for (const use of [before, ...seen, after]) {
			assert.equal(
				use.parts.reduce((sum, { tokens }) => sum + tokens, 0),
				use.tokens,
			);
		}
		assert.equal(seen.length, 2);
		assert.ok(part(seen[0], 'prompts') > 0, 'the prompt of the running exchange is in it');
		assert.ok(part(seen[1], 'results') > part(seen[0], 'results'), 'so is what a tool gave in it');
		assert.ok(part(after, 'results') > part(seen[1], 'results'));
	});
});
