// Commands in the background of a whole conversation: the turn does not wait, the end is told once, whenever it comes, and a
// resumed session knows what ended without it.
import assert from 'node:assert/strict';
import { finish, startConversation } from '../../support/conversation.ts';
import type { ConversationOptions } from '../../support/conversation.ts';
import { HeldShell, turns } from '../../support/heldShell.ts';
import type { MockRequest } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, toolResults, toolUse, turn } from '../../support/mockServer.ts';
import { emptySearch, FakeWorkspace } from '../../support/fakeWorkspace.ts';

const notes = (request: MockRequest | undefined): string[] =>
	messagesOf(request ?? assert.fail())
		.flatMap(({ content }) => content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])))
		.filter((text) => text.includes('background command'));

const server = { command: 'npm run dev', run_in_background: true };

function world(url: string, more: Partial<ConversationOptions> = {}) {
	const shell = new HeldShell();
	const workspace = new FakeWorkspace({ 'a.txt': 'a' });
	return {
		shell,
		...startConversation({ url, ...more, ports: { shell, workspace, search: emptySearch, ...more.ports } }),
	};
}

suite('commands in the background of a conversation', () => {
	test('they do not hold the turn; what ends while it is idle is told with the next prompt, once', async () => {
		const mock = await startMockServer([turn(toolUse('Bash', server)), turn('It runs.'), answer('ok'), answer('ok')]);
		const { shell, conversation } = world(mock.url);
		const { terminal } = await finish(conversation.submitMessage('start it'));
		assert.equal(terminal.reason, 'completed');
		assert.equal(conversation.tasks.running.length, 1);
		assert.deepEqual(notes(mock.requests[1]), []);
		shell.last.end({ exitCode: 1 });
		await turns();
		await finish(conversation.submitMessage('and?'));
		assert.equal(notes(mock.requests[2]).length, 1);
		assert.match(notes(mock.requests[2])[0] ?? '', /has ended after 5 s: exit code 1/);
		await finish(conversation.submitMessage('and now?'));
		assert.equal(notes(mock.requests[3]).length, 1, 'it stands where it was told');
		assert.deepEqual(mock.violations, []);
		await conversation.dispose();
		assert.equal(shell.disposed, 1);
		await mock.close();
	});

	test('what ends while a turn runs is told at its end', async () => {
		const mock = await startMockServer([
			turn(toolUse('Bash', server)),
			turn(toolUse('Read', { file_path: '/w/a.txt' })),
			turn('Done.'),
		]);
		const { shell, conversation } = world(mock.url);
		const exchange = conversation.submitMessage('start it');
		for (let step = await exchange.next(); !step.done; step = await exchange.next()) {
			if (step.value.type === 'turn_start' && step.value.turn === 2) shell.last.end();
		}
		assert.equal(notes(mock.requests[2]).length, 1);
		await conversation.dispose();
		await mock.close();
	});

	test('resumed: what ran is listed as ended and told, once; what was seen to end is not', async () => {
		const answers = [
			() => turn(toolUse('Bash', server)),
			() => turn(toolUse('Bash', { ...server, command: 'npm run watch' })),
			(request: MockRequest) => {
				const id = /with the id (b\w+)/.exec(toolResults(request).at(-1)?.text ?? '')?.[1] ?? assert.fail();
				return turn(toolUse('TaskStop', { task_id: id }));
			},
			() => turn('One runs.'),
		];
		const mock = await startMockServer((request) => (answers.shift() ?? (() => answer('ok')))(request));
		const first = world(mock.url);
		await finish(first.conversation.submitMessage('start both'));
		const [running] = first.conversation.tasks.running;
		assert.equal(running?.command, 'npm run dev');
		await first.conversation.dispose();
		const resumed = world(mock.url, { transcript: first.entries });
		assert.deepEqual(
			resumed.conversation.tasks.list.map(({ id, command, state, outcome }) => ({ id, command, state, outcome })),
			[{ id: running.id, command: 'npm run dev', state: 'ended', outcome: 'lost' }],
		);
		await finish(resumed.conversation.submitMessage('and?'));
		assert.equal(notes(mock.requests[4]).filter((text) => text.includes('runs no more')).length, 1);
		await resumed.conversation.dispose();
		const again = world(mock.url, { transcript: resumed.entries });
		assert.deepEqual(again.conversation.tasks.finished, []);
		await finish(again.conversation.submitMessage('and now?'));
		assert.equal(notes(mock.requests[5]).filter((text) => text.includes('runs no more')).length, 1);
		assert.deepEqual(mock.violations, []);
		await again.conversation.dispose();
		await mock.close();
	});

	test('what is kept outlives the conversation, and its shell lives as long', async () => {
		const mock = await startMockServer([turn(toolUse('Bash', server)), turn('It runs.')]);
		const { shell, conversation } = world(mock.url);
		await finish(conversation.submitMessage('start it'));
		conversation.tasks.keep(conversation.tasks.running[0]?.id ?? '', true);
		await conversation.dispose();
		assert.deepEqual([shell.last.stops, shell.disposed], [0, 0]);
		shell.last.end();
		await turns();
		assert.equal(shell.disposed, 1);
		await mock.close();
	});

	test('two commands that only read overlap, judged by what they do', async () => {
		const { analysed } = await import('../../support/shellAnalysis.ts');
		assert.ok((await analysed('ls | wc -l')).readOnly);
		const { TreeSitterShellParser } = await import('../../../src/node/shellParser/treeSitterShellParser.ts');
		const { grammars } = await import('../../support/shellAnalysis.ts');
		const mock = await startMockServer([
			turn(toolUse('Bash', { command: 'ls | wc -l' }), toolUse('Bash', { command: 'cat a.txt && ls' })),
			turn('Both.'),
		]);
		const { shell, conversation } = world(mock.url, { ports: { shellParser: new TreeSitterShellParser(grammars) } });
		const done = finish(conversation.submitMessage('look'));
		const end = Date.now() + 5_000;
		while (shell.commands.length < 2 && Date.now() < end) await turns(5);
		assert.equal(shell.commands.length, 2, 'both run at once');
		for (const command of shell.commands) command.end({ output: 'x' });
		assert.equal((await done).terminal.reason, 'completed');
		await conversation.dispose();
		await mock.close();
	});
});
