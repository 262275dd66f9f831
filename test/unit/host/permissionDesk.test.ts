// Requests that wait: answered once, by whoever comes first.
import assert from 'node:assert/strict';
import { PermissionDesk } from '../../../src/host/session/permissionDesk.ts';
import type { PermissionRequest } from '../../../src/shared/permission.ts';

const request = (id: string): PermissionRequest => ({
	id,
	toolUseId: `t-${id}`,
	tool: 'Bash',
	summary: 'ls',
	detail: { kind: 'generic', input: '' },
	reason: { code: 'mode_asks' },
});

suite('permission desk', () => {
	test('an answer resolves its request, a second one is ignored', async () => {
		const desk = new PermissionDesk();
		let changes = 0;
		desk.onChange(() => changes++);
		const asked = desk.requestPermission(request('a'), new AbortController().signal);
		assert.deepEqual(
			desk.pending.map(({ id }) => id),
			['a'],
		);
		assert.equal(desk.answer('a', { behavior: 'deny', reason: 'no' }), true);
		assert.equal(desk.answer('a', { behavior: 'allow' }), false);
		assert.deepEqual(await asked, { behavior: 'deny', reason: 'no' });
		assert.deepEqual(desk.pending, []);
		assert.equal(changes, 2);
	});

	test('B54 a stop takes the request back, a late answer changes nothing', async () => {
		const desk = new PermissionDesk();
		const stop = new AbortController();
		const asked = desk.requestPermission(request('a'), stop.signal);
		stop.abort();
		assert.equal(desk.answer('a', { behavior: 'allow' }), false);
		assert.deepEqual(await asked, { behavior: 'deny', stopped: true });
		assert.deepEqual(await desk.requestPermission(request('b'), stop.signal), { behavior: 'deny', stopped: true });
		assert.deepEqual(desk.pending, []);
	});

	test('a long wait is decided once, by the person or by a stop', async () => {
		const desk = new PermissionDesk();
		const stop = new AbortController();
		const first = desk.confirmWait(90_000, stop.signal);
		assert.deepEqual([desk.wait?.delayMs, desk.count], [90_000, 1]);
		const id = desk.wait?.id ?? '';
		assert.equal(desk.answerWait(id, true), true);
		assert.equal(desk.answerWait(id, false), false);
		assert.equal(await first, true);
		const second = desk.confirmWait(90_000, stop.signal);
		assert.notEqual(desk.wait?.id, id);
		stop.abort();
		assert.equal(await second, false);
		assert.deepEqual([desk.wait, desk.count], [null, 0]);
		assert.equal(await desk.confirmWait(1, stop.signal), false);
	});

	test('several wait at once, in order', async () => {
		const desk = new PermissionDesk();
		const { signal } = new AbortController();
		const all = ['a', 'b', 'c'].map((id) => desk.requestPermission(request(id), signal));
		desk.answer('b', { behavior: 'allow' });
		assert.deepEqual(
			desk.pending.map(({ id }) => id),
			['a', 'c'],
		);
		desk.answer('c', { behavior: 'allow' });
		desk.answer('a', { behavior: 'deny' });
		assert.deepEqual(await Promise.all(all), [{ behavior: 'deny' }, { behavior: 'allow' }, { behavior: 'allow' }]);
	});
});
