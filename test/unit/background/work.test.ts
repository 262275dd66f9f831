// Work beside the conversation, each piece by itself: what it asks, what it makes of the answer, and when it does nothing.
import assert from 'node:assert/strict';
import { Background } from '../../../src/core/background/background.ts';
import type { BackgroundSettings } from '../../../src/core/background/ask.ts';
import { exchangeDigest } from '../../../src/core/background/digest.ts';
import { dream } from '../../../src/core/background/dream.ts';
import { extractMemory } from '../../../src/core/background/extractMemory.ts';
import { labelTools } from '../../../src/core/background/labelTools.ts';
import { suggestPrompt } from '../../../src/core/background/suggestPrompt.ts';
import { limits } from '../../../src/core/limits.ts';
import { parseChanges } from '../../../src/core/memory/memoryChanges.ts';
import { memoryText } from '../../../src/core/memory/memoryStore.ts';
import { withoutFeature } from '../../support/features.ts';
import type { Message } from '../../../src/core/messages/types.ts';
import { agent, asking, FakeDreamPort, FakeMemoryStore, user } from './support.ts';

const never = new AbortController().signal;
const exchange = [
	user('old prompt'),
	agent('old answer'),
	user('always run npm test first'),
	agent('I will.', [{ name: 'Bash', input: { command: 'npm test' } }]),
	user('result', 'tool_results'),
	user('typed meanwhile'),
	agent('Done.'),
];

