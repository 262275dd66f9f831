// What the bytes of a file say before anyone decodes them. Pure.

/** Bytes that are looked at for a NUL. */
const sniffed = 8192;

export function startsWithUtf16Mark(bytes: Uint8Array): boolean {
	const [first, second] = bytes;
	return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

export function startsWithUtf8Mark(bytes: Uint8Array): boolean {
	return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** A NUL near the beginning is in no text but UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
	return !startsWithUtf16Mark(bytes) && bytes.subarray(0, sniffed).includes(0);
}

/** True when the replacement character is in the text but not in the bytes: something could not be decoded. */
export function lostInDecoding(text: string, bytes: Uint8Array): boolean {
	if (!text.includes('\uFFFD')) return false;
	return !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\uFFFD');
}
