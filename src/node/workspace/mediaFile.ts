// An image or a PDF on the disk as a model is shown it: what it is says its content, not its name. Nothing is decoded.
import { open, stat } from 'node:fs/promises';
import { inflateSync, constants } from 'node:zlib';
import type { MediaContent } from '../../core/ports/workspace.ts';
import { promptLimits } from '../../shared/composer.ts';
import { pdfFacts } from '../../shared/pdfPages.ts';
import type { PdfReading } from '../../shared/pdfPages.ts';

const pdfReading: PdfReading = {
	latin1: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
	inflated(bytes) {
		try {
			return Promise.resolve(inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'));
		} catch {
			return Promise.resolve('');
		}
	},
};

/** Never throws for what the disk holds; loads what `promptLimits` allow. */
export async function loadMedia(file: string): Promise<MediaContent> {
	try {
		const found = await stat(file);
		if (found.isDirectory()) return { kind: 'folder' };
		if (!found.isFile()) return { kind: 'failed', message: 'it is no regular file (a pipe, socket or device)' };
		const type = mediaType(await head(file));
		if (type === undefined) return { kind: 'other' };
		const limit = type === 'application/pdf' ? promptLimits.pdfBytes : promptLimits.imageBytes;
		if (found.size > limit) return { kind: 'too_large', size: found.size, limit };
		const bytes = await whole(file, limit);
		if (bytes.length > limit) return { kind: 'too_large', size: bytes.length, limit };
		const data = bytes.toString('base64');
		if (type !== 'application/pdf') return { kind: 'image', mediaType: type, data, bytes: bytes.length };
		const facts = await pdfFacts(bytes, pdfReading);
		if (facts.kind === 'pdf') return { kind: 'pdf', data, bytes: bytes.length, pages: facts.pages };
		return facts.kind === 'encrypted' ? facts : { kind: 'other' };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
		return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
	}
}

type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';

function mediaType(start: Buffer): MediaType | undefined {
	const text = start.toString('latin1');
	if (text.startsWith('\u0089PNG\r\n\u001A\n')) return 'image/png';
	if (text.startsWith('\u00FF\u00D8\u00FF')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(text)) return 'image/gif';
	if (/^RIFF....WEBP/s.test(text)) return 'image/webp';
	return text.includes('%PDF-') ? 'application/pdf' : undefined;
}

/** Bytes in which a PDF may begin. */
const headBytes = 1024;

function head(file: string): Promise<Buffer> {
	return readUpTo(file, headBytes);
}

/** One byte more than the limit tells that the file has grown beyond it. */
function whole(file: string, limit: number): Promise<Buffer> {
	return readUpTo(file, limit + 1);
}

async function readUpTo(file: string, most: number): Promise<Buffer> {
	const handle = await open(file);
	try {
		const { size } = await handle.stat();
		const buffer = Buffer.alloc(Math.min(most, size));
		let filled = 0;
		while (filled < buffer.length) {
			const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
			if (bytesRead === 0) break;
			filled += bytesRead;
		}
		return buffer.subarray(0, filled);
	} finally {
		await handle.close();
	}
}
