// Files that are broken: named with line and column, without rights, and never without the denials that can still be read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { problemText } from '../../../src/node/settings/sentence.ts';
import { parseSettings } from '../../../src/node/settings/settingsFile.ts';
import { SettingsWorld, texts } from './support.ts';

const ours = (text: string) => parseSettings('s.json', text, 'loopwright');
const claude = (text: string) => parseSettings('s.json', text, 'claude');
const first = (text: string) => {
	const [problem] = ours(text).problems;
	return problem ? problemText(problem) : '';
};

suite('settings: broken files', () => {
	let world: SettingsWorld;
	setup(() => {
		world = new SettingsWorld();
		world.trusted = true;
	});
	teardown(() => world.dispose());

	test('are named with line and column', () => {
		assert.match(first('{\n"a": 1,\n}'), /^s\.json:3:1: this is no valid JSON \(\w+\)\. Of this file only deny/);
		assert.match(first('{\n"model": "x"\n"maxTurns": 2\n}'), /^s\.json:3:1: /);
		assert.match(first('{\n\n"a": nope\n}'), /^s\.json:3:6: /);
		assert.match(first('{"a": [1,\n2\n'), /^s\.json:[23]:/);
		assert.match(first('{\n\t// words\n\t"a": 1}'), /^s\.json:2:2: /);
		assert.match(first('[]'), /^s\.json:1:1: it must hold a JSON object/);
		assert.match(
			first('{\n"model": "m",\n"network": {\n"idleTimeoutSeconds": 0}}'),
			/^s\.json:4:23: network\.idleTimeoutSeconds must be a whole number of at least 1\.$/,
		);
		assert.deepEqual(ours('{"unknown": {"x": 1}, "hooks": [], "permissions": {"x": 1}}').problems, []);
		assert.deepEqual(claude('{"env": {"ANTHROPIC_BASE_URL": "http://x"}, "model": "m", "baseUrl": "y"}').problems, []);
		assert.deepEqual(ours('').problems, []);
	});

	test('comments and commas too many: denials hold, nothing else does, and all is known', () => {
		for (const text of [
			'{"permissions": {"deny": ["Bash(rm *)",], "ask": ["Edit"], "allow": ["Bash"]}, "model": "m"}',
			'{/* c */"permissions": {"deny": ["Bash(rm *)"], "ask": ["Edit"], "allow": ["Bash"]}, "model": "m",}',
		]) {
			const { rules, values, denialsUnknown, problems } = ours(text);
			assert.deepEqual(
				[rules.deny, rules.ask].map((list) => list.map((rule) => rule.text)),
				[['Bash(rm *)'], ['Edit']],
			);
			assert.deepEqual([rules.allow.length, values.size, denialsUnknown, problems.length], [0, 0, false, 1]);
			assert.equal(problems[0]?.effect, 'rights');
		}
	});

	test('files with secrets stay kept back, and none is given free', () => {
		const { values, denialsUnknown } = ours('{"context.exclude": ["*.key", "!.env"], "model": "m",}');
		assert.deepEqual([...values], [['context.exclude', ['*.key']]]);
		assert.equal(denialsUnknown, false);
		assert.equal(ours('{"context": {"exclude": ["*.key}').denialsUnknown, true);
	});

	test('where a denial may be lost, what can be read counts and everything is asked', async () => {
		world.write('claudeShared', '{"permissions": {\n"deny": ["Read(.env)",\n"Bash(curl *)]}}');
		world.write('claudeEverywhere', { permissions: { allow: ['Bash'] } });
		const { rules } = await world.now();
		assert.equal(texts(rules).deny[0], 'Read(.env)');
		assert.deepEqual(texts(rules).ask, ['*']);
		assert.deepEqual(rules.ask[0]?.origin, { source: 'claudeShared', file: world.file('claudeShared'), line: 3 });
		assert.deepEqual(texts(rules).allow, ['Bash']);
		assert.match(world.problems.join(), /ws\/\.claude\/settings\.json:3 unknown/);
		world.write('claudeShared', '{"permissions": {"deny": ["Read(.env)"]}}');
		assert.deepEqual(texts((await world.now()).rules), { allow: ['Bash'], ask: [], deny: ['Read(.env)'] });
		assert.deepEqual(world.problems, []);
	});

	test('without a word of denials only the file itself is off', async () => {
		world.write('shared', '{"permissions": {"allow": ["Bash"');
		const { rules } = await world.now();
		assert.deepEqual(texts(rules), { allow: [], ask: [], deny: [] });
		assert.deepEqual(world.problems, ['ws/.loopwright/settings.json:1 rights']);
	});

	test('lists that are none: a text counts as one rule, anything else makes the denials unknown', () => {
		const one = ours('{"permissions": {"deny": "Bash", "ask": null}}');
		assert.deepEqual(one.rules.deny, [{ text: 'Bash', line: 1 }]);
		assert.deepEqual([one.denialsUnknown, one.problems.length], [false, 2]);
		for (const deny of ['{"Bash": true}', '["Read", 5]', '[["Bash"]]', 'true']) {
			for (const parsed of [claude(`{"permissions": {"deny": ${deny}}}`), ours(`{"permissions.ask": ${deny}}`)]) {
				assert.equal(parsed.denialsUnknown, true, deny);
			}
		}
		assert.equal(claude('{"permissions": ["Bash"]}').denialsUnknown, true);
		assert.deepEqual(ours('{"permissions": {"allow": ["A", 1]}}').rules.allow, [{ text: 'A', line: 1 }]);
		assert.equal(ours('{"permissions": {"allow": ["A", 1]}}').denialsUnknown, false);
	});

	test('a list that is there twice loses no denial', () => {
		const twice = claude('{"permissions": {"deny": ["A"], "deny": ["B"]}, "permissions": {"deny": ["C"]}}');
		assert.deepEqual(
			twice.rules.deny.map(({ text }) => text),
			['A', 'B', 'C'],
		);
		assert.equal(twice.problems.length, 2);
		assert.equal(ours('{"permissions": {"allow": ["A"], "allow": ["B"]}}').rules.allow.length, 1);
	});

	test('unreadable ones: no UTF-8, a folder, too large, too deep', async () => {
		world.write('everywhere', Buffer.from([0x7b, 0xd6, 0xd0, 0x7d]));
		mkdirSync(world.file('shared'), { recursive: true });
		world.write('claudeMine', `{"x": "${'y'.repeat(1024 * 1024)}"}`);
		world.write('claudeShared', '['.repeat(200_000));
		assert.deepEqual(texts((await world.now()).rules).ask, ['*', '*', '*', '*']);
		assert.equal(world.live.problems.length, 4);
		assert.ok(world.live.problems.every(({ effect }) => effect === 'unknown'));
	});

	test('devices and pipes, to which a repository may link: nobody waits for them', async function () {
		if (process.platform === 'win32') return this.skip();
		for (const name of ['claudeShared', 'shared', 'everywhere']) {
			mkdirSync(path.dirname(world.file(name)), { recursive: true });
		}
		symlinkSync('/dev/zero', world.file('claudeShared'));
		symlinkSync('/dev/tty', world.file('shared'));
		execFileSync('sh', ['-c', 'mkfifo "$0"', world.file('everywhere')]);
		assert.deepEqual(texts((await world.now()).rules).ask, ['*', '*', '*']);
		assert.equal(world.live.problems.length, 3);
	});

	test('one that cannot be read', async () => {
		mkdirSync(path.dirname(world.file('everywhere')), { recursive: true });
		symlinkSync(world.file('everywhere'), world.file('everywhere'));
		assert.deepEqual(texts((await world.now()).rules).ask, ['*']);
		assert.match(problemText(world.live.problems[0] ?? assert.fail()), /it cannot be read \(ELOOP\)/);
	});

	test('rules that are not understood are named with their line', async () => {
		world.write('everywhere', '{"permissions": {\n"deny": [\n"Edit(", "Nope", "WebFetch(domain:x)"]}}');
		await world.now();
		assert.deepEqual(world.problems, ['lw/settings.json:3 value', 'lw/settings.json:3 value']);
	});

	test('whatever is cut out of a file, no denial is lost silently', () => {
		const whole = JSON.stringify({ model: 'm', permissions: { allow: ['Bash'], deny: ['Read(.env)', 'Bash(rm *)'] } });
		fc.assert(
			fc.property(fc.nat(whole.length), fc.nat(6), (at, length) => {
				const text = whole.slice(0, at) + whole.slice(at + length);
				const { rules, denialsUnknown, problems } = ours(text);
				const kept = ['Read(.env)', 'Bash(rm *)'].every((rule) => rules.deny.some((found) => found.text === rule));
				// A cut that leaves valid JSON says something else, as any edit may.
				const valid = isJson(text);
				assert.ok(kept || denialsUnknown || valid || !/deny/i.test(text), text);
				assert.ok(valid || problems.length > 0, text);
				assert.ok(valid || rules.allow.length === 0, text);
			}),
			{ numRuns: 400 },
		);
	});
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return text.trim() === '';
	}
}
