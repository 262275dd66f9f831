// The controller on the real engine and a real (mock) service: prompts, queue, stop, permission, reload.
import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { Row } from '../../../src/shared/view.ts';
import {
	answer,
	fail,
	gate,
	lastUserText,
	startMockServer,
	text,
	toolUse,
	turn,
	type MockServer,
} from '../../support/mockServer.ts';
import { FakePanel, startController, until } from './support.ts';

const kinds = (rows: readonly Row[]) => rows.map((row) => row.kind);
const notices = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'notice' ? [row.code] : []));
const texts = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'text' ? [row.text] : []));

suite('session controller', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());
	teardown(() => assert.deepEqual(mock.violations, []));

	test('a prompt and its answer', async () => {
		mock.setScript([answer('Hello.')]);
		const { controller } = startController({ url: mock.url });
		const submitted = controller.submit('hi');
		await submitted;
		assert.deepEqual(kinds(controller.view.all), ['prompt', 'text', 'summary']);
		assert.equal(controller.state.status, 'ready');
		assert.notEqual(controller.state.contextTokens, 0);
	});

	test('closing the panel in mid-stream loses nothing', async () => {
		const hold = gate();
		mock.setScript([turn(text('first ', hold, 'second'))]);
		const parts = startController({ url: mock.url });
		const { controller, channel, later } = parts;
		const panel = new FakePanel(channel);
		await controller.open();
		panel.handle.ready();
		const submitted = controller.submit('hi');
		await until(parts, () => texts(controller.view.all).includes('first '));
		later.run();
		assert.deepEqual(texts(panel.rows), ['first ']);
		panel.hide();
		panel.handle.detach();
		hold.open();
		await submitted;
		const again = new FakePanel(channel);
		again.handle.ready();
		assert.deepEqual(again.rows, controller.view.all);
		assert.deepEqual(texts(again.rows), ['first second']);
	});

	test('a prompt typed while it works waits, and is answered', async () => {
		const hold = gate();
		mock.setScript([turn(text('one', hold)), answer('two')]);
		const parts = startController({ url: mock.url });
		const { controller } = parts;
		const first = controller.submit('a');
		await until(parts, () => texts(controller.view.all).includes('one'));
		const second = controller.submit('b');
		await Promise.resolve();
		await Promise.resolve();
		assert.deepEqual(
			controller.state.queued.map((queued) => queued.text),
			['b'],
		);
		hold.open();
		await Promise.all([first, second]);
		assert.deepEqual(texts(controller.view.all), ['one', 'two']);
		assert.deepEqual(controller.state.queued, []);
	});

	test('a permission request waits in the host and is answered once', async () => {
		mock.setScript([turn(toolUse('Do', { id: 'x' }, 't1')), answer('done')]);
		const parts = startController({ url: mock.url });
		const { controller, desk } = parts;
		const submitted = controller.submit('go');
		await until(parts, () => desk.pending.length > 0);
		assert.equal(controller.state.status, 'waiting');
		assert.equal(controller.state.requests[0]?.tool, 'Do');
		const waiting = controller.view.row('t1');
		assert.ok(waiting?.kind === 'tool' && waiting.state === 'waiting');
		controller.answer(desk.pending[0]?.id ?? '', { behavior: 'allow' });
		await submitted;
		const done = controller.view.row('t1');
		assert.ok(done?.kind === 'tool' && done.state === 'done');
		assert.deepEqual(controller.state.requests, []);
		assert.equal(controller.state.status, 'ready');
	});

	test('stop while a request waits, then the next prompt works', async () => {
		mock.setScript([turn(toolUse('Do', { id: 'x' }, 't1')), answer('again')]);
		const parts = startController({ url: mock.url });
		const { controller, desk } = parts;
		const submitted = controller.submit('go');
		await until(parts, () => desk.pending.length > 0);
		const id = desk.pending[0]?.id ?? '';
		await controller.stop();
		await submitted;
		assert.equal(controller.state.status, 'stopped');
		controller.answer(id, { behavior: 'allow' });
		await controller.submit('next');
		assert.deepEqual(texts(controller.view.all), ['again']);
		assert.equal(controller.state.status, 'ready');
	});

	test('a failure is shown with its buttons; retry asks again', async () => {
		mock.setScript([fail(401, 'authentication_error'), answer('now it works')]);
		const { controller } = startController({ url: mock.url });
		await controller.submit('hi');
		const error = controller.view.all.find((row) => row.kind === 'error');
		assert.equal(error?.error.code, 'authentication');
		assert.equal(error?.error.actions[0], 'set_key');
		await controller.retry();
		assert.deepEqual(kinds(controller.view.all), ['prompt', 'text', 'summary']);
		assert.deepEqual(texts(controller.view.all), ['now it works']);
	});

	test('a listener that throws disturbs nothing', async () => {
		mock.setScript([answer('fine')]);
		const { controller, problems } = startController({ url: mock.url });
		controller.onEvent(() => {
			throw new Error('listener');
		});
		await controller.submit('hi');
		assert.deepEqual(texts(controller.view.all), ['fine']);
		assert.ok(problems.length > 0);
	});

	test('a reloaded window shows the same rows', async () => {
		mock.setScript([turn(text('I do.'), toolUse('Do', { id: 'x' }, 't1')), answer('done')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered = { id: undefined };
		const parts = startController({ url: mock.url, store, remembered });
		const submitted = parts.controller.submit('go');
		await until(parts, () => parts.desk.pending.length > 0);
		parts.controller.answer(parts.desk.pending[0]?.id ?? '', { behavior: 'allow' });
		await submitted;
		const { controller } = startController({ url: mock.url, store, remembered });
		await controller.open();
		const bare = (rows: readonly Row[]) =>
			rows.map((row) => ({ kind: row.kind, id: row.id, ...(row.kind === 'tool' ? { view: row.view } : {}) }));
		assert.deepEqual(bare(controller.view.all), bare(parts.controller.view.all));
		assert.equal(controller.state.sessionId, parts.controller.state.sessionId);
		assert.equal(controller.state.costUsd, parts.controller.state.costUsd);
		assert.equal(controller.state.canContinue, false);
	});

	test('a window killed while a request waits asks again, with the same id', async () => {
		mock.setScript([turn(toolUse('Do', { id: 'x' }, 't1')), answer('done')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered: { id: string | undefined } = { id: undefined };
		const killed = startController({ url: mock.url, store, remembered });
		void killed.controller.submit('go');
		await until(killed, () => killed.desk.pending.length > 0);
		const entries = [...(store.get(remembered.id ?? '') ?? [])];
		const after = startController({ url: mock.url, store: new Map([[remembered.id ?? '', entries]]), remembered });
		await after.controller.open();
		await until(after, () => after.desk.pending.length > 0);
		assert.equal(after.desk.pending[0]?.id, killed.desk.pending[0]?.id);
		assert.equal(mock.requests.length, 1);
		after.controller.answer(after.desk.pending[0]?.id ?? '', { behavior: 'allow' });
		await until(after, () => texts(after.controller.view.all).includes('done'));
		await killed.controller.dispose();
	});

	test('a window killed in mid-answer can go on', async () => {
		const hold = gate();
		mock.setScript([turn(text('one', hold)), answer('two')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered: { id: string | undefined } = { id: undefined };
		const killed = startController({ url: mock.url, store, remembered });
		void killed.controller.submit('go');
		await until(killed, () => texts(killed.controller.view.all).includes('one'));
		const entries = [...(store.get(remembered.id ?? '') ?? [])];
		const after = startController({ url: mock.url, store: new Map([[remembered.id ?? '', entries]]), remembered });
		await after.controller.open();
		assert.equal(after.controller.state.canContinue, true);
		assert.equal(mock.requests.length, 1);
		await after.controller.resume();
		assert.deepEqual(texts(after.controller.view.all), ['two']);
		assert.equal(after.controller.state.canContinue, false);
		hold.open();
		await killed.controller.dispose();
	});

	test('/compact: nothing to do, then a summary, then the conversation goes on from it', async () => {
		const long = 'word '.repeat(2_000);
		mock.setScript([answer(long), answer(long), answer('what was said'), answer('three')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered = { id: undefined };
		const { controller } = startController({ url: mock.url, store, remembered });
		await controller.submit('/compact');
		assert.deepEqual(notices(controller.view.all), ['compact_nothing']);
		await controller.submit('one');
		await controller.submit('two');
		const before = controller.state.contextTokens;
		await controller.submit('/compact keep the names');
		assert.match(lastUserText(mock.requests[2] ?? assert.fail()), /keep the names/);
		const row = controller.view.all.at(-1);
		assert.ok(row?.kind === 'compacted');
		assert.equal(row.summary, 'what was said');
		assert.ok(row.after < before && controller.state.contextTokens < before);
		assert.deepEqual([controller.state.status, controller.state.costUsd === 0], ['ready', false]);
		await controller.submit('three');
		assert.deepEqual(texts(controller.view.all).at(-1), 'three');

		const again = startController({ url: mock.url, store, remembered });
		await again.controller.open();
		assert.ok(again.controller.view.all.some(({ kind }) => kind === 'compacted'));
	});

	test('a compaction can be stopped; a prompt typed meanwhile waits, and nothing is lost', async () => {
		const hold = gate({ at: 'headers' });
		mock.setScript([answer('one'), turn(hold, text('never read')), answer('two')]);
		const { controller } = startController({ url: mock.url });
		await controller.submit('a');
		const compacting = controller.compact();
		await hold.reached;
		assert.equal(controller.state.status, 'compacting');
		await controller.compact();
		assert.deepEqual(notices(controller.view.all), ['compact_busy']);
		const queued = controller.submit('b');
		await Promise.resolve();
		await Promise.resolve();
		assert.equal(controller.state.queued.length, 1);
		await controller.stop();
		await Promise.all([compacting, queued]);
		assert.deepEqual(notices(controller.view.all), ['compact_busy', 'compact_stopped']);
		assert.equal(controller.state.status, 'stopped');
		assert.equal(controller.unqueue(controller.state.queued[0]?.id ?? '')?.text, 'b');
		await controller.submit('c');
		assert.deepEqual(texts(controller.view.all), ['one', 'two']);
		hold.open();
	});

	test('a compaction that the service refuses says why, and the conversation stays', async () => {
		mock.setScript([answer('one'), fail(401, 'authentication_error'), answer('two')]);
		const { controller } = startController({ url: mock.url });
		await controller.submit('a');
		await controller.compact();
		assert.deepEqual(kinds(controller.view.all).slice(-2), ['notice', 'error']);
		const error = controller.view.all.find((row) => row.kind === 'error');
		assert.deepEqual(error?.error.actions, ['compact', 'set_key']);
		await controller.submit('b');
		assert.deepEqual(texts(controller.view.all), ['one', 'two']);
	});

	test('compacting after a killed window closes the turn that was cut', async () => {
		mock.setScript([answer('one'), turn(toolUse('Do', { id: 'x' }, 't1')), answer('what was said'), answer('two')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered: { id: string | undefined } = { id: undefined };
		const killed = startController({ url: mock.url, store, remembered });
		await killed.controller.submit('a');
		void killed.controller.submit('b');
		await until(killed, () => killed.desk.pending.length > 0);
		// Without the request for permission: else it is asked again at once.
		const all = store.get(remembered.id ?? '') ?? [];
		const entries = all.filter(({ type }) => type !== 'permission');
		const { controller } = startController({
			url: mock.url,
			store: new Map([[remembered.id ?? '', entries]]),
			remembered,
		});
		await controller.open();
		assert.equal(controller.state.canContinue, true);
		await controller.compact();
		assert.equal(controller.state.canContinue, false);
		const row = controller.view.row('t1');
		assert.ok(row?.kind === 'tool' && row.state === 'stopped');
		await controller.submit('c');
		assert.deepEqual(texts(controller.view.all), ['one', 'two']);
		await killed.controller.dispose();
	});

	test('a long wait asks the person; giving up ends it, and the next prompt works', async () => {
		mock.setScript([fail(429, 'rate_limit_error', 'slow', { 'retry-after': '600' }), answer('fine')]);
		const parts = startController({ url: mock.url });
		const { controller, desk } = parts;
		const submitted = controller.submit('a');
		await until(parts, () => desk.wait !== null);
		assert.deepEqual([controller.state.status, controller.state.wait?.delayMs], ['waiting', 600_000]);
		controller.answerWait(controller.state.wait?.id ?? '', false);
		await submitted;
		assert.equal(controller.state.wait, null);
		assert.deepEqual(kinds(controller.view.all), ['prompt', 'error']);
		await controller.retry();
		assert.deepEqual(texts(controller.view.all), ['fine']);
	});

	test('a wait before a retry is shown, and a stop ends it at once', async () => {
		mock.setScript([fail(529, 'overloaded_error', 'busy', { 'retry-after': '50' }), answer('fine')]);
		const parts = startController({ url: mock.url });
		const { controller } = parts;
		const submitted = controller.submit('a');
		await until(parts, () => controller.state.status === 'retrying');
		assert.equal(controller.state.retry?.code, 'overloaded');
		await controller.stop();
		await submitted;
		assert.deepEqual([controller.state.status, controller.state.retry], ['stopped', null]);
		assert.deepEqual(kinds(controller.view.all), ['prompt', 'notice']);
		await controller.submit('b');
		assert.deepEqual(texts(controller.view.all), ['fine']);
	});

	test('a prompt sent while the session is opened anew waits for it', async () => {
		mock.setScript([answer('one'), answer('two')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const { controller } = startController({ url: mock.url, store });
		await controller.submit('a');
		await controller.setMode('acceptEdits');
		const { sessionId } = controller.state;
		const reopened = controller.reopen((id) => Promise.resolve(void store.set(id ?? '', [])));
		const submitted = controller.submit('b');
		await Promise.all([reopened, submitted]);
		assert.deepEqual([controller.state.sessionId, controller.state.mode], [sessionId, 'acceptEdits']);
		assert.deepEqual(texts(controller.view.all), ['two']);
		assert.deepEqual(
			mock.requests.map((request) => lastUserText(request)),
			['a', 'b'],
		);
	});

	test('from the prompt to its end it is not idle; closed, it does nothing any more', async () => {
		mock.setScript([answer('one')]);
		const told: boolean[] = [];
		const { controller } = startController({ url: mock.url, workChanged: () => told.push(controller.idle) });
		const submitted = controller.submit('a');
		assert.equal(controller.idle, false);
		await submitted;
		assert.equal(controller.idle, true);
		assert.equal(told.at(-1), true);
		await controller.close();
		await controller.submit('b');
		assert.equal(mock.requests.length, 1);
	});

	test('what another window has is read: nothing is sent or asked, and it is here once the other one has left', async () => {
		mock.setScript([answer('Hello.'), answer('Here now.')]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered = { id: undefined };
		const first = startController({ url: mock.url, store, remembered });
		await first.controller.submit('hi');
		const elsewhere: { id: string | undefined } = { id: first.controller.state.sessionId };
		const { controller } = startController({ url: mock.url, store, remembered, elsewhere });
		await controller.open();
		assert.equal(controller.state.openElsewhere, true);
		assert.deepEqual(texts(controller.view.all), ['Hello.']);
		await controller.submit('and now?');
		await controller.retry();
		await controller.setMode('acceptEdits');
		assert.equal(mock.requests.length, 1);
		assert.equal(controller.state.mode, 'default');
		assert.deepEqual(notices(controller.view.all), ['open_elsewhere', 'open_elsewhere', 'open_elsewhere']);
		elsewhere.id = undefined;
		await controller.reopen();
		assert.equal(controller.state.openElsewhere, undefined);
		await controller.submit('and now?');
		assert.deepEqual(texts(controller.view.all), ['Hello.', 'Here now.']);
	});

	test('a turn that runs in another window is not taken up here', async () => {
		const hold = gate();
		mock.setScript([turn(toolUse('Do', { id: 'x' })), turn(text('never', hold))]);
		const store = new Map<string, readonly StoredEntry[]>();
		const remembered = { id: undefined };
		const first = startController({ url: mock.url, store, remembered });
		const submitted = first.controller.submit('hi');
		await until(first, () => first.desk.pending.length > 0);
		const elsewhere = { id: first.controller.state.sessionId };
		const second = startController({ url: mock.url, store, remembered, elsewhere });
		await second.controller.open();
		assert.deepEqual(second.desk.pending, []);
		assert.equal(second.controller.state.canContinue, false);
		assert.deepEqual(notices(second.controller.view.all), []);
		hold.open();
		await first.controller.stop();
		await submitted;
	});
});
