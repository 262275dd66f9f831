// The Workspace port on the disk, for the headless runner. Writes are atomic, keep the file's mode, encoding and links,
// and happen only when the text on disk is still the expected one.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
	chmod,
	chown,
	copyFile,
	lstat,
	mkdir,
	open,
	readdir,
	readlink,
	realpath,
	rename,
	rm,
	stat,
	writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type { ChangeOutcome, FileChange, FileContent, FileStat, Workspace } from '../../core/ports/workspace.ts';
import { applyEdits } from '../../core/tools/edits.ts';
import { decodeText, encodeText } from './textFile.ts';
import type { Encoding } from './textFile.ts';

export interface NodeWorkspaceOptions {
	/** Absolute paths, the session's root first; at least one. */
	readonly roots: readonly string[];
	/** Bytes of the largest file that is loaded; default `limits.fileBytes`. */
	readonly maxBytes?: number;
}

type Loaded = { readonly content: FileContent; readonly encoding: Encoding };

export class NodeWorkspace implements Workspace {
	readonly roots: readonly string[];
	private readonly maxBytes: number;
	/** Changes of one file happen one after the other. */
	private readonly queues = new Map<string, Promise<unknown>>();
	private readonly resolving = new Map<string, Promise<string>>();

	constructor({ roots, maxBytes }: NodeWorkspaceOptions) {
		this.roots = roots;
		this.maxBytes = maxBytes ?? limits.fileBytes;
	}

	async read(file: string): Promise<FileContent> {
		return (await this.load(file)).content;
	}

	async stat(file: string): Promise<FileStat | undefined> {
		try {
			const found = await stat(file);
			const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
			return { kind, size: found.size, mtime: found.mtimeMs };
		} catch {
			return undefined;
		}
	}

	async change(change: FileChange): Promise<ChangeOutcome> {
		const real = await this.realPath(change.path);
		const before = this.queues.get(real) ?? Promise.resolve();
		const done = before.then(() => this.changeNow(real, change));
		this.queues.set(real, done);
		try {
			return await done;
		} finally {
			if (this.queues.get(real) === done) this.queues.delete(real);
		}
	}

	/** Calls that come while one for the same path is under way share its answer: ten Reads at once ask for the root ten times. */
	async realPath(file: string): Promise<string> {
		const known = this.resolving.get(file);
		if (known) return known;
		const found = realPathOf(file, 0).finally(() => this.resolving.delete(file));
		this.resolving.set(file, found);
		return found;
	}

	async list(folder: string): Promise<readonly string[]> {
		try {
			return (await readdir(folder)).sort();
		} catch {
			return [];
		}
	}

	private async load(file: string): Promise<Loaded> {
		const plain = (content: FileContent): Loaded => ({ content, encoding: 'utf8' });
		try {
			const found = await stat(file);
			if (found.isDirectory()) return plain({ kind: 'folder' });
			if (!found.isFile()) return plain({ kind: 'failed', message: 'it is no regular file' });
			if (found.size > this.maxBytes) {
				return plain({ kind: 'too_large', size: found.size, limit: this.maxBytes });
			}
			const bytes = await readBytes(file, found.size, this.maxBytes);
			if (bytes === undefined) return plain({ kind: 'too_large', size: this.maxBytes + 1, limit: this.maxBytes });
			const decoded = decodeText(bytes);
			if (decoded.kind !== 'text') return plain({ ...decoded, size: bytes.length });
			return { content: { kind: 'text', text: decoded.text, unsaved: false }, encoding: decoded.encoding };
		} catch (error) {
			const code = codeOf(error);
			if (code === 'ENOENT' || code === 'ENOTDIR') return plain({ kind: 'missing' });
			return plain({ kind: 'failed', message: messageOf(error) });
		}
	}

	private async changeNow(real: string, { expected, edits }: FileChange): Promise<ChangeOutcome> {
		const { content, encoding } = await this.load(real);
		const current = content.kind === 'text' ? content.text : content.kind === 'missing' ? undefined : null;
		const isExpected = expected === undefined ? current === undefined || current === '' : current === expected;
		if (!isExpected) return { kind: 'changed', current: content };
		const text = applyEdits(expected ?? '', edits);
		const bytes = encodeText(text, encoding);
		// A lone surrogate has no bytes; writing would put a replacement character into the file.
		if (!text.isWellFormed())
			return { kind: 'failed', message: 'the text contains half a character (a lone surrogate)' };
		try {
			await mkdir(path.dirname(real), { recursive: true });
			await writeAtomically(real, bytes, current === undefined);
			return { kind: 'applied', text, saved: true };
		} catch (error) {
			if (codeOf(error) === 'EEXIST') return { kind: 'changed', current: await this.read(real) };
			return { kind: 'failed', message: messageOf(error) };
		}
	}
}

/** At most `max` bytes; `undefined` when the file has grown beyond. `expected`: its size as it was found. */
async function readBytes(file: string, expected: number, max: number): Promise<Buffer | undefined> {
	// Without O_NONBLOCK, a pipe put in the file's place would block.
	const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		// One byte more than there should be: a read that stops before it has come to the end. (Files of the system say 0.)
		let bytes = Buffer.allocUnsafe(expected === 0 ? 64 * 1024 : expected + 1);
		let size = 0;
		for (;;) {
			const { bytesRead } = await handle.read(bytes, size, bytes.length - size, null);
			size += bytesRead;
			if (bytesRead === 0 || (expected > 0 && size === expected)) return bytes.subarray(0, size);
			if (size > max) return undefined;
			if (size === bytes.length) bytes = Buffer.concat([bytes], size * 2);
		}
	} finally {
		await handle.close();
	}
}

/**
 * Through a file beside it, so that a crash leaves the old text or the new one. Where that would break a hard link or the
 * folder takes no new files, the file is written in place.
 */
async function writeAtomically(file: string, bytes: Buffer, isNew: boolean): Promise<void> {
	const old = isNew ? undefined : await stat(file);
	if (old !== undefined && old.nlink > 1) return writeFile(file, bytes);
	if (old !== undefined && (old.mode & 0o222) === 0) throw new Error('the file is read-only');
	const temporary = path.join(path.dirname(file), `.${path.basename(file).slice(0, 100)}.${randomUUID()}.tmp`);
	try {
		await writeFile(temporary, bytes, { flag: 'wx' });
		if (old !== undefined) {
			// Only root may give a file away; for others it has the right owner already.
			await chown(temporary, old.uid, old.gid).catch(() => undefined);
			await chmod(temporary, old.mode & 0o7777);
		}
		// A file that came into being meanwhile is not overwritten.
		if (isNew) await copyFile(temporary, file, constants.COPYFILE_EXCL);
		else await rename(temporary, file);
	} catch (error) {
		const code = codeOf(error);
		if (old === undefined || (code !== 'EACCES' && code !== 'EPERM' && code !== 'EXDEV')) throw error;
		await writeFile(file, bytes);
	} finally {
		await rm(temporary, { force: true });
	}
}

/** Links resolved as far as the path exists; dangling links are followed to where they lead. `depth` bounds loops. */
async function realPathOf(file: string, depth: number): Promise<string> {
	try {
		return await realpath(file);
	} catch {
		const parent = path.dirname(file);
		if (parent === file || depth > 100) return file;
		const link = await lstat(file).catch(() => undefined);
		if (link?.isSymbolicLink() === true) {
			return realPathOf(path.resolve(await realPathOf(parent, depth + 1), await readlink(file)), depth + 1);
		}
		return path.join(await realPathOf(parent, depth + 1), path.basename(file));
	}
}

function codeOf(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
