// Where a rule's path starts, what it covers, and what other systems make of a path.
import assert from 'node:assert/strict';
import nodePath from 'node:path';
import type { RuleOrigin } from '../../../src/shared/permission.ts';
import { judge } from '../../../src/core/permissions/engine.ts';
import type { JudgeQuery } from '../../../src/core/permissions/engine.ts';
import { resolvePlaces } from '../../../src/core/permissions/places.ts';
import { isProtected } from '../../../src/core/permissions/protectedPaths.ts';
import { readRules, rulesFrom } from '../../../src/core/permissions/rule.ts';
import type { RuleBehavior } from '../../../src/core/permissions/rule.ts';
import { coversPath } from '../../../src/core/permissions/ruleMatch.ts';
import { codeOf } from '../../support/permissions.ts';

const flag: RuleOrigin = { source: 'flag' };
const same = (path: string) => Promise.resolve(path);

interface Given {
	readonly behavior?: RuleBehavior;
	readonly origin?: RuleOrigin;
	readonly roots?: readonly string[];
	readonly windows?: boolean;
}

/** Does the rule cover the path (without links)? */
async function covers(text: string, path: string, given: Given = {}): Promise<boolean> {
	const { behavior = 'allow', origin = flag, windows = false } = given;
	const roots = given.roots ?? [windows ? 'C:\\w' : '/w'];
	const { rules, problems } = readRules({ allow: [], ask: [], deny: [], [behavior]: rulesFrom(origin, [text]) });
	assert.deepEqual(problems, []);
	const [rule] = rules[behavior];
	assert.ok(rule);
	const api = windows ? nodePath.win32 : nodePath.posix;
	const home = windows ? 'C:\\Users\\u' : '/home/u';
	const places = await resolvePlaces({
		roots,
		home,
		cwd: roots[0] ?? '/',
		paths: [],
		target: path,
		realPath: same,
		api,
	});
	return coversPath(rule, places.target ?? { path, real: path }, places);
}

suite('permissions: paths of rules', () => {
	test('a single name holds at any depth, a path from where it starts', async () => {
		for (const path of ['/w/.env', '/w/a/b/.env', '/w/.env/x']) assert.ok(await covers('Read(.env)', path), path);
		for (const path of ['/w/.env.x', '/v/.env', '/w/x.env']) assert.ok(!(await covers('Read(.env)', path)), path);
		assert.ok(await covers('Edit(src/*.ts)', '/w/src/a.ts'));
		assert.ok(!(await covers('Edit(src/*.ts)', '/w/src/b/a.ts')));
		assert.ok(!(await covers('Edit(src/*.ts)', '/w/x/src/a.ts')));
		assert.ok(await covers('Edit(src/**/*.ts)', '/w/src/b/c/a.ts'));
		assert.ok(await covers('Edit(*.ts)', '/w/src/b/c/a.ts'));
		assert.ok(!(await covers('Edit(/*.ts)', '/w/src/a.ts')));
	});

	test('a lone folder is the one below the root where it allows, and any of that name where it forbids', async () => {
		assert.ok(await covers('Edit(src/**)', '/w/src/a/b.ts'));
		assert.ok(!(await covers('Edit(src/**)', '/w/x/src/b.ts')));
		for (const behavior of ['deny', 'ask'] as const) {
			assert.ok(await covers('Edit(src/**)', '/w/x/src/b.ts', { behavior }));
			assert.ok(!(await covers('Edit(./src/**)', '/w/x/src/b.ts', { behavior })));
			assert.ok(!(await covers('Edit(a/src/**)', '/w/x/a/src/b.ts', { behavior })));
		}
	});

	test('/ starts at the folder of the settings that the rule stands in', async () => {
		const at = (source: RuleOrigin['source'], file?: string): Given => ({
			origin: file === undefined ? { source } : { source, file, line: 3 },
			roots: ['/w', '/v'],
		});
		assert.ok(await covers('Edit(/src/**)', '/w/src/a', at('session')));
		assert.ok(await covers('Edit(/src/**)', '/w/src/a', at('mine', '/home/u/.loopwright/projects/w/settings.json')));
		assert.ok(await covers('Edit(/src/**)', '/v/src/a', at('shared', '/v/.loopwright/settings.json')));
		assert.ok(!(await covers('Edit(/src/**)', '/w/src/a', at('shared', '/v/.loopwright/settings.json'))));
		assert.ok(
			await covers('Edit(/x/**)', '/home/u/.claude/x/a', at('claudeEverywhere', '/home/u/.claude/settings.json')),
		);
		assert.ok(!(await covers('Edit(/x/**)', '/w/x/a', at('everywhere', '/home/u/.loopwright/settings.json'))));
		assert.ok(await covers('Edit(~/x/**)', '/home/u/x/a', at('session')));
		assert.ok(await covers('Edit(//srv/x)', '/srv/x', at('session')));
	});

	test('what forbids does not care for case, Unicode form, or which folder of the workspace it is', async () => {
		const deny: Given = { behavior: 'deny', roots: ['/w', '/v'] };
		assert.ok(await covers('Read(.env)', '/w/.ENV', deny));
		assert.ok(await covers('Read(.env)', '/v/a/.env', deny));
		assert.ok(await covers('Read(caf\u00e9)', '/w/cafe\u0301', deny));
		assert.ok(!(await covers('Read(.env)', '/w/.ENV')));
		assert.ok(await covers('Read(a\nb)', '/w/a\nb', deny));
	});

	test('Windows: drives, case, both slashes, and other machines', async () => {
		const windows: Given = { windows: true };
		assert.ok(await covers('Edit(src/**)', 'C:\\w\\SRC\\a.ts', windows));
		assert.ok(await covers('Edit(//c/w/src/**)', 'C:\\w\\src\\a.ts', windows));
		assert.ok(await covers('Edit(C:\\w\\src\\**)', 'c:\\w\\src\\a.ts', windows));
		assert.ok(!(await covers('Edit(//d/w/**)', 'C:\\w\\a', windows)));
		assert.ok(await covers('Read(//c/**/.env)', 'C:\\x\\y\\.env', { windows: true, behavior: 'deny' }));
		assert.ok(!(await covers('Edit(**)', '\\\\server\\w\\a', windows)));
	});
});

