// Files on the disk as checkpoints see them. Contract: nothing inside of a `.git` is ever read, kept or written here, and no
// link is followed.
import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import { chmod, mkdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type { FileImage, FileImages, PutFailure, PutOutcome, UnkeptReason } from '../../core/ports/checkpoints.ts';
import { fileStamp, writeWhole } from '../workspace/diskFile.ts';
import { hashOf } from './blobStore.ts';
import type { BlobStore } from './blobStore.ts';

/** Bytes of a file that is read into memory that is used again. */
const roomBytes = 2 * 1024 * 1024;

export class DiskImages implements FileImages {
	private readonly store: Pick<BlobStore, 'put' | 'get'>;
	/** Fresh memory for each file takes three times as long as reading it; what is in here is over with the next file. */
	private room: Buffer | undefined;

	constructor(store: Pick<BlobStore, 'put' | 'get'>) {
		this.store = store;
	}

	async keep(file: string): Promise<FileImage> {
		return this.image(file, (bytes) => this.store.put(bytes));
	}

	async look(file: string): Promise<FileImage> {
		return this.image(file, hashOf);
	}

	/** The image of bytes that are not the file's on the disk: an editor's unsaved text. */
	async keepBytes(bytes: Uint8Array): Promise<FileImage> {
		if (bytes.length > limits.checkpointFileBytes) return unkept('too_large');
		try {
			return { kind: 'file', hash: this.store.put(bytes), size: bytes.length };
		} catch {
			return unkept('not_stored');
		}
	}

	async bytes(image: FileImage): Promise<Uint8Array | undefined> {
		return image.kind === 'file' ? this.store.get(image.hash) : undefined;
	}

	/** The folders around a file that is gone, as many as that, while they are empty. */
	async removeFolders(file: string, count: number): Promise<void> {
		let folder = file;
		for (let left = count; left > 0; left--) {
			folder = path.dirname(folder);
			const removed = await rmdir(folder).then(
				() => true,
				() => false,
			);
			if (!removed) return;
		}
	}

	async put(file: string, image: FileImage): Promise<PutOutcome> {
		if (isGits(file)) return failed('git');
		try {
			if (image.kind === 'unkept') return failed('not_kept');
			if (image.kind === 'missing') {
				await rm(file, { force: true });
				await this.removeFolders(file, image.folders ?? 0);
				return { kind: 'done' };
			}
			const bytes = await this.store.get(image.hash);
			if (bytes === undefined) return failed('not_kept');
			return await writeBytes(file, bytes, image.mode);
		} catch (error) {
			return failed('refused', error instanceof Error ? error.message : String(error));
		}
	}

	/** `hash` has the bytes only while it runs. */
	private image(file: string, hash: (bytes: Uint8Array) => string): FileImage {
		if (isGits(file)) return unkept('git');
		let bytes: Buffer | undefined;
		let mode: number;
		try {
			const found = lstatSync(file);
			if (found.isSymbolicLink()) return unkept('link');
			if (!found.isFile()) return unkept('special');
			if (found.size > limits.checkpointFileBytes) return unkept('too_large');
			mode = found.mode & 0o777;
			bytes = this.read(file, found.size);
		} catch (error) {
			return isMissing(error) ? missing(file) : unkept('unreadable');
		}
		if (bytes === undefined) return unkept('too_large');
		try {
			const known = { kind: 'file', hash: hash(bytes), size: bytes.length } as const;
			return process.platform === 'win32' ? known : { ...known, mode };
		} catch {
			return unkept('not_stored');
		}
	}

	/** All bytes to the file's end, whatever size was `expected`; undefined when they became too many. */
	private read(file: string, expected: number): Buffer | undefined {
		// Neither a link nor a pipe that somebody puts there in this moment.
		const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
		try {
			let bytes = this.roomFor(expected + 1);
			for (let size = 0; size <= limits.checkpointFileBytes;) {
				const read = readSync(handle, bytes, size, bytes.length - size, null);
				if (read === 0) return bytes.subarray(0, size);
				size += read;
				if (size === bytes.length) bytes = Buffer.concat([bytes], size * 2);
			}
			return undefined;
		} finally {
			closeSync(handle);
		}
	}

	private roomFor(size: number): Buffer {
		if (size > roomBytes) return Buffer.allocUnsafeSlow(size);
		this.room ??= Buffer.allocUnsafeSlow(roomBytes);
		return this.room;
	}
}

function missing(file: string): FileImage {
	let folders = 0;
	for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
		if (lstatSync(at, { throwIfNoEntry: false })) break;
		folders++;
	}
	return folders === 0 ? { kind: 'missing' } : { kind: 'missing', folders };
}

/** True for what git keeps for itself, in any repository. */
export function isGits(file: string): boolean {
	return /(?:^|[\\/])\.git(?:[\\/]|$)/i.test(file);
}

async function writeBytes(file: string, bytes: Uint8Array, mode: number | undefined): Promise<PutOutcome> {
	await mkdir(path.dirname(file), { recursive: true });
	const written = await writeWhole(file, bytes, await fileStamp(file));
	if (written.kind === 'changed') return failed('changed');
	if (written.kind === 'failed') return failed('refused', written.message);
	if (mode !== undefined) await chmod(file, mode);
	return { kind: 'done' };
}

function failed(code: PutFailure['code'], detail?: string): PutOutcome {
	return { kind: 'failed', code, ...(detail === undefined ? {} : { detail }) };
}

function unkept(reason: UnkeptReason): FileImage {
	return { kind: 'unkept', reason };
}

function isMissing(error: unknown): boolean {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return code === 'ENOENT' || code === 'ENOTDIR';
}
