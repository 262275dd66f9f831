// Rules that are saved and taken out: in the file of their scope, with everything else in it as it was.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { english } from '../../../src/node/settings/sentence.ts';
import type { RuleEditOutcome } from '../../../src/node/settings/ruleFile.ts';
import { SettingsWorld, texts } from './support.ts';

const said = (outcome: RuleEditOutcome) => (outcome.kind === 'refused' ? english(outcome.problem) : outcome.kind);

suite('settings: saved rules', () => {
	let world: SettingsWorld;
	let unsaved: string | undefined;
	setup(() => {
		unsaved = undefined;
		world = new SettingsWorld({ isUnsaved: (file) => file === unsaved });
		world.trusted = true;
	});
	teardown(() => world.dispose());
	const text = (name: string) => readFileSync(world.file(name), 'utf8');

	test('each scope has its file; the rule holds at once', async () => {
		for (const scope of ['mine', 'shared', 'everywhere'] as const) {
			assert.equal(said(await world.store.save(`Bash(${scope})`, 'allow', scope)), 'saved');
			assert.deepEqual(JSON.parse(text(scope)), { permissions: { allow: [`Bash(${scope})`] } });
		}
		assert.deepEqual(texts(world.live.current.rules).allow, ['Bash(mine)', 'Bash(shared)', 'Bash(everywhere)']);
		assert.equal(said(await world.store.save('Bash(mine)', 'allow', 'mine')), 'unchanged');
		world.trusted = false;
		await world.store.save('Read', 'deny', 'shared');
		assert.deepEqual(texts(world.live.current.rules).allow, ['Bash(mine)', 'Bash(everywhere)']);
		assert.deepEqual(texts(world.live.current.rules).deny, ['Read']);
	});

	test('where several folders are open, a rule lies with the root of its session, and is found again there', async () => {
		world.folders = [world.folder, world.second];
		assert.equal(said(await world.store.save('Bash(b)', 'allow', 'mine', world.second)), 'saved');
		assert.equal(said(await world.store.save('Bash(c)', 'allow', 'shared', world.second)), 'saved');
		assert.deepEqual(JSON.parse(text('secondMine')), { permissions: { allow: ['Bash(b)'] } });
		assert.deepEqual(JSON.parse(text('secondShared')), { permissions: { allow: ['Bash(c)'] } });
		await world.live.refresh();
		const [own] = world.live.list.filter(({ text: rule }) => rule === 'Bash(b)');
		assert.equal(own?.origin.file, world.file('secondMine'));
		assert.equal(said(await world.store.remove(own ?? assert.fail())), 'saved');
		assert.deepEqual(JSON.parse(text('secondMine')), { permissions: { allow: [] } });
		assert.equal(said(await world.store.save('Bash(d)', 'allow', 'mine', '/elsewhere')), 'saved');
		assert.ok(text('mine').includes('Bash(d)'), 'a folder that is not open is none');
	});

	test('own files are for nobody else; a file that is there keeps its mode; nothing is left beside it', async () => {
		await world.store.save('Bash(a)', 'allow', 'everywhere');
		assert.equal(statSync(world.file('everywhere')).mode & 0o777, 0o600);
		assert.equal(statSync(path.dirname(world.file('everywhere'))).mode & 0o777, 0o700);
		world.write('shared', {});
		const mode = statSync(world.file('shared')).mode;
		await world.store.save('Bash(a)', 'allow', 'shared');
		assert.equal(statSync(world.file('shared')).mode, mode);
		assert.deepEqual(readdirSync(path.dirname(world.file('shared'))), ['settings.json']);
	});

	test('everything else keeps its bytes', async () => {
		const before =
			'{\r\n  "z": [1,2],\r\n  "permissions": {\r\n    "deny": ["A"],\r\n    "allow": [\r\n      "B"\r\n    ]\r\n  },\r\n  "a" : {}\r\n}\r\n';
		world.write('shared', before);
		await world.store.save('Bash(漢字 *)', 'allow', 'shared');
		assert.equal(text('shared'), before.replace('"B"', '"B",\r\n      "Bash(漢字 *)"'));
		await world.store.remove(world.live.list.find((rule) => rule.text === 'Bash(漢字 *)') ?? assert.fail());
		assert.equal(text('shared'), before);
	});

	test('names with dots are kept as they are written', async () => {
		world.write('mine', '{\n\t"permissions.ask": ["Edit"]\n}\n');
		await world.store.save('Bash', 'ask', 'mine');
		assert.deepEqual(JSON.parse(text('mine')), { 'permissions.ask': ['Edit', 'Bash'] });
	});

	test('taking out: every entry of the same text, from our own files only', async () => {
		world.write('everywhere', { permissions: { allow: ['A', 'B', 'A'] } });
		world.write('claudeMine', { permissions: { allow: ['C'] } });
		await world.now();
		const rule = (wanted: string) => world.live.list.find((found) => found.text === wanted) ?? assert.fail();
		assert.equal(said(await world.store.remove(rule('A'))), 'saved');
		assert.deepEqual(JSON.parse(text('everywhere')), { permissions: { allow: ['B'] } });
		assert.match(said(await world.store.remove(rule('C'))), /^Take it out of .*settings\.local\.json yourself$/);
		const flag = { text: 'X', behavior: 'allow', origin: { source: 'flag' } } as const;
		assert.equal(said(await world.store.remove(flag)), 'This rule lies in no file');
	});

	test('at the same time', async () => {
		const rules = Array.from({ length: 20 }, (_, index) => `Bash(c${index})`);
		await Promise.all(rules.map((rule) => world.store.save(rule, 'allow', 'everywhere')));
		assert.deepEqual(texts(world.live.current.rules).allow.toSorted(), rules.toSorted());
	});

	test('what is refused, and leaves the file as it is', async () => {
		const broken = '{\n"permissions": {"deny": ["A"],}\n}';
		world.write('mine', broken);
		assert.match(said(await world.store.save('Bash', 'allow', 'mine')), /settings\.json, line 2 is broken/);
		assert.equal(text('mine'), broken);
		world.write('mine', { permissions: { deny: 'A' } });
		assert.match(said(await world.store.save('Bash', 'deny', 'mine')), /is broken/);
		assert.equal(said(await world.store.save('Bash', 'allow', 'mine')), 'saved');
		unsaved = world.file('shared');
		assert.match(said(await world.store.save('Bash', 'allow', 'shared')), /has unsaved changes/);
		assert.match(said(await world.store.save('Bash(', 'allow', 'mine')), /is not understood/);
		assert.match(said(await world.store.save('mcp__*', 'allow', 'mine')), /must name one tool/);
		assert.match(said(await world.store.save(' ', 'deny', 'mine')), /empty|not understood/);
		assert.match(said(await world.store.save('Read(/secret)', 'deny', 'everywhere')), /would start at .*lw\. Leave/);
		assert.equal(said(await world.store.save('Read(//secret)', 'deny', 'everywhere')), 'saved');
		world.folders = [];
		assert.equal(said(await world.store.save('Bash', 'allow', 'shared')), 'No folder is open');
	});

	test('a folder cannot lead a shared rule elsewhere', async () => {
		mkdirSync(path.dirname(world.file('everywhere')), { recursive: true });
		writeFileSync(world.file('everywhere'), '{}');
		symlinkSync(path.dirname(world.file('everywhere')), path.dirname(world.file('shared')));
		assert.match(said(await world.store.save('Bash', 'allow', 'shared')), /is a link that leads out of the folder/);
		assert.equal(text('everywhere'), '{}');
	});

	test('what cannot be written is told', async () => {
		writeFileSync(path.dirname(world.file('shared')), 'a file in the way');
		assert.match(said(await world.store.save('Bash', 'allow', 'shared')), /cannot be written \(E\w+\)/);
	});
});
