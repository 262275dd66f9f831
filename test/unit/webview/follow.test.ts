// When the conversation follows its growth: any upward look lets go at once, only the true bottom holds on again.
import assert from 'node:assert/strict';
import { fits, isUpwardKey, jumped, lookedUp, scrolled, startFollowing } from '../../../webview-ui/src/follow.ts';

const place = { height: 1000, client: 400, byHand: false };
const atBottom = jumped({ top: 600, height: 1000 });

suite('following the conversation', () => {
	test('starts at the bottom', () => {
		assert.equal(startFollowing.pinned, true);
	});

	test('one wheel tick up lets go, even before anything moved', () => {
		assert.equal(lookedUp(atBottom, place).pinned, false);
	});

	test('a wheel tick without anything to scroll changes nothing', () => {
		assert.equal(lookedUp(startFollowing, { height: 300, client: 400 }).pinned, true);
	});

	test('what all fits is at its bottom; a fraction of a pixel, as zoomed windows have it, does not count', () => {
		assert.ok(fits({ height: 400, client: 400 }) && fits({ height: 401, client: 400 }));
		assert.ok(!fits({ height: 403, client: 400 }));
	});

	test('the first pixel of a smooth scroll up does not hold on again', () => {
		const up = lookedUp(atBottom, place);
		assert.equal(scrolled(up, { ...place, top: 599 }).pinned, false);
		assert.equal(scrolled(up, { ...place, top: 580 }).pinned, false);
	});

	test('moving down short of the bottom does not hold on; the bottom does', () => {
		const up = { pinned: false, top: 500, height: 1000 };
		const nearer = scrolled(up, { ...place, top: 590 });
		assert.equal(nearer.pinned, false);
		assert.equal(scrolled(nearer, { ...place, top: 599.5 }).pinned, true);
	});

	test('a jump of the scroll position up lets go (find, screen reader)', () => {
		assert.equal(scrolled(atBottom, { ...place, top: 200 }).pinned, false);
	});

	test('a move up because the content changed its height does not let go, unless the person holds the scroll bar', () => {
		const shrunk = { ...place, height: 900, top: 450 };
		assert.equal(scrolled(atBottom, shrunk).pinned, true);
		assert.equal(scrolled(atBottom, { ...shrunk, byHand: true }).pinned, false);
	});

	test('growth alone changes nothing', () => {
		const grown = { ...place, height: 1500, top: 600 };
		assert.equal(scrolled(atBottom, grown).pinned, true);
		assert.equal(scrolled({ ...atBottom, pinned: false }, grown).pinned, false);
	});

	test('keys that lead up', () => {
		assert.deepEqual(
			['ArrowUp', 'PageUp', 'Home', 'ArrowDown', 'End', 'a'].filter((key) => isUpwardKey(key, false)),
			['ArrowUp', 'PageUp', 'Home'],
		);
		assert.equal(isUpwardKey(' ', true), true);
		assert.equal(isUpwardKey(' ', false), false);
	});
});