suite('permissions: paths of other systems', () => {
	function windows(path: string, more: Partial<JudgeQuery> = {}): Promise<string> {
		const need = { access: { kind: 'write', path }, detail: { kind: 'path', path } } as const;
		const base = { tool: 'Edit', mode: 'acceptEdits', interactive: true, roots: ['C:\\w'] } as const;
		const rules = { allow: [], ask: [], deny: [] };
		return judge({ ...base, need, rules, api: nodePath.win32, realPath: same, ...more }).then(codeOf);
	}

	test('drives, traversal, prefixes, streams and short names', async () => {
		assert.equal(await windows('C:\\w\\src\\a.ts'), 'allow');
		assert.equal(await windows('c:\\W\\src\\a.ts'), 'allow');
		assert.equal(await windows('D:\\w\\a.ts'), 'ask outside_workspace');
		assert.equal(await windows('C:\\w2\\a.ts'), 'ask outside_workspace');
		assert.equal(await windows('C:\\w\\..\\x\\a.ts'), 'ask outside_workspace');
		for (const path of [
			'.git\\config',
			'.GIT\\config',
			'git~1\\config',
			'.git::$INDEX_ALLOCATION\\config',
			'.git \\config',
		]) {
			assert.equal(await windows(`C:\\w\\${path}`), 'ask protected_path', path);
		}
		for (const path of ['.env', '.ENV', '.env.', '.env::$DATA']) {
			assert.equal(await windows(`C:\\w\\${path}`), 'ask secret', path);
		}
	});

	test('a path on another machine is not so much as looked at before it is permitted', async () => {
		const seen: string[] = [];
		const realPath = (path: string) => {
			seen.push(path);
			return Promise.resolve(path);
		};
		assert.equal(await windows('\\\\server\\share\\a.ts', { realPath }), 'ask outside_workspace');
		assert.deepEqual(seen, ['C:\\w']);
	});

	test('a path that cannot be resolved counts as it is written', async () => {
		const realPath = (path: string) => (path === '/w' ? Promise.resolve(path) : Promise.reject(new Error('ELOOP')));
		const places = await resolvePlaces({ roots: ['/w'], cwd: '/w', paths: ['/w/loop'], target: '/x/loop', realPath });
		assert.deepEqual(places.target, { path: '/x/loop', real: '/x/loop' });
		assert.deepEqual(places.known.get('/w/loop'), { path: '/w/loop', real: '/w/loop' });
	});

	test('protected names under any spelling', async () => {
		const places = await resolvePlaces({ roots: ['/w'], cwd: '/w', paths: [], realPath: same });
		const check = (path: string) => isProtected(places, { path, real: path });
		for (const path of [
			'.g\u200bit/config',
			'.GIT/x',
			'a/.Vscode/x',
			'.mcp.json',
			'x.code-workspace',
			'.github/agents/a.md',
		]) {
			assert.ok(check(`/w/${path}`), path);
		}
		for (const path of [
			'.gitignore',
			'git/config',
			'.github/workflows/x.yml',
			'src/mcp.ts',
			'.claude/worktrees/a/b.ts',
		]) {
			assert.ok(!check(`/w/${path}`), path);
		}
		assert.ok(!check('/w/src/.gitkeep'));
	});
});
