// The command line: what is understood, and that everything else is refused in words.
import assert from 'node:assert/strict';
import { parseArguments } from '../../../src/headless/args.ts';
import { parseSettings } from '../../../src/node/settings/settingsFile.ts';
import { resolveSettings, settingsOfEnvironment, settingsOfFlags } from '../../../src/node/settings/resolve.ts';
import { environmentName, splitList } from '../../../src/node/settings/definitions.ts';

function args(...argv: string[]) {
	const parsed = parseArguments(argv);
	assert.equal(parsed.kind, 'run', JSON.stringify(parsed));
	return parsed.kind === 'run' ? parsed.args : assert.fail();
}

suite('headless arguments', () => {
	test('the prompt in all its forms', () => {
		assert.equal(args('-p', 'hello').prompt, 'hello');
		assert.equal(args('-p=hello').prompt, 'hello');
		assert.equal(args('-p').prompt, undefined);
	});

	test('a prompt may begin with a dash, and may be on stdin', () => {
		assert.equal(args('-p', '- one\n- two').prompt, '- one\n- two');
		assert.equal(args('-p', '--unknown-looking').prompt, '--unknown-looking');
		assert.equal(args('-p', '--verbose').prompt, undefined);
		assert.equal(args('--verbose').prompt, undefined);
	});

	test('lists may be repeated, commas in parentheses stay', () => {
		const parsed = args('--allowed-tools', 'Read, Bash(git log a,b)', '--allowed-tools', 'Grep', '-p', 'x');
		assert.deepEqual(parsed.allowedTools, ['Read', 'Bash(git log a,b)', 'Grep']);
		assert.deepEqual(splitList('a(b(c,d),e),f,,'), ['a(b(c,d),e)', 'f']);
	});

	const wrong: readonly (readonly [string, readonly string[]])[] = [
		["Unknown option '--bogus'", ['--bogus']],
		['The prompt is empty', ['-p=']],
		['The prompt is empty', ['-p', ' ']],
		['Unexpected argument "hello"', ['hello']],
		['--max-turns must be', ['-p', 'x', '--max-turns', '0']],
		['--max-turns must be', ['-p', 'x', '--max-turns', '-3']],
		['--max-turns must be', ['-p', 'x', '--max-turns=1.5']],
		['--max-budget-usd must be', ['-p', 'x', '--max-budget-usd', '0']],
		['--max-budget-usd must be', ['-p', 'x', '--max-budget-usd', '-1']],
		['--max-budget-usd must be', ['-p', 'x', '--max-budget-usd', 'much']],
		['--fallback-model needs', ['-p', 'x', '--fallback-model', ' , ']],
		['--output-format must be', ['-p', 'x', '--output-format', 'xml']],
		['--permission-mode must be', ['-p', 'x', '--permission-mode', 'yolo']],
		['--include-partial-messages needs', ['-p', 'x', '--include-partial-messages']],
		['exclude each other', ['-p', 'x', '--resume', 'a', '--continue']],
		['--session-id must be a UUID', ['-p', 'x', '--session-id', 'a']],
		['--fork-session needs', ['-p', 'x', '--fork-session']],
		['argument missing', ['-p', 'x', '--model']],
		['does not take an argument', ['-p', 'x', '--trust=yes']],
		["Unknown option '--mcp-config'", ['-p', 'x', '--mcp-config', 'f']],
	];
	for (const [message, argv] of wrong) {
		test(`refused: ${argv.join(' ')}`, () => {
			const parsed = parseArguments(argv);
			assert.equal(parsed.kind, 'wrong');
			assert.ok(parsed.kind === 'wrong' && parsed.message.includes(message), JSON.stringify(parsed));
		});
	}

	test('fallback models and a budget', () => {
		const parsed = args('-p', 'x', '--fallback-model', 'a, b', '--fallback-model=c', '--max-budget-usd', '.5');
		assert.deepEqual(parsed.fallbackModels, ['a', 'b', 'c']);
		assert.equal(parsed.maxBudgetUsd, '.5');
	});

	test('help and version', () => {
		assert.equal(parseArguments(['--help']).kind, 'help');
		assert.equal(parseArguments(['--version']).kind, 'version');
	});
});

