// What the history shows, and how it searches: rows, headings, states, and a search that is cancelled by the next letter.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { badgesOf, historyRows, neighbour, type HistoryOrder } from '../../../src/host/history/historyRows.ts';
import { HistorySearch } from '../../../src/host/history/historySearch.ts';
import type { SessionInfo } from '../../../src/node/sessions/sessionInfo.ts';

const now = new Date(2026, 10, 30, 12).getTime();
const hour = 60 * 60_000;

function session(id: string, hoursAgo: number, more: Partial<SessionInfo> = {}): SessionInfo {
	return {
		id,
		root: '/w',
		cwd: '/w',
		title: `Session ${id}`,
		titleBy: 'prompt',
		mtime: now - hoursAgo * hour,
		size: 1,
		costUsd: 0,
		state: 'ended',
		pinned: false,
		archived: false,
		...more,
	};
}

function order(more: Partial<HistoryOrder> = {}): HistoryOrder {
	return { open: new Map(), now, text: '', archived: false, hits: new Map(), ...more };
}

function hit(sessionId: string) {
	return { sessionId, from: 'model', snippet: 'x', at: 0, messageId: 'm', offset: 0, time: 0 } as const;
}

suite('history rows', () => {
	const all = [
		session('p', 900, { pinned: true }),
		session('a', 1),
		session('b', 20),
		session('c', 3 * 24),
		session('d', 30 * 24, { archived: true }),
		session('e', 40 * 24),
	];

	test('headings by day, pinned first, archived only when wanted and then last', () => {
		const groups = (archived: boolean) =>
			historyRows(all, order({ archived })).map(({ info, group }) => `${info.id} ${group}`);
		assert.deepEqual(groups(false), ['p pinned', 'a today', 'b yesterday', 'c week', 'e older']);
		assert.deepEqual(groups(true), ['p pinned', 'a today', 'b yesterday', 'c week', 'e older', 'd archived']);
	});

	test('yesterday is yesterday on the days on which clocks change, too', () => {
		for (const month of [2, 9]) {
			for (let day = 20; day <= 31; day++) {
				const noon = new Date(2026, month, day, 12).getTime();
				const late = session('x', 0, { mtime: new Date(2026, month, day - 1, 0, 5).getTime() });
				assert.equal(historyRows([late], order({ now: noon }))[0]?.group, 'yesterday');
			}
		}
	});

	test('titles that have all words come before contents; archived ones are found, too', () => {
		const infos = [session('a', 1, { title: 'Fix the parser' }), session('b', 2), session('c', 3, { archived: true })];
		const found = (text: string, ids: readonly string[] = []) =>
			historyRows(infos, order({ text, hits: new Map(ids.map((id) => [id, hit(id)])) })).map(({ info }) => info.id);
		assert.deepEqual(found('PARSER fix'), ['a']);
		assert.deepEqual(found('parser', ['c', 'b', 'a']), ['a', 'b', 'c']);
		assert.deepEqual(found('nothing'), []);
	});

	test('states', () => {
		const open = session('a', 0, { state: 'open' });
		const here = { state: 'ready', shown: true, elsewhere: false, mode: 'default', costUsd: 0 } as const;
		assert.deepEqual(badgesOf(open, here), ['shown']);
		assert.deepEqual(badgesOf(open, { ...here, state: 'working' }), ['shown', 'working']);
		assert.deepEqual(badgesOf(open, { ...here, elsewhere: true }), ['shown', 'elsewhere']);
		for (const state of ['waiting', 'done', 'failed', 'running', 'stopped'] as const) {
			assert.deepEqual(badgesOf(open, { ...here, shown: false, state }), [state]);
		}
		assert.deepEqual(badgesOf(session('b', 0, { state: 'open' }), undefined), ['elsewhere']);
		const both = session('b', 0, { state: 'interrupted', pinned: true, archived: true });
		assert.deepEqual(badgesOf(both, undefined), ['interrupted', 'pinned', 'archived']);
	});

	test('the keys go to the next row, from the last to the one before', () => {
		const rows = historyRows([session('a', 1), session('b', 2)], order());
		assert.equal(neighbour(rows, 'a'), 'b');
		assert.equal(neighbour(rows, 'b'), 'a');
		assert.equal(neighbour(historyRows([session('a', 1)], order()), 'a'), undefined);
	});
});

suite('history search', () => {
	/** Timers that run when they are told to. */
	class Timers {
		private tasks: (() => void)[] = [];
		readonly later = (task: () => void) => {
			this.tasks.push(task);
			return () => void (this.tasks = this.tasks.filter((other) => other !== task));
		};
		run(): void {
			const tasks = this.tasks;
			this.tasks = [];
			for (const task of tasks) task();
		}
	}

	function searching(contents: Readonly<Record<string, string>>) {
		const folder = mkdtempSync(path.join(tmpdir(), 'history-'));
		const sessions = Object.entries(contents).map(([id, text]) => {
			const file = path.join(folder, `${id}.jsonl`);
			const message = { role: 'user', id: `m-${id}`, origin: 'prompt', time: 1, content: [{ type: 'text', text }] };
			writeFileSync(file, `${JSON.stringify({ type: 'user', message, time: 1 })}\n`);
			return { id, file };
		});
		const timers = new Timers();
		let asked = 0;
		let ended = () => {};
		const search = new HistorySearch({
			sessions: () => (asked++, Promise.resolve(sessions)),
			later: timers.later,
			changed: () => !search.busy && ended(),
			failed: (error) => assert.fail(String(error)),
		});
		const end = () => new Promise<void>((resolve) => (ended = resolve));
		return { search, timers, end, asked: () => asked };
	}

	test('only the newest question is looked for, after a pause', async () => {
		const { search, timers, end, asked } = searching({ a: 'about apples', b: 'about pears' });
		search.look('appl');
		search.look('pear');
		assert.equal(search.busy, true);
		assert.equal(asked(), 0);
		const done = end();
		timers.run();
		await done;
		assert.equal(asked(), 1);
		assert.deepEqual([...search.hits.keys()], ['b']);
		assert.match(search.hits.get('b')?.snippet ?? '', /about pears/);
	});

	test('an older question that still runs tells nothing more', async () => {
		const { search, timers, end } = searching({ a: 'about apples', b: 'about pears' });
		search.look('apples');
		timers.run();
		search.look('pears');
		const done = end();
		timers.run();
		await done;
		assert.deepEqual([...search.hits.keys()], ['b']);
	});

	test('one letter is not looked for, one Chinese character is; nothing runs after dispose', async () => {
		const { search, timers, end, asked } = searching({ a: '解析器 a' });
		search.look('a');
		assert.equal(search.busy, false);
		search.look('解');
		const done = end();
		timers.run();
		await done;
		assert.deepEqual([...search.hits.keys()], ['a']);
		search.look('解析');
		search.dispose();
		timers.run();
		assert.equal(asked(), 1);
		assert.equal(search.hits.size, 0);
	});
});
