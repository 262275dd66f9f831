// Read on images and PDFs: whatever their names, images made to fit as the composer does it, the rest refused with a way on.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { PhotonImage } from '@silvia-odwyer/photon-node';
import { build } from 'esbuild';
import { headlessBundle, shippedFiles } from '../../../scripts/lib/bundles.mjs';
import { root } from '../../../scripts/lib/shell.mjs';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { ImageFitter } from '../../../src/node/images/imageFitter.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { promptLimits } from '../../../src/shared/composer.ts';
import { callTool, fakeContext } from '../../support/fakeWorkspace.ts';

/** Only the beginning of a PNG, which says its sides. */
function pngHead(width: number, height: number, bytes = 100): Buffer {
	const file = Buffer.alloc(bytes);
	Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1').copy(file);
	file.write('IHDR', 12, 'latin1');
	file.writeUInt32BE(width, 16);
	file.writeUInt32BE(height, 20);
	return file;
}

/** A picture whose left half is red and whose right half is green, with some noise, so that it is as large as one of a camera. */
function picture(width: number, height: number, noise = 0): PhotonImage {
	const pixels = new Uint8Array(width * height * 4);
	let seed = 7;
	for (let at = 0; at < pixels.length; at += 4) {
		seed = (seed * 1103515245 + 12345) & 0x7fffffff;
		const left = (at / 4) % width < width / 2;
		pixels.set([left ? 200 : 0, left ? 0 : 200, noise * ((seed >> 16) & 255), 255], at);
	}
	return new PhotonImage(pixels, width, height);
}

