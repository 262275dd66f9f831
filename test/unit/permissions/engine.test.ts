// The engine's order and the inputs of cases B49, B51, B52 and B53.
import assert from 'node:assert/strict';
import type { PermissionMode } from '../../../src/shared/permission.ts';
import type { PermissionNeed } from '../../../src/core/permissions/access.ts';
import { judge, readFilter } from '../../../src/core/permissions/engine.ts';
import type { JudgeQuery } from '../../../src/core/permissions/engine.ts';
import { readRules } from '../../../src/core/permissions/rule.ts';
import type { Verdict } from '../../../src/core/permissions/verdict.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import { codeOf as code, judgeCommandLine, judgeFileCall, secretsFor, sourced } from '../../support/permissions.ts';
import type { Texts, World } from '../../support/permissions.ts';

interface Case extends Partial<Omit<JudgeQuery, 'rules' | 'need' | 'realPath' | 'analysis'>> {
	readonly mode?: PermissionMode;
	readonly rules?: Texts;
	readonly links?: Readonly<Record<string, string>>;
	readonly cwd?: string;
}

function worldOf(options: Case): World {
	const { rules, links, ...rest } = options;
	const workspace = new FakeWorkspace();
	for (const [from, to] of Object.entries(links ?? {})) workspace.links.set(from, to);
	return { ...rest, texts: rules ?? {}, realPath: (path) => workspace.realPath(path) };
}

function verdictOf(need: PermissionNeed, options: Case): Promise<Verdict> {
	const { texts = {}, ...rest } = worldOf(options);
	const roots = options.roots ?? ['/w'];
	const base = { tool: 'Bash', mode: 'default', interactive: true, secrets: secretsFor(roots, options.home) } as const;
	return judge({ ...base, ...rest, need, rules: sourced(texts), roots });
}

function allowedBy(verdict: Verdict): string | undefined {
	return verdict.verdict === 'allow' ? verdict.rule : verdict.verdict;
}

function command(text: string, options: Case = {}): Promise<Verdict> {
	return judgeCommandLine(text, options.cwd ?? '/w', worldOf(options));
}
function write(path: string, options: Case = {}): Promise<Verdict> {
	return judgeFileCall(options.tool ?? 'Edit', path, worldOf(options));
}
function read(path: string, options: Case = {}): Promise<Verdict> {
	return judgeFileCall(options.tool ?? 'Read', path, worldOf(options));
}

