// Plan mode and changed calls through the real loop: nothing writes while it is on, by any route; the plan and the mode to go
// on in are the person's; a call that the person changed is judged and told as it ran.
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Interaction } from '../../../src/core/ports/interaction.ts';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import { builtinTools } from '../../../src/core/tools/builtin/builtinTools.ts';
import { defineTool } from '../../../src/core/tools/tool.ts';
import type { PermissionAnswer, PermissionMode, PermissionRequest } from '../../../src/shared/permission.ts';
import type { ConversationOptions } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { FakeShell, FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, toolResults, toolUse, turn } from '../../support/mockServer.ts';

const plan = '# Rename the flag\n\n1. Change `a.txt`\n2. Run the tests';

suite('plan mode and changed calls', () => {
	let server: MockServer;
	let workspace: FakeWorkspace;
	let shell: FakeShell;
	const requests: PermissionRequest[] = [];
	setup(async () => {
		server = await startMockServer();
		workspace = new FakeWorkspace({ 'a.txt': 'old\n' });
		shell = new FakeShell();
		requests.length = 0;
	});
	teardown(() => server.close());

	/** Answers the requests in order; one without an answer waits until it is withdrawn. */
	function person(...answers: PermissionAnswer[]): Interaction {
		return {
			requestPermission(request, signal) {
				requests.push(request);
				const given = answers.shift();
				if (given) return Promise.resolve(given);
				return new Promise((resolve) => {
					const stop = () => resolve({ behavior: 'deny', stopped: true });
					if (signal.aborted) stop();
					signal.addEventListener('abort', stop, { once: true });
				});
			},
		};
	}
	function start(mode: PermissionMode, interaction: Interaction, more: Partial<ConversationOptions> = {}) {
		const ports = { workspace, shell, ...more.ports };
		const overrides = { mode, ...more.overrides };
		return startConversation({ url: server.url, interaction, ...more, ports, overrides });
	}
	const run = async (steps: Step[], started: ReturnType<typeof start>, words = 'go') => {
		server.setScript(steps);
		const result = await finish(started.conversation.submitMessage(words));
		assert.deepEqual(server.violations, []);
		return result;
	};
	const sentTo = (index: number) => JSON.stringify(messagesOf(server.requests[index] ?? assert.fail('no request')));
	const resultOf = (index: number) => toolResults(server.requests[index] ?? assert.fail('no request'))[0];
	const count = (text: string, part: string) => text.split(part).length - 1;

	suite('while it is on', () => {
		const writes: Readonly<Record<string, ReturnType<typeof toolUse>>> = {
			Write: toolUse('Write', { file_path: 'b.txt', content: 'new' }),
			Edit: toolUse('Edit', { file_path: 'a.txt', old_string: 'old', new_string: 'new' }),
			Bash: toolUse('Bash', { command: 'echo new > a.txt', description: 'x' }),
		};
		for (const [name, call] of Object.entries(writes)) {
			test(`${name} writes nothing, whatever rules allow, and nobody is asked`, async () => {
				const started = start('plan', person(), { settings: { allow: rules('Write', 'Edit', 'Bash') } });
				await run([turn(toolUse('Read', { file_path: 'a.txt' })), turn(call), answer('ok')], started);
				assert.equal(resultOf(2)?.isError, true);
				assert.match(resultOf(2)?.text ?? '', /plan mode/);
				assert.deepEqual([workspace.text('a.txt'), workspace.text('b.txt')], ['old\n', undefined]);
				assert.deepEqual([shell.commands, requests], [[], []]);
			});
		}

		test('a command that the person makes a writing one is denied', async () => {
			const started = start('plan', person({ behavior: 'allow', input: { command: 'touch /etc/x' } }));
			const look = toolUse('Bash', { command: 'ls /etc', description: 'x' });
			await run([turn(look), answer('ok')], started);
			assert.equal(requests.length, 1);
			assert.match(resultOf(1)?.text ?? '', /plan mode/);
			assert.deepEqual(shell.commands, []);
		});

		test('the model is told once, in the conversation and not in the system prompt', async () => {
			const started = start('plan', person());
			await run([answer('ok')], started);
			await run([answer('ok')], started);
			assert.equal(count(sentTo(1), 'Plan mode is on'), 1);
			const [first, second] = server.requests.map(({ body }) => JSON.stringify(body['system']));
			assert.equal(first, second);
			assert.doesNotMatch(first ?? '', /Plan mode is on/);
			await started.conversation.setMode('default');
			await run([answer('ok')], started);
			await run([answer('ok')], started);
			assert.equal(count(sentTo(3), 'Plan mode is off'), 1);
		});

		test('a change in the middle of an exchange is told with the next results', async () => {
			const started = start('default', person());
			server.setScript([turn(toolUse('Read', { file_path: 'a.txt' })), answer('ok')]);
			for await (const event of started.conversation.submitMessage('go')) {
				if (event.type === 'tool_end') await started.conversation.setMode('plan');
			}
			assert.equal(count(sentTo(1), 'Plan mode is on'), 1);
		});
	});

	suite('EnterPlanMode', () => {
		test('asks, switches, tells once, and ExitPlanMode leads back', async () => {
			const started = start('acceptEdits', person({ behavior: 'allow' }, { behavior: 'allow' }));
			const edit = toolUse('Write', { file_path: 'b.txt', content: 'x' });
			await run(
				[turn(toolUse('EnterPlanMode', {})), turn(edit), turn(toolUse('ExitPlanMode', { plan })), answer('ok')],
				started,
			);
			assert.deepEqual(
				requests.map(({ tool, reason }) => [tool, reason.code]),
				[
					['EnterPlanMode', 'person_decides'],
					['ExitPlanMode', 'person_decides'],
				],
			);
			assert.equal(started.conversation.mode, 'acceptEdits');
			assert.equal(workspace.text('b.txt'), undefined);
			assert.equal(count(sentTo(3), 'Plan mode is on'), 1, 'the result says it, and no note repeats it');
			assert.equal(count(sentTo(3), 'Plan mode is off'), 1);
			const modes = started.entries.flatMap((entry) => (entry.type === 'mode' ? [entry.mode] : []));
			assert.deepEqual(modes, ['acceptEdits', 'plan', 'acceptEdits']);
		});

		test('declined: the mode stays', async () => {
			const started = start('default', person({ behavior: 'deny', reason: 'just do it' }));
			await run([turn(toolUse('EnterPlanMode', {})), answer('ok')], started);
			assert.equal(started.conversation.mode, 'default');
			assert.match(resultOf(1)?.text ?? '', /just do it[\s\S]*Go on without it/);
		});
	});

	suite('ExitPlanMode', () => {
		const exit = toolUse('ExitPlanMode', { plan });
		test('only in plan mode', async () => {
			await run([turn(exit), answer('ok')], start('default', person()));
			assert.equal(resultOf(1)?.isError, true);
			assert.deepEqual(requests, []);
		});

		test('approved as edited, to accept edits: the model reads the plan that counts, and the next edit applies', async () => {
			const edited = plan.replace('Run the tests', 'Run the linter');
			const started = start('plan', person({ behavior: 'allow', input: { plan: edited }, mode: 'acceptEdits' }));
			const write = toolUse('Write', { file_path: 'b.txt', content: 'new' });
			await run([turn(exit), turn(write), answer('ok')], started);
			assert.deepEqual(
				requests.map(({ detail }) => detail),
				[{ kind: 'plan', plan }],
			);
			assert.match(resultOf(1)?.text ?? '', /The user changed this call[\s\S]*Run the linter[\s\S]*approved the plan/);
			assert.equal(workspace.text('b.txt'), 'new');
			assert.equal(started.conversation.mode, 'acceptEdits');
			const begun = started.entries.find((entry) => entry.type === 'tool_start');
			assert.ok(begun?.type === 'tool_start');
			assert.equal(begun.input['plan'], edited, 'the transcript knows what really ran');
		});

		test('kept planning: the comments reach the model, the mode stays', async () => {
			const started = start('plan', person({ behavior: 'deny', reason: 'split step 1' }));
			await run([turn(exit), answer('ok')], started);
			assert.equal(started.conversation.mode, 'plan');
			assert.match(resultOf(1)?.text ?? '', /split step 1[\s\S]*Plan mode stays on/);
		});

		test('an answer never leads into a mode that does not ask', async () => {
			const started = start(
				'bypassPermissions',
				person({ behavior: 'allow' }, { behavior: 'allow', mode: 'bypassPermissions' }),
			);
			await run([turn(toolUse('EnterPlanMode', {})), turn(exit), answer('ok')], started);
			assert.equal(requests.length, 2, 'both ask, even where nothing else does');
			assert.equal(started.conversation.mode, 'default');
		});

		test('an approval counts although the person has left plan mode meanwhile, and keeps the mode that they chose', async () => {
			const edited = `${plan}\n3. Tell the team`;
			let approve: (answer: PermissionAnswer) => void = () => assert.fail();
			const started = start('plan', { requestPermission: () => new Promise((resolve) => (approve = resolve)) });
			server.setScript([turn(exit), answer('ok')]);
			started.conversation.onEvent((event) => {
				if (event.type !== 'permission_requested') return;
				void started.conversation
					.setMode('acceptEdits')
					.then(() => approve({ behavior: 'allow', input: { plan: edited } }));
			});
			await finish(started.conversation.submitMessage('go'));
			assert.match(resultOf(1)?.text ?? '', /Tell the team[\s\S]*approved the plan[\s\S]*apply at once/);
			assert.equal(started.conversation.mode, 'acceptEdits');
		});

		test('where nobody can be asked it is denied with what to do, and so are questions', async () => {
			const started = start('plan', person(), { overrides: { interactive: false } });
			const ask = toolUse('AskUserQuestion', { questions: [question] });
			await run([turn(exit), turn(ask), answer('ok')], started);
			assert.match(resultOf(1)?.text ?? '', /Nobody can approve a plan here[\s\S]*final answer/);
			assert.match(resultOf(2)?.text ?? '', /Nobody can answer/);
			assert.equal(started.conversation.mode, 'plan');
			assert.deepEqual(requests, []);
			assert.equal(started.conversation.denials.length, 2);
		});

		test('a stop withdraws the card; a new life of the session asks again under the same id, and knows the way back', async () => {
			const started = start('acceptEdits', person({ behavior: 'allow' }));
			let cut: readonly StoredEntry[] = [];
			server.setScript([turn(toolUse('EnterPlanMode', {})), turn(exit), answer('ok')]);
			const exchange = started.conversation.submitMessage('go');
			started.conversation.onEvent((event) => {
				if (event.type !== 'permission_requested' || event.request.tool !== 'ExitPlanMode') return;
				cut = [...started.entries];
				void started.conversation.stop('stop');
			});
			await finish(exchange);
			const asked = requests.at(-1);
			server.setScript([answer('ok')]);
			const next = start('default', person({ behavior: 'allow' }), { transcript: cut });
			await finish(next.conversation.resume());
			assert.equal(requests.at(-1)?.id, asked?.id);
			assert.equal(next.conversation.mode, 'acceptEdits');
			assert.deepEqual(server.violations, []);
		});

		test('the plan is put back by a compaction, as approved', async () => {
			const edited = `${plan}\n3. Tell the team`;
			const started = start('plan', person({ behavior: 'allow', input: { plan: edited } }));
			await run([turn(exit), answer('words '.repeat(2_000))], started);
			server.setScript([answer('<summary>We planned.</summary>'), answer('ok')]);
			const done = await started.conversation.compact(undefined, new AbortController().signal);
			assert.equal(done.kind, 'compacted');
			await finish(started.conversation.submitMessage('go on'));
			const last = JSON.stringify(messagesOf(server.requests.at(-1) ?? assert.fail()));
			assert.match(last, /The plan:[\s\S]*Tell the team/);
			assert.doesNotMatch(last, /Plan mode is o/, 'the summary has the mode');
		});
	});

	const question = {
		question: 'Which store?',
		header: 'Store',
		options: [
			{ label: 'SQLite', description: 'One file' },
			{ label: 'Postgres', description: 'A server' },
		],
	};
	suite('AskUserQuestion', () => {
		const more = { ...question, question: 'Which parts?', header: 'Parts', multiSelect: true };
		const ask = toolUse('AskUserQuestion', { questions: [question, more], answers: { 'Which store?': 'Mongo' } });

		test('the answers of the person reach the model, question by question', async () => {
			const answers = { 'Which store?': 'SQLite', 'Which parts?': 'SQLite, or something else' };
			const started = start('bypassPermissions', person({ behavior: 'allow', input: { answers } }), {
				settings: { allow: rules('AskUserQuestion') },
			});
			const { events } = await run([turn(ask), answer('ok')], started);
			assert.equal(requests[0]?.detail.kind, 'questions');
			const text = resultOf(1)?.text ?? '';
			assert.match(text, /Which store\?\n→ SQLite\nWhich parts\?\n→ SQLite, or something else/);
			const end = events.find((event) => event.type === 'tool_end');
			assert.ok(end?.type === 'tool_end' && end.view.kind === 'answers');
			assert.equal(end.view.answers.length, 2);
		});

		test('answers that the model wrote itself count for nothing', async () => {
			await run([turn(ask), answer('ok')], start('default', person({ behavior: 'allow' })));
			assert.equal(resultOf(1)?.isError, true);
			assert.doesNotMatch(resultOf(1)?.text ?? '', /Mongo/);
		});

		test('skipped with a reason', async () => {
			await run([turn(ask), answer('ok')], start('default', person({ behavior: 'deny', reason: 'you choose' })));
			assert.match(resultOf(1)?.text ?? '', /you choose[\s\S]*Do not ask the same again/);
		});

		test('in "do not ask" nobody is asked', async () => {
			await run([turn(ask), answer('ok')], start('dontAsk', person()));
			assert.deepEqual(requests, []);
			assert.match(resultOf(1)?.text ?? '', /Decide yourself/);
		});
	});

	suite('a changed call', () => {
		const bash = toolUse('Bash', { command: 'make all', description: 'Build' });
		test('runs as changed, and the model, the card and the transcript know it', async () => {
			const started = start('default', person({ behavior: 'allow', input: { command: 'make one' } }));
			const { events } = await run([turn(bash), answer('ok')], started);
			assert.deepEqual(
				shell.commands.map(({ command }) => command),
				['make one'],
			);
			assert.match(
				resultOf(1)?.text ?? '',
				/^The user changed this call before it ran\. It ran with:\ncommand: make one/,
			);
			assert.match(sentTo(1), /"command":"make all"/, 'the call itself stays as the model wrote it');
			assert.deepEqual(
				events.flatMap((event) => (event.type === 'tool_start' ? [event.summary] : [])),
				['make one'],
			);
			const begun = started.entries.find((entry) => entry.type === 'tool_start');
			assert.ok(begun?.type === 'tool_start');
			assert.deepEqual(begun.input, { command: 'make one', description: 'Build' });
		});

		test('a crash while it runs: the next life knows what ran', async () => {
			const started = start('default', person({ behavior: 'allow', input: { command: 'make one' } }));
			await run([turn(bash), answer('ok')], started);
			const end = started.entries.findIndex(({ type }) => type === 'tool_start') + 1;
			const next = start('default', person(), { transcript: started.entries.slice(0, end) });
			server.setScript([answer('ok')]);
			await finish(next.conversation.resume());
			const told = toolResults(server.requests.at(-1) ?? assert.fail())[0]?.text ?? '';
			assert.match(told, /outcome is unknown[\s\S]*It ran with:\ncommand: make one/);
			assert.equal(shell.commands.length, 1);
		});

		test('a deny rule holds for what it was changed into', async () => {
			const started = start('default', person({ behavior: 'allow', input: { command: 'curl x' } }), {
				settings: { deny: rules('Bash(curl *)') },
			});
			await run([turn(bash), answer('ok')], started);
			assert.deepEqual(shell.commands, []);
			assert.match(resultOf(1)?.text ?? '', /Bash\(curl \*\)/);
			assert.equal(requests.length, 1, 'and the person is not asked twice');
		});

		test('what the schema refuses does not run', async () => {
			await run([turn(bash), answer('ok')], start('default', person({ behavior: 'allow', input: { command: 7 } })));
			assert.deepEqual(shell.commands, []);
			assert.match(resultOf(1)?.text ?? '', /The user changed the input, and it does not work/);
		});

		test('a hook that blocks is asked about what will run, too', async () => {
			const seen: unknown[] = [];
			const toolHooks = {
				beforeTool: ({ toolUse: { input } }: { toolUse: { input: unknown } }) => {
					seen.push(input);
					return Promise.resolve(
						JSON.stringify(input).includes('one')
							? { kind: 'block' as const, reason: 'not one' }
							: { kind: 'pass' as const },
					);
				},
				afterTool: () => Promise.resolve({ kind: 'pass' as const }),
			};
			const interaction = person({ behavior: 'allow', input: { command: 'make one' } });
			await run([turn(bash), answer('ok')], start('default', interaction, { ports: { toolHooks } }));
			assert.equal(seen.length, 2);
			assert.deepEqual(shell.commands, []);
		});

		test('a safe call that was changed into an unsafe one runs alone', async () => {
			const log: string[] = [];
			const open = new Map<string, () => void>();
			const tool = defineTool({
				name: 'Work',
				description: 'x',
				schema: z.object({ id: z.string() }),
				isConcurrencySafe: ({ id }) => !id.startsWith('unsafe'),
				interrupt: 'block',
				maxResultChars: 1000,
				summary: ({ id }) => id,
				permission: ({ id }) => ({
					access: id === 'asks' || id === 'unsafe' ? { kind: 'command', command: `make ${id}` } : { kind: 'none' },
					detail: { kind: 'command', command: id, cwd: '/w' },
				}),
				async run({ id }) {
					log.push(`+${id}`);
					if (id === 'slow') await new Promise<void>((resolve) => open.set(id, resolve));
					log.push(`-${id}`);
					return { content: id, view: { kind: 'none' } };
				},
			});
			const calls = ['slow', 'asks', 'late'].map((id) => toolUse('Work', { id }));
			const started = start('default', person({ behavior: 'allow', input: { id: 'unsafe' } }), {
				tools: [...builtinTools, tool],
			});
			server.setScript([turn(...calls), answer('ok')]);
			for await (const event of started.conversation.submitMessage('go')) {
				if (event.type !== 'tool_start' || !log.includes('+slow')) continue;
				setTimeout(() => open.get('slow')?.(), 20);
			}
			assert.ok(log.indexOf('+unsafe') > log.indexOf('-slow'), log.join(' '));
			assert.equal(log[log.indexOf('+unsafe') + 1], '-unsafe');
			assert.deepEqual(server.violations, []);
		});
	});
});

function rules(...texts: string[]) {
	return texts.map((text) => ({ text, origin: { source: 'session' as const } }));
}
