// Rules as text: what is understood, what is refused by name, and what becomes of it.
import assert from 'node:assert/strict';
import { parseRule, printRule, readRules, rulesFrom } from '../../../src/core/permissions/rule.ts';

const origin = { source: 'flag' } as const;

suite('rules', () => {
	test('what is understood', () => {
		const read = (text: string) => {
			const parsed = parseRule(text);
			assert.ok(parsed.kind === 'rule', text);
			return parsed.rule.specifier;
		};
		assert.deepEqual(read('Bash'), { kind: 'any' });
		assert.deepEqual(read('Bash(*)'), { kind: 'any' });
		assert.deepEqual(read('Bash(npm test)'), { kind: 'command', text: 'npm test', match: 'exact' });
		assert.deepEqual(read('Bash(npm run *)'), { kind: 'command', text: 'npm run', match: 'words' });
		assert.deepEqual(read('Bash(npm run:*)'), { kind: 'command', text: 'npm run', match: 'words' });
		assert.deepEqual(read('Bash(npm*)'), { kind: 'command', text: 'npm', match: 'prefix' });
		assert.deepEqual(read('Bash(a (b))'), { kind: 'command', text: 'a (b)', match: 'exact' });
		const path = { kind: 'path' as const };
		assert.deepEqual(read('Edit(src/**)'), { ...path, base: 'root', segments: ['src'], match: 'below' });
		assert.deepEqual(read('Edit(./src/a.ts)'), { ...path, base: 'root', segments: ['src', 'a.ts'], match: 'exact' });
		assert.deepEqual(read('Read(.env)'), { ...path, base: 'root', segments: ['.env'], match: 'name' });
		assert.deepEqual(read('Read(/.env)'), { ...path, base: 'root', segments: ['.env'], match: 'exact' });
		assert.deepEqual(read('Read(~/.ssh/**)'), { ...path, base: 'home', segments: ['.ssh'], match: 'below' });
		assert.deepEqual(read('Read(//etc/**)'), { ...path, base: 'filesystem', segments: ['etc'], match: 'below' });
		assert.deepEqual(read('Edit(**)'), { ...path, base: 'root', segments: [], match: 'below' });
	});

	test('printing reads back the same', () => {
		for (const text of [
			'Bash',
			'Bash(npm test)',
			'Bash(npm *)',
			'Bash(npm*)',
			'Edit(/src/**)',
			'Read(.env)',
			'Read(~/a)',
			'Read(//etc/x)',
			'mcp__a__b',
		]) {
			const parsed = parseRule(text);
			assert.ok(parsed.kind === 'rule', text);
			assert.equal(printRule(parsed.rule), text);
		}
	});

	test('former names', () => {
		const parsed = parseRule('MultiEdit(src/**)');
		assert.ok(parsed.kind === 'rule');
		assert.equal(parsed.rule.tool, 'Edit');
	});

	test('what is not understood is named, and never dropped when it forbids', () => {
		const deny = ['Bash(git * push)', 'Edit(src/*.ts)', 'Edit(../x)', 'Edit(', '()', '', 'TodoWrite(x)', 'Bash()'];
		const { rules, problems } = readRules(
			{
				deny: rulesFrom(origin, deny),
				ask: rulesFrom(origin, ['Read(a?)']),
				allow: rulesFrom(origin, ['Read(a?)', 'mcp__*', 'Write(src/**)', 'Nope']),
			},
			['Read', 'Edit', 'Write', 'Bash', 'TodoWrite'],
		);
		assert.deepEqual(
			rules.deny.map((rule) => `${rule.tool} ${rule.specifier.kind}`),
			['Bash any', 'Edit any', 'Edit any', 'Edit any', '* any', 'TodoWrite any', 'Bash any'],
		);
		assert.deepEqual(
			rules.ask.map((rule) => rule.tool),
			['Read'],
		);
		assert.deepEqual(rules.allow, []);
		assert.deepEqual(
			problems.filter((problem) => problem.behavior === 'allow').map((problem) => [problem.text, problem.effect]),
			['Read(a?)', 'mcp__*', 'Write(src/**)', 'Nope'].map((text) => [text, 'ignored']),
		);
		assert.equal(problems.filter((problem) => problem.behavior === 'deny').length, deny.length);
	});
});
