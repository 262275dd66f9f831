// Pictures and PDFs of a draft: measured, made smaller and written anew (which takes out where a photo was taken), or refused with
// a reason. Contract: what comes out is within `promptLimits`.
import { promptLimits, type MediaAttachment } from '../../../src/shared/composer.ts';
import { pdfFacts } from '../../../src/shared/pdfPages.ts';
import { pdfReading } from './pdfReading.ts';

export interface DraftMedia {
	readonly media: MediaAttachment;
	readonly bytes: number;
	/** A tiny picture as a data URL; empty for a PDF. */
	readonly thumb: string;
}
export type Refusal = 'too_large' | 'too_many' | 'unreadable' | 'encrypted' | 'too_many_pages' | 'unknown_kind';
export type Prepared =
	| { readonly kind: 'ready'; readonly draft: DraftMedia; readonly data: string }
	| { readonly kind: 'refused'; readonly reason: Refusal };

const thumbEdge = 48;
const qualities = [0.9, 0.8, 0.6, 0.4];

/** Whether a pasted or dropped file is one that a prompt can bring as it is. */
function isMedia({ type, name }: { readonly type: string; readonly name: string }): boolean {
	return type.startsWith('image/') || type === 'application/pdf' || name.toLowerCase().endsWith('.pdf');
}

/** Whether there is room for one more beside these. */
export function hasRoom(known: readonly DraftMedia[], bytes: number): boolean {
	const total = known.reduce((sum, draft) => sum + draft.bytes, bytes);
	return known.length < promptLimits.media && total <= promptLimits.mediaBytes;
}

export async function prepared(file: File): Promise<Prepared> {
	if (!isMedia(file)) return { kind: 'refused', reason: 'unknown_kind' };
	if (file.size > promptLimits.sourceBytes) return { kind: 'refused', reason: 'too_large' };
	return file.type.startsWith('image/') ? await picture(file) : await pdf(file);
}

async function pdf(file: File): Promise<Prepared> {
	if (file.size > promptLimits.pdfBytes) return { kind: 'refused', reason: 'too_large' };
	const facts = await pdfFacts(new Uint8Array(await file.arrayBuffer()), pdfReading);
	if (facts.kind === 'not_pdf') return { kind: 'refused', reason: 'unreadable' };
	if (facts.kind === 'encrypted') return { kind: 'refused', reason: 'encrypted' };
	if (facts.pages > promptLimits.pdfPages) return { kind: 'refused', reason: 'too_many_pages' };
	const media = { kind: 'pdf', id: crypto.randomUUID(), name: file.name, pages: facts.pages } as const;
	return { kind: 'ready', draft: { media, bytes: file.size, thumb: '' }, data: await base64(file) };
}

async function picture(file: File): Promise<Prepared> {
	const bitmap = await createImageBitmap(file).catch(() => undefined);
	if (!bitmap || bitmap.width === 0 || bitmap.height === 0) return { kind: 'refused', reason: 'unreadable' };
	try {
		const scale = Math.min(1, promptLimits.imageEdge / Math.max(bitmap.width, bitmap.height));
		const width = Math.max(1, Math.round(bitmap.width * scale));
		const height = Math.max(1, Math.round(bitmap.height * scale));
		const blob = await encoded(drawn(bitmap, width, height), file.type);
		if (!blob) return { kind: 'refused', reason: 'too_large' };
		const small = Math.min(1, thumbEdge / Math.max(width, height));
		const thumb = drawn(bitmap, Math.max(1, width * small), Math.max(1, height * small)).toDataURL('image/png');
		const name = file.name === '' ? 'image.png' : file.name;
		const media = { kind: 'image', id: crypto.randomUUID(), name, mediaType: blob.type, width, height } as const;
		return { kind: 'ready', draft: { media, bytes: blob.size, thumb }, data: await base64(blob) };
	} finally {
		bitmap.close();
	}
}

function drawn(bitmap: ImageBitmap, width: number, height: number): HTMLCanvasElement {
	const canvas = document.createElement('canvas');
	canvas.width = Math.round(width);
	canvas.height = Math.round(height);
	const context = canvas.getContext('2d');
	if (context) context.imageSmoothingQuality = 'high';
	context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
	return canvas;
}

/** Screenshots stay sharp where they fit; everything else becomes smaller by quality. */
async function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob | undefined> {
	const photo = type === 'image/jpeg' ? 'image/jpeg' : 'image/webp';
	const tries: readonly (readonly [string, number | undefined])[] = [
		...(type === 'image/jpeg' ? [] : [['image/png', undefined] as const]),
		...qualities.map((quality) => [photo, quality] as const),
	];
	for (const [mediaType, quality] of tries) {
		const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mediaType, quality));
		if (blob && blob.type === mediaType && blob.size <= promptLimits.imageBytes) return blob;
	}
	return undefined;
}

function base64(blob: Blob): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.addEventListener('load', () => {
			const url = typeof reader.result === 'string' ? reader.result : '';
			resolve(url.slice(url.indexOf(',') + 1));
		});
		reader.addEventListener('error', () => reject(new Error('The file could not be read.')));
		reader.readAsDataURL(blob);
	});
}
