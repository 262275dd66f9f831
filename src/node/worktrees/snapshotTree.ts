// All of a worktree as a tree of git, with what is not committed and not even known to it. Contract: neither the folder nor its index
// changes.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { git, type GitResult } from './git.ts';

/** The tree's hash, or what git said. */
export async function snapshotTree(cwd: string): Promise<string | GitResult> {
	const folder = await mkdtemp(path.join(tmpdir(), 'loopwright-index-'));
	const index = path.join(folder, 'index');
	const env = { GIT_INDEX_FILE: index };
	try {
		const own = await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], { cwd });
		// With what git knows of unchanged files it need not read them.
		await copyFile(own.stdout.trim(), index).catch(() => {});
		const added = await git(['add', '-A'], { cwd, env });
		if (added.code !== 0) return added;
		const written = await git(['write-tree'], { cwd, env });
		return written.code === 0 ? written.stdout.trim() : written;
	} finally {
		await rm(folder, { recursive: true, force: true }).catch(() => {});
	}
}
