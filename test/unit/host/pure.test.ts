// The small pure parts of the host.
import assert from 'node:assert/strict';
import { reference } from '../../../src/host/commands/reference.ts';
import { errorView } from '../../../src/host/errorView.ts';
import { externalLink, readInbound } from '../../../src/host/panel/inbound.ts';
import { panelHtml } from '../../../src/host/panel/html.ts';
import { chooseProvider } from '../../../src/host/provider/choice.ts';
import { redacted } from '../../../src/host/redaction.ts';
import { demoModel } from '../../../src/core/model/models.ts';
import { backgroundSettings } from '../../../src/host/session/backgroundSettings.ts';
import { slashCommand } from '../../../src/host/session/slashCommands.ts';
import { hasLineEnds, keepsLineEnds, onlyLineEnd, withLineEnds } from '../../../src/host/workspace/textEdits.ts';

suite('inbound messages', () => {
	test('good ones pass unchanged', () => {
		for (const message of [
			{ type: 'ready' },
			{ type: 'prompt_submitted', text: 'hi' },
			{ type: 'permission_answered', requestId: 'r', answer: { behavior: 'deny', reason: 'no' } },
			{
				type: 'permission_answered',
				requestId: 'r',
				answer: { behavior: 'allow', rule: { text: 'Bash(ls)', scope: 'session' } },
			},
			{
				type: 'permission_answered',
				requestId: 'r',
				answer: { behavior: 'allow', rule: { text: 'Bash(ls)', scope: 'everywhere' } },
			},
			{
				type: 'permission_answered',
				requestId: 'r',
				answer: { behavior: 'allow', input: { command: 'ls -l' }, mode: 'acceptEdits' },
			},
			{ type: 'rule_typed', requestId: 'r', rule: '' },
			{ type: 'focus_moved', focus: 'request' },
			{ type: 'file_opened', path: 'a.ts', line: 3 },
			{ type: 'prompt_edited', id: 'q' },
			{ type: 'wait_answered', waitId: 'w', wait: false },
			{ type: 'command_requested', command: 'compact' },
		]) {
			assert.deepEqual(readInbound(message), message);
		}
	});

	test('everything else is refused', () => {
		for (const message of [
			undefined,
			'ready',
			{ type: 'unknown' },
			{ type: 'prompt_submitted' },
			{ type: 'prompt_submitted', text: 1 },
			{ type: 'ready', extra: true },
			{ type: 'permission_answered', requestId: 'r', answer: { behavior: 'allow', stopped: true } },
			{
				type: 'permission_answered',
				requestId: 'r',
				answer: { behavior: 'allow', rule: { text: 'Bash(ls)', scope: 'managed' } },
			},
			{ type: 'permission_answered', requestId: 'r', answer: { behavior: 'allow', input: 'ls' } },
			{ type: 'permission_answered', requestId: 'r', answer: { behavior: 'allow', mode: 'root' } },
			{ type: 'permission_answered', requestId: 'r', answer: { behavior: 'deny', input: {} } },
			{ type: 'mode_selected', mode: 'root' },
			{ type: 'command_requested', command: 'workbench.action.terminal.new' },
			{ type: 'file_opened', path: 'a', line: -1 },
			{ type: 'wait_answered', waitId: 'w', wait: 'yes' },
			{ type: 'prompt_edited', id: '' },
		]) {
			assert.equal(readInbound(message).type, 'invalid', JSON.stringify(message));
		}
	});

	test('only links of the web and mail leave the editor', () => {
		assert.equal(externalLink('https://example.com/a'), 'https://example.com/a');
		assert.equal(externalLink('mailto:a@example.com'), 'mailto:a@example.com');
		for (const url of ['command:x', 'file:///etc/passwd', 'vscode://x', 'javascript:1', 'a.ts', '']) {
			assert.equal(externalLink(url), undefined, url);
		}
	});
});

