// The engine inside a conversation: what the card is told, rules that the person adds and where they go, tools that are
// denied whole, hooks' words, bypass that is not enabled.
import assert from 'node:assert/strict';
import type { PermissionAnswer, PermissionRequest } from '../../../src/shared/permission.ts';
import { rulesFrom } from '../../../src/core/permissions/rule.ts';
import type { HookVerdict } from '../../../src/core/tools/permitCall.ts';
import type { ConversationOptions } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { FakeShell, FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import { answer, startMockServer, toolResults, toolUse, turn } from '../../support/mockServer.ts';
import { shellParser } from '../../support/permissions.ts';

const flag = { source: 'flag' } as const;

suite('permissions in a conversation', () => {
	let server: MockServer;
	let workspace: FakeWorkspace;
	let shell: FakeShell;
	const requests: PermissionRequest[] = [];
	const saved: string[] = [];

	setup(async () => {
		server = await startMockServer();
		workspace = new FakeWorkspace({ 'a.txt': 'old\n', '.env': 'KEY=1\n' });
		shell = new FakeShell();
		requests.length = 0;
		saved.length = 0;
	});
	teardown(() => server.close());

	function start(answers: PermissionAnswer[], more: Partial<ConversationOptions> = {}) {
		const interaction = {
			requestPermission(request: PermissionRequest) {
				requests.push(request);
				return Promise.resolve(answers.shift() ?? { behavior: 'deny' as const });
			},
		};
		const saveRule = (rule: string, scope: string) => {
			saved.push(`${scope} ${rule}`);
			return scope === 'shared' ? Promise.reject(new Error('The disk is full.')) : Promise.resolve();
		};
		const ports = { workspace, shell, shellParser, ...more.ports };
		return startConversation({
			url: server.url,
			interaction,
			...more,
			ports,
			overrides: { saveRule, ...more.overrides },
		});
	}
	async function run(steps: Step[], started: ReturnType<typeof start>) {
		server.setScript(steps);
		await finish(started.conversation.submitMessage('go'));
		assert.deepEqual(server.violations, []);
	}
	const bash = (command: string) => toolUse('Bash', { command, description: 'x' });
	const result = (index: number) => toolResults(server.requests[index] ?? assert.fail('no request'))[0];

	test('the card has the reason, the part that decided, and the rules that “always” may add', async () => {
		await run([turn(bash('ls && npm test && git push')), answer('ok')], start([]));
		const [request] = requests;
		assert.deepEqual(request?.reason, { code: 'not_read_only', args: { part: 'npm test' } });
		assert.deepEqual(request?.explanation, { part: 'npm test' });
		assert.deepEqual(request?.suggestedRules, ['Bash(npm test *)', 'Bash(git push)']);
	});

	test('rules of an answer, one per line, are saved where the person said; what cannot be saved holds for the session', async () => {
		const rule = { text: 'Bash(npm test *)\nBash(git push)', scope: 'shared' } as const;
		const started = start([{ behavior: 'allow', rule }]);
		const told: string[] = [];
		started.conversation.onEvent((event) => event.type === 'background_failed' && told.push(event.message));
		await run([turn(bash('npm test && git push')), turn(bash('git push && npm test -- x')), answer('ok')], started);
		assert.deepEqual(saved, ['shared Bash(npm test *)', 'shared Bash(git push)']);
		assert.deepEqual(told, ['The disk is full.', 'The disk is full.']);
		assert.equal(requests.length, 1);
		assert.equal(shell.commands.length, 2);
	});

	test('a rule for this session goes nowhere', async () => {
		const rule = { text: 'Bash(npm test *)', scope: 'session' } as const;
		const started = start([{ behavior: 'allow', rule }]);
		await run([turn(bash('npm test')), turn(bash('npm test -- x')), answer('ok')], started);
		assert.deepEqual([saved, requests.length, shell.commands.length], [[], 1, 2]);
		assert.deepEqual(started.conversation.permissions.sessionRules, ['Bash(npm test *)']);
	});

	test('a tool that is denied whole is not offered, and is denied when it is called all the same', async () => {
		const started = start([], { settings: { deny: rulesFrom(flag, ['Bash', 'Write(x)']) } });
		await run([turn(bash('ls')), answer('ok')], started);
		const body = server.requests[0]?.body as { readonly tools: readonly { readonly name: string }[] };
		const names = body.tools.map(({ name }) => name);
		assert.ok(!names.includes('Bash') && names.includes('Write') && names.includes('Read'));
		assert.match(result(1)?.text ?? '', /rule Bash forbids it/);
	});

	test('a secret is asked about with its danger, and one answer opens it once', async () => {
		const started = start([{ behavior: 'allow' }]);
		await run([turn(toolUse('Read', { file_path: '.env' })), turn(bash('cat .env')), answer('ok')], started);
		assert.deepEqual(
			requests.map(({ explanation, suggestedRule }) => [explanation?.danger, suggestedRule]),
			[
				['secret', undefined],
				['secret', undefined],
			],
		);
		assert.match(result(1)?.text ?? '', /KEY=1/);
		assert.deepEqual(shell.commands, []);
		assert.ok(started.conversation.permissions.isSecret('/w/.env'));
	});

	test('a hook that allows spares the prompt; it does not open what always asks', async () => {
		const verdict: HookVerdict = { kind: 'allow' };
		const toolHooks = {
			beforeTool: () => Promise.resolve(verdict),
			afterTool: () => Promise.resolve({ kind: 'pass' as const }),
		};
		const started = start([], { ports: { toolHooks } });
		await run([turn(bash('npm test')), turn(bash('rm -rf /')), answer('ok')], started);
		assert.deepEqual(
			requests.map(({ reason }) => reason.code),
			['critical_path'],
		);
		assert.deepEqual(shell.commands.length, 1);
	});

	test('bypass counts as the default mode where it is not enabled', async () => {
		const started = start([], { overrides: { mode: 'bypassPermissions' }, settings: { allowBypass: false } });
		await run([turn(bash('npm test')), answer('ok')], started);
		assert.equal(requests.length, 1);
	});

	test('without a parser only simple commands are understood', async () => {
		const started = startConversation({
			url: server.url,
			ports: { workspace, shell },
			settings: { allow: rulesFrom(flag, ['Bash(npm *)', 'Bash']) },
			overrides: { interactive: false },
		});
		await run([turn(bash('npm test')), turn(bash('npm test && ls')), turn(bash('cat a.txt')), answer('ok')], started);
		assert.equal(shell.commands.length, 2);
		assert.match(result(2)?.text ?? '', /nobody can be asked/);
	});
});
