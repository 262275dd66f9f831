// The size of an image from its first bytes, for PNG, GIF, WebP and JPEG.

/** Bytes that are looked at; a JPEG's size stands behind its metadata. */
const looked = 64 * 1024;

/** Pixels; undefined when the data is no image of a known kind. */
export function imageSize(base64: string): { readonly width: number; readonly height: number } | undefined {
	const bytes = Buffer.from(base64.slice(0, Math.ceil(looked / 3) * 4), 'base64');
	if (bytes.length < 30) return undefined;
	if (bytes.readUInt32BE(0) === 0x89504e47) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
	const magic = bytes.toString('latin1', 0, 4);
	if (magic.startsWith('GIF8')) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
	if (magic === 'RIFF') return webpSize(bytes);
	return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined;
}

function webpSize(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
	switch (bytes.toString('latin1', 12, 16)) {
		case 'VP8 ':
			return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
		case 'VP8L': {
			const packed = bytes.readUInt32LE(21);
			return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
		}
		case 'VP8X':
			return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
		default:
			return undefined;
	}
}

/** Walks the segments to the frame header. */
function jpegSize(bytes: Buffer): { readonly width: number; readonly height: number } | undefined {
	let at = 2;
	while (at + 9 < bytes.length && bytes[at] === 0xff) {
		const marker = bytes[at + 1] ?? 0;
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
		at += 2 + bytes.readUInt16BE(at + 2);
	}
	return undefined;
}
