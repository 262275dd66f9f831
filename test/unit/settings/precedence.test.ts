// Whose value holds, and that the rules of all sources are put together, each with its origin.
import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { environmentName } from '../../../src/node/settings/definitions.ts';
import { baseUrlOf, settingsOfEnvironment, settingsOfFlags } from '../../../src/node/settings/resolve.ts';
import type { SettingValues } from '../../../src/node/settings/settingsReader.ts';
import { managedFolders } from '../../../src/node/settings/settingsPlaces.ts';
import { SettingsWorld, texts, type WorldOptions } from './support.ts';

/** Strongest first: who, and how it says that at most N turns are made (or which mode holds, where it knows no turns). */
const claudeMode = (mode: string) => ({ permissions: { defaultMode: mode } });

suite('settings: precedence', () => {
	let world: SettingsWorld;
	const open = (options: WorldOptions = {}) => {
		world = new SettingsWorld(options);
		world.trusted = true;
		return world;
	};
	teardown(() => world.dispose());

	test('managed > flag > environment > editor > ours > Claude Code’s > default, one after the other', async () => {
		const modes = ['dontAsk', 'plan', 'acceptEdits'] as const;
		const editorValues = new Map<string, string>([['permissionMode', 'dontAsk']]);
		const sources: readonly (readonly [string, (mode: string) => void])[] = [
			['managed', (mode) => world.write('managed', { permissionMode: mode })],
			['dropIn2', (mode) => world.write('dropIn2', claudeMode(mode))],
			['dropIn1', (mode) => world.write('dropIn1', claudeMode(mode))],
			['claudeManaged', (mode) => world.write('claudeManaged', claudeMode(mode))],
			['editor', (mode) => editorValues.set('permissionMode', mode)],
			['mine', (mode) => world.write('mine', { permissionMode: mode })],
			['shared', (mode) => world.write('shared', { permissionMode: mode })],
			['everywhere', (mode) => world.write('everywhere', { permissionMode: mode })],
			['claudeMine', (mode) => world.write('claudeMine', claudeMode(mode))],
			['claudeShared', (mode) => world.write('claudeShared', claudeMode(mode))],
			['claudeEverywhere', (mode) => world.write('claudeEverywhere', claudeMode(mode))],
		];
		open({ editor: () => editorValues as unknown as SettingValues });
		editorValues.clear();
		// From the weakest on: each new one wins over all that are there.
		for (const [index, [name, set]] of sources.toReversed().entries()) {
			const mode = modes[index % modes.length] ?? assert.fail();
			set(mode);
			assert.equal((await world.now()).permissionMode, mode, name);
		}
	});

	test('a flag wins over the environment, both over files, managed settings over all', async () => {
		open({ flags: ['maxTurns=1'], environment: { LOOPWRIGHT_MAX_TURNS: '2', LOOPWRIGHT_THINKING: 'off' } });
		world.write('mine', { maxTurns: 3, thinking: 'auto' });
		const now = await world.now();
		assert.deepEqual([now.maxTurns, now.thinking, now.modelChosen], [1, 'off', false]);
		world.write('managed', { maxTurns: 9 });
		assert.equal((await world.now()).maxTurns, 9);
	});

	test('rules of all sources, each with source, file and line', async () => {
		open({ flags: ['permissions.allow=A,B'], editor: () => new Map([['permissions.deny', ['V']]]) });
		world.write('claudeManaged', '{\n\t"permissions": {\n\t\t"deny": ["M"]\n\t}\n}');
		world.write('shared', '{\n"permissions": {"allow": [\n"S1",\n"S2"]},\n"permissions.ask": ["Q"]\n}');
		world.write('claudeEverywhere', { permissions: { deny: ['E'] } });
		const { rules } = await world.now();
		assert.deepEqual(texts(rules), { allow: ['A', 'B', 'S1', 'S2'], ask: ['Q'], deny: ['M', 'V', 'E'] });
		const file = world.file('shared');
		assert.deepEqual(
			rules.allow.map(({ origin }) => origin),
			[
				{ source: 'flag' },
				{ source: 'flag' },
				{ source: 'shared', file, line: 3 },
				{ source: 'shared', file, line: 4 },
			],
		);
		assert.deepEqual(rules.deny[0]?.origin, { source: 'managed', file: world.file('claudeManaged'), line: 3 });
		assert.deepEqual(rules.deny[1]?.origin, { source: 'vscode' });
		assert.deepEqual(world.live.list.map(({ behavior, text, waits }) => `${behavior} ${text} ${waits}`).slice(0, 4), [
			'deny M false',
			'deny V false',
			'deny E false',
			'ask Q false',
		]);
	});

	test('every folder of the workspace has its say', async () => {
		open();
		world.folders = [world.folder, world.second];
		world.write('shared', { permissions: { deny: ['A'] } });
		world.write('secondShared', { permissions: { deny: ['B'] }, additionalDirectories: ['x'] });
		const { rules, additionalDirectories } = await world.now();
		assert.deepEqual(texts(rules).deny, ['A', 'B']);
		assert.deepEqual(additionalDirectories, [path.join(world.second, 'x')]);
	});

	test('additional folders: of home, absolute, and relative to the folder whose file it is', async () => {
		open({ flags: ['additionalDirectories=lib'] });
		world.write('claudeShared', { permissions: { additionalDirectories: ['../docs', '~/notes', '/srv/x'] } });
		assert.deepEqual((await world.now()).additionalDirectories, [
			path.join(world.folder, 'lib'),
			path.join(world.base, 'docs'),
			path.join(os.homedir(), 'notes'),
			path.resolve('/srv/x'),
		]);
	});

	test('modes of Claude Code: auto and manual ask; what is unknown is a problem', async () => {
		open();
		for (const mode of ['auto', 'manual', 'default']) {
			world.write('claudeEverywhere', claudeMode(mode));
			assert.equal((await world.now()).permissionMode, 'default', mode);
			assert.deepEqual(world.problems, []);
		}
		world.write('claudeEverywhere', claudeMode('yolo'));
		assert.equal((await world.now()).permissionMode, 'default');
		assert.deepEqual(world.problems, ['claude/settings.json:1 value']);
	});

	test('bypass needs the right to it, which any file can take away for good', async () => {
		open();
		world.write('everywhere', { permissionMode: 'bypassPermissions' });
		const without = await world.now();
		assert.deepEqual([without.permissionMode, without.bypassRefused], ['default', true]);
		world.write('everywhere', { permissionMode: 'bypassPermissions', permissions: { allowBypass: true } });
		assert.equal((await world.now()).permissionMode, 'bypassPermissions');
		for (const name of ['claudeManaged', 'claudeShared']) {
			world.write(name, { permissions: { disableBypassPermissionsMode: 'disable' } });
			const { permissionMode, allowBypass } = await world.now();
			assert.deepEqual([permissionMode, allowBypass], ['default', false], name);
			world.remove(name);
		}
		world.write('managed', { 'permissions.allowBypass': false });
		assert.equal((await world.now()).allowBypass, false);
	});

	test('where the managed files lie', () => {
		const folders = (platform: NodeJS.Platform) => managedFolders(platform).map(({ folder }) => folder);
		assert.deepEqual(folders('linux'), ['/etc/loopwright', '/etc/claude-code']);
		assert.ok(folders('darwin').includes('/Library/Application Support/ClaudeCode'));
		assert.ok(folders('win32').includes('C:\\Program Files\\ClaudeCode'));
	});
});

