// The lines of a file from its end, and where certain words stand in its beginning, without reading what is not asked for. Offsets
// are bytes.
import type { FileHandle } from 'node:fs/promises';

export interface PlacedLine {
	/** Of its first byte. */
	readonly start: number;
	/** Without its end. */
	readonly text: string;
}

const firstChunk = 256 * 1024;
const largestChunk = 16 * 1024 * 1024;
const scanChunk = 4 * 1024 * 1024;
const lineEnd = 0x0a;

/** The lines before `end`, last one first. Reads on only while it is asked for more. */
export async function* linesBackward(file: FileHandle, end: number): AsyncGenerator<PlacedLine> {
	let rest: Buffer = Buffer.alloc(0);
	let at = end;
	let size = firstChunk;
	while (at > 0) {
		const start = Math.max(0, at - size);
		const chunk = await readRange(file, start, at);
		const bytes = rest.length === 0 ? chunk : Buffer.concat([chunk, rest]);
		let to = bytes.length;
		for (let cut = lastLineEnd(bytes, to); cut >= 0; cut = lastLineEnd(bytes, to)) {
			if (cut + 1 < to) yield { start: start + cut + 1, text: bytes.toString('utf8', cut + 1, to) };
			to = cut;
		}
		// A line that is longer than what was read is not put together again for each chunk.
		size = to === bytes.length ? Math.min(size * 2, largestChunk) : firstChunk;
		rest = bytes.subarray(0, to);
		at = start;
	}
	if (rest.length > 0) yield { start: 0, text: rest.toString('utf8') };
}

function lastLineEnd(bytes: Buffer, before: number): number {
	return before === 0 ? -1 : bytes.lastIndexOf(lineEnd, before - 1);
}

/**
 * Shows where each line before `end` lies, in order; nothing is made into text. Contract: `bytes` are another line's after `visit`:
 * fresh memory for each piece would cost as much as reading it.
 */
export async function eachLine(
	file: FileHandle,
	end: number,
	visit: (bytes: Buffer, start: number, to: number) => void,
): Promise<void> {
	let buffer = Buffer.allocUnsafe(Math.min(end, scanChunk));
	/** Bytes of a line without its end, at the beginning of the buffer. */
	let rest = 0;
	for (let at = 0; at < end; at += scanChunk) {
		const wanted = Math.min(scanChunk, end - at);
		if (rest + wanted > buffer.length) {
			const larger = Buffer.allocUnsafe(2 * (rest + wanted));
			buffer.copy(larger, 0, 0, rest);
			buffer = larger;
		}
		const bytes = buffer.subarray(0, rest + (await fill(file, buffer.subarray(rest, rest + wanted), at)));
		const isLast = at + scanChunk >= end;
		let start = 0;
		for (let to = bytes.indexOf(lineEnd); to >= 0; to = bytes.indexOf(lineEnd, start)) {
			visit(bytes, start, to);
			start = to + 1;
		}
		if (isLast && start < bytes.length) visit(bytes, start, bytes.length);
		rest = bytes.length - start;
		buffer.copyWithin(0, start, bytes.length);
	}
}

/** Fewer bytes where the file ends before. */
export async function readRange(file: FileHandle, from: number, to: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
	return buffer.subarray(0, await fill(file, buffer, from));
}

/** Gives the bytes that were read: fewer than there is room for where the file ends before. */
async function fill(file: FileHandle, buffer: Buffer, from: number): Promise<number> {
	let filled = 0;
	while (filled < buffer.length) {
		const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return filled;
}
