// Proposed edits in a conversation: the answer's hunks, asking again where the file changed in the same place, a denial that is one.
import assert from 'node:assert/strict';
import type { ProposedEdit } from '../../../src/core/ports/workspace.ts';
import type { PermissionAnswer, PermissionRequest } from '../../../src/shared/permission.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import { answer, startMockServer, toolResults, toolUse, turn } from '../../support/mockServer.ts';

const text = `one\n${'same\n'.repeat(20)}two\n`;
const wanted = `ONE\n${'same\n'.repeat(20)}TWO\n`;

interface Asked {
	readonly request: PermissionRequest;
	readonly proposed: ProposedEdit | undefined;
}

suite('proposed edits in a conversation', () => {
	let server: MockServer;
	let workspace: FakeWorkspace;
	setup(async () => {
		server = await startMockServer();
		workspace = new FakeWorkspace({ 'a.txt': text });
	});
	teardown(() => server.close());

	const read = turn(toolUse('Read', { file_path: 'a.txt' }));
	const write = (content = wanted) => toolUse('Write', { file_path: 'a.txt', content });
	const change = (from: string, to: string) =>
		toolUse('Edit', { file_path: 'a.txt', old_string: from, new_string: to });
	const result = (index: number, at = 0) => JSON.stringify(toolResults(server.requests[index] ?? assert.fail())[at]);

	/** `reply` is asked for each request, in order. */
	async function run(
		steps: Step[],
		reply: (asked: Asked, index: number) => PermissionAnswer | Promise<PermissionAnswer>,
	) {
		const asked: Asked[] = [];
		const { conversation } = startConversation({
			url: server.url,
			interaction: {
				requestPermission: async (request, _signal, proposed) => {
					asked.push({ request, proposed });
					return reply({ request, proposed }, asked.length - 1);
				},
			},
			ports: { workspace },
		});
		server.setScript(steps);
		await finish(conversation.submitMessage('go'));
		assert.deepEqual(server.violations, []);
		return asked;
	}

	test('the request has the texts, and only the accepted hunk is written', async () => {
		const asked = await run([read, turn(write()), answer('ok')], () => ({
			behavior: 'allow',
			edit: { hunks: [{ kind: 'accepted' }, { kind: 'denied', reason: 'leave it' }] },
		}));
		assert.equal(asked[0]?.proposed?.newText, wanted);
		assert.equal(workspace.text('a.txt'), text.replace('one', 'ONE'));
		assert.match(result(2), /denied\. They said: leave it/);
	});

	test('every hunk denied is a denial with the reasons; nothing is written', async () => {
		await run([read, turn(write()), answer('ok')], () => ({
			behavior: 'allow',
			edit: { hunks: [{ kind: 'denied', reason: 'no' }, { kind: 'denied' }] },
		}));
		assert.equal(workspace.text('a.txt'), text);
		assert.equal(workspace.changes.length, 0);
		assert.match(result(2), /declined this call and said: Line 1: no/);
	});

	test('typing in the same lines while it is asked: it is asked again, on the text as it is now', async () => {
		const asked = await run([read, turn(change('one', 'ONE')), answer('ok')], (_asked, index) => {
			if (index === 1) return { behavior: 'allow' };
			workspace.files.set('/w/a.txt', text.replace('one', 'one and more'));
			return { behavior: 'allow', edit: { hunks: [], text: text.replace('one', 'uno') } };
		});
		assert.equal(asked.length, 2);
		assert.notEqual(asked[0]?.request.id, asked[1]?.request.id);
		assert.equal(workspace.text('a.txt'), text.replace('one', 'ONE and more'));
	});

	test('a proposal that is built on a denied one is computed anew', async () => {
		await run([read, turn(change('one', 'first'), change('two', 'second')), answer('ok')], (_asked, index) =>
			index === 0 ? { behavior: 'deny' } : { behavior: 'allow' },
		);
		assert.equal(workspace.text('a.txt'), text.replace('two', 'second'));
	});
});
