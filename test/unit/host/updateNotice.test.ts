// That the extension is another version is told once, and a first installation is no update.
import assert from 'node:assert/strict';
import { UpdateNotice } from '../../../src/host/panel/updateNotice.ts';

suite('the notice of an update', () => {
	function started(memory: Map<string, unknown>, version: string) {
		const seen = { changed: 0, opened: 0 };
		const notice = new UpdateNotice({
			memory: {
				get: (key: string) => memory.get(key),
				update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
			},
			version,
			changed: () => {
				seen.changed += 1;
			},
			openNews: () => Promise.resolve((seen.opened += 1)),
		});
		return { notice, seen };
	}

	test('not after the first installation, nor when the window is opened again', () => {
		const memory = new Map<string, unknown>();
		assert.equal(started(memory, '0.1.0').notice.updatedTo, null);
		assert.equal(started(memory, '0.1.0').notice.updatedTo, null);
	});

	test('from window to window until it was seen; then no more', async () => {
		const memory = new Map<string, unknown>();
		started(memory, '0.1.0');
		assert.equal(started(memory, '0.2.0').notice.updatedTo, '0.2.0');
		const { notice, seen } = started(memory, '0.2.0');
		assert.equal(notice.updatedTo, '0.2.0');
		await notice.seen(false);
		assert.equal(notice.updatedTo, null);
		assert.deepEqual(seen, { changed: 1, opened: 0 });
		assert.equal(started(memory, '0.2.0').notice.updatedTo, null);
	});

	test('who wants to read what is new is shown it', async () => {
		const memory = new Map<string, unknown>([['loopwright.version', '0.1.0']]);
		const { notice, seen } = started(memory, '0.2.0');
		await notice.seen(true);
		assert.deepEqual(seen, { changed: 1, opened: 1 });
	});
});