suite('permissions: commands', () => {
	test('B49: every part counts; a denied part denies all', async () => {
		const rules = { allow: ['Bash(ls:*)'], deny: ['Bash(rm:*)'] };
		const denied = [
			'ls && rm -rf x',
			'ls;rm x',
			'ls | xargs rm',
			'ls & rm x',
			'ls\nrm x',
			'(rm x)',
			'ls $(rm x)',
			'ls `rm x`',
		];
		denied.push(
			'/bin/rm x',
			'\\rm x',
			"'rm' x",
			'FOO=1 rm x',
			'sudo rm x',
			'env A=1 rm x',
			'bash -c "rm x"',
			'ls "$(rm x)"',
		);
		denied.push(
			'if true; then rm x; fi',
			'find . -exec rm {} +',
			'ls > out && rm x',
			'ls <(rm x)',
			'timeout 5 rm x',
			'{ rm x; }',
		);
		denied.push('echo "a; $(echo $(rm x))"', "eval 'rm x'", 'ls ||rm x', 'ls|&rm x', 'r\\\nm x', "r''m x", '! rm x');
		denied.push(
			"$'rm' x",
			"$'\\x72m' x",
			'$"rm" x',
			'$none rm x',
			'rm$none x',
			'{rm,-rf,x}',
			'/bin/r? x',
			'/bin/[r]m x',
			'"$a"rm x',
		);
		for (const text of denied) {
			for (const mode of ['default', 'bypassPermissions', 'dontAsk'] as const) {
				assert.equal(code(await command(text, { rules, mode })), 'deny deny_rule', `${mode}: ${text}`);
			}
		}
		assert.equal(code(await command('lsof', { rules })), 'ask not_read_only');
		assert.equal(code(await command("ls 'a && b'", { rules })), 'allow');
		assert.equal(allowedBy(await command('ls /etc', { rules })), 'Bash(ls:*)');
		assert.equal(code(await command('ls && whoami > x', { rules })), 'ask not_read_only');
	});

	test('B51: git options and environment before the subcommand', async () => {
		const rules = { ask: ['Bash(git push*)'], allow: ['Bash(git *)'] };
		for (const text of ['git -C . push', 'GIT_SSH_COMMAND=evil git push', 'cd /etc && git push']) {
			assert.equal(code(await command(text, { rules })), 'ask ask_rule', text);
		}
		assert.equal((await command('git -c core.pager=evil log', { rules })).verdict, 'ask');
		assert.equal(allowedBy(await command('git commit -m x', { rules })), 'Bash(git *)');
	});

	test('B52: "always" offers a rule of the right size, or nothing', async () => {
		const suggestion = async (text: string) => {
			const verdict = await command(text);
			return verdict.verdict === 'ask' ? (verdict.suggestedRules ?? verdict.suggestedRule) : verdict.verdict;
		};
		assert.equal(await suggestion('npm test -- a.spec.ts'), 'Bash(npm test *)');
		assert.equal(await suggestion('npm run build'), 'Bash(npm run build *)');
		assert.equal(await suggestion('git commit -m x'), 'Bash(git commit *)');
		assert.equal(await suggestion('tsc --noEmit'), 'Bash(tsc *)');
		assert.equal(await suggestion('git push origin x'), 'Bash(git push origin x)');
		assert.equal(await suggestion('make test'), 'Bash(make test)');
		assert.equal(await suggestion("python -c 'print(1)'"), "Bash(python -c 'print(1)')");
		for (const text of ['rm -rf build/tmp1', 'sudo make', "npm run 'a*'", 'curl https://x.example']) {
			assert.equal(await suggestion(text), undefined, text);
		}
		assert.equal(await suggestion('echo $X > y'), 'Edit(./y)');
		const rules = { allow: ['Bash(npm test -- a.spec.ts)'] };
		assert.equal((await command('npm test -- a.spec.ts', { rules })).verdict, 'allow');
		assert.equal((await command('npm test -- b.spec.ts', { rules })).verdict, 'ask');
	});

	test('read-only commands run unasked inside the workspace only, judged by real paths', async () => {
		const links = { '/w/link': '/etc' };
		for (const mode of ['default', 'plan', 'dontAsk', 'acceptEdits'] as const) {
			assert.equal(code(await command('cat a.txt', { mode })), 'allow');
			assert.equal(code(await command('git status', { mode, interactive: false })), 'allow');
		}
		assert.deepEqual(await command('cat ../o.txt'), {
			verdict: 'ask',
			reason: { code: 'outside_workspace', args: { path: '/o.txt' } },
			explanation: { part: '/o.txt', danger: 'outside_workspace' },
			suggestedRule: 'Read(//o.txt)',
		});
		assert.equal(code(await command('cat link/passwd', { links })), 'ask outside_workspace');
		assert.equal(code(await command('grep --file=/etc/passwd x')), 'ask outside_workspace');
		assert.equal(code(await command('head --lines=5 /w2/x')), 'ask outside_workspace');
		assert.equal(code(await command('ls', { cwd: '/tmp' })), 'ask outside_workspace');
		assert.equal(code(await command('cd sub')), 'allow');
		assert.equal(code(await command('cd /etc')), 'ask outside_workspace');
		assert.equal(code(await command('ls > ../o.txt')), 'ask outside_workspace');
		assert.equal(code(await command('ls', { shell: 'cmd' })), 'ask not_read_only');
	});

	test('path rules hold for what commands name', async () => {
		const rules = { deny: ['Read(.env)', 'Edit(secret/**)'] };
		for (const text of [
			'cat .env',
			'cat ./sub/.env',
			'cp .env x',
			'sort < .env',
			'echo x > secret/a',
			'rm secret/a',
			'true && head .ENV',
		]) {
			assert.equal(code(await command(text, { rules })), 'deny deny_rule', text);
		}
		assert.equal(code(await command('cat secret/a', { rules })), 'allow');
		assert.equal(code(await command('grep -r x .', { rules })), 'ask not_read_only');
	});

	test('critical removals ask in every mode and no rule allows them', async () => {
		const options: Case = { mode: 'bypassPermissions', rules: { allow: ['Bash(rm *)'] }, home: '/home/u' };
		const critical = [
			'rm -rf /',
			'rm -rf /usr',
			'rm -rf ~',
			'rm -rf /home/u',
			'rm -rf .',
			'rm -rf ..',
			'rm -rf *',
			'rm -rf /w',
		];
		critical.push('rm -rf "$DIR"/*', 'rm -r $DIR/', 'echo $(rm -rf /)', 'sudo rm -rf /', 'rm -rf ./*', 'rmdir /w/..');
		for (const text of critical) assert.equal(code(await command(text, options)), 'ask critical_path', text);
		assert.equal(code(await command('rm -rf build', options)), 'allow');
	});

	test('overlong commands: asked, and denied when they so much as name what is denied', async () => {
		const long = `echo ${'sudo a '.repeat(2_000)}`;
		assert.equal(code(await command(long, { rules: { allow: ['Bash(echo *)', 'Bash'] } })), 'ask unclear');
		assert.equal(code(await command(`${long}; x`)), 'ask unclear');
		assert.equal(code(await command(`${long} rm`, { rules: { deny: ['Bash(rm *)'] } })), 'deny deny_rule');
	});

	test('prefix rules do not reach wrappers and find -exec', async () => {
		const rules = { allow: ['Bash(find *)', 'Bash(watch *)', 'Bash(npm run build && npm test)'] };
		assert.equal((await command('find / -delete', { rules })).verdict, 'ask');
		assert.equal((await command('watch ls', { rules })).verdict, 'ask');
		assert.equal((await command('find /etc', { rules })).verdict, 'allow');
		assert.equal((await command('npm run build && npm test', { rules })).verdict, 'allow');
		assert.equal((await command('npm run build && npm test && x', { rules })).verdict, 'ask');
	});

	test('other shells: forbidding still reaches, allowing takes plain words only', async () => {
		const rules = { deny: ['Bash(rm *)'], allow: ['Bash(npm *)'] };
		for (const text of ['ls; RM x', 'ls & { rm x }', 'C:\\bin\\rm.exe x', 'ls `| rm x']) {
			assert.equal(code(await command(text, { rules, shell: 'pwsh' })), 'deny deny_rule', text);
		}
		assert.equal((await command('npm test', { rules, shell: 'cmd' })).verdict, 'allow');
		assert.equal((await command('npm %X%', { rules, shell: 'cmd' })).verdict, 'ask');
		assert.equal((await command("npm 'a & b'", { rules, shell: 'cmd' })).verdict, 'ask');
	});
});

