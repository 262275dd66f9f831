// A large session is shown before it is open: what is there stays, what is sent waits, and nothing is shown twice.
import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { Row } from '../../../src/shared/view.ts';
import { answer, startMockServer, type MockServer } from '../../support/mockServer.ts';
import { FakePanel, startController } from './support.ts';

const texts = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'text' ? [row.text] : []));

suite('a session that is shown before it is open', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());
	teardown(() => assert.deepEqual(mock.violations, []));

	for (const changed of [false, true]) {
		test(`what is sent meanwhile waits, and ${changed ? 'what somebody else wrote to it is shown' : 'nothing jumps'}`, async () => {
			const store = new Map<string, readonly StoredEntry[]>();
			const remembered: { id: string | undefined } = { id: undefined };
			mock.setScript([answer('Hello.')]);
			const first = startController({ url: mock.url, store, remembered });
			await first.controller.submit('hi');
			await first.controller.close();
			// More was spent before than the page tells of by itself.
			const usage = { inputTokens: 7, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 7 };
			const spent = { usage, costUsd: 399 };
			const [id, entries] = [...store][0] ?? assert.fail();
			store.set(
				id,
				entries.map((entry) => (entry.type === 'exchange_end' ? { ...entry, spent } : entry)),
			);
			let open: () => void = () => assert.fail();
			const opens = new Promise<void>((resolve) => (open = resolve));
			const more = { type: 'mode', mode: 'acceptEdits', time: 9 } as const;
			const parts = startController({
				url: mock.url,
				store,
				remembered,
				large: { opens, ...(changed ? { changed: more } : {}) },
			});
			const { controller, channel, later } = parts;
			const panel = new FakePanel(channel);
			panel.handle.ready();
			const opened = controller.open();
			await controller.presentable;
			later.run();
			assert.deepEqual(texts(panel.rows), ['Hello.']);
			assert.equal(panel.model.state?.sessionId, remembered.id);
			const { costUsd = 0 } = panel.model.state ?? {};
			assert.equal(costUsd, 399, 'what it has cost so far');
			mock.setScript([answer('And more.')]);
			const submitted = controller.submit('go on');
			assert.deepEqual(texts(panel.rows), ['Hello.'], 'what is sent waits');
			const snapshots = panel.messages.filter(({ type }) => type === 'snapshot').length;
			open();
			await opened;
			await submitted;
			later.run();
			assert.deepEqual(texts(panel.rows), ['Hello.', 'And more.']);
			assert.equal(panel.model.state?.mode, changed ? 'acceptEdits' : 'default');
			assert.ok((panel.model.state?.costUsd ?? 0) > (costUsd ?? 0));
			const anew = panel.messages.filter(({ type }) => type === 'snapshot').length - snapshots;
			assert.equal(anew, changed ? 1 : 0, 'nothing jumps unless it has to');
		});
	}
});
