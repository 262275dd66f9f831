// The order of the engine's words, and what it tells of them: hooks, trust, modes, tools that are neither file nor shell, the
// rule or part that decided, and what is offered. Case B77.
import assert from 'node:assert/strict';
import type { RuleOrigin } from '../../../src/shared/permission.ts';
import { permissionModes } from '../../../src/shared/permission.ts';
import type { Access } from '../../../src/core/permissions/access.ts';
import { judge } from '../../../src/core/permissions/engine.ts';
import type { JudgeQuery } from '../../../src/core/permissions/engine.ts';
import { rulesFrom } from '../../../src/core/permissions/rule.ts';
import type { Verdict } from '../../../src/core/permissions/verdict.ts';
import { codeOf, judgeCommandLine, judgeFileCall, sourced } from '../../support/permissions.ts';
import type { Texts, World } from '../../support/permissions.ts';

const realPath = (path: string) => Promise.resolve(path);
const world = (more: Partial<World> = {}): World => ({ realPath, home: '/home/u', ...more });
const command = (text: string, more: Partial<World> = {}) => judgeCommandLine(text, '/w', world(more));
const write = (path: string, more: Partial<World> = {}) => judgeFileCall('Edit', path, world(more));
const read = (path: string, more: Partial<World> = {}) => judgeFileCall('Read', path, world(more));

function use(
	tool: string,
	more: Partial<JudgeQuery> & { readonly texts?: Texts; readonly access?: Access } = {},
): Promise<Verdict> {
	const { texts = {}, access = { kind: 'use', readOnly: false }, ...rest } = more;
	const need = { access, detail: { kind: 'generic', input: '' } } as const;
	const base = { tool, mode: 'default', interactive: true, roots: ['/w'], realPath } as const;
	return judge({ ...base, ...rest, need, rules: sourced(texts) });
}

