// Git worktrees for sessions: a folder of its own, on a branch of its own, beside the repository, and the ways back. Contract: the
// person's branch and folder change only by what was asked for, and not at all where that fails half-way.
import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { git, type GitResult } from './git.ts';
import { snapshotTree } from './snapshotTree.ts';

/** Why nothing was done. `detail`: git's own words, English; empty where the code says it all. */
export interface WorktreeProblem {
	readonly kind: 'problem';
	readonly code:
		| 'no_git'
		| 'no_repository'
		| 'no_commits'
		/** The folder of the repository has changes that a merge could mix with. */
		| 'dirty'
		/** Both sides changed the same lines; `files` names them. */
		| 'conflicts'
		/** The worktree changed nothing. */
		| 'nothing'
		/** It is no worktree of ours, or is gone. */
		| 'unknown'
		| 'failed';
	readonly files: readonly string[];
	readonly detail: string;
}

export interface Worktree {
	readonly kind: 'worktree';
	/** Of the worktree, absolute. */
	readonly top: string;
	/** The folder in it that stands for the session's folder. */
	readonly root: string;
	/** As `loopwright/login`. */
	readonly branch: string;
	/** Changed files of the repository's folder that it does not have: it begins with the last commit. */
	readonly leftBehind: number;
}

export interface WorktreeState {
	readonly kind: 'state';
	readonly branch: string;
	/** Of the repository itself. */
	readonly mainTop: string;
	/** What is checked out there; undefined when that is no branch. */
	readonly mainBranch: string | undefined;
	/** The folder of the repository that the worktree's root stands for. */
	readonly mainRoot: string;
	/** Commits that the repository's folder does not have; none when it has all that they change. */
	readonly commits: number;
	/** Files that are not committed. */
	readonly changed: number;
}

/** `merge`: with its commits. `squash`: as one commit. `apply`: as changes that are not committed. */
export type WayBack = 'merge' | 'squash' | 'apply';

export interface BackOrder {
	readonly top: string;
	readonly how: WayBack;
	/** Of the commits that are made. */
	readonly message: string;
}

const prefix = 'loopwright/';
const longestName = 40;

/** A worktree of the repository that `root` lies in. `wish`: what it is about; it becomes the name, or a part of it. */
export async function createWorktree(root: string, wish: string): Promise<Worktree | WorktreeProblem> {
	const top = await topOf(root);
	if (typeof top !== 'string') return top;
	const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: top });
	if (head.code !== 0) return problem('no_commits');
	const changed = await git(['status', '--porcelain', '-z'], { cwd: top });
	const folder = path.join(path.dirname(top), `${path.basename(top)}.worktrees`);
	const name = await freeName(top, folder, wish);
	const [target, branch] = [path.join(folder, name), prefix + name];
	try {
		await mkdir(folder, { recursive: true });
	} catch (error) {
		return problem('failed', String(error));
	}
	const added = await git(['worktree', 'add', '-b', branch, target, 'HEAD'], { cwd: top });
	if (added.code !== 0) return failed(added);
	const relative = path.relative(top, await realpath(root));
	const inside = path.join(target, relative);
	const kept = await stat(inside).catch(() => undefined);
	const leftBehind = changed.stdout.split('\0').filter(Boolean).length;
	return { kind: 'worktree', top: target, root: kept?.isDirectory() ? inside : target, branch, leftBehind };
}

/** Of a worktree that `createWorktree` made; `root` lies in it. */
export async function worktreeState(root: string): Promise<WorktreeState | WorktreeProblem> {
	const top = await topOf(root);
	if (typeof top !== 'string') return top.code === 'no_git' ? top : problem('unknown');
	const branch = await branchOf(top);
	const mainTop = await mainOf(top);
	if (!branch?.startsWith(prefix) || mainTop === undefined || mainTop === top) return problem('unknown');
	const ahead = await git(['rev-list', '--count', `HEAD..refs/heads/${branch}`], { cwd: mainTop });
	if (ahead.code !== 0) return failed(ahead);
	const commits = Number(ahead.stdout.trim());
	const changed = await git(['status', '--porcelain', '-z'], { cwd: top });
	return {
		kind: 'state',
		branch,
		mainTop,
		mainBranch: await branchOf(mainTop),
		mainRoot: path.join(mainTop, path.relative(top, await realpath(root))),
		commits: commits > 0 && (await hasAllOf(mainTop, branch)) ? 0 : commits,
		changed: changed.stdout.split('\0').filter(Boolean).length,
	};
}

