// How a page reads a PDF: with the browser's own decoder and decompression.
import type { PdfReading } from '../../../src/shared/pdfPages.ts';

export const pdfReading: PdfReading = { latin1, inflated };

function latin1(bytes: Uint8Array): string {
	return new TextDecoder('latin1').decode(bytes);
}

/** As far as it can be unpacked. */
async function inflated(bytes: Uint8Array): Promise<string> {
	const stream = new DecompressionStream('deflate');
	const writer = stream.writable.getWriter();
	const written = writer.write(new Uint8Array(bytes)).then(() => writer.close());
	written.catch(() => {});
	const parts: string[] = [];
	const reader = stream.readable.getReader();
	try {
		for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(latin1(part.value));
	} catch {
		// Line ends before `endstream` are no part of the data; what came before them is whole.
	}
	return parts.join('');
}
