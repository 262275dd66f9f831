// What was said of a proposal outlives the window, on the disk, for just that proposal.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProposalMemory } from '../../../src/host/proposals/proposalMemory.ts';

suite('memory of proposals', () => {
	let folder: string;
	const failures: unknown[] = [];
	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'loopwright-proposals-'));
		failures.length = 0;
	});
	teardown(() => rm(folder, { recursive: true, force: true }));

	const memory = () => new ProposalMemory(folder, (error) => failures.push(error));
	const proposed = { realPath: '/w/a', oldText: 'one', newText: 'two', edits: [] };
	const said = { outcomes: [{ kind: 'denied' as const, reason: 'no' }, null, { kind: 'accepted' as const }] };
	const files = () => readdir(path.join(folder, 'proposals'));

	test('comes back in another window; of another call, file or text nothing does', async () => {
		await memory().remember('call', proposed, { ...said, text: 'mine' });
		assert.deepEqual(await memory().recall('call', proposed), { ...said, text: 'mine' });
		assert.equal(await memory().recall('other', proposed), undefined);
		assert.equal(await memory().recall('call', { ...proposed, realPath: '/w/b' }), undefined);
		assert.equal(await memory().recall('call', { ...proposed, oldText: 'on' }), undefined);
		assert.equal(await memory().recall('call', { ...proposed, newText: 'twos' }), undefined);
		assert.deepEqual(failures, []);
	});

	test('the last word counts, and only the person can read it; forgotten when it is answered or taken back', async () => {
		const one = memory();
		void one.remember('call', proposed, { ...said, text: 'm' });
		void one.remember('call', proposed, { ...said, text: 'mi' });
		await one.remember('call', proposed, said);
		assert.deepEqual(await memory().recall('call', proposed), said);
		const [name = ''] = await files();
		if (process.platform !== 'win32') {
			assert.equal((await stat(path.join(folder, 'proposals', name))).mode & 0o777, 0o600);
		}
		await one.remember('call', proposed, { outcomes: [null, null, null] });
		assert.deepEqual(await files(), []);
		void one.remember('call', proposed, said);
		await one.forget('call', proposed);
		assert.deepEqual(await files(), []);
	});

	test('what nobody asked for in a month goes; a folder that cannot be written is told, and no more', async () => {
		const now = Date.now();
		await memory().remember('old', proposed, said);
		const [name = ''] = await files();
		await utimes(path.join(folder, 'proposals', name), new Date(0), new Date(0));
		await memory().remember('new', proposed, said);
		await memory().tidy(now);
		assert.equal((await files()).length, 1);
		assert.deepEqual(await memory().recall('new', proposed), said);
		const nowhere = new ProposalMemory('/dev/null', (error) => failures.push(error));
		await nowhere.remember('call', proposed, said);
		await nowhere.tidy(now);
		assert.equal(failures.length, 1);
	});
});