suite('settings of the work beside the conversation', () => {
	const place = { model: 'claude-sonnet-5', trusted: true, inFolder: true, smallModel: false };
	const read = (...on: string[]) => backgroundSettings((name) => on.includes(name), place);
	const all = () => true;

	test('each has a setting of its own, and is off without it', () => {
		const off = { memory: false, consolidation: false, suggestions: false, labels: false, title: false };
		assert.deepEqual(
			backgroundSettings(() => undefined, place),
			off,
		);
		assert.deepEqual(
			backgroundSettings(() => 'true', place),
			off,
			'a wrong value is off',
		);
		assert.deepEqual(read('memory.enabled'), { ...off, memory: true });
		assert.deepEqual(read('suggestions.enabled'), { ...off, suggestions: true });
		assert.deepEqual(read('toolLabels.enabled'), { ...off, labels: true });
		assert.deepEqual(
			backgroundSettings(() => undefined, { ...place, smallModel: true }),
			{ ...off, title: true },
		);
		assert.deepEqual(read('memory.consolidate'), off, 'consolidation needs the memory');
		assert.deepEqual(read('memory.enabled', 'memory.consolidate'), { ...off, memory: true, consolidation: true });
	});

	test('whatever they say, nothing runs without trust or a folder, or with the demo model', () => {
		for (const other of [{ trusted: false }, { inFolder: false }, { model: demoModel }])
			assert.deepEqual(backgroundSettings(all, { ...place, smallModel: true, ...other }), {});
	});
});

suite('slash commands', () => {
	test('only /compact is one; paths and other words are prompts', () => {
		assert.deepEqual(slashCommand(' /compact '), { name: 'compact' });
		assert.deepEqual(slashCommand('/compact keep\nthe names '), { name: 'compact', focus: 'keep\nthe names' });
		for (const prompt of ['/compactor', '/src/a.ts', 'say /compact', '/', '/COMPACT', '']) {
			assert.equal(slashCommand(prompt), undefined, prompt);
		}
	});
});

suite('panel page', () => {
	test('nothing in what the page is born with can end its script', () => {
		const html = panelHtml({
			birth: { language: 'en', bundle: { a: '</script><img>' }, surface: 'view' },
			script: 'https://x/panel.js',
			styles: ['https://x/a.css'],
			source: 'https://x',
			nonce: 'n0',
		});
		assert.ok(!html.includes('</script><img>'));
		assert.match(html, /default-src 'none'/);
		assert.equal(html.match(/nonce="n0"/g)?.length, 2);
	});
});

suite('errors', () => {
	test('a failure becomes a code, arguments and buttons', () => {
		const failure = {
			kind: 'unreachable',
			message: 'connect refused',
			host: 'localhost:1',
			code: 'ECONNREFUSED',
		} as const;
		assert.deepEqual(errorView(failure), {
			code: 'unreachable',
			args: { host: 'localhost:1', code: 'ECONNREFUSED' },
			detail: 'connect refused',
			actions: ['retry', 'open_settings'],
		});
	});

	test('without a key the first button sets one', () => {
		assert.equal(errorView({ kind: 'not_configured', message: '' }).actions[0], 'set_key');
		assert.equal(errorView({ kind: 'authentication', message: '', status: 401 }).actions[0], 'set_key');
	});
});

suite('provider', () => {
	const none = { provider: 'auto', baseUrl: '', storedKey: undefined, env: {} };

	test('auto is the demo model only while there is neither key nor address', () => {
		assert.deepEqual(chooseProvider(none), { kind: 'demo' });
		assert.equal(chooseProvider({ ...none, storedKey: 'k' }).kind, 'service');
		assert.equal(chooseProvider({ ...none, env: { ANTHROPIC_API_KEY: 'k' } }).kind, 'service');
		assert.equal(chooseProvider({ ...none, env: { ANTHROPIC_AUTH_TOKEN: 'k' } }).kind, 'service');
		assert.deepEqual(chooseProvider({ ...none, baseUrl: 'http://localhost:11434/v1/' }), {
			kind: 'service',
			baseUrl: 'http://localhost:11434',
			official: false,
		});
		assert.deepEqual(chooseProvider({ ...none, provider: 'demo', storedKey: 'k' }), { kind: 'demo' });
	});

	test('the stored key wins over the environment, the setting over its address', () => {
		const env = {
			ANTHROPIC_API_KEY: 'env',
			ANTHROPIC_AUTH_TOKEN: 'token',
			ANTHROPIC_BASE_URL: 'https://env.example/v1',
		};
		assert.deepEqual(chooseProvider({ ...none, storedKey: 'mine', baseUrl: 'https://set.example/v1/messages', env }), {
			kind: 'service',
			baseUrl: 'https://set.example',
			official: false,
			apiKey: 'mine',
		});
		assert.deepEqual(chooseProvider({ ...none, env: { ANTHROPIC_BASE_URL: 'https://env.example/v1' } }), {
			kind: 'service',
			baseUrl: 'https://env.example',
			official: false,
		});
	});

	test('what cannot work is said before any request', () => {
		assert.equal(chooseProvider({ ...none, provider: 'anthropic' }).kind, 'not_configured');
		assert.equal(chooseProvider({ ...none, baseUrl: 'ftp://x' }).kind, 'not_configured');
		assert.equal(chooseProvider({ ...none, baseUrl: 'https://api.anthropic.com' }).kind, 'not_configured');
	});
});

