// Subagents where it gets narrow: what the person chooses on a card of one, ids that come twice, a stop in the middle of a question,
// transcripts that cannot be written.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentTool } from '../../../src/core/tools/builtin/agent.ts';
import { builtinTools } from '../../../src/core/tools/builtin/builtinTools.ts';
import type { SessionPorts } from '../../../src/core/session/options.ts';
import type { PermissionAnswer, PermissionRequest } from '../../../src/shared/permission.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { KeptJournal, lastResultOf, requestsOf, resultOf, scriptAgents, task } from '../../support/agentScript.ts';
import type { ConversationOptions, TestConversation } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockServer } from '../../support/mockServer.ts';
import { answer, startMockServer, text, toolResults, toolUse, turn } from '../../support/mockServer.ts';
import { nodeShell, removeFolder, temporaryFolder, until } from '../shell/support.ts';

/** The person, who answers when the test does. */
class Person {
	readonly asked: { readonly request: PermissionRequest; readonly answer: (answer: PermissionAnswer) => void }[] = [];
	readonly withdrawn: string[] = [];

	readonly interaction: SessionPorts['interaction'] = {
		requestPermission: (request, signal) =>
			new Promise((resolve) => {
				this.asked.push({ request, answer: resolve });
				signal.addEventListener('abort', () => {
					this.withdrawn.push(request.id);
					resolve({ behavior: 'deny', stopped: true });
				});
			}),
	};
}

