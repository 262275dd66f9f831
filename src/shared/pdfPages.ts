// How many pages a PDF has, without rendering it: from its page tree, which may lie in compressed object streams. Pure.

export type PdfFacts =
	| { readonly kind: 'pdf'; readonly pages: number }
	| { readonly kind: 'not_pdf' }
	/** It opens with a password only; the service could not read it either. */
	| { readonly kind: 'encrypted' };

/** How bytes become text, which each platform does in its own way. */
export interface PdfReading {
	readonly latin1: (bytes: Uint8Array) => string;
	/** Of a zlib stream, as far as it can be unpacked; line ends after it may follow. Never rejects. */
	readonly inflated: (bytes: Uint8Array) => Promise<string>;
}

/** Bytes of object streams that are unpacked at most. */
const mostUnpacked = 64 * 1024 * 1024;

export async function pdfFacts(bytes: Uint8Array, { latin1, inflated }: PdfReading): Promise<PdfFacts> {
	const text = latin1(bytes);
	if (!text.slice(0, 1024).includes('%PDF-')) return { kind: 'not_pdf' };
	if (/\/Encrypt\s+\d+\s+\d+\s+R|\/Encrypt\s*<</.test(text)) return { kind: 'encrypted' };
	let pages = pagesIn(text);
	let unpacked = 0;
	for (const match of text.matchAll(
		/<<(?:[^<>]|<[^<]|>[^>]|<<[^<>]*>>)*?\/Type\s*\/ObjStm[\s\S]{0,400}?stream\r?\n/g,
	)) {
		const start = match.index + match[0].length;
		const end = text.indexOf('endstream', start);
		if (end < 0 || unpacked > mostUnpacked) break;
		const inside = await inflated(bytes.subarray(start, end));
		unpacked += inside.length;
		pages = Math.max(pages, pagesIn(inside));
	}
	return { kind: 'pdf', pages: Math.max(1, pages) };
}

/** The root of the page tree has the largest count; without a tree the pages are counted one by one. */
function pagesIn(text: string): number {
	let most = 0;
	for (const { index } of text.matchAll(/\/Type\s*\/Pages\b/g)) {
		const around = text.slice(Math.max(0, text.lastIndexOf('obj', index)), index + 100_000);
		const end = around.indexOf('endobj');
		const count = /\/Count\s+(\d+)/.exec(end < 0 ? around : around.slice(0, end))?.[1];
		most = Math.max(most, Number(count ?? 0));
	}
	return most > 0 ? most : [...text.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}
