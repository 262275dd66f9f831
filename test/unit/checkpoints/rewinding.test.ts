// Conversation and files of a session that goes back, on the real controller, transcripts and store.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Entry, StoredEntry } from '../../../src/core/messages/journal.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import { SessionRewinding } from '../../../src/host/checkpoints/rewinding.ts';
import { CheckpointFile } from '../../../src/node/checkpoints/checkpointFile.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import type { Row } from '../../../src/shared/view.ts';
import { answer, lastUserText, messagesOf, startMockServer, type MockServer } from '../../support/mockServer.ts';
import { startController } from '../host/support.ts';

const cwd = '/w';

suite('rewinding a session', () => {
	let mock: MockServer;
	let home: string;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(async () => {
		mock.reset();
		home = await mkdtemp(path.join(tmpdir(), 'rewinding-'));
	});
	teardown(async () => {
		assert.deepEqual(mock.violations, []);
		await rm(home, { recursive: true, force: true });
	});

	/** A controller over sessions in memory, and the same sessions as the store has them. */
	function start() {
		const sessions = new Map<string, readonly StoredEntry[]>();
		const { controller } = startController({ url: mock.url, store: sessions });
		let shown = controller;
		const lists = new Map<string, CheckpointFile>();
		let forks = 0;
		const index = (id: string) => {
			const list =
				lists.get(id) ?? new CheckpointFile(path.join(home, id, 'c.jsonl'), (error) => assert.fail(String(error)));
			lists.set(id, list);
			return list;
		};
		const rewinding = new SessionRewinding({
			controller,
			show: async (id) => {
				shown = startController({ url: mock.url, store: sessions, remembered: { id } }).controller;
				await shown.open();
			},
			cwd: () => cwd,
			index,
			uuid: () => `fork-${++forks}`,
			store: {
				open: (_, id) => {
					const entries = sessions.get(id);
					if (!entries) return Promise.resolve(undefined);
					const append = (entry: Entry) => {
						sessions.set(id, [...(sessions.get(id) ?? []), { ...entry, time: 1 }]);
						return Promise.resolve();
					};
					return Promise.resolve({
						entries,
						damaged: 0,
						small: true,
						size: 0,
						openElsewhere: false,
						path: '',
						journal: { append, agentJournal: () => assert.fail('no subagents'), close: () => Promise.resolve() },
					});
				},
				read: (_, id) => Promise.resolve({ entries: sessions.get(id) ?? [], damaged: 0 }),
				copy: (_, from, to) => {
					sessions.set(to, sessions.get(from) ?? []);
					return Promise.resolve();
				},
				fork: async ({ from, to, before }) => {
					const store = new SessionStore(home);
					const { journal } = await store.create({ cwd, sessionId: from });
					for (const entry of sessions.get(from) ?? []) await journal.append(entry);
					await journal.close();
					const forked = await store.fork({ cwd, from, to, before });
					sessions.set(to, (await store.open(cwd, to))?.entries ?? []);
					return forked;
				},
			},
		});
		return { controller, rewinding, sessions, index, shown: () => shown };
	}
	const prompts = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'prompt' ? [row.text] : []));

	test('it goes on from before the message, and the rewind is taken back', async () => {
		mock.setScript([answer('One.'), answer('Two.'), answer('Three.')]);
		const { controller, rewinding } = start();
		await controller.submit('first');
		await controller.submit('second');
		const session = controller.state.sessionId;
		await rewinding.rewind(rewinding.prompts[1]?.id ?? '');
		assert.equal(controller.state.sessionId, session);
		assert.deepEqual(prompts(controller.view.all), ['first']);
		assert.equal(controller.state.wentBack, true);
		assert.equal(await rewinding.undoRewind(), true);
		assert.equal(controller.state.wentBack, false);
		assert.deepEqual(prompts(controller.view.all), ['first', 'second']);
		assert.equal(await rewinding.undoRewind(), false);
		await rewinding.rewind(rewinding.prompts[0]?.id ?? '');
		assert.equal(controller.state.wentBack, true);
		await controller.submit('instead');
		assert.equal(controller.state.wentBack, false);
		assert.deepEqual(prompts(controller.view.all), ['instead']);
		assert.equal(lastUserText(mock.requests.at(-1) ?? assert.fail()), 'instead');
		assert.equal(await rewinding.undoRewind(), false);
	});

	test('a fork is another session; the first one stays byte for byte', async () => {
		mock.setScript([answer('One.'), answer('Two.'), answer('Other.')]);
		const { controller, rewinding, sessions, index, shown } = start();
		await controller.submit('first');
		await controller.submit('second');
		const session = controller.state.sessionId;
		const [first, second] = await rewinding.promptsFrom();
		for (const prompt of [first, second]) await index(session).append({ type: 'prompt', id: prompt?.id ?? '' });
		const before = JSON.stringify(sessions.get(session));
		await rewinding.fork(second?.id ?? '');
		assert.equal(shown().state.sessionId, 'fork-1');
		assert.deepEqual(prompts(shown().view.all), ['first']);
		await shown().submit('instead');
		assert.ok(JSON.stringify(messagesOf(mock.requests.at(-1) ?? assert.fail())).includes('first'));
		assert.equal(JSON.stringify(sessions.get(session)), before);
		assert.deepEqual(await index('fork-1').read(), [{ type: 'prompt', id: first?.id }]);
		const stored = await readFile(path.join(home, 'projects', '-w', 'fork-1.jsonl'), 'utf8');
		assert.ok(!stored.includes('second'));
		assert.equal(loadSession(sessions.get('fork-1') ?? []).interrupted, false);
	});

	test('said otherwise, each version is one step away, with what followed it', async () => {
		mock.setScript(['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => answer(text)));
		const { controller, rewinding } = start();
		const versions = () =>
			controller.view.all.flatMap((row) => (row.kind === 'prompt' ? [row.versions?.length ?? 1] : []));
		await controller.submit('first');
		await controller.submit('second');
		const second = rewinding.prompts[1]?.id ?? '';
		await rewinding.rewind(second);
		await controller.submit('second, better');
		assert.deepEqual(versions(), [1, 2]);
		await controller.submit('third');
		assert.deepEqual(versions(), [1, 2, 1]);
		const better = rewinding.prompts[1]?.id ?? '';
		await rewinding.switchTo(second);
		assert.deepEqual(prompts(controller.view.all), ['first', 'second']);
		const [, row] = controller.view.all.filter(({ kind }) => kind === 'prompt');
		assert.deepEqual(row?.kind === 'prompt' ? row.versions : [], [second, better]);
		await rewinding.switchTo(better);
		assert.deepEqual(prompts(controller.view.all), ['first', 'second, better', 'third']);
		assert.deepEqual(versions(), [1, 2, 1]);
		await rewinding.rewind(better);
		await controller.submit('once more');
		assert.deepEqual(versions(), [1, 3]);
	});

	test('a copy has all of it, and what was kept of its files', async () => {
		mock.setScript([answer('One.'), answer('Two.')]);
		const { controller, rewinding, sessions, index, shown } = start();
		await controller.submit('first');
		const session = controller.state.sessionId;
		await index(session).append({ type: 'prompt', id: rewinding.prompts[0]?.id ?? '' });
		const before = JSON.stringify(sessions.get(session));
		await rewinding.fork();
		assert.equal(shown().state.sessionId, 'fork-1');
		assert.deepEqual(prompts(shown().view.all), ['first']);
		assert.deepEqual(await index('fork-1').read(), await index(session).read());
		await shown().submit('second');
		assert.equal(JSON.stringify(sessions.get(session)), before);
	});

	test('while it works, it is stopped first', async () => {
		mock.setScript([answer('One.'), answer('Two.')]);
		const { controller, rewinding } = start();
		await controller.submit('first');
		const running = controller.submit('second');
		await rewinding.rewind(rewinding.prompts[0]?.id ?? '');
		await running;
		assert.deepEqual(prompts(controller.view.all), []);
		assert.equal(controller.state.status, 'ready');
	});
});
