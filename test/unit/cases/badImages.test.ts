// The case "API protocol" B08: an image that the service does not take costs that image, and neither the others nor the conversation.
import assert from 'node:assert/strict';
import { finish, startConversation, type TestConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockServer } from '../../support/mockServer.ts';
import { answer, fail, startMockServer, toolUse, turn } from '../../support/mockServer.ts';

/** The head of a PNG with these measures; `mark` tells one from another. */
function png(width: number, height: number, mark: string): string {
	const head = Buffer.alloc(64);
	head.writeUInt32BE(0x89504e47, 0);
	head.writeUInt32BE(width, 16);
	head.writeUInt32BE(height, 20);
	head.write(mark, 40);
	return head.toString('base64');
}

const sizes: Readonly<Record<string, readonly [number, number]>> = {
	small: [80, 60],
	tall: [1200, 9000],
	wide: [2400, 90],
};
const look = fakeTool({
	name: 'Look',
	safe: true,
	run: ({ id }) => {
		const [width, height] = sizes[id] ?? [1, 1];
		const source = { type: 'base64', media_type: 'image/png', data: png(width, height, id) } as const;
		return Promise.resolve({
			...said(id),
			content: [
				{ type: 'text', text: id },
				{ type: 'image', source },
			],
		});
	},
});

suite('cases: API protocol, B08 images that are not taken', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(async () => {
		assert.deepEqual(server.violations, []);
		await server.close();
	});
	const start = (): TestConversation => startConversation({ url: server.url, tools: [look] });
	const images = () =>
		Object.keys(sizes).filter((id) => {
			const [width, height] = sizes[id] ?? [0, 0];
			return JSON.stringify(server.requests.at(-1)?.body).includes(png(width, height, id));
		});
	const shows = (...ids: string[]) => turn(...ids.map((id) => toolUse('Look', { id }, id)));
	async function ask(conversation: TestConversation['conversation'], prompt = 'look') {
		const { events, terminal } = await finish(conversation.submitMessage(prompt));
		assert.equal(terminal.reason, 'completed');
		assert.ok(!events.some(({ type }) => type === 'model_error'), 'nobody sees an error that was recovered');
	}
	const refuse = (message: string) => fail(400, 'invalid_request_error', message);

	test('B08 the place that the error names is left out, once and for all', async () => {
		const problem =
			'messages.2.content.1.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 9 bytes > 5 bytes';
		server.setScript([shows('small', 'tall'), refuse(problem), answer('seen'), answer('again')]);
		const { conversation } = start();
		await ask(conversation);
		assert.deepEqual(images(), ['small']);
		assert.match(JSON.stringify(server.requests.at(-1)?.body), /service does not take it/);
		assert.equal(server.requests.length, 3);
		await ask(conversation, 'and now?');
		assert.deepEqual(images(), ['small']);
		assert.equal(server.requests.length, 4);
	});

	test('B08 too many pixels among many images: those that are too wide, by their own measures', async () => {
		const problem = 'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels';
		server.setScript([shows('small', 'wide', 'tall'), refuse(problem), answer('seen')]);
		const { conversation } = start();
		await ask(conversation);
		assert.deepEqual(images(), ['small']);
	});

	test('B08 an error that names none costs all images, not the conversation', async () => {
		server.setScript([shows('small', 'tall'), refuse('Could not process image'), answer('seen')]);
		await ask(start().conversation);
		assert.deepEqual(images(), []);
	});

	test('B08 several that are named one after the other cost just these; the fourth costs all', async () => {
		const named = (part: number) =>
			refuse(`messages.2.content.${part}.content.1.image.source.base64: image exceeds 5 MB maximum: 9 bytes > 5 bytes`);
		server.setScript([shows('small', 'tall', 'wide'), named(1), named(2), answer('seen')]);
		await ask(start().conversation);
		assert.deepEqual(images(), ['small']);
		const more = shows('small', 'tall', 'wide', 'other', 'last');
		server.setScript([more, named(1), named(2), named(3), named(4), answer('seen')]);
		await ask(start().conversation);
		assert.deepEqual(images(), []);
	});
});
