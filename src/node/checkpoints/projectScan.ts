// A look over the folders of a project: sizes and times of what is neither ignored nor git's, bounded in number and time, and
// what git has of it. Contract: nothing is written; git is asked for objects and for its index only, and refreshes nothing.
import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';
import { limits } from '../../core/limits.ts';
import { childEnvironment } from '../shell/environment.ts';
import type { FileMark, Listing, ProjectScan, TrackedFiles } from '../../core/ports/projectScan.ts';

/** Never looked into, ignored or not. */
const passedOver = new Set(['.git', 'node_modules', '.hg', '.svn', '.venv', '__pycache__']);

export interface ProjectScanOptions {
	/** Absolute. */
	readonly roots: () => readonly string[];
	/** False: git is not asked, as a folder's own configuration could start programs. */
	readonly trusted: () => boolean;
	readonly now?: () => number;
	/** Of one look; `checkpointScanFiles` unless given. */
	readonly maxFiles?: number;
}

/** What applies below a folder. */
interface Rules {
	readonly folder: string;
	readonly ignored: Ignore;
}

export class NodeProjectScan implements ProjectScan {
	private readonly options: ProjectScanOptions;

	constructor(options: ProjectScanOptions) {
		this.options = options;
	}

	async list(signal: AbortSignal): Promise<Listing> {
		const now = this.options.now ?? Date.now;
		const until = now() + limits.checkpointScanMs;
		const maxFiles = this.options.maxFiles ?? limits.checkpointScanFiles;
		const files = new Map<string, FileMark>();
		const folders: { folder: string; rules: readonly Rules[] }[] = [];
		for (const folder of this.options.roots()) folders.push({ folder, rules: [] });
		for (let next = folders.pop(); next; next = folders.pop()) {
			if (signal.aborted || now() > until || files.size >= maxFiles) return { files, complete: false };
			const { folder, rules } = next;
			const found = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
			const all = found.some(({ name }) => name === '.gitignore') ? [...rules, await rulesOf(folder)] : rules;
			const names: string[] = [];
			for (const entry of found) {
				if (passedOver.has(entry.name)) continue;
				const file = path.join(folder, entry.name);
				if (isIgnored(file, all, entry.isDirectory())) continue;
				if (entry.isDirectory()) folders.push({ folder: file, rules: all });
				else if (entry.isFile()) names.push(file);
			}
			const beyond = names.splice(maxFiles - files.size);
			const marks = await Promise.all(names.map(async (file) => markOf(await lstat(file).catch(() => undefined))));
			marks.forEach((mark, index) => mark && files.set(names[index] ?? '', mark));
			if (beyond.length > 0) return { files, complete: false };
		}
		return { files, complete: true };
	}

	async tracked(signal: AbortSignal): Promise<TrackedFiles> {
		const objects = new Map<string, { readonly root: string; readonly id: string }>();
		if (this.options.trusted()) {
			for (const root of this.options.roots()) await addObjects(root, objects, signal);
		}
		return {
			async bytes(file, size) {
				const object = objects.get(file);
				const bytes = object && (await git(object.root, ['cat-file', 'blob', object.id], { maxBytes: size + 1 }));
				return bytes?.length === size ? bytes : undefined;
			},
		};
	}

	async filesOf(target: string, limit: number): Promise<readonly string[]> {
		const found: string[] = [];
		const folders = [target];
		for (let next = folders.pop(); next !== undefined && found.length < limit; next = folders.pop()) {
			// Git's own is named as it is, so that it is said that it is not kept.
			const name = path.basename(next);
			if (passedOver.has(name) && name !== '.git') continue;
			const stats = name === '.git' ? undefined : statsOf(next);
			if (!stats?.isDirectory()) {
				found.push(next);
				continue;
			}
			const entries = await readdir(next, { withFileTypes: true }).catch((): Dirent[] => []);
			for (const entry of entries) {
				const file = path.join(next, entry.name);
				if (entry.isDirectory()) folders.push(file);
				else if (entry.isFile() && found.length < limit) found.push(file);
			}
		}
		return found;
	}

	async mark(file: string): Promise<FileMark | undefined> {
		return markOf(statsOf(file));
	}

	async folderChanged(folder: string): Promise<number | undefined> {
		const stats = await lstat(folder).catch(() => undefined);
		return stats?.isDirectory() ? stats.mtimeMs : undefined;
	}
}

/** Synchronous, as a command waits for it: see `BlobStore.put`. */
function statsOf(file: string): Stats | undefined {
	try {
		return lstatSync(file, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function markOf(stats: Stats | undefined): FileMark | undefined {
	return stats?.isFile() ? { size: stats.size, mtime: stats.mtimeMs, changed: stats.ctimeMs } : undefined;
}

async function rulesOf(folder: string): Promise<Rules> {
	const text = await readFile(path.join(folder, '.gitignore'), 'utf8').catch(() => '');
	return { folder, ignored: ignore().add(text) };
}

/** The innermost file that says something about it wins. */
function isIgnored(file: string, rules: readonly Rules[], isFolder: boolean): boolean {
	for (const { folder, ignored } of rules.toReversed()) {
		const relative = path.relative(folder, file).split(path.sep).join('/');
		const verdict = ignored.test(isFolder ? `${relative}/` : relative);
		if (verdict.ignored || verdict.unignored) return verdict.ignored;
	}
	return false;
}

/** The ids of the files below a folder that are as git's index has them. */
async function addObjects(
	root: string,
	objects: Map<string, { readonly root: string; readonly id: string }>,
	signal: AbortSignal,
): Promise<void> {
	const options = { maxBytes: 64 * 1024 * 1024, signal };
	const staged = await git(root, ['ls-files', '--stage', '-z'], options);
	const changed = staged && (await git(root, ['ls-files', '--modified', '-z'], options));
	if (!changed) return;
	const modified = new Set(changed.toString('utf8').split('\0'));
	for (const line of staged.toString('utf8').split('\0')) {
		const [, id, name] = /^100\d{3} ([0-9a-f]{40,64}) 0\t(.+)$/s.exec(line) ?? [];
		if (id !== undefined && name !== undefined && !modified.has(name)) objects.set(path.join(root, name), { root, id });
	}
}

/** Undefined for whatever fails: no git, no repository, too much. */
function git(
	cwd: string,
	args: readonly string[],
	{ maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<Buffer | undefined> {
	// No optional lock: the index is read, never refreshed. No monitor: nothing is started for it.
	const env = { ...childEnvironment(process.env), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
	const all = ['-c', 'core.fsmonitor=false', '--no-replace-objects', ...args];
	const options = { cwd, env, encoding: 'buffer' as const, maxBuffer: maxBytes, timeout: 5_000, windowsHide: true };
	return new Promise((resolve) => {
		execFile('git', all, signal ? { ...options, signal } : options, (error, stdout) =>
			resolve(error === null ? stdout : undefined),
		);
	});
}
