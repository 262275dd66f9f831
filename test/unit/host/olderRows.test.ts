// A large conversation in the panel: its end at once, what comes before when somebody wants to see it, find it or list it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Entry } from '../../../src/core/messages/journal.ts';
import { Channel } from '../../../src/host/panel/channel.ts';
import { OlderRows } from '../../../src/host/panel/olderRows.ts';
import { showTranscript } from '../../../src/host/panel/transcriptRows.ts';
import { ViewModel } from '../../../src/host/panel/viewModel.ts';
import { newestEntries, shownEntries } from '../../../src/host/session/shownEntries.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { bareState } from '../../support/viewState.ts';
import { FakePanel } from './support.ts';

const exchanges = 600;

suite('a large conversation', () => {
	let home: string;
	let store: SessionStore;
	suiteSetup(async () => {
		home = await mkdtemp(path.join(tmpdir(), 'lw-older-'));
		store = new SessionStore(home, { wholeBytes: 1000 });
		const { journal } = await store.create({ cwd: '/w', sessionId: 's' });
		for (const entry of conversation()) await journal.append(entry);
		await journal.close();
	});
	suiteTeardown(() => rm(home, { recursive: true, force: true }));

	function conversation(): readonly Entry[] {
		const entries: Entry[] = [{ type: 'session', version: 1, sessionId: 's', cwd: '/w', app: '0' }];
		const usage = { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 };
		for (let at = 0; at < exchanges; at++) {
			const text = `prompt ${at}${at === 3 ? ' marzipan' : ''}`;
			const messageId = `a${at}`;
			entries.push(
				{
					type: 'user',
					message: { role: 'user', id: `u${at}`, origin: 'prompt', content: [{ type: 'text', text }], time: 1 },
				},
				{ type: 'request', turn: 1, model: 'm', messageCount: 1 },
				{ type: 'block', messageId, index: 0, model: 'm', block: { type: 'text', text: `answer ${at}` } },
				{ type: 'answer', messageId, stopReason: 'end_turn', usage, complete: true, costUsd: 0 },
				{ type: 'exchange_end', reason: at % 50 === 0 ? 'max_turns' : 'completed' },
			);
		}
		return entries;
	}

	const place = () => ({ store, cwd: '/w', id: 's' });

	async function open() {
		const whole = (await store.read('/w', 's'))?.entries ?? assert.fail();
		const shown = (await newestEntries(place())) ?? assert.fail('it is large');
		const view = new ViewModel(bareState);
		showTranscript(view, shown.entries, '/w');
		const reads = { count: 0 };
		const entries = {
			next: () => {
				reads.count++;
				return shown.older?.next() ?? assert.fail('all is shown');
			},
		};
		view.older = new OlderRows(view, { entries, folder: '/w', failed: (error) => assert.fail(String(error)) });
		const channel = new Channel(
			() => view,
			(task) => {
				const timer = setTimeout(task, 0);
				return () => clearTimeout(timer);
			},
		);
		const panel = new FakePanel(channel);
		panel.handle.ready();
		const all = new ViewModel(bareState);
		showTranscript(all, whole, '/w');
		return { view, panel, all, reads };
	}
	const until = async (done: () => boolean) => {
		while (!done()) await new Promise((resolve) => setImmediate(resolve));
	};

	test('what was shown before it is open stays, unless somebody wrote to it meanwhile', async () => {
		const early = (await newestEntries(place())) ?? assert.fail('it is large');
		assert.ok(early.older);
		const [stored, small] = [
			{ entries: [], small: false, size: early.size },
			{ entries: [], small: true, size: 10 },
		];
		assert.equal(await shownEntries(place(), stored, early), early);
		const anew = await shownEntries(place(), { ...stored, size: early.size + 1 }, early);
		assert.notEqual(anew, early);
		assert.deepEqual(anew.entries, early.entries);
		assert.equal((await shownEntries(place(), small)).entries, small.entries);
		const opened = (await store.open('/w', 's')) ?? assert.fail();
		assert.equal(opened.size, early.size);
		await opened.journal.close();
		assert.equal(
			await new SessionStore(home).newestPage('/w', 's'),
			undefined,
			'small ones are shown once they are open',
		);
		assert.equal(await store.newestPage('/w', 'none'), undefined);
	});

	test('its end is there at once, the rest page by page, each row once', async () => {
		const { panel, all, reads, view } = await open();
		assert.equal(panel.rows.at(-1)?.id, all.all.at(-1)?.id);
		assert.equal(reads.count, 0);
		const texts = (rows: typeof panel.rows) => rows.map((row) => JSON.stringify({ ...row, id: '' }));
		let [pages, read] = [0, 0];
		while (panel.model.earlier > 0) {
			const before = panel.rows.length;
			panel.handle.earlierRows(panel.model.order[0] ?? '');
			await until(() => panel.rows.length > before || panel.model.earlier === 0);
			pages++;
			read = Math.max(read, reads.count);
			if (pages === 1) assert.ok(reads.count <= 3, 'no more than what was asked for');
		}
		assert.deepEqual(texts(panel.rows), texts(all.all));
		assert.equal(new Set(panel.model.order).size, panel.model.order.length);
		assert.ok(pages > 3 && read > 3);
		assert.equal(view.older?.more, false);
	});

	test('finding, the outline, and rows from a place on look at all of it', async () => {
		const { panel, all } = await open();
		await panel.handle.find('marzipan');
		const found = panel.messages.findLast((message) => message.type === 'found');
		assert.deepEqual(found?.type === 'found' && found.rows.map(({ rowId }) => rowId), ['u3']);
		panel.handle.earlierRows(panel.model.order[0] ?? '', 'u3');
		await until(() => panel.model.rows.has('u3'));
		const other = await open();
		other.panel.handle.outline();
		await until(() => other.panel.messages.some(({ type }) => type === 'outline'));
		const outline = other.panel.messages.find((message) => message.type === 'outline');
		assert.equal(outline?.type === 'outline' && outline.prompts.length, exchanges);
		const third = await open();
		third.panel.handle.earlierRows(third.panel.model.order[0] ?? '', 'u3');
		await until(() => third.panel.model.rows.has('u3'));
		assert.equal(third.panel.rows[0]?.id, 'u3');
		assert.equal(third.panel.rows.length, all.all.length - all.all.findIndex(({ id }) => id === 'u3'));
	});

	test('what cannot be read any more is told, and not asked for again', async () => {
		const view = new ViewModel(bareState);
		const told: unknown[] = [];
		const older = new OlderRows(view, {
			entries: { next: () => Promise.reject(new Error('gone')) },
			folder: '/w',
			failed: (error) => told.push(error),
		});
		await older.until(() => false);
		assert.deepEqual([told.length, older.more], [1, false]);
	});
});
