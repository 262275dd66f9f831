// The conversations of a window, on real engines: several at once, what is closed and what is not, and what is known of each.
import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { SessionWish } from '../../../src/host/session/controllerDeps.ts';
import type { RememberedSessions } from '../../../src/host/session/sessionMemory.ts';
import { Conversations, type Member, type MemberLinks, type Place } from '../../../src/host/session/conversations.ts';
import type { PermissionDesk } from '../../../src/host/session/permissionDesk.ts';
import type { SessionController } from '../../../src/host/session/sessionController.ts';
import { answer, fail, gate, startMockServer, text, toolUse, turn, type MockServer } from '../../support/mockServer.ts';
import { startController } from './support.ts';

interface Talk extends Member {
	readonly controller: SessionController;
	readonly desk: PermissionDesk;
	visible: boolean;
	closed: boolean;
}

suite('conversations of a window', () => {
	let mock: MockServer;
	let conversations: Conversations<Talk>;
	let remembered: RememberedSessions;
	let running: readonly never[];
	let folder: string | undefined;
	const store = new Map<string, readonly StoredEntry[]>();
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => {
		mock.reset();
		store.clear();
		remembered = { others: [] };
		running = [];
		folder = undefined;
		conversations = window();
	});
	teardown(() => assert.deepEqual(mock.violations, []));

	function window(): Conversations<Talk> {
		return new Conversations({
			make,
			folderInUse: () => folder,
			memory: { recall: () => remembered, remember: (next) => Promise.resolve(void (remembered = next)) },
			failed: (what, error) => assert.fail(`${what}: ${String(error)}`),
		});
	}

	function make(wish: SessionWish, { changed, others }: MemberLinks): Talk {
		others();
		const parts = startController({ url: mock.url, store, wish, workChanged: () => changed() });
		parts.desk.onChange(() => changed());
		const talk: Talk = {
			wish,
			root: { path: wish.root ?? '/w' },
			controller: parts.controller,
			desk: parts.desk,
			tasks: {
				get running() {
					return running;
				},
			},
			visible: false,
			focus: 'none',
			closed: false,
			opened: () => parts.controller.open().then(() => {}),
			close: async () => {
				talk.closed = true;
				await parts.controller.close();
			},
			dispose: () => parts.controller.dispose(),
		};
		return talk;
	}

	/** Resolves when something of the list is as it should be. */
	function until(found: () => boolean): Promise<void> {
		return new Promise((resolve) => {
			const look = () => {
				if (!found()) return;
				end();
				resolve();
			};
			const end = conversations.onChange(look);
			look();
		});
	}
	const said = ({ controller }: Talk) => controller.view.all.flatMap((row) => (row.kind === 'text' ? [row.text] : []));

	test('a new conversation leaves the one before at work; each has its own mode and cost, and both end', async () => {
		const hold = gate();
		mock.setScript([turn(text('First, ', hold, 'to its end.')), turn('Second.')]);
		const first = conversations.front;
		const submitted = first.controller.submit('a');
		await hold.reached;
		const second = conversations.begin();
		conversations.show(second);
		assert.equal(conversations.front, second);
		await second.controller.submit('b');
		await second.controller.setMode('acceptEdits');
		assert.deepEqual(said(second), ['Second.']);
		assert.equal(conversations.stateOf(first), 'working');
		hold.open();
		await submitted;
		assert.deepEqual(said(first), ['First, to its end.']);
		assert.deepEqual([first.controller.state.mode, second.controller.state.mode], ['default', 'acceptEdits']);
		assert.ok((first.controller.state.costUsd ?? 0) > 0 && first.controller.state.costUsd !== null);
		assert.equal(first.closed, false);
		assert.equal(conversations.stateOf(first), 'done');
	});

	test('what is done is kept until it was seen; then it is closed when it is left, and opened again from the store', async () => {
		mock.setScript([answer('One.')]);
		const first = conversations.front;
		await first.controller.submit('a');
		const { sessionId } = first.controller.state;
		assert.equal(remembered.sessionId, sessionId);
		const second = conversations.begin();
		conversations.show(second);
		assert.equal(conversations.stateOf(first), 'done');
		assert.equal(conversations.find(sessionId), first);
		first.visible = true;
		conversations.show(first);
		assert.equal(conversations.stateOf(first), 'ready', 'it was seen');
		assert.equal(second.closed, true);
		const third = conversations.begin();
		assert.deepEqual(conversations.all, [first, third]);
		conversations.show(third);
		assert.equal(first.closed, true);
		const again = conversations.open(sessionId);
		assert.notEqual(again, first);
		conversations.show(again);
		await again.controller.open();
		assert.deepEqual(said(again), ['One.']);
		assert.equal(remembered.sessionId, sessionId);
		assert.equal(conversations.open(sessionId), again, 'never open twice');
	});

	test('an empty one that is left is closed, one with commands in its background is not', async () => {
		const first = conversations.front;
		await first.controller.open();
		running = [{} as never];
		const second = conversations.begin();
		conversations.show(second);
		assert.deepEqual([first.closed, conversations.stateOf(first)], [false, 'running']);
		running = [];
		const third = conversations.begin();
		conversations.show(third);
		assert.deepEqual([second.closed, first.closed], [true, false]);
		await first.controller.submit('');
		await first.controller.retry();
		assert.equal(first.closed, true, 'as soon as it has nothing more to do');
	});

	test('two that wait: requests of both are one list, each answer goes to its own, and the state says it', async () => {
		mock.setScript([
			turn(toolUse('Do', { id: 'x' })),
			turn(toolUse('Do', { id: 'y' })),
			turn('Answered.'),
			turn('Answered, too.'),
		]);
		const first = conversations.front;
		const one = first.controller.submit('a');
		await until(() => first.desk.count === 1);
		const second = conversations.begin();
		conversations.show(second);
		const two = second.controller.submit('b');
		await until(() => conversations.requests.count === 2);
		assert.deepEqual([conversations.stateOf(first), conversations.stateOf(second)], ['waiting', 'waiting']);
		assert.equal(conversations.waiting, second, 'the one in front comes first');
		const [, later] = conversations.requests.pending;
		assert.equal(conversations.requests.answer(later?.id ?? '', { behavior: 'deny' }), true);
		await two;
		assert.deepEqual([first.desk.count, second.desk.count], [1, 0]);
		assert.equal(conversations.waiting, first);
		conversations.requests.answer(first.desk.pending[0]?.id ?? '', { behavior: 'allow' });
		await one;
		assert.equal(conversations.requests.count, 0);
	});

	test('a tab of its own: the last focus says which is in front; closing the tab ends nothing that runs', async () => {
		const hold = gate();
		mock.setScript([turn(text('Long.', hold))]);
		const tab: Place = { kind: 'tab' };
		const inView = conversations.front;
		const inTab = conversations.begin();
		conversations.addPlace(tab, inTab);
		assert.equal(conversations.front, inView);
		conversations.focus(tab);
		assert.equal(conversations.front, inTab);
		const submitted = inTab.controller.submit('a');
		await hold.reached;
		conversations.removePlace(tab);
		assert.equal(conversations.front, inView);
		assert.equal(inTab.closed, false);
		hold.open();
		await submitted;
		assert.deepEqual([inTab.closed, conversations.stateOf(inTab)], [false, 'done']);
	});

	test('a new one begins in the folder that the person works in, else in that of the one in front; the word of others', async () => {
		const first = conversations.front;
		await first.controller.open();
		assert.equal(conversations.begin().root.path, '/w');
		folder = '/other';
		const second = conversations.begin();
		assert.equal(second.root.path, '/other');
		conversations.show(second);
		await second.controller.open();
		folder = undefined;
		const third = conversations.begin();
		assert.equal(third.root.path, '/other');
		assert.equal(conversations.begin({ root: '/w' }).root.path, '/w');
		assert.equal(conversations.othersOf(second), null);
		const hold = gate();
		mock.setScript([turn(text('x', hold)), answer('y')]);
		const submitted = second.controller.submit('a');
		await hold.reached;
		conversations.show(third);
		assert.deepEqual(conversations.othersOf(third), { waiting: 0, working: 1, done: 0 });
		assert.equal(conversations.othersOf(second), null);
		hold.open();
		await submitted;
		assert.deepEqual(conversations.othersOf(third), { waiting: 0, working: 0, done: 1 });
	});

	test('shown in two places it goes on in one when the other is closed or shows another', async () => {
		const tab: Place = { kind: 'tab' };
		const { front } = conversations;
		await front.controller.open();
		conversations.addPlace(tab, front);
		conversations.show(conversations.begin(), tab);
		assert.equal(front.closed, false);
		assert.deepEqual(conversations.placesOf(front), [conversations.view]);
	});

	test('a failure nobody saw is a state; what the person stopped is none', async () => {
		mock.setScript([fail(400, 'invalid_request_error', 'no')]);
		const first = conversations.front;
		await first.controller.submit('a');
		assert.equal(conversations.stateOf(first), 'failed');
		const hold = gate();
		mock.setScript([turn(text('x', hold))]);
		const second = conversations.begin();
		conversations.show(second);
		const submitted = second.controller.submit('b');
		await hold.reached;
		await second.controller.stop();
		hold.open();
		await submitted;
		assert.equal(conversations.stateOf(second), 'stopped');
	});

	test('ended for good, a new one is where it was', async () => {
		const tab: Place = { kind: 'tab' };
		const { front } = conversations;
		await front.controller.open();
		const { sessionId } = front.controller.state;
		conversations.addPlace(tab, front);
		await conversations.end(front);
		assert.equal(front.closed, true);
		assert.equal(conversations.find(sessionId), undefined);
		assert.notEqual(conversations.at(tab), front);
		assert.equal(conversations.at(tab), conversations.at(conversations.view));
	});

	test('after a reload what was at work, waited, or was done unseen is there again, wherever it was shown', async () => {
		const hold = gate();
		mock.setScript([answer('Done.'), turn(text('Half', hold)), turn(toolUse('Do', { id: 'x' }))]);
		const before = conversations;
		const done = before.front;
		await done.controller.submit('is done');
		const working = before.begin();
		before.show(working);
		void working.controller.submit('works');
		await hold.reached;
		const waiting = before.begin();
		before.show(waiting);
		void waiting.controller.submit('waits');
		await until(() => waiting.desk.count === 1);
		before.show(before.begin());
		const ids = [done, working, waiting].map(({ controller }) => controller.state.sessionId);
		await before.front.controller.open();
		// The transcripts as they are when the window goes; what happens on its way down is not in them.
		const left = [...store].map(([id, entries]) => [id, [...entries]] as const);
		await before.dispose();
		hold.open();
		for (const [id, entries] of left) store.set(id, entries);
		conversations = window();
		await conversations.bringBack();
		await until(() => conversations.requests.count === 1);
		const again = ids.map((id) => conversations.find(id) ?? assert.fail());
		assert.deepEqual(
			again.map((conversation) => conversations.stateOf(conversation)),
			['done', 'interrupted', 'waiting'],
		);
		assert.deepEqual(conversations.othersOf(conversations.front), { waiting: 1, working: 0, done: 1, interrupted: 1 });
		const [, interrupted, asks] = again;
		assert.equal(interrupted?.controller.state.canContinue, true);
		assert.equal(interrupted.controller.idle, true, 'nothing goes on unasked');
		mock.setScript([answer('Allowed.'), answer('The rest.')]);
		conversations.requests.answer(asks?.desk.pending[0]?.id ?? '', { behavior: 'allow' });
		await until(() => asks !== undefined && conversations.stateOf(asks) === 'done');
		await interrupted.controller.resume();
		assert.equal(conversations.stateOf(interrupted), 'done');
	});

	test('what is not there any more, or had come to its end by itself, is not brought back', async () => {
		mock.setScript([answer('Done.')]);
		const first = conversations.front;
		await first.controller.submit('a');
		const { sessionId } = first.controller.state;
		await conversations.dispose();
		remembered = { others: [{ id: sessionId, state: 'at_work' }] };
		conversations = window();
		await conversations.bringBack();
		assert.deepEqual([conversations.all.length, conversations.othersOf(conversations.front)], [1, null]);
	});
});
