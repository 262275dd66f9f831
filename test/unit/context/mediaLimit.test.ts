// How many images and documents a request holds: the oldest give way to a note, in steps, and by the model's window.
import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import type { ImageBlock, Message } from '../../../src/core/messages/types.ts';
import { assertSendable, contextDeps, contextInput, kindsOf, prepared, Talk } from '../../support/contextWorld.ts';

/** A PNG's beginning; `mark` makes each another one. */
function image(mark: number, width = 100, height = 100, bytes = 60): ImageBlock {
	const file = Buffer.alloc(bytes);
	Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1').copy(file);
	file.writeUInt32BE(width, 16);
	file.writeUInt32BE(height, 20);
	file.writeUInt32BE(mark, 40);
	return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: file.toString('base64') } };
}

function talkOf(images: readonly ImageBlock[]): readonly Message[] {
	const talk = new Talk().prompt('look');
	for (const shown of images) {
		talk.turn({ calls: [{ name: 'Read', result: [{ type: 'text', text: 'a picture' }, shown] }] });
	}
	return talk.messages;
}

const mediaIn = (messages: readonly Message[]) =>
	messages.flatMap((message) =>
		message.role === 'assistant'
			? []
			: message.content.flatMap((block) =>
					block.type === 'tool_result' ? block.content.filter(({ type }) => type === 'image') : [],
				),
	);
const numbered = (count: number) => Array.from({ length: count }, (_, mark) => image(mark));

suite('how many media a request holds', () => {
	test('a hundred go; with one more the oldest give way, in one step for many turns', async () => {
		const fits = await prepared(contextInput(talkOf(numbered(limits.media))), contextDeps());
		assert.deepEqual(kindsOf(fits.changes), []);

		const images = numbered(limits.media + 1);
		const messages = talkOf(images);
		const { changes, messages: sent } = await prepared(contextInput(messages), contextDeps());
		assert.deepEqual(kindsOf(changes), ['media_limited']);
		assert.deepEqual(mediaIn(sent), images.slice(-80));
		assert.match(JSON.stringify(sent), /An image or a document was here; it is not sent any more/);
		assertSendable(sent);

		const later = talkOf(numbered(limits.media + 15));
		const again = await prepared(contextInput(later, { changes }), contextDeps());
		assert.deepEqual(kindsOf(again.changes), [], 'the beginning of the request stays as it was');
	});

	test('a model with a large window takes six hundred', async () => {
		const facts = { ...contextInput([]).facts, contextWindow: 1_000_000 };
		const few = await prepared(contextInput(talkOf(numbered(599)), { facts }), contextDeps());
		assert.deepEqual(kindsOf(few.changes), []);
		const many = await prepared(contextInput(talkOf(numbered(601)), { facts }), contextDeps());
		assert.equal(mediaIn(many.messages).length, 480);
	});

	test('of more than twenty, those with a side of over 2,000 pixels go', async () => {
		const large = image(1000, 2560, 1440);
		const few = await prepared(contextInput(talkOf([large, ...numbered(19)])), contextDeps());
		assert.deepEqual(kindsOf(few.changes), []);
		const { messages } = await prepared(contextInput(talkOf([large, ...numbered(20)])), contextDeps());
		assert.deepEqual(mediaIn(messages), numbered(20));
	});

	test('a PDF in a result goes with its request, counts by its pages, and gives way like an image', async () => {
		const data = Buffer.from('%PDF-1.7').toString('base64');
		const pdf = {
			type: 'document',
			source: { type: 'base64', media_type: 'application/pdf', data },
			pages: 10,
		} as const;
		const talk = new Talk().prompt('read it').turn({ calls: [{ name: 'Read', result: [pdf] }] });
		const { messages, tokens } = await prepared(contextInput(talk.messages), contextDeps());
		assertSendable(messages);
		assert.ok(tokens >= 10 * limits.pdfPageTokens);
		for (const shown of numbered(limits.media)) talk.turn({ calls: [{ name: 'Read', result: [shown] }] });
		const later = await prepared(contextInput(talk.messages), contextDeps());
		assert.ok(!JSON.stringify(later.messages).includes(data));
		assertSendable(later.messages);
	});

	test('all of them together stay within the size of a request', async () => {
		const heavy = Array.from({ length: 8 }, (_, mark) => image(mark, 100, 100, 3_000_000));
		const { messages } = await prepared(contextInput(talkOf(heavy)), contextDeps());
		const characters = JSON.stringify(messages).length;
		assert.ok(characters < limits.mediaChars, `${characters}`);
		assert.deepEqual(mediaIn(messages).at(-1), heavy.at(-1));
	});
});