/** With the note of a camera that was held sideways. */
function withTurn(jpeg: Uint8Array, turn: number): Buffer {
	const exif = Buffer.alloc(36);
	exif.writeUInt16BE(0xffe1, 0);
	exif.writeUInt16BE(34, 2);
	exif.write('Exif\0\0MM\0\u002A', 4, 'latin1');
	exif.writeUInt32BE(8, 14);
	exif.writeUInt16BE(1, 18);
	exif.writeUInt16BE(0x0112, 20);
	exif.writeUInt16BE(3, 22);
	exif.writeUInt32BE(1, 24);
	exif.writeUInt16BE(turn, 28);
	return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** With a binary comment, as writers of PDFs put there, and the page tree in a packed object stream. */
function pdf(pages: number): Buffer {
	const packed = deflateSync(`<< /Type /Pages /Count ${pages} /Kids [] >>`);
	return Buffer.concat([
		Buffer.from(
			`%PDF-1.7\n%\u00E2\u00E3\u00CF\u0000\n1 0 obj\n<< /Type /ObjStm /N 1 /Length ${packed.length} >>\nstream\n`,
			'latin1',
		),
		packed,
		Buffer.from('\nendstream\nendobj\n%%EOF', 'latin1'),
	]);
}

/** As it is built to be shipped, with what is shipped beside it. */
async function buildImageWorker(outdir: string): Promise<void> {
	const entryPoints = { imageWorker: 'src/node/images/imageWorker.ts' };
	await build({ ...headlessBundle({ outdir }), entryPoints, logLevel: 'error' });
	for (const { from, to } of shippedFiles.filter(({ to: place }) => place.startsWith('images/')))
		cpSync(path.join(root, 'node_modules', from), path.join(outdir, to), { recursive: true });
}

suite('Read, of images and PDFs', () => {
	let folder: string;
	const built = mkdtempSync(path.join(tmpdir(), 'worker-'));
	const images = new ImageFitter(path.join(built, 'imageWorker.js'));
	suiteSetup(() => buildImageWorker(built));
	suiteTeardown(() => rmSync(built, { recursive: true, force: true }));
	setup(() => {
		folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'media-')));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const read = async (name: string, bytes: Buffer) => {
		writeFileSync(path.join(folder, name), bytes);
		return callTool(readTool, { file_path: name }, fakeContext(new NodeWorkspace({ roots: [folder], images })));
	};

	/** What a model would see. */
	const seen = (result: Awaited<ReturnType<typeof read>>) => {
		const block = typeof result.content === 'string' ? undefined : result.content.find(({ type }) => type === 'image');
		if (block?.type !== 'image') return assert.fail(result.text);
		const bytes = Buffer.from(block.source.data, 'base64');
		const image = PhotonImage.new_from_byteslice(bytes);
		const [width, height, pixels] = [image.get_width(), image.get_height(), image.get_raw_pixels()];
		const isRed = (x: number, y: number) => (pixels[4 * (y * width + x)] ?? 0) > 120;
		return { mediaType: block.source.media_type, bytes, width, height, isRed };
	};

	test('an image that fits is shown as its bytes are, whatever its name, with its measures beside it', async () => {
		const bytes = Buffer.from(picture(640, 400).get_bytes());
		const result = await read('shot.dat', bytes);
		assert.deepEqual(result.content, [
			{ type: 'text', text: 'shot.dat: 640 × 400 pixels.' },
			{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } },
		]);
		assert.deepEqual(result.view, {
			kind: 'media',
			path: path.join(folder, 'shot.dat'),
			bytes: bytes.length,
			size: { width: 640, height: 400 },
		});
	});

	test('a large one is scaled down and keeps its kind; one of too many bytes is written anew', async () => {
		const wide = await read('wide.png', Buffer.from(picture(4000, 800).get_bytes()));
		assert.match(wide.text, /^wide\.png: 4000 × 800 pixels, shown to you as 1568 × 314\./);
		const small = seen(wide);
		assert.deepEqual([small.mediaType, small.width, small.height], ['image/png', 1568, 314]);
		assert.ok(small.isRed(10, 100) && !small.isRed(1500, 100));
		assert.ok(wide.view.kind === 'media' && wide.view.size?.width === 4000);

		const heavy = Buffer.from(picture(600, 600, 1).get_bytes());
		const noisy = Buffer.concat([heavy, Buffer.alloc(Math.max(0, promptLimits.imageBytes - heavy.length) + 1)]);
		const light = seen(await read('noise.png', noisy));
		assert.ok(light.bytes.length <= promptLimits.imageBytes && light.width === 600, `${light.bytes.length} bytes`);
	});

	test('a photo is turned upright, and the notes of the camera stay here', async () => {
		const photo = withTurn(picture(300, 200).get_bytes_jpeg(90), 6);
		const { bytes, mediaType, width, height, isRed } = seen(await read('photo.jpg', photo));
		assert.deepEqual([mediaType, width, height], ['image/jpeg', 200, 300]);
		assert.ok(isRed(100, 20) && !isRed(100, 280), 'what was left is above');
		assert.equal(bytes.includes('Exif'), false);
	});

	test('a PDF with its pages', async () => {
		const result = await read('doc.pdf', pdf(12));
		assert.deepEqual(typeof result.content === 'string' ? [] : result.content.map(({ type }) => type), [
			'text',
			'document',
		]);
		assert.match(result.text, /^doc\.pdf: 12 pages\./);
		assert.ok(result.view.kind === 'media' && result.view.pages === 12);
	});

	test('what the service would not take is refused with a way on', async () => {
		const cases: readonly (readonly [Buffer, RegExp])[] = [
			[
				pngHead(10_000, 10_000),
				/10000 × 10000 pixels and 100 bytes; an image of at most 50 million pixels .* Make a smaller copy/,
			],
			[pngHead(4000, 4000), /it cannot be decoded/],
			[pngHead(0, 10), /it cannot be decoded/],
			[pdf(promptLimits.pdfPages + 1), /has 101 pages; 100 can be shown at most/],
			[Buffer.from('%PDF-1.4\n%\u00E2\u0000\ntrailer << /Encrypt 9 0 R >>', 'latin1'), /password/],
			[Buffer.from([0, 1, 2, 3, 0, 0]), /binary file/],
		];
		for (const [bytes, expected] of cases) {
			const result = await read('file', bytes);
			assert.equal(result.isError, true);
			assert.match(result.text, expected);
			assert.equal(typeof result.content, 'string');
		}
	});
});