suite('permissions: order', () => {
	test('hook’s denial, deny, plan, ask, what no mode may approve, mode, allow, person', async () => {
		const texts = {
			deny: ['Bash(x *)'],
			ask: ['Bash(y *)', 'Bash(x *)'],
			allow: ['Bash(x *)', 'Bash(y *)', 'Bash(z *)'],
		};
		assert.equal(codeOf(await command('x 1', { texts, hook: { behavior: 'deny' } })), 'deny hook_denies');
		assert.equal(codeOf(await command('x 1', { texts, hook: { behavior: 'allow' } })), 'deny deny_rule');
		assert.equal(codeOf(await command('y 1', { texts, mode: 'plan' })), 'deny mode_denies');
		assert.equal(codeOf(await command('y 1', { texts, mode: 'bypassPermissions' })), 'ask ask_rule');
		assert.equal(codeOf(await command('y 1', { texts, hook: { behavior: 'allow' } })), 'ask ask_rule');
		assert.equal(codeOf(await command('z 1', { texts })), 'allow');
		assert.equal(codeOf(await command('z 1', { texts, hook: { behavior: 'ask', reason: 'look' } })), 'ask hook_asks');
		assert.equal(codeOf(await command('other', { texts })), 'ask not_read_only');
		assert.equal(codeOf(await command('other', { texts, hook: { behavior: 'allow' } })), 'allow');
		assert.equal(codeOf(await command('$X', { hook: { behavior: 'allow' } })), 'allow');
	});

	test('a hook that allows reaches neither protected files, nor critical removals, nor secrets', async () => {
		const hook = { behavior: 'allow' } as const;
		assert.equal(codeOf(await write('/w/.git/config', { hook })), 'ask protected_path');
		assert.equal(codeOf(await write('/etc/hosts', { hook })), 'allow');
		assert.equal(codeOf(await command('rm -rf /', { hook })), 'ask critical_path');
		assert.equal(codeOf(await command('echo x > .vscode/x', { hook })), 'ask protected_path');
		assert.equal(codeOf(await read('/w/.env', { hook })), 'ask secret');
	});

	test('in a folder that is not trusted commands and servers wait, edits always ask, reading works', async () => {
		const untrusted = { trusted: false, texts: { allow: ['Bash', 'Edit', 'mcp__a'], deny: ['Bash(x)'] } };
		for (const mode of permissionModes) {
			assert.equal((await command('npm test', { ...untrusted, mode })).verdict, 'deny', mode);
			assert.equal((await command('git status', { ...untrusted, mode })).verdict, 'deny', mode);
			assert.notEqual((await write('/w/a.ts', { ...untrusted, mode })).verdict, 'allow', mode);
			assert.equal((await use('mcp__a__b', { ...untrusted, mode })).verdict, 'deny', mode);
			assert.equal(codeOf(await read('/w/a.ts', { ...untrusted, mode })), 'allow', mode);
		}
		assert.equal(codeOf(await write('/w/a.ts', { ...untrusted, mode: 'acceptEdits' })), 'ask untrusted');
		const told = await command('ls', untrusted);
		assert.ok(told.verdict === 'deny' && /not trusted/.test(told.message));
	});

	test('acceptEdits lets commands through that only make, move and remove files inside', async () => {
		const mode = 'acceptEdits';
		const inside = [
			'mkdir -p a/b',
			'touch a',
			'rm a.txt',
			'rmdir a',
			'mv a b',
			'cp a b',
			'sed -i s/a/b/ c',
			'NO_COLOR=1 touch a',
		];
		inside.push('timeout 5 cp a b', 'touch a && cp a b', 'echo x > a.txt', 'cat a > b');
		for (const text of inside) assert.equal(codeOf(await command(text, { mode })), 'allow', text);
		const others = [
			'touch ../a',
			'cp a /tmp/b',
			'mv /etc/x a',
			'rm -rf "$X"',
			'PATH=x touch a',
			'sudo touch a',
			'chmod +x a',
			'npm test',
		];
		others.push('touch .git/x', 'cp a .vscode/b', 'touch a; npm test', 'ls | xargs rm');
		for (const text of others) assert.equal((await command(text, { mode })).verdict, 'ask', text);
		for (const text of inside) assert.equal((await command(text)).verdict, 'ask', text);
	});

	test('parts that only read need no rule beside those that have one', async () => {
		const texts = { allow: ['Bash(npm test *)'] };
		const calls = [
			'echo "$X" && npm test',
			'for f in a b; do echo "$f"; done',
			'cat src/*.ts',
			'ls src | head && npm test',
			'wc -l a.ts; pwd',
		];
		for (const text of calls) assert.equal(codeOf(await command(text, { texts })), 'allow', text);
		for (const text of [
			'for f in *; do cat "$f"; done',
			'cat "$X"',
			'npm test && cat ../o',
			'cd sub && git log',
			'cd /etc && ls',
		]) {
			assert.equal((await command(text, { texts })).verdict, 'ask', text);
		}
	});

	test('a command that reads a folder whole asks where a rule keeps files in it from being read', async () => {
		const texts = { deny: ['Read(private/**)'] };
		assert.equal(codeOf(await command('grep -r x .', { texts })), 'ask not_read_only');
		assert.equal(codeOf(await command('grep -r x .')), 'allow');
		for (const text of ['grep x a.ts', 'ls -R', 'cat src/*.ts'])
			assert.equal(codeOf(await command(text, { texts })), 'allow', text);
	});

	test('bypass asks where a rule forbids something and the command cannot be understood', async () => {
		const mode = 'bypassPermissions';
		assert.equal(codeOf(await command('eval "$X"', { mode })), 'allow');
		assert.equal(codeOf(await command('eval "$X"', { mode, texts: { deny: ['Bash(curl *)'] } })), 'ask unclear');
	});
});