suite('headless settings', () => {
	const none = new Map();
	const sources = { flags: none, environment: none, mine: none, folder: none, everywhere: none, trusted: false };
	const file = (value: unknown) => parseSettings('f', JSON.stringify(value)).values;

	test('names in the environment', () => {
		assert.equal(environmentName('network.idleTimeoutSeconds'), 'LOOPWRIGHT_NETWORK_IDLE_TIMEOUT_SECONDS');
		assert.equal(environmentName('baseUrl'), 'LOOPWRIGHT_BASE_URL');
		const { values } = settingsOfEnvironment({
			LOOPWRIGHT_MAX_TURNS: '3',
			LOOPWRIGHT_HOME: '/x',
			LOOPWRIGHT_MODEL: '',
		});
		assert.deepEqual([...values], [['maxTurns', 3]]);
	});

	test('models, costs, retries and compaction from flags and environment', () => {
		const flags = settingsOfFlags(['fallbackModels=a,b', 'maxCostUsd=1.5', 'compaction.threshold=0.8']);
		const environment = settingsOfEnvironment({
			LOOPWRIGHT_FALLBACK_MODELS: 'c',
			LOOPWRIGHT_SMALL_MODEL: 's',
			LOOPWRIGHT_NETWORK_MAX_RETRIES: '0',
			LOOPWRIGHT_COMPACTION_WINDOW: '50000',
			LOOPWRIGHT_COMPACTION_ENABLED: 'false',
		});
		assert.deepEqual([...flags.problems, ...environment.problems], []);
		const settings = resolveSettings({ ...sources, flags: flags.values, environment: environment.values });
		assert.deepEqual(settings.fallbackModels, ['a', 'b']);
		assert.equal(settings.smallModel, 's');
		assert.equal(settings.maxCostUsd, 1.5);
		assert.equal(settings.maxRetries, 0);
		assert.deepEqual(settings.compaction, { enabled: false, threshold: 0.8, window: 50_000 });
		const wrong = ['maxCostUsd=0', 'compaction.threshold=80', 'network.maxRetries=-1', 'compaction.window=x'];
		assert.equal(settingsOfFlags(wrong).problems.length, wrong.length);
	});

	test('a folder cannot lift the limit of costs unless it is trusted', () => {
		const folder = file({ maxCostUsd: 1000 });
		const everywhere = file({ maxCostUsd: 1 });
		assert.equal(resolveSettings({ ...sources, folder, everywhere }).maxCostUsd, 1);
		assert.equal(resolveSettings({ ...sources, folder, everywhere, trusted: true }).maxCostUsd, 1000);
	});

	test('flag > environment > mine > folder > everywhere; rules of all', () => {
		const all = {
			...sources,
			flags: settingsOfFlags(['maxTurns=1', 'permissions.allow=A,B']).values,
			environment: settingsOfEnvironment({ LOOPWRIGHT_MAX_TURNS: '2', LOOPWRIGHT_THINKING: 'off' }).values,
			mine: file({ thinking: 'auto', maxOutputTokens: 3, permissions: { allow: ['C'] } }),
			folder: file({ maxOutputTokens: 4, model: 'folder', 'permissions.deny': ['D'] }),
			everywhere: file({ model: 'everywhere', tools: { maxConcurrency: 2 }, permissions: { deny: ['E', 'D'] } }),
		};
		const settings = resolveSettings(all);
		assert.equal(settings.maxTurns, 1);
		assert.equal(settings.thinking, 'off');
		assert.equal(settings.maxOutputTokens, 3);
		assert.equal(settings.model, 'folder');
		assert.equal(settings.maxConcurrency, 2);
		assert.deepEqual(settings.allow, ['A', 'B', 'C']);
		assert.deepEqual(settings.deny, ['D', 'E']);
	});

	test('a folder gives no rights unless trusted, and never an address, a provider or bypass', () => {
		const folder = file({
			baseUrl: 'http://evil.example',
			provider: 'demo',
			permissionMode: 'acceptEdits',
			additionalDirectories: ['/'],
			permissions: { allow: ['Bash'], deny: ['Read(.env)'], ask: ['Edit'], allowBypass: true },
		});
		const untrusted = resolveSettings({ ...sources, folder });
		assert.deepEqual(untrusted.allow, []);
		assert.deepEqual([untrusted.deny, untrusted.ask], [['Read(.env)'], ['Edit']]);
		assert.equal(untrusted.permissionMode, 'default');
		assert.deepEqual(untrusted.additionalDirectories, []);
		const trusted = resolveSettings({ ...sources, folder, trusted: true });
		assert.deepEqual(trusted.allow, ['Bash']);
		assert.equal(trusted.permissionMode, 'acceptEdits');
		for (const settings of [untrusted, trusted]) {
			assert.equal(settings.baseUrl, undefined);
			assert.equal(settings.provider, 'auto');
			assert.equal(settings.allowBypass, false);
		}
		const bypass = resolveSettings({
			...sources,
			folder: file({ permissionMode: 'bypassPermissions' }),
			trusted: true,
		});
		assert.equal(bypass.permissionMode, 'default');
	});

	test('a broken file names its line', () => {
		const line = (text: string) => parseSettings('s.json', text).problems[0] ?? '';
		assert.match(line('{\n"a": 1,\n}'), /^s\.json:3 is no valid JSON/);
		assert.match(line('{\n"model": "x"\n"maxTurns": 2\n}'), /^s\.json:3 /);
		assert.match(line('{\n\n"a": nope\n}'), /^s\.json:3 /);
		assert.match(line('{"a": [1,\n2\n'), /^s\.json:3 /);
		assert.match(line('[]'), /^s\.json:1 must hold/);
		assert.match(
			line('{\n"model": "m",\n"network": {\n"idleTimeoutSeconds": 0}}'),
			/^s\.json:4 network\.idleTimeoutSeconds/,
		);
		assert.match(line('{\n"permissions": {"deny": "Bash"}}'), /^s\.json:2 permissions\.deny must be a list/);
		assert.deepEqual(parseSettings('s.json', '\ufeff{"unknown": {"x": 1}}').problems, []);
		assert.deepEqual(parseSettings('s.json', '').problems, []);
	});

	test('flags with unknown names or wrong values are problems', () => {
		const { problems } = settingsOfFlags(['nope=1', 'maxTurns', 'maxTurns=0', 'tools.maxConcurrency=11', 'provider=x']);
		assert.equal(problems.length, 5);
		assert.match(problems[0] ?? '', /--setting nope: there is no such setting/);
	});
});
