// What was written and not sent: kept by conversation over the death of the process, and never dropped when another one is shown.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readInbound } from '../../../src/host/panel/inbound.ts';
import { Drafts } from '../../../src/host/session/drafts.ts';
import { draftMove } from '../../../webview-ui/src/dock/draftOwner.ts';

suite('drafts', () => {
	let folder: string;
	const draft = (text: string) => ({ text, pastes: {}, media: [] });
	const failed = (error: unknown) => assert.fail(String(error));
	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'lw-drafts-'));
	});
	teardown(() => rm(folder, { recursive: true, force: true }));

	test('each conversation has its own, also in the next window; an empty one is none; all can be deleted', async () => {
		const drafts = new Drafts(folder, failed);
		await Promise.all([
			drafts.keep('one', draft('of one')),
			drafts.keep('two', draft('of two')),
			drafts.keep('', draft('new')),
		]);
		await drafts.keep('two', draft(''));
		const next = new Drafts(folder, failed);
		assert.deepEqual(await Promise.all(['one', 'two', ''].map(async (id) => (await next.of(id))?.text)), [
			'of one',
			undefined,
			'new',
		]);
		await next.clear();
		assert.equal(await new Drafts(folder, failed).of('one'), undefined);
	});

	test('of very many the newest stay; a file that is broken counts as none', async () => {
		const drafts = new Drafts(folder, failed);
		for (let at = 0; at < 60; at++) await drafts.keep(`${at}`, draft(`${at}`));
		assert.equal(await drafts.of('0'), undefined);
		assert.equal((await drafts.of('59'))?.text, '59');
		await writeFile(path.join(folder, 'drafts.json'), '{"a": {"text"');
		assert.equal(await new Drafts(folder, failed).of('59'), undefined);
	});

	test('what a panel sends is checked', () => {
		const kept = { type: 'draft_kept', conversation: 'one', draft: draft('x') };
		assert.deepEqual(readInbound(kept), kept);
		assert.equal(
			readInbound({ ...kept, draft: { ...draft('x'), media: [{ media: { id: '../x' } }] } }).type,
			'invalid',
		);
	});

	test('it stays with its conversation, and goes along where nothing was said yet', () => {
		const fresh = (sessionId: string) => ({ sessionId, key: '' });
		const said = (sessionId: string) => ({ sessionId, key: sessionId });
		assert.equal(draftMove(undefined, said('a')), 'swap');
		assert.equal(draftMove(said('a'), said('a')), 'keep');
		assert.equal(draftMove(said('a'), said('b')), 'swap');
		assert.equal(draftMove(fresh('a'), said('b')), 'swap');
		assert.equal(draftMove(fresh('a'), fresh('b')), 'keep');
		assert.equal(
			draftMove(fresh('a'), said('a')),
			'take_along',
			'the first prompt was sent while the next one is written',
		);
		assert.equal(draftMove(said('a'), fresh('a')), 'take_along', 'everything was taken back');
	});
});
