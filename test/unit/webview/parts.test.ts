// How a long list is cut into what is drawn together: nothing lost, and parts stay what they are when the list grows at its ends.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parts } from '../../../webview-ui/src/near/parts.ts';
import { supposedHeight } from '../../../webview-ui/src/near/supposedHeight.ts';

const by = { keyOf: (item: string) => item, sizeOf: (item: string) => item.length, full: 6 };

suite('parts of a conversation', () => {
	test('a part takes items until it is full', () => {
		const found = parts(['aa', 'bb', 'cc', 'dd'], by, []);
		assert.deepEqual(found, [
			{ key: 'aa', items: ['aa', 'bb', 'cc'] },
			{ key: 'dd', items: ['dd'] },
		]);
	});

	test('whatever is added at both ends, nothing is lost and known parts keep their first item and their object', () => {
		const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 60 });
		fc.assert(
			fc.property(words, fc.nat(60), fc.nat(60), (all, one, two) => {
				const [from, to] = [Math.min(one, two, all.length), Math.min(Math.max(one, two), all.length)];
				const before = parts(all.slice(from, to), by, []);
				const after = parts(all, by, before);
				assert.deepEqual(
					after.flatMap(({ items }) => items),
					all,
				);
				const last = before.at(-1);
				for (const part of before) if (part !== last) assert.ok(after.includes(part));
				if (last) assert.ok(after.some(({ key }) => key === last.key));
			}),
		);
	});

	test('a row has a height before it is drawn; a longer text a greater one', () => {
		const text = (words: string) => supposedHeight({ kind: 'text', id: 'x', text: words, open: false });
		assert.ok(text('word '.repeat(200)) > text('word'));
		assert.equal(supposedHeight(undefined), 0);
	});
});