suite('subagents under attack', () => {
	let server: MockServer;
	let folder: string;
	let person: Person;
	let open: TestConversation['conversation'][];
	setup(async () => {
		open = [];
		server = await startMockServer();
		folder = temporaryFolder();
		person = new Person();
	});
	teardown(async () => {
		await Promise.all(open.map((conversation) => conversation.dispose()));
		await server.close();
		removeFolder(folder);
	});
	const at = (name: string) => path.join(folder, name);
	const onDisk = (name: string) => readFileSync(at(name), 'utf8');
	function start(more: Partial<ConversationOptions> = {}, ports: Partial<SessionPorts> = {}): TestConversation {
		const started = startConversation({
			url: server.url,
			tools: builtinTools,
			interaction: person.interaction,
			...more,
			ports: {
				workspace: new NodeWorkspace({ roots: [folder] }),
				shell: nodeShell(),
				agentJournal: () => new KeptJournal(),
				...ports,
			},
		});
		open.push(started.conversation);
		return started;
	}
	const write = (name: string, content: string) => toolUse('Write', { file_path: at(name), content });

	test('the mode that the person chooses on a card of one is that of the conversation, and answers the other', async () => {
		scriptAgents(server, {
			main: [turn(task('one'), task('two')), answer('ok')],
			one: [turn(write('a.txt', 'A\n')), answer('one')],
			two: [turn(write('b.txt', 'B\n')), answer('two')],
		});
		const { conversation } = start();
		const running = finish(conversation.submitMessage('main'));
		await until(() => person.asked.length === 2, 'both ask');
		person.asked[0]?.answer({ behavior: 'allow', mode: 'acceptEdits' });
		await running;
		assert.equal(conversation.mode, 'acceptEdits');
		assert.equal(person.withdrawn.length, 1);
		assert.deepEqual([onDisk('a.txt'), onDisk('b.txt')], ['A\n', 'B\n']);
	});

	test('a stop while a proposal waits: nothing is written, the question goes, and the conversation goes on', async () => {
		writeFileSync(at('a.txt'), 'left\n');
		scriptAgents(server, {
			main: [turn(task('one')), answer('ok'), answer('again')],
			one: [
				turn(toolUse('Read', { file_path: at('a.txt') })),
				turn(
					text('Changing.'),
					toolUse('Edit', { file_path: at('a.txt'), old_string: 'left', new_string: 'right' }),
					write('b.txt', 'B\n'),
				),
			],
		});
		const { conversation } = start();
		const running = finish(conversation.submitMessage('main'));
		await until(() => person.asked.length > 0, 'it asks');
		await conversation.stop('stop');
		const { terminal } = await running;
		assert.equal(terminal.reason, 'aborted_tools');
		assert.equal(person.withdrawn.length, person.asked.length);
		assert.equal(onDisk('a.txt'), 'left\n');
		assert.throws(() => onDisk('b.txt'));
		await finish(conversation.submitMessage('main again'));
		assert.deepEqual(server.violations, []);
	});

	test('two propose changes of one file: what the person accepts of both is in it', async () => {
		writeFileSync(at('s.txt'), 'left\nmiddle\nright\n');
		const change = (from: string, to: string) => [
			turn(toolUse('Read', { file_path: at('s.txt') })),
			turn(toolUse('Edit', { file_path: at('s.txt'), old_string: from, new_string: to })),
		];
		scriptAgents(server, {
			main: [turn(task('one'), task('two')), answer('ok')],
			one: change('left', 'L'),
			two: change('right', 'R'),
		});
		const { conversation } = start();
		const running = finish(conversation.submitMessage('main'));
		await until(() => person.asked.length === 2, 'both ask');
		for (const { answer: reply } of person.asked) reply({ behavior: 'allow' });
		await running;
		assert.equal(onDisk('s.txt'), 'L\nmiddle\nR\n');
		assert.deepEqual(server.violations, []);
	});

	test('ids that the service gives twice: each result is kept under its own', async () => {
		const long = (who: string) => `${who}\n`.repeat(40_000);
		const stored = new Map<string, string>();
		const results: SessionPorts['results'] = {
			store: (id, content) => {
				assert.ok(!stored.has(id), `${id} is stored twice`);
				stored.set(id, content);
				return Promise.resolve(`/results/${id}`);
			},
		};
		const big = fakeTool({ name: 'Read', safe: true, run: ({ id }) => Promise.resolve(said(long(id))) });
		const same = (who: string) => toolUse('Read', { id: who }, 'call_0');
		scriptAgents(server, {
			main: [turn(same('m')), turn(task('one'), task('two')), answer('ok')],
			one: [turn(same('o')), answer('one')],
			two: [turn(same('t')), answer('two')],
		});
		const { conversation } = start({ tools: [big, agentTool] }, { results });
		const { terminal } = await finish(conversation.submitMessage('main'));
		assert.equal(terminal.reason, 'completed');
		assert.deepEqual([...stored.values()].map((content) => content.charAt(0)).toSorted(), ['m', 'o', 't']);
		assert.deepEqual(server.violations, []);
	});

	test('a question of one is not taken for one of the call that has its id in the conversation', async () => {
		const act = fakeTool({ name: 'Act', asks: true, run: ({ id }) => Promise.resolve(said(`did ${id}`)) });
		scriptAgents(server, {
			main: [turn(toolUse('Agent', { description: 'about one', prompt: 'one' }, 'call_0')), answer('ok')],
			one: [turn(toolUse('Act', { id: 'a' }, 'call_0')), answer('one')],
		});
		const { conversation } = start({ tools: [act, agentTool] });
		const running = finish(conversation.submitMessage('main'));
		await until(() => person.asked.length === 1, 'it asks');
		assert.notEqual(person.asked[0]?.request.toolUseId, 'call_0');
		person.asked[0]?.answer({ behavior: 'allow' });
		await running;
		assert.deepEqual(server.violations, []);
	});

	test('in plan mode it changes nothing either', async () => {
		scriptAgents(server, {
			main: [turn(task('one')), answer('ok')],
			one: [
				turn(write('a.txt', 'A\n')),
				turn(toolUse('Bash', { command: 'touch b.txt', description: 'x' })),
				answer('one'),
			],
		});
		const { conversation } = start({ overrides: { mode: 'plan' } });
		await finish(conversation.submitMessage('main'));
		assert.equal(person.asked.length, 0);
		assert.throws(() => onDisk('a.txt'));
		assert.throws(() => onDisk('b.txt'));
		for (const request of requestsOf(server, 'one').slice(1)) {
			assert.ok(toolResults(request).at(-1)?.isError);
		}
	});

	test('a transcript that cannot be written: the call fails, and the conversation goes on', async () => {
		writeFileSync(at('some.txt'), 'text\n');
		for (const failing of ['session', 'request', 'answer', 'tool_result'] as const) {
			server.reset();
			scriptAgents(server, {
				main: [turn(task('one')), answer('ok')],
				one: [turn(toolUse('Read', { file_path: at('some.txt') })), answer('one')],
			});
			let closed = 0;
			const { conversation } = start(
				{},
				{
					agentJournal: () => ({
						append: ({ type }) => (type === failing ? Promise.reject(new Error('no space left')) : Promise.resolve()),
						close: () => void closed++,
					}),
				},
			);
			const { terminal } = await finish(conversation.submitMessage('main'));
			assert.equal(terminal.reason, 'completed', failing);
			const result = resultOf(requestsOf(server, 'main').at(-1), 'call-one');
			assert.ok(result.isError, failing);
			assert.match(result.text, /no space left/, failing);
			assert.equal(closed, 1);
			assert.deepEqual(server.violations, []);
		}
	});

	test('a call whose start cannot be written does not run; the subagent is told', async () => {
		writeFileSync(at('some.txt'), 'text\n');
		scriptAgents(server, {
			main: [turn(task('one')), answer('ok')],
			one: [turn(toolUse('Read', { file_path: at('some.txt') })), answer('one')],
		});
		const append = ({ type }: { readonly type: string }) =>
			type === 'tool_start' ? Promise.reject(new Error('no space left')) : Promise.resolve();
		const { conversation } = start({}, { agentJournal: () => ({ append, close: () => {} }) });
		await finish(conversation.submitMessage('main'));
		const told = lastResultOf(requestsOf(server, 'one').at(-1));
		assert.ok(told.isError);
		assert.match(told.text, /no space left/);
		assert.equal(resultOf(requestsOf(server, 'main').at(-1), 'call-one').text, 'one');
		assert.deepEqual(server.violations, []);
	});
});
