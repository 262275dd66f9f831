// What a camera noted in a JPEG beside the picture: how it is to be turned, and that there are notes at all (where and when it was
// taken). Reads EXIF's first directory; whatever is broken counts as no note.

/** EXIF's orientation, 1 to 8; 1 is upright. */
export function imageTurn(bytes: Uint8Array): number {
	const tiff = exifOf(bytes);
	if (!tiff || tiff.byteLength < 14) return 1;
	const little = tiff.getUint16(0) === 0x4949;
	const directory = tiff.getUint32(4, little);
	if (directory + 2 > tiff.byteLength) return 1;
	const entries = tiff.getUint16(directory, little);
	for (let entry = 0; entry < entries; entry += 1) {
		const at = directory + 2 + 12 * entry;
		if (at + 12 > tiff.byteLength) return 1;
		if (tiff.getUint16(at, little) === 0x0112) return tiff.getUint16(at + 8, little);
	}
	return 1;
}

/** A JPEG with notes of a camera. */
export function hasCameraNotes(bytes: Uint8Array): boolean {
	return exifOf(bytes) !== undefined;
}

/** Walks a JPEG's segments to the one with EXIF, and gives what follows its name. */
function exifOf(bytes: Uint8Array): DataView | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
	let at = 2;
	while (at + 10 < view.byteLength && view.getUint8(at) === 0xff) {
		const [marker, length] = [view.getUint8(at + 1), view.getUint16(at + 2)];
		// The picture itself begins.
		if (marker === 0xda || length < 2) return undefined;
		const isExif = marker === 0xe1 && view.getUint32(at + 4) === 0x45786966;
		const [start, end] = [at + 10, Math.min(at + 2 + length, view.byteLength)];
		if (isExif && start < end) return new DataView(view.buffer, view.byteOffset + start, end - start);
		at += 2 + length;
	}
	return undefined;
}
