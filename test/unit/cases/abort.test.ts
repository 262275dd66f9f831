// The cases under "Abort", and a stop at every point at which an exchange waits for something (loop.md 9): it ends at once,
// nothing is left running, and the next request is valid. What the shell itself does is in test/unit/shell/processes.test.ts.
import assert from 'node:assert/strict';
import type { LoopEvent } from '../../../src/core/loop/events.ts';
import type { StopHooks } from '../../../src/core/loop/params.ts';
import { bashTool } from '../../../src/core/tools/builtin/bash.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import type { ConversationOptions, TestConversation } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import {
	answer,
	fail,
	gate,
	messagesOf,
	startMockServer,
	text,
	toolResults,
	toolUse,
	turn,
} from '../../support/mockServer.ts';
import { nodeShell, processesWith, removeFolder, temporaryFolder, unusualDuration, until } from '../shell/support.ts';

suite('cases: Abort', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());
	const steps = (...script: Step[]) => server.setScript(script);
	const last = () => server.requests.at(-1) ?? assert.fail('no request');
	const start = (options: Partial<ConversationOptions> = {}): TestConversation =>
		startConversation({ url: server.url, ...options });

	suite('B64 nothing that a command started is left behind', function () {
		this.timeout(30_000);
		let folder: string;
		suiteSetup(function () {
			if (process.platform === 'win32') this.skip();
		});
		setup(() => {
			folder = temporaryFolder();
		});
		teardown(() => removeFolder(folder));

		const shapes: Readonly<Record<string, (sleep: string) => string>> = {
			'a pipeline': (sleep) => `echo begun; ${sleep} | cat`,
			'a background child': (sleep) => `echo begun; (${sleep} &) ; ${sleep}`,
			'a child that ignores SIGTERM': (sleep) => `echo begun; trap '' TERM; ${sleep}; ${sleep}`,
		};
		function bash(command: string, more: Record<string, unknown> = {}): TestConversation['conversation'] {
			steps(turn(toolUse('Bash', { command, description: 'x', ...more })), answer('ok'), answer('ok'));
			const workspace = new NodeWorkspace({ roots: [folder] });
			return start({ tools: [bashTool], ports: { workspace, shell: nodeShell() } }).conversation;
		}

		for (const [name, command] of Object.entries(shapes)) {
			test(`B64 stop: ${name}`, async () => {
				const mark = unusualDuration();
				const conversation = bash(command(`sleep ${mark}`));
				const running = finish(conversation.submitMessage('run it'));
				await until(() => processesWith(`sleep\0${mark}`).length > 0, 'the sleep runs');
				await conversation.stop('stop');
				assert.equal((await running).terminal.reason, 'aborted_tools');
				assert.deepEqual(processesWith(mark), []);
				await finish(conversation.submitMessage('go on'));
				assert.match(toolResults(last())[0]?.text ?? '', /Interrupted by user[\s\S]*begun/);
				assert.deepEqual(server.violations, []);
				await conversation.dispose();
			});

			test(`B64 the window closes: ${name}`, async () => {
				const mark = unusualDuration();
				const conversation = bash(command(`sleep ${mark}`));
				const running = finish(conversation.submitMessage('run it'));
				await until(() => processesWith(`sleep\0${mark}`).length > 0, 'the sleep runs');
				await conversation.dispose();
				await running;
				assert.deepEqual(processesWith(mark), []);
			});
		}

		test('B64 timeout: what it wrote is told, and its children are gone', async () => {
			const mark = unusualDuration();
			const conversation = bash(`echo begun; (sleep ${mark} &); sleep ${mark}`, {
				timeout: 1000,
				run_in_background: false,
			});
			const { terminal } = await finish(conversation.submitMessage('run it'));
			assert.equal(terminal.reason, 'completed');
			const result = toolResults(last())[0];
			assert.equal(result?.isError, true);
			assert.match(result?.text ?? '', /begun/);
			assert.deepEqual(processesWith(mark), []);
			await conversation.dispose();
		});
	});

	suite('a stop at any point', () => {
		const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
		const untilStopped = (signal: AbortSignal) =>
			new Promise<void>((resolve) => {
				if (signal.aborted) resolve();
				else signal.addEventListener('abort', () => resolve(), { once: true });
			});

		/** Stops at the first event that fits (or when `when` resolves); the exchange ends soon, and the next prompt works. */
		async function stopAt(
			{ conversation }: TestConversation,
			at: Promise<unknown> | ((event: LoopEvent) => boolean),
			reason: 'stop' | 'interrupt' = 'stop',
		): Promise<{ reason: string; events: readonly LoopEvent[] }> {
			const events: LoopEvent[] = [];
			const exchange = conversation.submitMessage('do it');
			let stoppedAt: number | undefined;
			const stop = () => {
				if (stoppedAt !== undefined) return;
				stoppedAt = Date.now();
				void conversation.stop(reason);
			};
			if (typeof at !== 'function') void at.then(stop);
			let step = await exchange.next();
			for (; !step.done; step = await exchange.next()) {
				events.push(step.value);
				if (typeof at === 'function' && at(step.value)) stop();
			}
			assert.ok(stoppedAt !== undefined && Date.now() - stoppedAt < 2000, 'it ended soon after the stop');
			server.setScript(() => answer('fine'));
			const next = await finish(conversation.submitMessage('go on'));
			assert.equal(next.terminal.reason, 'completed');
			assert.deepEqual(server.violations, []);
			return { reason: step.value.reason, events };
		}

		test('before the headers come', async () => {
			const hold = gate({ at: 'headers' });
			steps(turn(hold, text('late')));
			const { reason } = await stopAt(start(), hold.reached);
			assert.equal(reason, 'aborted_streaming');
			hold.open();
		});

		test('while it waits before another attempt', async () => {
			steps(fail(429, 'rate_limit_error', 'slow', { 'retry-after': '59' }));
			const { reason } = await stopAt(start(), ({ type }) => type === 'retry_wait');
			assert.equal(reason, 'aborted_streaming');
		});

		test('while the person is asked about a long wait', async () => {
			steps(fail(429, 'rate_limit_error', 'slow', { 'retry-after': '3600' }));
			let ask: () => void = () => {};
			const asked = new Promise<void>((resolve) => (ask = resolve));
			const conversation = start({
				interaction: {
					requestPermission: () => Promise.resolve({ behavior: 'allow' }),
					confirmWait: async (_delay, signal) => {
						ask();
						await untilStopped(signal);
						return true;
					},
				},
			});
			const { reason } = await stopAt(conversation, asked);
			assert.equal(reason, 'aborted_streaming');
		});

		test('while a stop hook runs', async () => {
			steps(answer('done'));
			let began: () => void = () => {};
			const running = new Promise<void>((resolve) => (began = resolve));
			const stopHooks: StopHooks = async (_input, signal) => {
				began();
				await untilStopped(signal);
				return { kind: 'block', reason: 'never heard' };
			};
			const conversation = start({ ports: { stopHooks } });
			const stopped = stopAtOnce(conversation, running);
			assert.equal(await stopped, 'aborted_streaming');
		});

		test('while a hook before a tool runs', async () => {
			steps(turn(toolUse('Look', { id: 'a' })));
			let began: () => void = () => {};
			const running = new Promise<void>((resolve) => (began = resolve));
			const toolHooks = {
				beforeTool: async (_question: unknown, signal: AbortSignal) => {
					began();
					await untilStopped(signal);
					return { kind: 'pass' } as const;
				},
				afterTool: () => Promise.resolve({ kind: 'pass' } as const),
			};
			const { reason } = await stopAt(start({ tools: [look], ports: { toolHooks } }), running);
			assert.match(reason, /^aborted_/);
			assert.match(toolResults(last())[0]?.text ?? '', /Interrupted by user/);
		});

		test('while the conversation is being compacted', async () => {
			const hold = gate({ at: 'headers' });
			const words = 'Some words about what was found. '.repeat(300);
			let turns = 0;
			server.setScript(({ body }) => {
				// No summaries of segments: the whole conversation has to be summarised.
				if (body['tools'] === undefined) return fail(400, 'invalid_request_error');
				const isSummary = JSON.stringify(body['tool_choice'] ?? null).includes('none');
				if (isSummary) return turn(hold, text('The summary.'));
				return turns++ < 30 ? turn(text(words), toolUse('Look', { id: 'a' })) : answer('Done.');
			});
			const conversation = start({
				tools: [look],
				settings: { compaction: { enabled: true, window: 40_000 } },
			});
			const { reason } = await stopAt(conversation, ({ type }) => type === 'compaction_start');
			assert.equal(reason, 'aborted_streaming');
			hold.open();
		});

		test('while it is compacted because the service refused its size: told, and stopped', async () => {
			const hold = gate({ at: 'headers' });
			steps(
				turn(text('Some words. '.repeat(2000)), toolUse('Look', { id: 'a' })),
				answer('Done.'),
				fail(400, 'invalid_request_error', 'prompt is too long: 211000 tokens > 200000 maximum'),
				turn(hold, text('The summary.')),
			);
			const conversation = start({ tools: [look] });
			await finish(conversation.conversation.submitMessage('first '.repeat(2000)));
			const { reason, events } = await stopAt(conversation, hold.reached);
			assert.equal(reason, 'aborted_streaming');
			assert.deepEqual(
				events.filter(({ type }) => type === 'compaction_start'),
				[{ type: 'compaction_start', trigger: 'reactive', tokens: 211_000 }],
			);
			assert.ok(!events.some(({ type }) => type === 'model_error'));
			hold.open();
		});

		test('while attachments are looked for, and while tools answer late', async () => {
			steps(turn(toolUse('Look', { id: 'a' })), answer('ok'));
			const never = () => new Promise<readonly string[]>(() => {});
			const conversation = start({ tools: [look], ports: { attachmentSources: [never] } });
			const { reason } = await stopAt(conversation, ({ type }) => type === 'tool_end');
			assert.match(reason, /^aborted_/);
		});

		test('because a new message takes its place: no note about the stop', async () => {
			const hold = gate();
			steps(turn(text('half ', hold, 'never')));
			const { reason, events } = await stopAt(start(), hold.reached, 'interrupt');
			assert.equal(reason, 'aborted_streaming');
			assert.ok(!events.some(({ type }) => type === 'interrupted'));
			assert.doesNotMatch(JSON.stringify(messagesOf(last())), /user stopped/i);
			hold.open();
		});

		/** As `stopAt`, without the next prompt: the hook would hold that up as well. */
		async function stopAtOnce({ conversation }: TestConversation, at: Promise<unknown>): Promise<string> {
			const running = finish(conversation.submitMessage('do it'));
			await at;
			await conversation.stop('stop');
			return (await running).terminal.reason;
		}
	});
});
