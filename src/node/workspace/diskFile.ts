// One file on the disk: its bytes and text, why it could not be written, and writing it whole or not at all.
// Contract: links lead where they led, mode and hard links stay, and a file that has changed meanwhile is not written.
import { isAscii } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import {
	access,
	chmod,
	chown,
	copyFile,
	link,
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
import type { FileContent, FileStat, TextEdit, TextFile } from '../../core/ports/workspace.ts';
import { encodingLabel, isUnicode } from '../text/encodings.ts';
import type { Encoding } from '../text/encodings.ts';
import { decodeText, encodeText, spliceBytes } from '../text/textBytes.ts';
import type { DecodedText } from '../text/textBytes.ts';

export interface TextOnDisk {
	readonly kind: 'text';
	readonly bytes: Buffer;
	readonly decoded: DecodedText;
	/** Tells whether somebody has written the file since. */
	readonly stamp: string;
}
export type OnDisk = TextOnDisk | Exclude<FileContent, TextFile>;

export interface LoadOptions {
	readonly maxBytes: number;
	/** What the file's text is taken for when no mark says otherwise; asked only when it makes a difference. */
	readonly assumed?: () => Promise<Encoding | undefined>;
}

/** Reads and decodes a file. Never throws for what the disk holds. */
export async function loadFile(file: string, { maxBytes, assumed }: LoadOptions): Promise<OnDisk> {
	try {
		const found = await stat(file, { bigint: true });
		if (found.isDirectory()) return { kind: 'folder' };
		if (!found.isFile()) return { kind: 'failed', message: 'it is no regular file (a pipe, socket or device)' };
		const size = Number(found.size);
		if (size > maxBytes) return { kind: 'too_large', size, limit: maxBytes };
		const bytes = await readBytes(file, size, maxBytes);
		if (bytes === undefined) return { kind: 'too_large', size: maxBytes + 1, limit: maxBytes };
		const encoding = isAscii(bytes) ? undefined : await assumed?.();
		const decoded = decodeText(bytes, encoding);
		if (decoded.kind !== 'text') return { ...decoded, size: bytes.length };
		return { kind: 'text', bytes, decoded, stamp: stampOf(found) };
	} catch (error) {
		const code = codeOf(error);
		if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
		return { kind: 'failed', message: messageOf(error) };
	}
}

/** What a reader is told. */
export function contentOf(found: OnDisk): FileContent {
	if (found.kind !== 'text') return found;
	return textFile(found.decoded.text, found.decoded.encoding, false);
}

/** UTF-8 goes without saying. */
export function textFile(text: string, encoding: Encoding, unsaved: boolean): TextFile {
	const plain = { kind: 'text', text, unsaved } as const;
	return encoding === 'utf8' || encoding === 'utf8bom' ? plain : { ...plain, encoding: encodingLabel(encoding) };
}

export async function statFile(file: string): Promise<FileStat | undefined> {
	try {
		const found = await stat(file);
		const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
		return { kind, size: found.size, mtime: found.mtimeMs };
	} catch {
		return undefined;
	}
}

export async function namesIn(folder: string): Promise<readonly string[]> {
	try {
		return (await readdir(folder)).toSorted();
	} catch {
		return [];
	}
}

/** Why an existing file cannot be written, in the system's own terms; `undefined` when nothing is known against it. */
export async function writeObstacle(file: string): Promise<string | undefined> {
	try {
		// The administrator may write anything; a file marked as read-only is meant to stay.
		if (((await stat(file)).mode & 0o222) === 0) return 'the file is read-only';
		await access(file, constants.W_OK);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}

/** Puts edits into the file that `found` was read from. */
export async function spliceFile(
	file: string,
	found: TextOnDisk,
	edits: readonly TextEdit[],
	assumed: Encoding | undefined,
): Promise<Written> {
	if (found.bytes.length === 0) return overwrite(file, edits.map((edit) => edit.text).join(''), found.stamp, assumed);
	const encoding = writtenIn(found, assumed);
	const spliced = spliceBytes(found.bytes, { ...found.decoded, encoding }, edits);
	return spliced.kind === 'failed' ? spliced : writeWhole(file, spliced.bytes, found.stamp);
}

/** Plain letters are the same bytes in any encoding but UTF-16; the first other one has to be in the right one. */
function writtenIn({ bytes, decoded }: TextOnDisk, assumed: Encoding | undefined): Encoding {
	const plain = decoded.encoding === 'utf8' && isAscii(bytes);
	return plain && assumed !== undefined && !isUnicode(assumed) ? assumed : decoded.encoding;
}

/** Why these edits of a file cannot be written, without writing. `load` is asked only when it matters. */
export async function obstacleTo(
	file: string,
	edits: readonly TextEdit[],
	load: () => Promise<{ readonly found: OnDisk; readonly assumed: Encoding | undefined }>,
): Promise<string | undefined> {
	const obstacle = (await statFile(file)) === undefined ? undefined : await writeObstacle(file);
	if (obstacle !== undefined) return obstacle;
	const put = edits.map((edit) => edit.text).join('\n');
	if (isAscii(Buffer.from(put))) return undefined;
	const { found, assumed } = await load();
	const encoding = found.kind === 'text' && found.bytes.length > 0 ? writtenIn(found, assumed) : (assumed ?? 'utf8');
	const encoded = encodeText(put, encoding);
	return encoded.kind === 'failed' ? encoded.message : undefined;
}

/** What stands where a folder of the path would have to be. */
async function fileAbove(file: string): Promise<string | undefined> {
	for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
		const found = await stat(at).catch(() => undefined);
		if (found) return found.isDirectory() ? undefined : at;
	}
	return undefined;
}

/** Creates a file, and its folders. */
export async function createFile(file: string, text: string, assumed: Encoding | undefined): Promise<Written> {
	try {
		await mkdir(path.dirname(file), { recursive: true });
	} catch (error) {
		const inTheWay = await fileAbove(file);
		const message = inTheWay === undefined ? messageOf(error) : `${inTheWay} is a file, not a folder`;
		return { kind: 'failed', message };
	}
	return overwrite(file, text, undefined, assumed);
}

async function overwrite(
	file: string,
	text: string,
	stamp: string | undefined,
	assumed: Encoding = 'utf8',
): Promise<Written> {
	const encoded = encodeText(text, assumed);
	return encoded.kind === 'failed' ? encoded : writeWhole(file, encoded.bytes, stamp);
}

export type Written =
	{ readonly kind: 'written' } | { readonly kind: 'changed' } | { readonly kind: 'failed'; readonly message: string };

/**
 * Replaces the bytes of a file, or creates it (`stamp` undefined: it must not exist). Through a file beside it, so that a
 * crash leaves the old text or the new one; where that would break a hard link or the folder takes no new files, in place.
 */
export async function writeWhole(file: string, bytes: Uint8Array, stamp: string | undefined): Promise<Written> {
	// A name has at most 255 bytes, and a character up to three (four as two halves).
	const temporary = path.join(path.dirname(file), `.${path.basename(file).slice(0, 60)}.${randomUUID()}.tmp`);
	try {
		const old = stamp === undefined ? undefined : await stat(file, { bigint: true });
		if (old !== undefined) {
			if (stampOf(old) !== stamp) return { kind: 'changed' };
			const obstacle = await writeObstacle(file);
			if (obstacle !== undefined) return { kind: 'failed', message: obstacle };
			if (old.nlink > 1n) return await writeInPlace(file, bytes);
		}
		try {
			await writeFile(temporary, bytes, { flag: 'wx' });
			if (old !== undefined) {
				// Only root may give a file away; for others it has the right owner already.
				await chown(temporary, Number(old.uid), Number(old.gid)).catch(() => undefined);
				await chmod(temporary, Number(old.mode & 0o7777n));
			}
		} catch (error) {
			const code = codeOf(error);
			if (old === undefined || (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS')) throw error;
			return await writeInPlace(file, bytes);
		}
		// A file that came into being meanwhile is not overwritten, and neither is one that somebody has just written.
		if (old === undefined) await appear(temporary, file);
		else if (stampOf(await stat(file, { bigint: true })) !== stamp) return { kind: 'changed' };
		else await rename(temporary, file);
		return { kind: 'written' };
	} catch (error) {
		const code = codeOf(error);
		if (code === 'EEXIST' || (code === 'ENOENT' && stamp !== undefined)) return { kind: 'changed' };
		return { kind: 'failed', message: messageOf(error) };
	} finally {
		await rm(temporary, { force: true }).catch(() => undefined);
	}
}

/** A new file is there with all its bytes or not at all, where the file system has hard links. */
async function appear(temporary: string, file: string): Promise<void> {
	try {
		await link(temporary, file);
	} catch (error) {
		if (codeOf(error) === 'EEXIST') throw error;
		await copyFile(temporary, file, constants.COPYFILE_EXCL);
	}
}

async function writeInPlace(file: string, bytes: Uint8Array): Promise<Written> {
	await writeFile(file, bytes);
	return { kind: 'written' };
}

/** Why a change of a file is not made; the end of a sentence. */
export const movedElsewhere = 'it now leads to another file than the one that was permitted';

/** Links resolved as far as the path exists; dangling links are followed to where they lead. `depth` bounds loops. */
export async function realPathOf(file: string, depth = 0): Promise<string> {
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

/** Tells whether somebody has written the file since; undefined when it is not there. Rejects when that cannot be told. */
export async function fileStamp(file: string): Promise<string | undefined> {
	try {
		return stampOf(await stat(file, { bigint: true }));
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}

function stampOf(found: BigIntStats): string {
	return `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
}

function codeOf(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