suite('settings: flags and environment', () => {
	let world: SettingsWorld | undefined;
	teardown(() => world?.dispose());

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

	test('models, costs, retries and compaction', async () => {
		world = new SettingsWorld({
			flags: ['fallbackModels=a,b', 'maxCostUsd=1.5', 'compaction.threshold=0.8'],
			environment: {
				LOOPWRIGHT_FALLBACK_MODELS: 'c',
				LOOPWRIGHT_SMALL_MODEL: 's',
				LOOPWRIGHT_NETWORK_MAX_RETRIES: '0',
				LOOPWRIGHT_COMPACTION_WINDOW: '50000',
				LOOPWRIGHT_COMPACTION_ENABLED: 'false',
			},
		});
		const settings = await world.now();
		assert.deepEqual(settings.fallbackModels, ['a', 'b']);
		assert.deepEqual([settings.smallModel, settings.maxCostUsd, settings.maxRetries], ['s', 1.5, 0]);
		assert.deepEqual(settings.compaction, { enabled: false, threshold: 0.8, window: 50_000 });
	});

	test('unknown names and wrong values are problems', () => {
		const wrong = ['nope=1', 'maxTurns', 'maxTurns=0', 'tools.maxConcurrency=11', 'provider=x', 'maxCostUsd=0'];
		wrong.push('compaction.threshold=80', 'network.maxRetries=-1', 'compaction.window=x');
		const { problems } = settingsOfFlags(wrong);
		assert.equal(problems.length, wrong.length);
		assert.match(problems[0] ?? '', /--setting nope: there is no such setting/);
		assert.match(problems[3] ?? '', /tools\.maxConcurrency must be a whole number from 1 to 10/);
	});

	test('ANTHROPIC_BASE_URL is stronger than a file, weaker than what is set for Loopwright alone', () => {
		const env = { ANTHROPIC_BASE_URL: 'http://env' };
		const of = (baseUrlSource: 'managed' | 'flag' | 'environment' | 'vscode' | 'mine' | 'everywhere') =>
			baseUrlOf({ baseUrl: 'http://set', baseUrlSource }, env);
		assert.deepEqual((['managed', 'flag', 'environment', 'vscode', 'mine', 'everywhere'] as const).map(of), [
			'http://set',
			'http://set',
			'http://set',
			'http://set',
			'http://env',
			'http://env',
		]);
		assert.equal(baseUrlOf({}, env), 'http://env');
		assert.equal(baseUrlOf({ baseUrl: 'http://set', baseUrlSource: 'mine' }, {}), 'http://set');
		assert.equal(baseUrlOf({}, {}), undefined);
	});
});