/** Merging the branch would change nothing: as one commit, all of it is there already. False with a git older than 2.38. */
async function hasAllOf(mainTop: string, branch: string): Promise<boolean> {
	const merged = await git(['merge-tree', '--write-tree', 'HEAD', `refs/heads/${branch}`], { cwd: mainTop });
	const present = await git(['rev-parse', 'HEAD^{tree}'], { cwd: mainTop });
	return merged.code === 0 && present.code === 0 && merged.stdout.trim() === present.stdout.trim();
}

/** Brings what a worktree changed into the repository's folder; the worktree stays. */
export async function bringBack({
	top,
	how,
	message,
}: BackOrder): Promise<{ readonly kind: 'done' } | WorktreeProblem> {
	const state = await worktreeState(top);
	if (state.kind === 'problem') return state;
	if (state.commits === 0 && state.changed === 0) return problem('nothing');
	if (how === 'apply') return await apply(top, state.mainTop);
	const target = await git(['status', '--porcelain', '-z', '--untracked-files=no'], { cwd: state.mainTop });
	const dirty = target.stdout.split('\0').filter(Boolean);
	if (dirty.length > 0)
		return problem(
			'dirty',
			'',
			dirty.map((line) => line.slice(3)),
		);
	if (state.changed > 0) {
		const kept = await commitAll(top, message);
		if (kept.code !== 0) return failed(kept);
	}
	return await merge(state, how, message);
}

/** Takes the worktree and its branch away, with what was not brought back. */
export async function removeWorktree(top: string): Promise<{ readonly kind: 'done' } | WorktreeProblem> {
	const state = await worktreeState(top);
	if (state.kind === 'problem') return state;
	const cwd = state.mainTop;
	const removed = await git(['worktree', 'remove', '--force', top], { cwd });
	if (removed.code !== 0) {
		// A program may still have a file open in it: what can be taken away goes, and git forgets the rest.
		await rm(top, { recursive: true, force: true }).catch(() => {});
		await git(['worktree', 'prune'], { cwd });
		if (await stat(top).catch(() => undefined)) return failed(removed);
	}
	const gone = await git(['branch', '-D', state.branch], { cwd });
	return gone.code === 0 ? { kind: 'done' } : failed(gone);
}

/** A worktree that is there. */
export type KnownWorktree = Pick<Worktree, 'top' | 'root' | 'branch'>;

/** All worktrees of ours of the repository that `root` lies in; none without a repository. Never rejects. */
export async function worktreesOf(root: string): Promise<readonly KnownWorktree[]> {
	const top = await topOf(root);
	if (typeof top !== 'string') return [];
	const inside = path.relative(top, await realpath(root).catch(() => root));
	const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: root });
	return listed.stdout.split('\0\0').flatMap((block) => {
		const fields = block.split('\0').filter(Boolean);
		const of = (name: string) => fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1);
		const [folder, branch] = [of('worktree'), of('branch')?.replace('refs/heads/', '')];
		if (folder === undefined || !branch?.startsWith(prefix)) return [];
		return [{ top: path.normalize(folder), root: path.join(folder, inside), branch }];
	});
}