suite('memory extraction', () => {
	test('the last exchange, without results; the memory as it is; the answer is written', async () => {
		const store = new FakeMemoryStore({ 'rules.md': 'Use tabs.\n' });
		const answer = 'Here: {"write": [{"name": "rules.md", "text": "Use tabs. Run npm test first."}], "remove": []}';
		const { ask, questions } = asking(answer);
		assert.deepEqual(await extractMemory(exchange, { ask, store }, never), ['rules.md']);
		assert.equal(store.files.get('rules.md'), 'Use tabs. Run npm test first.\n');
		assert.match(
			questions[0] ?? '',
			/Use tabs\.[\s\S]*always run npm test first[\s\S]*\[Bash.*npm test.*typed meanwhile/s,
		);
		assert.doesNotMatch(questions[0] ?? '', /old prompt|>\nresult/);
	});

	test('nothing to keep, no JSON, names that lead elsewhere, texts that are too long: nothing is written', async () => {
		const answers = [
			'{"write": [], "remove": []}',
			'I would rather not.',
			'{"write": [{"name": "../../evil.md", "text": "x"}, {"name": "a/b.md", "text": "x"}, {"name": ".md", "text": "x"}]}',
			JSON.stringify({ write: [{ name: 'long.md', text: 'x'.repeat(limits.memoryFileChars + 1) }] }),
			'{"remove": ["unknown.md"]}',
			'{"write": "all"}',
		];
		for (const answer of answers) {
			const store = new FakeMemoryStore({ 'a.md': 'A\n' });
			assert.deepEqual(await extractMemory(exchange, { ask: asking(answer).ask, store }, never), [], answer);
			assert.deepEqual([...store.files.keys()], ['a.md']);
		}
	});

	test('a file that the person changed meanwhile stays as it is', async () => {
		const store = new FakeMemoryStore({ 'a.md': 'A\n' });
		let answered: (text: string) => void = () => {};
		const { ask } = asking(new Promise<string>((resolve) => (answered = resolve)));
		const work = extractMemory(exchange, { ask, store }, never);
		await new Promise((resolve) => setImmediate(resolve));
		store.files.set('a.md', 'mine\n');
		answered('{"write": [{"name": "a.md", "text": "theirs"}]}');
		assert.deepEqual(await work, []);
		assert.equal(store.files.get('a.md'), 'mine\n');
	});

	test('bounds: number of files, size of what the model is shown', () => {
		const files = Array.from({ length: limits.memoryFiles }, (_, index) => ({ name: `f${index}.md`, text: 'x' }));
		assert.deepEqual(parseChanges('{"write":[{"name":"new.md","text":"y"}]}', files), []);
		assert.equal(parseChanges('{"write":[{"name":"f1.md","text":"y"}]}', files).length, 1);
		const large = files.map(({ name }) => ({ name, text: 'y'.repeat(limits.memoryFileChars) }));
		assert.ok(memoryText(large).length < limits.memoryChars * 1.3);
		assert.match(memoryText(large), /left out/);
	});

	test('a digest is bounded, and begins where the exchange began', () => {
		const digest = exchangeDigest([user('first'), agent('x'.repeat(200_000)), user('more', 'interrupted')]);
		assert.ok(digest.startsWith('<user>\nfirst'));
		assert.ok(digest.length <= limits.digestChars + 100);
		assert.equal(exchangeDigest([agent('x')]), '');
		const queued = [user('first'), agent('x'), user('', 'tool_results'), user('a note', 'hidden'), user('queued')];
		assert.ok(
			exchangeDigest(queued).startsWith('<user>\nfirst'),
			'a queued prompt, read with a note before it, begins nothing',
		);
	});
});

suite('suggestion and labels', () => {
	test('one line, without quotes; NONE and novels are no suggestion', async () => {
		assert.equal(await suggestPrompt(exchange, asking('"Commit the change"\n').ask, never), 'Commit the change');
		assert.equal(await suggestPrompt(exchange, asking('NONE').ask, never), undefined);
		assert.equal(await suggestPrompt(exchange, asking('x'.repeat(100)).ask, never), undefined);
		assert.equal(await suggestPrompt([], asking('never asked').ask, never), undefined);
	});

	test('a label says what calls did', async () => {
		const { ask, questions } = asking('Ran the tests.\nand more');
		const batch = {
			text: 'Let me see.',
			calls: [{ id: 't', name: 'Bash', input: { command: 'npm test' }, failed: true }],
		};
		assert.equal(await labelTools(batch, ask, never), 'Ran the tests');
		assert.match(questions[0] ?? '', /Let me see\.[\s\S]*\[Bash {"command":"npm test"}\] failed/);
		assert.equal(await labelTools(batch, asking('').ask, never), undefined);
	});
});

suite('auto-dream', () => {
	const merged = '{"write": [{"name": "a.md", "text": "A and B"}], "remove": ["b.md"]}';
	const world = () => {
		const port = new FakeDreamPort();
		const store = new FakeMemoryStore({ 'a.md': 'A\n', 'b.md': 'B\n' });
		const asked = asking(merged);
		const now = () => port.now;
		return { port, store, ...asked, run: (signal = never) => dream({ ask: asked.ask, store, port, now }, signal) };
	};

	test('consolidates after enough sessions, then not again within a day', async () => {
		const { port, store, run, questions } = world();
		port.now = 1_000;
		assert.deepEqual(await run(), ['b.md', 'a.md']);
		assert.deepEqual([...store.files], [['a.md', 'A and B\n']]);
		assert.deepEqual(port.releases, [true]);
		port.now += limits.dreamEveryMs - 1;
		assert.deepEqual(await run(), []);
		assert.equal(questions.length, 1);
		port.now += 1;
		await run();
		assert.equal(questions.length, 2);
	});

	test('not after too few sessions, not under another lock, and a failure is no consolidation', async () => {
		const few = world();
		few.port.sessions = limits.dreamSessions - 1;
		await few.run();
		assert.equal(few.questions.length, 0);
		const locked = world();
		locked.port.locked = true;
		await locked.run();
		assert.equal(locked.questions.length, 0);
		const stopped = world();
		const controller = new AbortController();
		controller.abort();
		await stopped.run(controller.signal);
		assert.equal(stopped.port.last, undefined);
		assert.equal(stopped.port.locked, false);
	});

	test('stopped in mid-question: the lock is released, nothing is changed', async () => {
		const port = new FakeDreamPort();
		const store = new FakeMemoryStore({ 'a.md': 'A\n' });
		const controller = new AbortController();
		const { ask } = asking(new Promise<string>(() => {}));
		const work = dream({ ask, store, port, now: () => 0 }, controller.signal);
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(port.locked, true);
		controller.abort();
		assert.deepEqual(await work, []);
		assert.deepEqual(port.releases, [false]);
	});
});

suite('background', () => {
	const all: BackgroundSettings = { memory: true, suggestions: true, labels: true, title: true, consolidation: true };
	function world(answers: (string | Promise<string>)[], settings: Partial<BackgroundSettings> = {}) {
		const told: string[] = [];
		const port = new FakeDreamPort();
		const store = new FakeMemoryStore({ 'a.md': 'A\n' });
		const asked = asking(...answers);
		const off: BackgroundSettings = {
			memory: false,
			suggestions: false,
			labels: false,
			title: false,
			consolidation: false,
		};
		const background = new Background({
			ask: asked.ask,
			settings: () => ({ ...off, ...settings }),
			memory: store,
			dream: port,
			now: () => 0,
			onSuggestion: (text) => told.push(`suggestion ${text}`),
			onTitle: (title) => told.push(`title ${title}`),
			onMemory: (names) => told.push(`memory ${names.join()}`),
			onProblem: (work, error) => told.push(`problem ${work} ${String(error)}`),
		});
		return { background, told, store, port, ...asked };
	}

	test('everything is off unless it is turned on', async () => {
		const { background, questions } = world(['x']);
		background.exchangeEnded(exchange);
		await background.idle();
		assert.deepEqual(questions, []);
	});

	test('a suggestion that comes after the next prompt is not told', async () => {
		const { background, told } = world([new Promise<string>(() => {}), 'Commit'], { suggestions: true });
		background.exchangeEnded(exchange);
		background.promptComes();
		await background.idle();
		assert.deepEqual(told, []);
		background.exchangeEnded(exchange);
		await background.idle();
		assert.deepEqual(told, ['suggestion Commit']);
	});

	test('a title after the first exchange, once; again only where there was none', async () => {
		const first = [user('fix the login'), agent('Fixed.')];
		const { background, told, questions } = world(['“Fix of the login.”', 'never'], { title: true });
		background.exchangeEnded(first);
		await background.idle();
		background.exchangeEnded([...first, user('and now?'), agent('Done.')]);
		await background.idle();
		assert.deepEqual(told, ['title Fix of the login']);
		assert.match(questions[0] ?? '', /fix the login[\s\S]*Fixed\./);
		const later = world(['x'.repeat(500), '', 'Third', 'Fourth'], { title: true });
		const all: Message[] = [];
		for (const text of ['one', 'two', 'three', 'four']) {
			all.push(user(text), agent('ok'));
			later.background.exchangeEnded([...all]);
			await later.background.idle();
		}
		assert.deepEqual(later.told, ['title Third']);
		const tooLate = world(['x'], { title: true });
		tooLate.background.exchangeEnded(all);
		await tooLate.background.idle();
		assert.deepEqual(tooLate.questions, [], 'a conversation from before is not asked about');
	});

	test('an extraction outlives the next prompt; the exchange that ended meanwhile comes after it', async () => {
		let answered: (text: string) => void = () => {};
		const first = new Promise<string>((resolve) => (answered = resolve));
		const later = '{"write":[{"name":"b.md","text":"B"}]}';
		const { background, told, questions } = world([first, later], { memory: true });
		background.exchangeEnded(exchange);
		background.promptComes();
		background.exchangeEnded([user('two'), agent('two')]);
		background.exchangeEnded([user('three'), agent('three')]);
		answered('{"write":[{"name":"a.md","text":"A2"}]}');
		await background.idle();
		assert.deepEqual(told, ['memory a.md', 'memory b.md']);
		assert.equal(questions.length, 2);
		assert.match(questions[1] ?? '', /three/);
	});

	test('dispose ends everything at once and starts nothing more', async () => {
		const { background, told, questions } = world([new Promise<string>(() => {})], all);
		background.exchangeEnded(exchange);
		await new Promise((resolve) => setImmediate(resolve));
		await background.dispose();
		const asked = questions.length;
		background.exchangeEnded(exchange);
		await background.idle();
		assert.equal(questions.length, asked);
		assert.deepEqual(told, []);
	});

	test('a memory that cannot be read is told to the log, nothing more', async () => {
		const { background, told, store } = world(['x'], { memory: true });
		store.list = () => Promise.reject(new Error('disk'));
		background.exchangeEnded(exchange);
		await background.idle();
		assert.deepEqual(told, ['problem memory Error: disk']);
	});

	test('consolidation: once in a conversation, and absent when its flag is off', async () => {
		const { background, questions } = world(['{}'], { consolidation: true });
		await withoutFeature('AUTO_DREAM', () => background.exchangeEnded(exchange));
		await background.idle();
		assert.equal(questions.length, 0);
		background.exchangeEnded(exchange);
		background.exchangeEnded(exchange);
		await background.idle();
		assert.equal(questions.length, 1);
	});
});