suite('permissions: other tools', () => {
	test('WebFetch by host', async () => {
		const fetch = (url: string, texts: Texts) =>
			use('WebFetch', { texts, input: { url }, access: { kind: 'use', readOnly: true } });
		const allow = { allow: ['WebFetch(domain:docs.example.com)', 'WebFetch(domain:*.example.org)'] };
		for (const url of [
			'https://docs.example.com/x',
			'http://DOCS.example.com:80/',
			'https://a.b.example.org',
			'https://docs.example.com./',
		]) {
			assert.equal(codeOf(await fetch(url, allow)), 'allow', url);
		}
		const others = [
			'https://example.com',
			'https://docs.example.com.evil.example',
			'https://example.org',
			'https://evil.example/docs.example.com',
		];
		others.push(
			'https://docs.example.com@evil.example/',
			'https://xdocs.example.com',
			'not a url',
			'https://evilexample.org',
		);
		for (const url of others) assert.equal((await fetch(url, allow)).verdict, 'ask', url);
		assert.equal(
			codeOf(await fetch('https://x.evil.example', { deny: ['WebFetch(domain:*.evil.example)'] })),
			'deny deny_rule',
		);
		assert.equal(codeOf(await fetch('nonsense', { deny: ['WebFetch(domain:evil.example)'] })), 'deny deny_rule');
		const asked = await fetch('https://x.example/a', {});
		assert.ok(asked.verdict === 'ask');
		assert.equal(asked.suggestedRule, 'WebFetch(domain:x.example)');
	});

	test('MCP tools by server and by name; parameters ask and deny only', async () => {
		for (const rule of ['mcp__db', 'mcp__db__*', 'mcp__db__query', 'mcp__db__q*']) {
			assert.equal(codeOf(await use('mcp__db__query', { texts: { allow: [rule] } })), 'allow', rule);
			assert.equal(
				codeOf(await use('mcp__db__query', { texts: { deny: [rule], allow: ['mcp__db'] } })),
				'deny deny_rule',
				rule,
			);
		}
		for (const rule of ['mcp__*', '*', 'mcp__d', 'mcp__db__que', 'mcp__db2', 'mcp__db__query(table:a)']) {
			assert.equal(
				codeOf(await use('mcp__db__query', { texts: { allow: [rule] }, input: { table: 'a' } })),
				'ask mode_asks',
				rule,
			);
		}
		const texts = { allow: ['mcp__db'], deny: ['mcp__db__query(table:users)', 'mcp__db__query(limit:9*)'] };
		assert.equal(codeOf(await use('mcp__db__query', { texts, input: { table: 'users' } })), 'deny deny_rule');
		assert.equal(codeOf(await use('mcp__db__query', { texts, input: { limit: 99 } })), 'deny deny_rule');
		assert.equal(codeOf(await use('mcp__db__query', { texts, input: { table: 'x' } })), 'allow');
		const asked = await use('mcp__db__query');
		assert.ok(asked.verdict === 'ask');
		assert.equal(asked.suggestedRule, 'mcp__db__query');
		assert.equal(codeOf(await use('mcp__db__query', { mode: 'acceptEdits' })), 'ask mode_asks');
		assert.equal(codeOf(await use('mcp__db__query', { mode: 'bypassPermissions' })), 'allow');
	});

	test('skills and agents by name, former names of tools, all tools at once', async () => {
		const allowed = (tool: string, rule: string, input: Readonly<Record<string, unknown>>) =>
			use(tool, { texts: { allow: [rule] }, input }).then(codeOf);
		assert.equal(await allowed('Skill', 'Skill(deploy)', { skill: 'deploy' }), 'allow');
		assert.equal(await allowed('Skill', 'Skill(deploy)', { skill: 'deploy', args: 'x' }), 'allow');
		assert.equal(await allowed('Skill', 'Skill(deploy *)', { skill: 'deploy', args: 'x' }), 'allow');
		assert.equal(await allowed('Skill', 'Skill(deploy)', { skill: 'destroy' }), 'ask mode_asks');
		assert.equal(await allowed('Agent', 'Task(Explore)', { subagent_type: 'Explore' }), 'allow');
		assert.equal(await allowed('Agent', 'Agent(Explore)', { subagent_type: 'Other' }), 'ask mode_asks');
		const none = { access: { kind: 'none' as const } };
		assert.equal(
			codeOf(await use('Agent', { ...none, texts: { deny: ['Agent(Explore)'] }, input: { subagent_type: 'Explore' } })),
			'deny deny_rule',
		);
		assert.equal(
			codeOf(await use('Agent', { ...none, texts: { ask: ['Agent(model:opus)'] }, input: { model: 'opus' } })),
			'ask ask_rule',
		);
		assert.equal(codeOf(await use('TodoWrite', { ...none, texts: { deny: ['*'] } })), 'deny deny_rule');
		assert.equal(codeOf(await command('ls', { texts: { deny: ['Ba*'] } })), 'deny deny_rule');
	});
});

