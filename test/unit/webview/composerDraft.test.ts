// The draft: large pasted texts, earlier prompts, what is offered at the cursor, pages of PDFs.
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { browsed, mayBrowse, shownPrompt } from '../../../webview-ui/src/dock/earlierPrompts.ts';
import { askedAt, chosenMention, offeredCommands } from '../../../webview-ui/src/dock/offers.ts';
import { freshMark, isLargePaste, pastesIn, unfolded } from '../../../webview-ui/src/dock/pastes.ts';
import { pdfFacts } from '../../../src/shared/pdfPages.ts';
import { pdfReading } from '../../../webview-ui/src/dock/pdfReading.ts';

suite('draft', () => {
	test('a folded text is sent whole, where it was pasted, whatever is in it', () => {
		const name = (index: number) => `[Pasted text ${index}: 9 lines]`;
		fc.assert(
			fc.property(fc.array(fc.string(), { maxLength: 4 }), fc.string(), (texts, between) => {
				let draft = '';
				let expected = '';
				let pastes = {};
				for (const text of [...texts, 'a $& [Pasted text 1: 9 lines] b']) {
					const mark = freshMark(draft, pastes, name);
					pastes = { ...pastes, [mark]: text };
					draft += `${between}${mark}`;
					expected += `${between}${text}`;
				}
				fc.pre(!between.includes('[Pasted'));
				assert.equal(unfolded(draft, pastes), expected);
			}),
		);
	});

	test('a mark that is deleted takes its text with it', () => {
		const pastes = { '[1]': 'one', '[2]': 'two' };
		assert.deepEqual(pastesIn('see [2]', pastes), { '[2]': 'two' });
		assert.equal(unfolded('see [2]', pastes), 'see two');
		assert.equal(isLargePaste('x'.repeat(4000)), false);
		assert.equal(isLargePaste('x\n'.repeat(31)), true);
	});

	test('earlier prompts, back and forth; what was being written is the newest', () => {
		const start = { prompts: ['b', 'a'], at: -1, draft: 'new' };
		const b = browsed(start, 'new', 'older') ?? assert.fail();
		const a = browsed(b, 'b', 'older') ?? assert.fail();
		assert.deepEqual([shownPrompt(b), shownPrompt(a)], ['b', 'a']);
		assert.equal(browsed(a, 'a', 'older'), undefined);
		const again = browsed(browsed(a, 'a', 'newer') ?? assert.fail(), 'b', 'newer') ?? assert.fail();
		assert.equal(shownPrompt(again), 'new');
		assert.equal(browsed(again, 'new', 'newer'), undefined);
		// Changed since: a draft of its own.
		const changed = browsed(a, 'a, changed', 'older') ?? assert.fail();
		assert.equal(changed.draft, 'a, changed');
		const at = (value: string, selectionStart: number, selectionEnd = selectionStart) => ({
			value,
			selectionStart,
			selectionEnd,
		});
		assert.equal(mayBrowse('ArrowUp', at('some text', 4), undefined), false);
		assert.equal(mayBrowse('ArrowUp', at('some text', 0), undefined), true);
		assert.equal(mayBrowse('ArrowUp', at('b', 1), b), true);
		assert.equal(mayBrowse('ArrowUp', at('b', 0, 1), b), false);
		assert.equal(mayBrowse('ArrowDown', at('', 0), undefined), false);
	});

	test('a mention or a command is asked for only where one is typed', () => {
		assert.deepEqual(askedAt('see @src/a', 10), { kind: 'mention', start: 4, query: 'src/a' });
		assert.deepEqual(askedAt('看看@登录', 5), { kind: 'mention', start: 2, query: '登录' });
		assert.deepEqual(askedAt('@"a b', 5), { kind: 'mention', start: 0, query: 'a b' });
		assert.equal(askedAt('me@example.com', 14), undefined);
		assert.equal(askedAt('see @a ', 7), undefined);
		assert.deepEqual(askedAt('/co', 3), { kind: 'command', query: 'co' });
		assert.equal(askedAt('/usr/bin', 8), undefined);
		assert.equal(askedAt('a /co', 5), undefined);
		assert.equal(offeredCommands('mod')[0]?.name, 'model');
		assert.deepEqual(offeredCommands('nothing'), []);
	});

	test('choosing puts a blank after it, unless one is there or it goes on', () => {
		const folder = { kind: 'folder', label: 'src/', hits: [], detail: '', insert: '@src/' } as const;
		const at = { start: 4, cursor: 6, draft: 'see @s' };
		assert.deepEqual(chosenMention(folder, at, false), { start: 4, end: 6, text: '@src/ ' });
		assert.deepEqual(chosenMention(folder, at, true), { start: 4, end: 6, text: '@src/' });
		assert.deepEqual(chosenMention(folder, { ...at, draft: 'see @s now' }, false).text, '@src/');
		assert.equal(chosenMention({ ...folder, kind: 'topic', insert: '@session:' }, at, false).text, '@session:');
	});

	test('the pages of a PDF, also from compressed streams; one with a password is none', async () => {
		const bytes = (...parts: readonly (string | Uint8Array)[]) =>
			new Uint8Array(
				Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))),
			);
		const plain = '%PDF-1.4\n1 0 obj\n<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>\nendobj\n';
		assert.deepEqual(await pdfFacts(bytes(plain), pdfReading), { kind: 'pdf', pages: 2 });
		const nested = `${plain}4 0 obj\n<< /Count 7 /Type /Pages >>\nendobj\n`;
		assert.deepEqual(await pdfFacts(bytes(nested), pdfReading), { kind: 'pdf', pages: 7 });
		const packed = deflateSync(Buffer.from('1 0 2 50 << /Type /Pages /Kids [] /Count 123 >>', 'latin1'));
		const head = `%PDF-1.7\n5 0 obj\n<< /Type /ObjStm /N 2 /First 8 /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
		assert.deepEqual(await pdfFacts(bytes(head, packed, '\nendstream\nendobj\n'), pdfReading), {
			kind: 'pdf',
			pages: 123,
		});
		const turned = `%PDF-1.7\n5 0 obj\n<< /Filter /FlateDecode /First 8 /Type /ObjStm >>\nstream\r\n`;
		assert.deepEqual(await pdfFacts(bytes(turned, packed, '\r\nendstream'), pdfReading), { kind: 'pdf', pages: 123 });
		assert.deepEqual(await pdfFacts(bytes(`${plain}trailer << /Encrypt 9 0 R >>`), pdfReading), { kind: 'encrypted' });
		assert.deepEqual(await pdfFacts(bytes('GIF89a'), pdfReading), { kind: 'not_pdf' });
	});
});
