import assert from 'node:assert/strict';
import { ContextCache } from '../../../src/core/context/contextCache.ts';
import { roughMessageTokens } from '../../../src/core/context/estimate.ts';
import { contextLimits, contextSize } from '../../../src/core/context/tokens.ts';
import { imageSize } from '../../../src/core/util/imageSize.ts';
import type { Message } from '../../../src/core/messages/types.ts';
import { contextInput, Talk, tokensOfText } from '../../support/contextWorld.ts';

function png(width: number, height: number): string {
	const bytes = Buffer.alloc(33);
	bytes.writeUInt32BE(0x89504e47, 0);
	bytes.writeUInt32BE(width, 16);
	bytes.writeUInt32BE(height, 20);
	return bytes.toString('base64');
}

function withImage(data: string): Message {
	const source = { type: 'base64', media_type: 'image/png', data } as const;
	return { role: 'user', id: 'u', origin: 'prompt', time: 0, content: [{ type: 'image', source }] };
}

suite('context: tokens', () => {
	test('without any usage everything is estimated, system and tools included', () => {
		const { messages } = new Talk().prompt(tokensOfText(1_000));
		const { tokens, measured } = contextSize(contextInput(messages, { overheadTokens: 500 }), new ContextCache());
		assert.ok(tokens >= 1_500 && tokens < 1_520, String(tokens));
		assert.equal(measured, false);
	});

	test('the last usage counts, its buckets once, and only what came later is estimated', () => {
		const talk = new Talk().prompt(tokensOfText(9_000)).turn({ text: 'hi', tokens: 40_000 });
		const messages = talk.messages.map((message) =>
			message.role === 'assistant'
				? {
						...message,
						usage: { inputTokens: 10, cacheCreationTokens: 2_000, cacheReadTokens: 40_000, outputTokens: 300 },
					}
				: message,
		);
		const later = new Talk().prompt(tokensOfText(1_000)).messages.map((message) => ({ ...message, id: 'later' }));
		const { tokens } = contextSize(
			contextInput([...messages, ...later], { overheadTokens: 99_999 }),
			new ContextCache(),
		);
		assert.ok(tokens >= 43_310 && tokens < 43_330, String(tokens));
	});

	test('a change that the usage knows nothing of leads to a new estimate, at the ratio the usage taught', () => {
		const talk = new Talk().prompt('go').turn({ calls: [{ name: 'Read', result: tokensOfText(10_000) }] });
		talk.turn({ calls: [{ name: 'Read', result: tokensOfText(1_000) }], tokens: 20_000 });
		const input = contextInput(talk.messages);
		const cache = new ContextCache();
		const before = contextSize(input, cache);
		assert.ok(before.tokens > 21_000 && before.tokens < 21_020, String(before.tokens));
		const at = talk.messages.at(-1)?.id ?? '';
		const changes = [{ kind: 'results_cleared', at, toolUseIds: ['t2_0'], freed: 0 }] as const;
		const after = contextSize({ ...input, changes }, cache);
		assert.ok(after.ratio > 1.9 && after.ratio < 2.05, String(after.ratio));
		assert.ok(after.tokens > 1_900 && after.tokens < 2_200, String(after.tokens));
		talk.turn({ calls: [{ name: 'Read', result: 'x' }], tokens: 5_000 });
		const counted = contextSize(contextInput(talk.messages, { changes }), cache);
		assert.ok(counted.tokens >= 5_000 && counted.tokens < 5_020, 'the first usage after it counts again');
	});

	test('images cost their pixels by 750, within bounds, whatever their bytes', () => {
		assert.deepEqual(imageSize(png(1200, 750)), { width: 1200, height: 750 });
		assert.equal(roughMessageTokens(withImage(png(1200, 750))), 1_204);
		assert.equal(roughMessageTokens(withImage(png(9_000, 9_000))), 4_804);
		assert.equal(roughMessageTokens(withImage('bm8gaW1hZ2U=')), 1_604, 'unknown size');
	});

	test('sizes of JPEG, GIF and WebP', () => {
		const jpeg = Buffer.alloc(64);
		jpeg.set([0xff, 0xd8, 0xff, 0xe0, 0, 16], 0);
		jpeg.set([0xff, 0xc0, 0, 17, 8, 0x02, 0x58, 0x03, 0x20], 20);
		assert.deepEqual(imageSize(jpeg.toString('base64')), { width: 800, height: 600 });
		const gif = Buffer.alloc(40);
		gif.write('GIF89a');
		gif.writeUInt16LE(320, 6);
		gif.writeUInt16LE(200, 8);
		assert.deepEqual(imageSize(gif.toString('base64')), { width: 320, height: 200 });
		const webp = Buffer.alloc(40);
		webp.write('RIFF');
		webp.write('WEBPVP8X', 8);
		webp.writeUIntLE(639, 24, 3);
		webp.writeUIntLE(479, 27, 3);
		assert.deepEqual(imageSize(webp.toString('base64')), { width: 640, height: 480 });
		assert.equal(imageSize(''), undefined);
	});

	test('limits: window less reserve and buffer; the settings lower them; small windows keep their proportions', () => {
		const usual = contextLimits(contextInput([]));
		assert.equal(usual.compactAt, 200_000 - 20_000 - 13_000);
		assert.equal(usual.collapseAt, usual.compactAt, '90 % of the window would be too late here');
		assert.equal(usual.blockAt, 197_000);
		const big = { ...contextInput([]).facts, contextWindow: 1_000_000 };
		assert.equal(contextLimits(contextInput([], { facts: big })).compactAt, 967_000);
		assert.equal(contextLimits(contextInput([], { facts: big })).collapseAt, 900_000);
		const settings = { enabled: true, window: 100_000, threshold: 0.5 };
		assert.equal(contextLimits(contextInput([], { settings })).compactAt, 50_000);
		const tiny = contextLimits(contextInput([], { settings: { enabled: true, window: 10_000 } }));
		assert.equal(tiny.compactAt, 6_700);
		assert.ok(tiny.blockAt > tiny.compactAt);
	});

	test('the cache projects as the pure function does, with the same objects, and only what is new', () => {
		const talk = new Talk().prompt('go').turn({ calls: [{ name: 'Read', result: 'long' }] });
		const cache = new ContextCache();
		const changes = [{ kind: 'results_cleared', at: 'a2', toolUseIds: ['t2_0'], freed: 1 }] as const;
		const first = cache.projected(talk.messages, changes);
		talk.turn({ text: 'more' });
		const second = cache.projected(talk.messages, changes);
		assert.equal(second[2], first[2], 'the shortened message is the same object');
		assert.equal(second.length, 4);
		const third = cache.projected(talk.messages, [...changes, { kind: 'thinking_dropped', at: 'a3', upTo: 'a3' }]);
		assert.equal(third[2], first[2], 'also after a boundary that does not concern it');
	});
});
