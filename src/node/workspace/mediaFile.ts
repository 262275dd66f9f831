// An image or a PDF on the disk as a model is shown it: what it is says its content, not its name. An image that is too large, or
// has notes of a camera in it, is written anew.
import { open, stat } from 'node:fs/promises';
import { inflateSync, constants } from 'node:zlib';
import type { ImageMeasure, MediaContent } from '../../core/ports/workspace.ts';
import { imageSize } from '../../core/util/imageSize.ts';
import { promptLimits } from '../../shared/composer.ts';
import { pdfFacts } from '../../shared/pdfPages.ts';
import type { PdfReading } from '../../shared/pdfPages.ts';
import type { ImageFitter } from '../images/imageFitter.ts';
import { hasCameraNotes } from '../images/imageTurn.ts';

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

/** Never throws for what the disk holds; what it gives is within `promptLimits`. */
export async function loadMedia(file: string, fitter: Pick<ImageFitter, 'fit'>): Promise<MediaContent> {
	try {
		const found = await stat(file);
		if (found.isDirectory()) return { kind: 'folder' };
		if (!found.isFile()) return { kind: 'failed', message: 'it is no regular file (a pipe, socket or device)' };
		const type = mediaType(await head(file));
		if (type === undefined) return { kind: 'other' };
		const limit = type === 'application/pdf' ? promptLimits.pdfBytes : promptLimits.sourceBytes;
		if (found.size > limit) return { kind: 'too_large', size: found.size, limit };
		const bytes = await whole(file, limit);
		if (bytes.length > limit) return { kind: 'too_large', size: bytes.length, limit };
		if (type !== 'application/pdf') return await image(bytes, type, fitter);
		const facts = await pdfFacts(bytes, pdfReading);
		if (facts.kind === 'pdf')
			return { kind: 'pdf', data: bytes.toString('base64'), bytes: bytes.length, pages: facts.pages };
		return facts.kind === 'encrypted' ? facts : { kind: 'other' };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
		return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
	}
}

/** Bytes in which an image says its sides, behind the notes of a camera. */
const measuredBytes = 192 * 1024;

async function image(bytes: Buffer, mediaType: string, fitter: Pick<ImageFitter, 'fit'>): Promise<MediaContent> {
	const size = imageSize(bytes.subarray(0, measuredBytes).toString('base64'));
	if (!size || size.width === 0 || size.height === 0) return { kind: 'unfit', problem: 'broken' };
	const original: ImageMeasure = { ...size, bytes: bytes.length };
	const { imageBytes: most, imageEdge: edge, sourcePixels } = promptLimits;
	if (bytes.length <= most && Math.max(size.width, size.height) <= edge && !hasCameraNotes(bytes))
		return { kind: 'image', mediaType, data: bytes.toString('base64'), measure: original };
	if (size.width * size.height > sourcePixels) return { kind: 'unfit', problem: 'too_large', original };
	const fitted = await fitter.fit({ bytes, mediaType, edge, most });
	if (fitted.kind === 'unfit') return { ...fitted, original };
	const { width, height } = fitted;
	return {
		kind: 'image',
		mediaType: fitted.mediaType,
		data: Buffer.from(fitted.bytes).toString('base64'),
		measure: { width, height, bytes: fitted.bytes.length },
		original,
	};
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
