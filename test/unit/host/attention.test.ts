// What tells the person that something waits or is done: a number, and one notification for each conversation, only while they look
// elsewhere; what a notification answers, and when it is too late.
import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { AttentionWindow, Notice, NoticeAnswer, Watched } from '../../../src/host/panel/attention.ts';
import { watchAttention } from '../../../src/host/panel/attention.ts';
import type { SessionWish } from '../../../src/host/session/controllerDeps.ts';
import { Conversations, type MemberLinks } from '../../../src/host/session/conversations.ts';
import type { SessionController } from '../../../src/host/session/sessionController.ts';
import { answer, gate, startMockServer, text, turn, type MockServer } from '../../support/mockServer.ts';
import { startController } from './support.ts';

interface Talk extends Watched {
	readonly controller: SessionController;
	visible: boolean;
}

/** A window that keeps what it was told to say, and answers when the test does. */
class FakeWindow implements AttentionWindow {
	focused = true;
	waiting = false;
	readonly told: {
		readonly notice: Notice;
		readonly answers: readonly NoticeAnswer[];
		answer(by?: NoticeAnswer): void;
	}[] = [];
	private listener = () => {};

	onFocusMoved(listener: () => void): () => void {
		this.listener = listener;
		return () => {};
	}
	focus(focused: boolean): void {
		this.focused = focused;
		this.listener();
	}
	setWaiting(waits: boolean): void {
		this.waiting = waits;
	}
	tell(notice: Notice, answers: readonly NoticeAnswer[]): Promise<NoticeAnswer | undefined> {
		return new Promise((resolve) => this.told.push({ notice, answers, answer: resolve }));
	}
	get kinds(): readonly Notice['kind'][] {
		return this.told.map(({ notice }) => notice.kind);
	}
}

suite('what tells the person', () => {
	let mock: MockServer;
	let conversations: Conversations<Talk>;
	let window: FakeWindow;
	let notify: boolean;
	let badges: string[];
	let focused: string[];
	let watching: { dispose(): void };
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => {
		mock.reset();
		window = new FakeWindow();
		notify = true;
		badges = [];
		focused = [];
		const store = new Map<string, readonly StoredEntry[]>();
		const make = (wish: SessionWish, link: MemberLinks): Talk => {
			const parts = startController({ url: mock.url, store, wish, workChanged: () => link.changed() });
			parts.desk.onChange(() => link.changed());
			return {
				wish,
				root: { path: '/w' },
				controller: parts.controller,
				desk: parts.desk,
				tasks: { running: [] },
				visible: false,
				focus: 'none',
				opened: () => parts.controller.open().then(() => {}),
				close: () => parts.controller.close(),
				dispose: () => parts.controller.dispose(),
			};
		};
		const failed = (what: string, error: unknown) => assert.fail(`${what}: ${String(error)}`);
		conversations = new Conversations({
			make,
			folderInUse: () => undefined,
			memory: { recall: () => ({ others: [] }), remember: () => Promise.resolve() },
			failed,
		});
		watching = watchAttention<Talk>({
			window,
			conversations,
			notify: () => notify,
			failed,
			chat: {
				showCount: (count, meaning) => badges.push(`${count} ${meaning}`),
				focusRequest: () => Promise.resolve(void focused.push('request')),
				focusComposer: () => Promise.resolve(void focused.push('composer')),
			},
		});
	});
	teardown(() => watching.dispose());

	const request = (id: string) => ({
		id,
		tool: 'Bash',
		summary: 'npm test',
		reason: { code: 'not_allowed', args: {} },
		detail: { kind: 'generic', input: '' },
		suggestions: [],
	});
	/** Something waits in a conversation; resolves with what was answered. */
	function waits(talk: Talk, id = 'q1', stop = new AbortController()) {
		const asked = talk.desk.requestPermission(request(id) as never, stop.signal);
		return { asked, stop };
	}
	const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

	test('what waits out of sight is told once, with a number; Deny answers it, and the number goes', async () => {
		const { asked } = waits(conversations.front);
		window.focus(true);
		assert.deepEqual(window.kinds, ['waits']);
		assert.deepEqual(window.told[0]?.answers, ['show', 'deny']);
		assert.equal(window.waiting, true);
		assert.equal(badges.at(-1), '1 waiting');
		window.told[0]?.answer('deny');
		assert.deepEqual(await asked, { behavior: 'deny' });
		await settled();
		assert.equal(badges.at(-1), '0 done');
		assert.equal(window.waiting, false);
		assert.deepEqual(window.kinds, ['waits']);
	});

	test('Show leads to the request and answers nothing; an answer that comes too late says so', async () => {
		const { asked } = waits(conversations.front);
		window.told[0]?.answer('show');
		await settled();
		assert.deepEqual(focused, ['request']);
		assert.equal(conversations.front.desk.count, 1);

		const other = conversations.begin();
		const second = waits(other, 'q2');
		other.desk.answer('q2', { behavior: 'allow' });
		await second.asked;
		window.told[1]?.answer('deny');
		await settled();
		assert.deepEqual(window.kinds, ['waits', 'waits', 'too_late']);
		conversations.front.desk.answer('q1', { behavior: 'allow' });
		await asked;
	});

	test('what stands before their eyes is not told, not even when they go to another window afterwards', () => {
		conversations.front.visible = true;
		waits(conversations.front);
		window.focus(false);
		assert.deepEqual(window.kinds, []);
		waits(conversations.front, 'q2');
		assert.deepEqual(window.kinds, [], 'the first one is what they know of');
	});

	test('in another window it is told although the conversation is in sight', () => {
		window.focus(false);
		conversations.front.visible = true;
		waits(conversations.front);
		assert.deepEqual(window.kinds, ['waits']);
	});

	test('without the setting there is only the number', () => {
		notify = false;
		waits(conversations.front);
		assert.deepEqual([window.kinds, badges.at(-1)], [[], '1 waiting']);
	});

	test('an answer is told to who is in another window only; a stop is not told', async () => {
		mock.setScript([answer('One.')]);
		await conversations.front.controller.submit('a');
		assert.deepEqual([window.kinds, badges.at(-1)], [[], '1 done']);

		window.focus(false);
		mock.setScript([answer('Two.')]);
		await conversations.front.controller.submit('b');
		assert.deepEqual(window.kinds, ['answered']);
		window.told[0]?.answer('show');
		await settled();
		assert.deepEqual(focused, ['composer']);

		const hold = gate();
		mock.setScript([turn(text('Three', hold))]);
		const submitted = conversations.front.controller.submit('c');
		await hold.reached;
		await conversations.front.controller.stop();
		hold.open();
		await submitted;
		assert.deepEqual(window.kinds, ['answered']);
	});
});