async function merge(
	{ mainTop, branch }: WorktreeState,
	how: 'merge' | 'squash',
	message: string,
): Promise<{ readonly kind: 'done' } | WorktreeProblem> {
	const cwd = mainTop;
	const way = how === 'squash' ? ['--squash'] : ['--no-ff', '--no-commit'];
	const merged = await git(['merge', ...way, branch], { cwd });
	const undo = () => git(how === 'squash' ? ['reset', '--merge'] : ['merge', '--abort'], { cwd });
	if (merged.code !== 0) {
		const unmerged = await git(['diff', '--name-only', '--diff-filter=U', '-z'], { cwd });
		const files = unmerged.stdout.split('\0').filter(Boolean);
		await undo();
		return files.length > 0 ? problem('conflicts', '', files) : failed(merged);
	}
	const committed = await git(['commit', '-m', message], { cwd });
	if (committed.code === 0) return { kind: 'done' };
	await undo();
	return failed(committed);
}

/** All or nothing, beside what the person has changed: git applies a patch whole, or not at all. */
async function apply(top: string, mainTop: string): Promise<{ readonly kind: 'done' } | WorktreeProblem> {
	const tree = await snapshotTree(top);
	const head = await git(['rev-parse', 'HEAD'], { cwd: mainTop });
	if (typeof tree !== 'string') return failed(tree);
	const base = await git(['merge-base', 'HEAD', head.stdout.trim()], { cwd: top });
	if (base.code !== 0) return failed(base);
	const encoding = 'latin1';
	const from = base.stdout.trim();
	const patch = await git(['diff', '--binary', '--no-color', '--no-ext-diff', from, tree], { cwd: top, encoding });
	if (patch.code !== 0) return failed(patch);
	if (patch.stdout === '') return problem('nothing');
	const applied = await git(['apply', '--whitespace=nowarn', '-'], { cwd: mainTop, encoding, input: patch.stdout });
	if (applied.code === 0) return { kind: 'done' };
	const named = [...applied.stderr.matchAll(/^error: (?:patch failed: )?(.+?)(?::\d+)?(?:: [^:]*)?$/gm)];
	const files = [...new Set(named.map(([, file = '']) => file))];
	return files.length > 0 ? problem('conflicts', applied.stderr, files) : failed(applied);
}

/** Without the hooks and the signature of the person: it is on our branch, and a merge brings theirs. */
async function commitAll(cwd: string, message: string): Promise<GitResult> {
	const added = await git(['add', '-A'], { cwd });
	if (added.code !== 0) return added;
	return await git(['-c', 'commit.gpgsign=false', 'commit', '--no-verify', '-m', message], { cwd });
}

async function topOf(folder: string): Promise<string | WorktreeProblem> {
	if (!(await stat(folder).catch(() => undefined))) return problem('no_repository');
	const found = await git(['rev-parse', '--show-toplevel'], { cwd: folder });
	if (found.missing) return problem('no_git');
	const top = found.stdout.trim();
	return found.code === 0 && top !== '' ? path.normalize(top) : problem('no_repository', found.stderr);
}

/** The folder of the repository itself: the first one that git lists. */
async function mainOf(cwd: string): Promise<string | undefined> {
	const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd });
	const [first] = listed.stdout.split('\0');
	return first?.startsWith('worktree ') ? path.normalize(first.slice('worktree '.length)) : undefined;
}

async function branchOf(cwd: string): Promise<string | undefined> {
	const head = await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd });
	return head.code === 0 ? head.stdout.trim() : undefined;
}

/** One that neither a folder nor a branch has. */
async function freeName(top: string, folder: string, wish: string): Promise<string> {
	const words = wish
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-');
	const plain = words.slice(0, longestName).replace(/^-+|-+$/g, '') || 'session';
	for (let number = 1; ; number++) {
		const name = number === 1 ? plain : `${plain}-${number}`;
		const known = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${prefix}${name}`], { cwd: top });
		if (known.code !== 0 && !(await stat(path.join(folder, name)).catch(() => undefined))) return name;
	}
}

function problem(code: WorktreeProblem['code'], detail = '', files: readonly string[] = []): WorktreeProblem {
	return { kind: 'problem', code, detail, files };
}

function failed({ missing, stderr, stdout }: GitResult): WorktreeProblem {
	return missing ? problem('no_git') : problem('failed', stderr || stdout.trim());
}