suite('log', () => {
	test('keys are taken out', () => {
		const text = redacted(
			'key sk-ant-api03-abc_DEF x-api-key: hunter2 {"authorization":"Bearer tok.en"} http://me:pw@proxy:1/x',
		);
		for (const secret of ['abc_DEF', 'hunter2', 'tok.en', 'me:pw']) assert.ok(!text.includes(secret), text);
	});

	test('keys of other services, too, and nothing else', () => {
		const secrets = [
			'sk-proj-0123456789abcdef',
			'ghp_0123456789abcdefghij',
			'github_pat_0123456789abcdefghijABCDEF',
			'glpat-0123456789abcdefghij',
			'npm_0123456789abcdefghij',
			'xoxb-0123456789-abcdefghij',
			'AKIA0123456789ABCDEF',
			`AIza${'x'.repeat(35)}`,
			'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
			'MIIEpAIBAAKCAQEA',
		];
		const all = secrets.slice(0, -1).join(' and ');
		const text = redacted(
			`${all}\n-----BEGIN RSA PRIVATE KEY-----\n${secrets.at(-1)}\n-----END RSA PRIVATE KEY-----\nend`,
		);
		for (const secret of secrets) assert.ok(!text.includes(secret), text);
		assert.ok(text.endsWith('\nend'));
		assert.equal(redacted('MY_API_KEY=abc DB_PASSWORD: "x y"'), 'MY_API_KEY=••• DB_PASSWORD: "••• y"');
		const plain = 'turn 3, claude-sonnet-5: task-list at /home/a/src/npm_package.json, 12 tokens';
		assert.equal(redacted(plain), plain);
	});
});

suite('references', () => {
	const lines = (first: number, last: number) => `${first}-${last}`;

	test('a file, a part of one, and code with fences', () => {
		assert.equal(reference({ path: 'a.ts' }, lines), '`a.ts`');
		const part = { path: 'a.ts', firstLine: 3, lastLine: 4, code: 'x\ny\n', language: 'typescript' };
		assert.equal(reference(part, lines), '`a.ts` (3-4)\n```typescript\nx\ny\n```');
		const fenced = reference({ ...part, code: '````\nx\n````' }, lines);
		assert.ok(fenced.endsWith('\n`````'), fenced);
	});
});

suite('texts of documents', () => {
	test('line ends of documents', () => {
		assert.equal(withLineEnds('a\r\nb\nc\r', '\n'), 'a\nb\nc\n');
		assert.equal(withLineEnds('a\nb', '\r\n'), 'a\r\nb');
		assert.equal(keepsLineEnds('a\r\nb\r\n', '\r\n'), true);
		assert.equal(keepsLineEnds('a\r\nb\r\n', '\n'), false);
		assert.equal(onlyLineEnd('a\r\nb\r\n'), '\r\n');
		assert.equal(onlyLineEnd('a\n'), '\n');
		assert.deepEqual(['a\r\nb\n', 'a\rb\r', 'a\nb\r', 'a'].map(onlyLineEnd), [
			undefined,
			undefined,
			undefined,
			undefined,
		]);
		assert.deepEqual(['a', 'a\r', 'a\n'].map(hasLineEnds), [false, true, true]);
	});
});
