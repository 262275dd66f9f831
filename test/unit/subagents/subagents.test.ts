// Subagents of a real conversation, client and service: they work side by side, ask through their conversation, end with it, and
// what they cost and did is told however they end.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoopEvent } from '../../../src/core/loop/events.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import { agentTool } from '../../../src/core/tools/builtin/agent.ts';
import { builtinTools } from '../../../src/core/tools/builtin/builtinTools.ts';
import type { AgentView } from '../../../src/core/tools/subagent.ts';
import { Wakeup } from '../../../src/core/util/wakeup.ts';
import type { PermissionAnswer, PermissionRequest } from '../../../src/shared/permission.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import {
	KeptJournal,
	lastResultOf,
	requestsOf as requestsOfAgent,
	resultOf,
	scriptAgents,
	task,
} from '../../support/agentScript.ts';
import type { ConversationOptions, TestConversation } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockRequest, MockServer, Step } from '../../support/mockServer.ts';
import { answer, fail, gate, startMockServer, stop, text, toolUse, turn } from '../../support/mockServer.ts';
import { nodeShell, processesWith, removeFolder, temporaryFolder, unusualDuration, until } from '../shell/support.ts';

suite('subagents', () => {
	let server: MockServer;
	let kept: Map<string, KeptJournal>;
	let open: TestConversation['conversation'][];
	setup(async () => {
		server = await startMockServer();
		kept = new Map();
		open = [];
	});
	teardown(async () => {
		await Promise.all(open.map((conversation) => conversation.dispose()));
		await server.close();
	});

	const script = (steps: Readonly<Record<string, readonly Step[]>>) => scriptAgents(server, steps);
	const requestsOf = (name: string) => requestsOfAgent(server, name);
	const look = fakeTool({ name: 'Read', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
	const act = fakeTool({ name: 'Act', asks: true, run: ({ id }) => Promise.resolve(said(`did ${id}`)) });
	function start(more: Partial<ConversationOptions> = {}): TestConversation {
		return startConversation({
			url: server.url,
			tools: [look, act, agentTool],
			...more,
			ports: {
				agentJournal: (agentId) => {
					const journal = new KeptJournal();
					kept.set(agentId, journal);
					return journal;
				},
				...more.ports,
			},
		});
	}
	/** One whose shell ends with the test. */
	function startHere(folder: string): TestConversation {
		const started = start({
			tools: builtinTools,
			ports: { workspace: new NodeWorkspace({ roots: [folder] }), shell: nodeShell() },
		});
		open.push(started.conversation);
		return started;
	}
	const toolNames = (request: MockRequest | undefined) =>
		((request ?? assert.fail('no request')).body['tools'] as { name: string }[]).map(({ name }) => name);
	const viewOf = (events: readonly LoopEvent[], id: string): AgentView => {
		const end = events.find((event) => event.type === 'tool_end' && event.toolUseId === id);
		assert.ok(end?.type === 'tool_end' && end.view.kind === 'agent');
		return end.view;
	};
	test('two work side by side, and each gives back its last words; all that they take counts', async () => {
		const [first, second] = [gate(), gate()];
		script({
			main: [turn(task('one'), task('two')), answer('both are back')],
			one: [turn(text('Looking.'), toolUse('Read', { id: 'a' })), turn(first, text('one says A'))],
			two: [turn(second, text('two says B'))],
		});
		const { conversation, entries } = start();
		const running = finish(conversation.submitMessage('main'));
		await Promise.all([first.reached, second.reached]);
		first.open();
		second.open();
		const { events, terminal } = await running;
		assert.equal(terminal.reason, 'completed');
		const last = requestsOf('main').at(-1);
		assert.equal(resultOf(last, 'call-one').text, 'one says A');
		assert.equal(resultOf(last, 'call-two').text, 'two says B');
		const view = viewOf(events, 'call-one');
		assert.equal(view.answer, 'one says A');
		assert.equal(view.toolUses, 1);
		assert.deepEqual(
			view.log.map((row) => (row.kind === 'tool' ? `${row.tool} ${row.summary} ${row.state}` : row.kind)),
			['text', 'Read a done', 'text'],
		);
		const calls = entries.filter((entry) => entry.type === 'side_call').length;
		assert.equal(calls, 3);
		assert.deepEqual(loadSession(entries).usage, conversation.usage);
		assert.equal(loadSession(entries).costUsd, conversation.costUsd);
		assert.ok((conversation.usage.outputTokens ?? 0) > 0);
		assert.deepEqual(server.violations, []);
	});

	test('it sees its task alone, and has neither the tool for subagents nor those for the person', async () => {
		script({
			main: [turn(task('one', { subagent_type: 'Explore' })), answer('ok')],
			one: [turn(toolUse('Act', { id: 'x' }))],
		});
		const { conversation } = start();
		await finish(conversation.submitMessage('main words'));
		const [first, second] = requestsOf('one');
		assert.deepEqual(toolNames(first), ['Read']);
		assert.ok(!JSON.stringify(first?.body['messages']).includes('main words'));
		assert.match(JSON.stringify(first?.body['system']), /You are a subagent/);
		assert.match(lastResultOf(second).text, /no tool named "Act"/);
	});

	test('its transcript is one of its own, and can be read as any other', async () => {
		script({
			main: [turn(task('one')), answer('ok')],
			one: [turn(toolUse('Read', { id: 'a' })), answer('one says A')],
		});
		const { conversation, entries } = start();
		const { events } = await finish(conversation.submitMessage('main'));
		const [[agentId, journal]] = [...kept] as [[string, KeptJournal]];
		assert.equal(viewOf(events, 'call-one').agentId, agentId);
		assert.ok(journal.closed);
		const loaded = loadSession(journal.entries);
		assert.equal(loaded.interrupted, false);
		assert.deepEqual(
			loaded.messages.map(({ role }) => role),
			['user', 'user', 'assistant', 'user', 'assistant'],
		);
		assert.equal(entries.filter(({ type }) => type === 'block').length, 2);
	});

	test('it asks the person through its conversation; a rule given to one lets the others go on', async () => {
		const [first, second] = [gate(), gate()];
		script({
			main: [turn(task('one'), task('two')), answer('ok')],
			one: [turn(first, toolUse('Act', { id: 'a' })), answer('one')],
			two: [turn(second, toolUse('Act', { id: 'b' })), answer('two')],
		});
		const asked: PermissionRequest[] = [];
		let settle: (answered: PermissionAnswer) => void = () => undefined;
		const views: AgentView[] = [];
		const { conversation, entries } = start({
			interaction: {
				requestPermission: (request, signal) => {
					asked.push(request);
					if (asked.length === 2)
						setTimeout(() => settle({ behavior: 'allow', rule: { text: 'Act', scope: 'session' } }), 300);
					return new Promise((resolve) => {
						if (asked.length === 1) settle = resolve;
						signal.addEventListener('abort', () => resolve({ behavior: 'deny', stopped: true }));
					});
				},
			},
		});
		first.open();
		second.open();
		const exchange = conversation.submitMessage('main');
		let step = await exchange.next();
		for (; !step.done; step = await exchange.next()) {
			const event = step.value;
			if (event.type === 'tool_progress' && event.update.kind === 'view' && event.update.view.kind === 'agent') {
				views.push(event.update.view);
			}
		}
		assert.deepEqual(
			asked.map(({ agent, summary }) => `${agent} ${summary}`).toSorted((a, b) => a.localeCompare(b)),
			['general-purpose a', 'general-purpose b'],
		);
		assert.ok(views.some(({ log }) => log.some((row) => row.kind === 'tool' && row.state === 'waiting')));
		const last = requestsOf('main').at(-1);
		assert.deepEqual([resultOf(last, 'call-one').text, resultOf(last, 'call-two').text], ['one', 'two']);
		assert.ok(
			entries.every(({ type }) => type !== 'permission'),
			"it waits in the subagent's transcript",
		);
		assert.deepEqual(
			[...kept.values()].map(({ entries: own }) => own.filter(({ type }) => type === 'permission').length),
			[1, 1],
		);
	});

	test('a stop ends it and what it runs, and the next request is valid', async () => {
		let stopped = false;
		const begun = new Wakeup();
		const slow = fakeTool({
			name: 'Slow',
			run: (_input, { signal }) => {
				begun.ring();
				return new Promise((resolve) =>
					signal.addEventListener('abort', () => {
						stopped = true;
						resolve(said('ended'));
					}),
				);
			},
		});
		script({ main: [turn(task('one')), answer('ok')], one: [turn(text('Half way.'), toolUse('Slow', { id: 'a' }))] });
		const { conversation } = start({ tools: [slow, agentTool] });
		const running = finish(conversation.submitMessage('main'));
		await begun.wait();
		await conversation.stop('stop');
		const { terminal } = await running;
		assert.equal(terminal.reason, 'aborted_tools');
		assert.ok(stopped);
		await finish(conversation.submitMessage('main again'));
		assert.ok([...kept.values()].every(({ closed }) => closed));
		assert.deepEqual(server.violations, []);
	});

	test('what a subagent has begun is never asked for again, whatever becomes of the answer that asked for it', async () => {
		const acted: string[] = [];
		const held = gate();
		const once = fakeTool({
			name: 'Act',
			run: ({ id }) => {
				acted.push(id);
				held.open();
				return Promise.resolve(said(`did ${id}`));
			},
		});
		script({
			main: [turn(task('one'), held, stop('refusal')), turn(task('one')), answer('ok')],
			one: [turn(toolUse('Act', { id: 'a' })), answer('one'), turn(toolUse('Act', { id: 'again' })), answer('one')],
		});
		const { conversation } = start({
			tools: [once, agentTool],
			settings: { fallbackModels: ['claude-haiku-4-5'] },
		});
		await finish(conversation.submitMessage('main'));
		assert.deepEqual(acted, ['a']);
		assert.deepEqual(server.violations, []);
	});

	test('B11 a service that fails for good: what the subagent has done and said is not lost', async () => {
		script({
			main: [turn(task('one')), answer('ok')],
			one: [
				turn(text('Found one.'), toolUse('Read', { id: 'a' })),
				turn(toolUse('Read', { id: 'b' })),
				turn(text('Found three.'), toolUse('Read', { id: 'c' })),
				...Array.from({ length: 4 }, () => fail(529, 'overloaded_error')),
			],
		});
		const { conversation } = start({ settings: { maxRetries: 0 } });
		const { events, terminal } = await finish(conversation.submitMessage('main'));
		assert.equal(terminal.reason, 'completed');
		const result = resultOf(requestsOf('main').at(-1), 'call-one');
		assert.ok(result.isError);
		assert.match(result.text, /did not come to its end/);
		assert.match(result.text, /3 tool calls/);
		assert.match(result.text, /Found three\./);
		assert.equal(viewOf(events, 'call-one').toolUses, 3);
		assert.deepEqual(server.violations, []);
	});

	test('it ends where the session may cost no more', async () => {
		script({ main: [turn(task('one')), answer('ok')], one: [turn(toolUse('Read', { id: 'a' })), answer('never')] });
		const { conversation } = start({ settings: { maxCostUsd: 0.000001 } });
		const { events, terminal } = await finish(conversation.submitMessage('main'));
		assert.equal(terminal.reason, 'budget_exhausted');
		assert.equal(requestsOf('one').length, 1);
		const end = events.find((event) => event.type === 'tool_end');
		assert.ok(end?.type === 'tool_end' && end.state === 'error');
		assert.match(JSON.stringify(end.result.content), /cost as much as it may/);
	});

	test('a type that does not exist is named as such, and a rule can forbid one', async () => {
		script({
			main: [turn(task('one', { subagent_type: 'Nobody' }), task('two')), answer('ok')],
			two: [answer('never')],
		});
		const rule = { text: 'Agent(general-purpose)', origin: { source: 'flag' } } as const;
		const { conversation } = start({ settings: { deny: [rule] } });
		await finish(conversation.submitMessage('main'));
		const last = requestsOf('main').at(-1);
		assert.match(resultOf(last, 'call-one').text, /subagent_type/);
		assert.ok(resultOf(last, 'call-two').isError);
		assert.equal(requestsOf('two').length, 0);
	});

	suite('on real files, with a real shell', function () {
		this.timeout(30_000);
		let folder: string;
		suiteSetup(function () {
			if (process.platform === 'win32') this.skip();
		});
		setup(() => {
			folder = temporaryFolder();
		});
		teardown(() => removeFolder(folder));
		const startThere = () => startHere(folder);

		test('B33 two edit one file: neither edit is lost, and one that has read an older text is told', async () => {
			const file = path.join(folder, 's.txt');
			writeFileSync(file, 'left\nright\n');
			const [read, edited] = [gate(), gate()];
			script({
				main: [turn(task('one'), task('two')), answer('ok')],
				one: [
					turn(toolUse('Read', { file_path: file })),
					turn(read, toolUse('Edit', { file_path: file, old_string: 'left', new_string: 'L' })),
					turn(edited, text('one is done')),
				],
				two: [
					turn(toolUse('Read', { file_path: './s.txt' })),
					turn(edited, toolUse('Write', { file_path: './s.txt', content: 'left\nR\n' }, 'late')),
					answer('two is done'),
				],
			});
			const running = finish(startThere().conversation.submitMessage('main'));
			await Promise.all([read.reached, edited.reached]);
			read.open();
			await until(() => readFileSync(file, 'utf8') === 'L\nright\n', 'the first edit');
			edited.open();
			await running;
			assert.equal(readFileSync(file, 'utf8'), 'L\nright\n');
			assert.match(lastResultOf(requestsOf('two').at(-1)).text, /changed since/);
		});

		test('B41 where a subagent goes, nobody else is', async () => {
			mkdirSync(path.join(folder, 'sub'));
			const pwd = (id: string) => toolUse('Bash', { command: 'pwd', description: 'where' }, id);
			script({
				main: [turn(task('one')), turn(pwd('here')), answer('ok')],
				one: [turn(toolUse('Bash', { command: 'cd sub', description: 'go' })), turn(pwd('there')), answer('one')],
			});
			await finish(startThere().conversation.submitMessage('main'));
			const real = realpathSync(folder);
			assert.equal(lastResultOf(requestsOf('one').at(-1)).text.trim(), path.join(real, 'sub'));
			assert.equal(resultOf(requestsOf('main').at(-1), 'here').text.trim(), real);
		});

		test('a command that it left in the background ends with it', async () => {
			const mark = unusualDuration();
			script({
				main: [turn(task('one')), answer('ok')],
				one: [turn(toolUse('Bash', { command: `sleep ${mark}`, run_in_background: true })), answer('one')],
			});
			await finish(startThere().conversation.submitMessage('main'));
			assert.deepEqual(processesWith(mark), []);
		});
	});
});
