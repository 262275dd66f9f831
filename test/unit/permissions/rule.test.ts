// Rules as text: what is understood, what is refused by name, and what becomes of it.
import assert from 'node:assert/strict';
import {
	isToolDenied,
	namesExactly,
	parseRule,
	printRule,
	readRules,
	rulesFrom,
} from '../../../src/core/permissions/rule.ts';

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
		assert.deepEqual(read('Bash(npm run *)'), { kind: 'command', text: 'npm run *', match: 'pattern' });
		assert.deepEqual(read('Bash(npm run:*)'), { kind: 'command', text: 'npm run *', match: 'pattern' });
		assert.deepEqual(read('Bash(npm*)'), { kind: 'command', text: 'npm*', match: 'pattern' });
		assert.deepEqual(read('Bash(git * main)'), { kind: 'command', text: 'git * main', match: 'pattern' });
		assert.deepEqual(read('Bash(a (b))'), { kind: 'command', text: 'a (b)', match: 'exact' });
		assert.deepEqual(read('WebFetch(domain:*.Example.com)'), {
			kind: 'domain',
			text: '*.example.com',
			match: 'pattern',
		});
		assert.deepEqual(read('Skill(deploy *)'), { kind: 'name', text: 'deploy *', match: 'pattern' });
		assert.deepEqual(read('Task(Explore)'), { kind: 'name', text: 'Explore', match: 'exact' });
		const parameter = { kind: 'parameter' as const, match: 'exact' as const };
		assert.deepEqual(read('Agent(model:opus)'), { ...parameter, name: 'model', text: 'opus' });
		assert.deepEqual(read('mcp__db__query(table:users)'), { ...parameter, name: 'table', text: 'users' });
		assert.deepEqual(read('mcp__db__*'), { kind: 'any' });
	});

	test('paths are read as git reads its ignore files', () => {
		const read = (text: string) => {
			const parsed = parseRule(text);
			assert.ok(parsed.kind === 'rule' && parsed.rule.specifier.kind === 'path', text);
			const { base, pattern, match, deep } = parsed.rule.specifier;
			return [base, pattern, match, deep];
		};
		assert.deepEqual(read('Edit(src/**)'), ['cwd', '/src', 'below', true]);
		assert.deepEqual(read('Edit(./src/**)'), ['cwd', '/src', 'below', false]);
		assert.deepEqual(read('Edit(src/lib/**)'), ['cwd', '/src/lib', 'below', false]);
		assert.deepEqual(read('Edit(./src/a.ts)'), ['cwd', '/src/a.ts', 'exact', false]);
		assert.deepEqual(read('Read(.env)'), ['cwd', '.env', 'pattern', false]);
		assert.deepEqual(read('Read(*.pem)'), ['cwd', '*.pem', 'pattern', false]);
		assert.deepEqual(read('Read(/.env)'), ['source', '/.env', 'exact', false]);
		assert.deepEqual(read('Read(~/.ssh/**)'), ['home', '/.ssh', 'below', false]);
		assert.deepEqual(read('Read(//etc/**)'), ['filesystem', '/etc', 'below', false]);
		assert.deepEqual(read('Read(C:\\x\\**)'), ['filesystem', '/C/x', 'below', false]);
		assert.deepEqual(read('Edit(**)'), ['cwd', '/**', 'below', false]);
		assert.deepEqual(read('Edit(src/*.ts)'), ['cwd', '/src/*.ts', 'pattern', false]);
	});

	test('printing reads back the same', () => {
		for (const text of [
			'Bash',
			'Bash(npm test)',
			'Bash(npm *)',
			'Bash(npm*)',
			'Bash(git * main)',
			'Edit(./a.ts)',
			'Edit(src/**)',
			'Edit(src/*.ts)',
			'Edit(**)',
			'WebFetch(domain:a.example)',
			'Agent(model:opus)',
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
		const deny = [
			'Bash(*  *)',
			'Edit(src/{a,b}.ts)',
			'Edit(../x)',
			'Edit(!a)',
			'Edit(',
			'()',
			'',
			'TodoWrite(x)',
			'Bash()',
		];
		const allow = ['Read({a})', 'mcp__*', '*', 'Write(src/**)', 'Agent(model:opus)', 'Nope'];
		const { rules, problems } = readRules(
			{ deny: rulesFrom(origin, deny), ask: rulesFrom(origin, ['Read({a})']), allow: rulesFrom(origin, allow) },
			['Read', 'Edit', 'Write', 'Bash', 'TodoWrite', 'Agent'],
		);
		assert.deepEqual(
			rules.deny.map((rule) => `${rule.tool} ${rule.specifier.kind}`),
			['Bash any', 'Edit any', 'Edit any', 'Edit any', 'Edit any', '* any', 'TodoWrite any', 'Bash any'],
		);
		assert.deepEqual(
			rules.ask.map((rule) => rule.tool),
			['Read'],
		);
		assert.deepEqual(rules.allow, []);
		assert.deepEqual(
			problems.filter((problem) => problem.behavior === 'allow').map((problem) => [problem.text, problem.effect]),
			allow.map((text) => [text, 'ignored']),
		);
		assert.equal(problems.filter((problem) => problem.behavior === 'deny').length, deny.length);
		assert.ok(problems.every((problem) => problem.origin === origin));
	});

	test('names of tools: one server, one tool, any tool', () => {
		const covers = (named: string, tool: string) => namesExactly(named, tool);
		for (const named of ['mcp__db', 'mcp__db__*', 'mcp__db__query', 'mcp__*', '*', 'mcp__db__q*']) {
			assert.ok(covers(named, 'mcp__db__query'), named);
		}
		for (const named of ['mcp__d', 'mcp__db__quer', 'mcp__db2', 'Bash', 'db__query']) {
			assert.ok(!covers(named, 'mcp__db__query'), named);
		}
		assert.ok(!covers('mcp__db', 'mcp__db2__query'));
	});

	test('a tool that is denied whole is not offered; one that is denied in part is', () => {
		const { rules } = readRules({ deny: rulesFrom(origin, ['Bash', 'Edit(x)', 'mcp__db']), ask: [], allow: [] });
		assert.deepEqual(
			['Bash', 'Edit', 'mcp__db__query', 'Read'].map((tool) => isToolDenied(rules, tool)),
			[true, false, true, false],
		);
	});
});
