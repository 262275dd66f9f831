// Read on images and PDFs: shown as they are within the limits of the service, whatever their names, else refused with a way on.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { limits } from '../../../src/core/limits.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { promptLimits } from '../../../src/shared/composer.ts';
import { callTool, fakeContext } from '../../support/fakeWorkspace.ts';

/** The beginning of a PNG is all that anybody here looks at. */
function png(width: number, height: number, bytes = 100): Buffer {
	const file = Buffer.alloc(bytes);
	Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1').copy(file);
	file.write('IHDR', 12, 'latin1');
	file.writeUInt32BE(width, 16);
	file.writeUInt32BE(height, 20);
	return file;
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

suite('Read, of images and PDFs', () => {
	let folder: string;
	setup(() => {
		folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'media-')));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const read = async (name: string, bytes: Buffer) => {
		writeFileSync(path.join(folder, name), bytes);
		return callTool(readTool, { file_path: name }, fakeContext(new NodeWorkspace({ roots: [folder] })));
	};

	test('an image is what its bytes say, with its measures beside it', async () => {
		const bytes = png(1280, 800);
		const result = await read('shot.dat', bytes);
		assert.deepEqual(result.content, [
			{ type: 'text', text: 'shot.dat: 1280 × 800 pixels.' },
			{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } },
		]);
		assert.deepEqual(result.view, {
			kind: 'media',
			path: path.join(folder, 'shot.dat'),
			bytes: 100,
			size: { width: 1280, height: 800 },
		});
		assert.match((await read('wide.png', png(4000, 800))).text, /4000 × 800 pixels; you may see it scaled down/);
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
			[png(limits.imageSide + 1, 10), /a side may have 8000 at most\. Make a smaller copy/],
			[png(10, 10, promptLimits.imageBytes + 1), /at most 3500000 can be shown\. Make a smaller copy/],
			[png(0, 10), /it is broken/],
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