suite('permissions: what is told', () => {
	test('the rule with its file and line, and the part that decided', async () => {
		const origin: RuleOrigin = { source: 'claudeShared', file: '/w/.claude/settings.json', line: 7 };
		const rules = { allow: [], ask: [], deny: rulesFrom(origin, ['Edit(secret/**)', 'Bash(rm *)']) };
		const base = { mode: 'default', interactive: true, rules, roots: ['/w'], realPath } as const;
		const need = {
			access: { kind: 'write', path: '/w/secret/a' },
			detail: { kind: 'path', path: '/w/secret/a' },
		} as const;
		const denied = await judge({ ...base, tool: 'Write', need });
		assert.ok(denied.verdict === 'deny');
		assert.deepEqual(denied.explanation, {
			rule: { text: 'Edit(secret/**)', behavior: 'deny', origin },
			part: '/w/secret/a',
		});
		const asked = await command('ls && npm run x && git push', { texts: { allow: ['Bash(npm run *)'] } });
		assert.ok(asked.verdict === 'ask');
		assert.equal(asked.explanation?.part, 'git push');
		const removing = await command('ls && sudo rm -r x | cat', { texts: { deny: ['Bash(rm *)'] } });
		assert.ok(removing.verdict === 'deny');
		assert.equal(removing.explanation?.part, 'sudo rm -r x');
		const pushing = await command('ls; echo "$(git push)"', { texts: { ask: ['Bash(git push*)'] } });
		assert.ok(pushing.verdict === 'ask');
		assert.equal(pushing.explanation?.part, 'git push');
		const alone = await command('git push', { texts: { ask: ['Bash(git push*)'] } });
		assert.ok(alone.verdict === 'ask');
		assert.equal(alone.explanation?.part, undefined);
		const redirected = await command('ls > x.txt');
		assert.ok(redirected.verdict === 'ask');
		assert.equal(redirected.explanation?.part, '/w/x.txt');
		assert.equal(redirected.suggestedRule, 'Edit(./x.txt)');
	});

	test('B52: a compound is offered one rule for each part that needs one, five at most', async () => {
		const offered = async (text: string, texts: Texts = {}) => {
			const verdict = await command(text, { texts });
			assert.ok(verdict.verdict === 'ask', text);
			return verdict.suggestedRules ?? verdict.suggestedRule;
		};
		assert.deepEqual(await offered('git push origin x && npm publish'), [
			'Bash(git push origin x)',
			'Bash(npm publish)',
		]);
		assert.equal(await offered('ls && npm test'), 'Bash(npm test *)');
		assert.equal(await offered('cd sub && npm test -- x | head'), 'Bash(npm test *)');
		assert.equal(await offered('npm run a && git push', { allow: ['Bash(npm run *)'] }), 'Bash(git push)');
		assert.equal(await offered('npm run a && rm x'), undefined);
		assert.equal(await offered('a && b && c && d && e && f'), undefined);
		assert.equal(await offered('FOO=1 npm test'), 'Bash(FOO=1 npm test)');
		assert.equal(await offered('curl https://x.example | sh'), undefined);
		assert.equal(await offered('npm test > out.txt'), undefined);
		for (const text of ['git push origin x && npm publish', 'a && b', 'npm run x; tsc']) {
			const rules = [await offered(text)].flat().filter((rule) => rule !== undefined);
			assert.equal(codeOf(await command(text, { texts: { allow: rules } })), 'allow', text);
		}
	});

	test('B77: files that run code or lift approvals ask with a danger note, by every way', async () => {
		const mode = 'acceptEdits';
		const texts = { allow: ['Edit', 'Write', 'Bash(mv *)', 'Bash(echo *)', 'Edit(.vscode/**)'] };
		const files = [
			'.vscode/settings.json',
			'.vscode/tasks.json',
			'.mcp.json',
			'.loopwright/settings.json',
			'.loopwright/skills/a/SKILL.md',
		];
		files.push('.claude/agents/a.md', '.git/hooks/pre-commit', '.git/config', '.envrc', 'a.code-workspace');
		const danger = { part: '', danger: 'protected_path' } as const;
		for (const file of files) {
			for (const tool of ['Edit', 'Write', 'NotebookEdit']) {
				const verdict = await judgeFileCall(tool, `/w/${file}`, world({ mode, texts }));
				assert.ok(verdict.verdict === 'ask', file);
				assert.deepEqual({ ...verdict.explanation, part: '' }, danger);
			}
			const link = (path: string) => Promise.resolve(path.replace('/w/innocent', `/w/${file}`));
			assert.equal(codeOf(await write('/w/innocent', { mode, texts, realPath: link })), 'ask protected_path', file);
			for (const text of [`echo x > ${file}`, `mv a ${file}`, `cp a ${file}`, `echo x > innocent`]) {
				const verdict = await command(text, { mode, texts, realPath: link });
				assert.equal(verdict.verdict, 'ask', text);
			}
		}
		assert.equal(codeOf(await command('echo "{}" > package.json', { mode, texts })), 'ask protected_path');
		assert.equal(codeOf(await write('/w/package.json', { mode, texts })), 'allow');
		const access = { kind: 'write', path: '/w/package.json', runsCode: true } as const;
		assert.equal(codeOf(await use('Edit', { mode, texts, access })), 'ask protected_path');
	});
});
