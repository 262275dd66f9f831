// Worktrees on real git: made beside the repository, brought back each way or thrown away; and the person's folder as it was wherever
// that fails.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorktreeRoots } from '../../../src/host/worktrees/worktreeRoots.ts';
import {
	bringBack,
	createWorktree,
	removeWorktree,
	worktreesOf,
	worktreeState,
	type WayBack,
	type Worktree,
} from '../../../src/node/worktrees/worktrees.ts';

suite('worktrees', function () {
	this.timeout(30_000);
	let base: string;
	let repository: string;
	setup(() => {
		base = realpathSync(mkdtempSync(path.join(tmpdir(), 'lw-worktrees-')));
		repository = path.join(base, 'shop');
		mkdirSync(path.join(repository, 'web'), { recursive: true });
	});
	teardown(() => rmSync(base, { recursive: true, force: true }));

	const run = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
	const put = (folder: string, file: string, text: string | Buffer) => writeFileSync(path.join(folder, file), text);
	const read = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8');
	const status = () => run(repository, 'status', '--porcelain');
	function begin(): void {
		run(repository, 'init', '-q', '-b', 'main');
		run(repository, 'config', 'user.name', 'Ada');
		run(repository, 'config', 'user.email', 'ada@example.com');
		run(repository, 'config', 'core.autocrlf', 'false');
		put(repository, 'a.txt', 'one\ntwo\nthree\n');
		put(repository, 'web/page.txt', 'page\n');
		run(repository, 'add', '-A');
		run(repository, 'commit', '-q', '-m', 'first');
	}
	async function made(wish = 'Fix the Login!', root = repository): Promise<Worktree> {
		const worktree = await createWorktree(root, wish);
		return worktree.kind === 'worktree' ? worktree : assert.fail(JSON.stringify(worktree));
	}
	/** A committed change, one that is not, and a new file whose bytes are no UTF-8. */
	async function worked(): Promise<Worktree> {
		const worktree = await made();
		put(worktree.top, 'a.txt', 'one\ntwo\nTHREE\n');
		run(worktree.top, 'commit', '-q', '-am', 'three');
		put(worktree.top, 'web/page.txt', 'Page\n');
		put(worktree.top, 'new.bin', Buffer.from([0, 255, 233, 10]));
		put(worktree.top, 'latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
		return worktree;
	}
	const back = (worktree: Worktree, how: WayBack) => bringBack({ top: worktree.top, how, message: 'Fix the login' });
	const isBack = () => {
		assert.equal(read(repository, 'a.txt'), 'one\ntwo\nTHREE\n');
		assert.equal(read(repository, 'web/page.txt'), 'Page\n');
		assert.deepEqual([...readFileSync(path.join(repository, 'new.bin'))], [0, 255, 233, 10]);
		assert.equal(readFileSync(path.join(repository, 'latin.txt'), 'latin1'), 'caf\xe9\n');
	};

	test('begins with the last commit, beside the repository, on a branch of its own; the folder stays as it is', async () => {
		begin();
		put(repository, 'a.txt', 'mine\n');
		const worktree = await made('Fix the Login!', path.join(repository, 'web'));
		assert.equal(worktree.top, path.join(base, 'shop.worktrees', 'fix-the-login'));
		assert.equal(worktree.root, path.join(worktree.top, 'web'));
		assert.equal(worktree.branch, 'loopwright/fix-the-login');
		assert.equal(worktree.leftBehind, 1);
		assert.equal(read(worktree.top, 'a.txt'), 'one\ntwo\nthree\n');
		assert.equal(read(repository, 'a.txt'), 'mine\n');
		assert.equal(run(repository, 'branch', '--show-current'), 'main');
		assert.equal((await made('fix the login')).branch, 'loopwright/fix-the-login-2');
		assert.equal((await made('漢字')).branch, 'loopwright/session');
		const known = await worktreesOf(path.join(repository, 'web'));
		assert.equal(known.length, 3);
		assert.deepEqual(
			known.find(({ top }) => top === worktree.top),
			{ top: worktree.top, root: worktree.root, branch: worktree.branch },
		);
		const state = await worktreeState(worktree.root);
		assert.ok(state.kind === 'state');
		assert.deepEqual(
			[state.branch, state.mainTop, state.mainBranch, state.mainRoot, state.commits, state.changed],
			[worktree.branch, repository, 'main', path.join(repository, 'web'), 0, 0],
		);
	});

	test('brought back with its commits', async () => {
		begin();
		const worktree = await worked();
		put(repository, 'other.txt', 'untracked files of the person are in nobody’s way\n');
		assert.deepEqual(await back(worktree, 'merge'), { kind: 'done' });
		isBack();
		assert.equal(run(repository, 'log', '--format=%s', '--first-parent'), 'Fix the login\nfirst');
		assert.match(run(repository, 'log', '--format=%s'), /^three$/m);
		assert.equal(status(), '?? other.txt');
		assert.deepEqual(await back(worktree, 'merge'), problem('nothing'));
	});

	test('brought back as one commit', async () => {
		begin();
		const worktree = await worked();
		assert.deepEqual(await back(worktree, 'squash'), { kind: 'done' });
		isBack();
		const state = await worktreeState(worktree.root);
		assert.ok(state.kind === 'state');
		assert.deepEqual([state.commits, state.changed], [0, 0], 'nothing is lost with it');
		assert.equal(run(repository, 'log', '--format=%s'), 'Fix the login\nfirst');
		assert.equal(status(), '');
	});

	test('brought back as changes that are not committed, beside those of the person; the worktree as it was', async () => {
		begin();
		const worktree = await worked();
		put(repository, 'mine.txt', 'mine\n');
		put(repository, 'a.txt', 'ONE\ntwo\nthree\n');
		const before = run(worktree.top, 'status', '--porcelain');
		assert.equal((await back(worktree, 'apply')).kind, 'problem', 'the same lines are changed on both sides');
		put(repository, 'a.txt', 'one\ntwo\nthree\n');
		assert.deepEqual(await back(worktree, 'apply'), { kind: 'done' });
		isBack();
		assert.equal(run(repository, 'log', '--format=%s'), 'first');
		assert.equal(run(worktree.top, 'status', '--porcelain'), before);
		assert.equal(read(repository, 'mine.txt'), 'mine\n');
	});

	test('changes of the person stop a merge, conflicts undo it whole', async () => {
		begin();
		const worktree = await worked();
		put(repository, 'web/page.txt', 'mine\n');
		for (const how of ['merge', 'squash'] as const) {
			assert.deepEqual(await back(worktree, how), problem('dirty', ['web/page.txt']));
		}
		assert.equal(read(repository, 'web/page.txt'), 'mine\n');
		run(repository, 'commit', '-q', '-am', 'mine');
		const head = run(repository, 'rev-parse', 'HEAD');
		for (const how of ['merge', 'squash', 'apply'] as const) {
			const outcome = await back(worktree, how);
			assert.ok(outcome.kind === 'problem' && outcome.code === 'conflicts', how);
			assert.deepEqual(outcome.files, ['web/page.txt'], how);
			assert.deepEqual([run(repository, 'rev-parse', 'HEAD'), status()], [head, ''], how);
			assert.equal(existsSync(path.join(repository, 'new.bin')), false, how);
		}
		assert.equal(existsSync(path.join(repository, '.git', 'MERGE_HEAD')), false);
	});

	test('a hook that refuses the commit leaves the folder as it was', async function () {
		if (process.platform === 'win32') this.skip();
		begin();
		const worktree = await worked();
		mkdirSync(path.join(repository, '.git', 'hooks'), { recursive: true });
		const hook = '#!/bin/sh\necho no such commits here >&2\nexit 1\n';
		for (const name of ['pre-commit', 'pre-merge-commit', 'commit-msg'])
			writeFileSync(path.join(repository, '.git', 'hooks', name), hook, { mode: 0o755 });
		for (const how of ['merge', 'squash'] as const) {
			const outcome = await back(worktree, how);
			assert.ok(outcome.kind === 'problem' && outcome.code === 'failed');
			assert.match(outcome.detail, /no such commits here/);
			assert.deepEqual([status(), run(repository, 'log', '--format=%s')], ['', 'first'], how);
		}
	});

	test('thrown away: folder and branch are gone, nothing else', async () => {
		begin();
		const worktree = await worked();
		assert.deepEqual(await removeWorktree(worktree.top), { kind: 'done' });
		assert.equal(existsSync(worktree.top), false);
		assert.equal(run(repository, 'branch', '--format=%(refname:short)'), 'main');
		assert.deepEqual(await worktreesOf(repository), []);
		assert.deepEqual([status(), read(repository, 'a.txt')], ['', 'one\ntwo\nthree\n']);
	});

	test('those of the folders that are open, each with the one that it stands for; git is asked when somebody looks', async () => {
		begin();
		const worktree = await made('x', path.join(repository, 'web'));
		run(repository, 'worktree', 'add', '-q', '-b', 'own', path.join(base, 'own'));
		const web = path.join(repository, 'web');
		const roots = new WorktreeRoots(() => [web, base]);
		assert.deepEqual(roots.roots, []);
		await roots.look();
		assert.deepEqual(roots.roots, [worktree.root]);
		assert.equal(roots.mainOf(worktree.root), web);
		assert.equal(roots.mainOf(web), web);
		const inside = new WorktreeRoots(() => [worktree.root]);
		await inside.look();
		assert.deepEqual(inside.roots, [], 'a worktree that is open is a folder like any other');
		await removeWorktree(worktree.top);
		await roots.look();
		assert.equal(roots.of(worktree.root), undefined);
		roots.add(worktree, web);
		assert.equal(roots.of(worktree.root)?.branch, worktree.branch);
		roots.remove(worktree.root);
		assert.deepEqual(roots.roots, []);
	});

	test('no repository, no commit, no git, no worktree of ours: each is said, and nothing is made', async () => {
		assert.equal((await createWorktree(repository, 'x')).kind, 'problem');
		assert.deepEqual(await createWorktree(path.join(base, 'nowhere'), 'x'), problem('no_repository'));
		const none = await createWorktree(repository, 'x');
		assert.ok(none.kind === 'problem' && none.code === 'no_repository');
		run(repository, 'init', '-q');
		assert.deepEqual(await createWorktree(repository, 'x'), problem('no_commits'));
		begin();
		assert.deepEqual(await worktreeState(repository), problem('unknown'));
		assert.deepEqual(await removeWorktree(repository), problem('unknown'));
		run(repository, 'worktree', 'add', '-q', '-b', 'own', path.join(base, 'own'));
		assert.deepEqual(await removeWorktree(path.join(base, 'own')), problem('unknown'), 'the person’s own is not ours');
		assert.deepEqual(await worktreesOf(repository), []);
		const found = process.env['PATH'];
		try {
			process.env['PATH'] = base;
			assert.deepEqual(await createWorktree(repository, 'x'), problem('no_git'));
		} finally {
			process.env['PATH'] = found;
		}
		assert.equal(existsSync(path.join(base, 'shop.worktrees')), false);
	});

	function problem(code: string, files: readonly string[] = [], detail = '') {
		return { kind: 'problem', code, files, detail };
	}
});