suite('permissions: files', () => {
	const links = { '/w/link': '/tmp', '/w/dang': '/tmp/new' };

	test('B53: nothing outside is written or read unasked, short of bypass', async () => {
		for (const path of ['/o.txt', '/w2/o.txt', '/w/link/o.txt', '/w/dang', '/etc/x']) {
			for (const mode of ['default', 'acceptEdits'] as const) {
				assert.equal(code(await write(path, { mode, links })), 'ask outside_workspace', `${mode} ${path}`);
				assert.equal(code(await read(path, { mode, links })), 'ask outside_workspace', `${mode} ${path}`);
			}
			assert.equal(code(await write(path, { mode: 'dontAsk', links })), 'deny mode_denies');
			assert.equal(code(await read(path, { links, interactive: false })), 'deny nobody_to_ask');
			assert.equal(code(await write(path, { mode: 'bypassPermissions', links })), 'allow');
		}
		const verdict = await write('/w/link/o.txt', { links });
		assert.ok(verdict.verdict === 'ask');
		assert.deepEqual(verdict.reason.args, { path: '/tmp/o.txt' });
	});

	test('every workspace folder counts, also when it is a link itself', async () => {
		assert.equal(code(await read('/v/x', { roots: ['/w', '/v'] })), 'allow');
		assert.equal(code(await read('/v/x', { roots: ['/v'], links: { '/v': '/real/v' } })), 'allow');
	});

	test('modes', async () => {
		const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
		const codes = await Promise.all(modes.map(async (mode) => code(await write('/w/a.ts', { mode }))));
		assert.deepEqual(codes, ['ask mode_asks', 'allow', 'deny mode_denies', 'deny mode_denies', 'allow']);
		for (const mode of modes) assert.equal(code(await read('/w/a.ts', { mode, interactive: false })), 'allow');
		const none = { access: { kind: 'none' as const }, detail: { kind: 'generic' as const, input: '' } };
		for (const mode of modes) assert.equal((await verdictOf(none, { tool: 'TodoWrite', mode })).verdict, 'allow');
	});

	test('plan beats allow rules', async () => {
		const options: Case = { mode: 'plan', rules: { allow: ['Edit', 'Bash'] } };
		assert.equal(code(await write('/w/a.ts', options)), 'deny mode_denies');
		assert.equal(code(await command('npm test', options)), 'deny mode_denies');
	});

	test('protected paths ask even when edits are accepted, and no allow rule reaches them', async () => {
		const options: Case = { mode: 'acceptEdits', rules: { allow: ['Edit'] } };
		const paths = [
			'/w/.git/config',
			'/w/sub/.vscode/x',
			'/w/.BASHRC',
			'/w/a/package/.npmrc',
			'/w/.config/git/x',
			'/w/.claude/a',
		];
		for (const path of paths) assert.equal(code(await write(path, options)), 'ask protected_path', path);
		assert.equal(
			code(await write('/w/link', { ...options, links: { '/w/link': '/w/.git/hooks' } })),
			'ask protected_path',
		);
		assert.equal(code(await write('/w/.claude/worktrees/x/a.ts', options)), 'allow');
		assert.equal(code(await write('/w/.gitignore', options)), 'allow');
		assert.equal(code(await write('/w/.git/x', { mode: 'dontAsk', rules: { allow: ['Edit'] } })), 'deny mode_denies');
		assert.equal(code(await write('/w/.git/x', { mode: 'bypassPermissions' })), 'allow');
	});

	test('deny before ask before allow, whatever the order and however exact', async () => {
		const rules = { deny: ['Edit(src/**)'], ask: ['Edit'], allow: ['Edit(/src/a.ts)', 'Edit'] };
		assert.equal(code(await write('/w/src/a.ts', { rules, mode: 'bypassPermissions' })), 'deny deny_rule');
		assert.equal(code(await write('/w/lib/a.ts', { rules, mode: 'bypassPermissions' })), 'ask ask_rule');
		assert.equal(code(await write('/w/lib/a.ts', { rules: { allow: ['Edit(/lib/**)'] } })), 'allow');
	});

	test('a Read deny rule holds for Grep, Glob, Edit and Write; an Edit rule for Write', async () => {
		const rules = { deny: ['Read(.env)'] };
		for (const tool of ['Read', 'Grep', 'Glob'])
			assert.equal(code(await read('/w/a/.env', { tool, rules })), 'deny deny_rule');
		for (const tool of ['Edit', 'Write']) assert.equal(code(await write('/w/.env', { tool, rules })), 'deny deny_rule');
		assert.equal(code(await write('/w/a', { tool: 'Write', rules: { allow: ['Edit(a)'] } })), 'allow');
		assert.equal(code(await write('/w/a', { tool: 'Edit', rules: { allow: ['Write'] } })), 'ask mode_asks');
	});

	test('links: allow needs both names, deny hits by either', async () => {
		const options = (rules: Texts): Case => ({ rules, links: { '/w/in': '/w/real' } });
		assert.equal(code(await write('/w/in/a', options({ allow: ['Edit(/in/**)'] }))), 'ask mode_asks');
		assert.equal(code(await write('/w/in/a', options({ deny: ['Edit(/real/**)'] }))), 'deny deny_rule');
		assert.equal(code(await write('/w/in/a', options({ deny: ['Edit(/in/**)'] }))), 'deny deny_rule');
	});

	test('the offered rule is the file, and it then allows just that', async () => {
		const verdict = await write('/w/src/a.ts');
		assert.ok(verdict.verdict === 'ask');
		assert.equal(verdict.suggestedRule, 'Edit(src/**)');
		const rules = { allow: [verdict.suggestedRule ?? ''] };
		assert.equal(code(await write('/w/src/a.ts', { rules })), 'allow');
		assert.equal(code(await write('/w/lib/src/a.ts', { rules })), 'ask mode_asks');
		const atRoot = await write('/w/a.ts');
		assert.ok(atRoot.verdict === 'ask');
		assert.equal(atRoot.suggestedRule, 'Edit(./a.ts)');
		assert.equal(code(await write('/w/a.ts', { rules: { allow: ['Edit(./a.ts)'] } })), 'allow');
		assert.equal(code(await write('/w/b/a.ts', { rules: { allow: ['Edit(./a.ts)'] } })), 'ask mode_asks');
		const away = await read('/etc/hosts');
		assert.ok(away.verdict === 'ask');
		assert.equal(away.suggestedRule, 'Read(//etc/hosts)');
		assert.equal(code(await read('/etc/hosts', { rules: { allow: ['Read(//etc/hosts)'] } })), 'allow');
		const odd = await write('/w/a[1].ts');
		assert.ok(odd.verdict === 'ask' && odd.suggestedRule === undefined);
	});

	test('a deny rule that cannot be read holds for the whole tool', async () => {
		const rules = { deny: ['Edit(src/{a,b}.ts)', 'Bash('] };
		assert.equal(code(await write('/w/a', { rules, mode: 'bypassPermissions' })), 'deny deny_rule');
		assert.equal(code(await command('ls', { rules })), 'deny deny_rule');
		assert.equal(code(await write('/w/a', { rules: { allow: ['Edit(../x)'] } })), 'ask mode_asks');
	});

	test('rules on the home folder hold, also where it is not known', async () => {
		const rules = { deny: ['Read(~/.cfg/**)'] };
		assert.equal(code(await read('/home/u/.cfg/id', { rules, home: '/home/u' })), 'deny deny_rule');
		assert.equal(code(await read('/w/.cfg/id', { rules, home: '/home/u' })), 'allow');
		assert.equal(code(await read('/home/u/.cfg/id', { rules })), 'deny deny_rule');
		assert.equal(code(await command('cat ~/.cfg/id', { rules, home: '/home/u' })), 'deny deny_rule');
		assert.equal(code(await command('cat ~/.cfg/id', { rules })), 'deny deny_rule');
		assert.equal(code(await read('/home/u/x', { rules: { allow: ['Read(~/x)'] } })), 'ask outside_workspace');
	});

	test('what a deny rule keeps out of searches', () => {
		const mayRead = readFilter(
			readRules(sourced({ allow: ['Read'], deny: ['Read(.env)', 'Read(secret/**)', 'Edit(src/**)'] })).rules,
			['/w'],
		);
		assert.deepEqual(['/w/.env', '/w/a/.env', '/w/a/secret/x', '/w/src/a.ts', '/w/env'].map(mayRead), [
			false,
			false,
			false,
			true,
			true,
		]);
	});

	test('messages for the model say why and what to do', async () => {
		const verdict = await command('npm test', { interactive: false });
		assert.ok(verdict.verdict === 'deny');
		assert.match(verdict.message, /nobody can be asked/);
		assert.deepEqual(verdict.reason.args, { reason: 'not_read_only', part: 'npm test' });
	});
});
