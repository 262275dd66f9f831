import assert from 'node:assert/strict';
import { noTracking } from '../../../src/core/context/contextTypes.ts';
import type { CompactionResult, ContextDeps, ContextInput } from '../../../src/core/context/contextTypes.ts';
import { compactNow, reactiveCompact } from '../../../src/core/context/pipeline.ts';
import { limits } from '../../../src/core/limits.ts';
import { project } from '../../../src/core/messages/projection.ts';
import type { Message } from '../../../src/core/messages/types.ts';
import {
	answered,
	assertSendable,
	contextDeps,
	contextInput,
	kindsOf,
	prepared,
	sentText,
	Talk,
	tokensOfText,
	tooLong,
} from '../../support/contextWorld.ts';
import { withoutFeature } from '../../support/features.ts';

function compact(talk: Talk, deps: ContextDeps, overrides: Partial<ContextInput> = {}, focus?: string) {
	return compactNow(contextInput(talk.messages, overrides), deps, new AbortController().signal, focus);
}

function changesOf(result: CompactionResult) {
	assert.ok(result.kind === 'compacted', JSON.stringify(result));
	return result.changes;
}

/** An old exchange, with words that must last, and a newer one. */
function work(turns = 30, tokens = 5_000, tool = 'Read'): Talk {
	const talk = new Talk().prompt('Today is Friday.', 'hidden');
	talk.prompt('Fix the login, but never touch db.ts; when it works then stop and ask me.');
	for (let turn = 0; turn < turns; turn++) {
		const input = { file_path: `/w/f${turn % 8}.ts` };
		talk.turn({ calls: [{ name: tool, input, result: tokensOfText(tokens, `out${turn} `) }] });
	}
	return talk
		.turn({ text: 'It works.' })
		.prompt('And now the tests?')
		.turn({ calls: [{ name: 'Bash', result: 'ok' }] });
}

suite('context: compaction', () => {
	test('replaces all but the newest exchanges by a summary with the words of the person, word for word', async () => {
		const talk = work();
		const deps = contextDeps({ summarise: () => Promise.resolve(answered('WHAT HAPPENED')) });
		const changes = changesOf(await compact(talk, deps));
		assert.deepEqual(kindsOf(changes), ['compacted']);
		const sent = project(talk.messages, changes);
		assertSendable(sent);
		assert.equal(sent[0]?.role === 'user' && sent[0].origin, 'hidden');
		const text = sentText(sent);
		assert.match(text, /Today is Friday/);
		assert.match(text, /WHAT HAPPENED/);
		assert.match(text, /Fix the login, but never touch db\.ts; when it works then stop and ask me\./);
		assert.match(text, /And now the tests\?/);
		assert.equal(text.split('And now the tests?').length - 1, 1, 'kept words are not repeated');
		assert.doesNotMatch(text, /out1 /);
		const [first] = changes;
		assert.ok(first?.kind === 'compacted' && first.before > 150_000 && first.after < 10_000, JSON.stringify(first));
	});

	test('a notebook that was changed counts among the files used last', async () => {
		const deps = contextDeps();
		const talk = new Talk().prompt('go');
		const input = { notebook_path: '/w/n.ipynb', cell_id: 'a', new_source: 'x' };
		talk.turn({ calls: [{ name: 'NotebookEdit', input, result: 'ok' }] });
		for (let turn = 0; turn < 20; turn++) talk.turn({ calls: [{ name: 'Bash', result: tokensOfText(8_000, 'x ') }] });
		await compact(talk.prompt('more').turn({ text: 'ok' }), deps);
		assert.deepEqual(deps.asked, [['/w/n.ipynb']]);
	});

	test('asks with the conversation’s own prefix; the instruction names all that must last', async () => {
		const talk = work();
		const deps = contextDeps();
		await compact(talk, deps, {}, 'the login');
		const [request] = deps.requests;
		const asked = request?.messages ?? [];
		assert.deepEqual(asked.slice(0, -1), talk.messages.slice(0, asked.length - 1));
		assertSendable(asked);
		const instruction = sentText(asked.slice(-1));
		for (const topic of [
			'Intent',
			'Decisions',
			'Files and code',
			'Errors and fixes',
			'User messages',
			'Pending work',
		]) {
			assert.ok(instruction.includes(topic), topic);
		}
		assert.match(instruction, /Current step/);
		assert.match(instruction, /then stop and ask me/);
		assert.match(instruction, /attention to this: the login/);
	});

	test('puts back recently used files, plan, todos, skills, memory, mode and running work, within their room', async () => {
		const deps = contextDeps({
			reattachment: {
				files: Array.from({ length: 7 }, (_, file) => ({
					path: `/w/r${file}.ts`,
					text: tokensOfText(9_000, `file${file} `),
				})),
				mode: 'plan',
				plan: 'First the parser.',
				todos: [{ content: 'write tests', activeForm: 'writing', status: 'in_progress' }],
				skills: [{ name: 'review', text: 'How to review.' }],
				memory: 'We use tabs.',
				running: ['npm run watch (id 7)'],
			},
		});
		const talk = work();
		const changes = changesOf(await compact(talk, deps));
		assert.deepEqual(deps.asked, [['/w/f5.ts', '/w/f4.ts', '/w/f3.ts', '/w/f2.ts', '/w/f1.ts']]);
		const text = sentText(project(talk.messages, changes));
		for (const part of [
			'First the parser',
			'write tests',
			'How to review',
			'We use tabs',
			'npm run watch',
			'mode: plan',
		]) {
			assert.ok(text.includes(part), part);
		}
		assert.match(text, /\/w\/r4\.ts/);
		assert.doesNotMatch(text, /\/w\/r5\.ts/, 'five files at most');
		const [change] = changes;
		assert.ok(change?.kind === 'compacted' && change.after < 32_000, JSON.stringify(change).slice(0, 200));
	});

	test('very long words of the person go to a file, with their beginning and end, and the way to it', async () => {
		const long = `START ${'x'.repeat(150_000)} END`;
		const talk = new Talk().prompt(long).turn({ text: 'read it' }).prompt('short').turn({ text: 'ok' });
		const deps = contextDeps();
		const text = sentText(project(talk.messages, changesOf(await compact(talk, deps))));
		assert.match(text, /START x.*x END.*\/results\/prompt-p1\.txt/s);
		assert.equal(deps.files.get('/results/prompt-p1.txt'), long);
		const whole = sentText(project(talk.messages, changesOf(await compact(talk, contextDeps({ storeFails: true })))));
		assert.ok(whole.includes('x'.repeat(150_000)), 'too long is better than lost');
	});

	test('B13 (Compaction): a summary request that is too long is trimmed in steps, old and big outputs first', async () => {
		const talk = work(40, 4_900);
		const sizes: number[] = [];
		const deps = contextDeps({
			summarise: ({ messages }, count) => {
				assertSendable(messages);
				sizes.push(sentText(messages).length);
				assert.match(sentText(messages), /never touch db\.ts/);
				return Promise.resolve(count < 3 ? tooLong(211_000, 200_000) : answered('S'));
			},
		});
		const result = await compact(talk, deps, { facts: { ...contextInput([]).facts, contextWindow: 1_000_000 } });
		assert.equal(result.kind, 'compacted');
		assert.equal(sizes.length, 3);
		assert.ok((sizes[1] ?? 0) < (sizes[0] ?? 0) && (sizes[2] ?? 0) < (sizes[1] ?? 0), String(sizes));
		const second = sentText(deps.requests[1]?.messages ?? []);
		assert.ok(!second.includes('out0 ') && second.includes('out30 '), 'the oldest go first');
		assert.deepEqual(result.tracking, noTracking);
	});

	test('B13 (Compaction): too long for ever: three tries, nothing changed, and not again in this exchange', async () => {
		const talk = work(40, 4_900, 'Agent');
		const deps = contextDeps({ summarise: () => Promise.resolve(tooLong(211_000, 200_000)) });
		const input = contextInput(talk.messages);
		const first = await prepared(input, deps);
		assert.equal(first.problem?.kind, 'summary_failed');
		assert.equal(first.problem?.failure?.kind, 'prompt_too_long');
		assert.equal(first.tracking.failures, 3);
		assert.ok(!kindsOf(first.changes).includes('compacted'));
		const later = { ...input, tracking: first.tracking, changes: first.changes };
		const again = await reactiveCompact(later, deps, new AbortController().signal, { failure: tooLongFailure });
		assert.deepEqual(again.kind === 'not_compacted' && again.problem, 'paused_after_failures');
		assert.equal((await prepared(later, deps)).problem?.kind, 'paused_after_failures');
		assert.equal(deps.requests.filter(({ purpose }) => purpose === 'conversation').length, 3);
	});

	test('B14 (Compaction): the first usage after a compaction counts, and there is exactly one', async () => {
		const talk = work(20, 5_000, 'Agent');
		talk.turn({ calls: [{ name: 'Bash', result: 'x' }], tokens: 170_000 });
		const deps = contextDeps();
		const first = await prepared(contextInput(talk.messages), deps);
		assert.ok(kindsOf(first.changes).includes('compacted'));
		assert.ok(first.tokens < 60_000, String(first.tokens));
		talk.turn({ calls: [{ name: 'Bash', result: 'x' }], tokens: 30_000 });
		const second = await prepared(
			contextInput(talk.messages, { changes: first.changes, tracking: first.tracking }),
			deps,
		);
		assert.deepEqual(second.changes, []);
		assert.ok(second.tokens < 30_100, String(second.tokens));
	});

	test('B14 (Compaction): an oversized tail is shortened itself; the model still gets the way to it', async () => {
		const talk = work(3).turn({ calls: [{ name: 'Read', result: tokensOfText(190_000, 'huge ') }] });
		const deps = contextDeps();
		const { changes, tokens, blocked, messages } = await prepared(contextInput(talk.messages), deps);
		assert.ok(kindsOf(changes).includes('results_stored'), String(kindsOf(changes)));
		assert.ok(tokens < 100_000, String(tokens));
		assert.equal(blocked, undefined);
		assertSendable(messages);
		assert.match(sentText(messages), /\/results\/t.*\.txt.*huge huge/s);
	});

	test('B15 (Compaction): cuts between turns only, also the second time and after a stop', async () => {
		const talk = work(6);
		const deps = contextDeps();
		talk.turn({
			calls: [
				{ name: 'Read', result: 'one' },
				{ name: 'Bash', result: 'two' },
			],
		});
		const once = changesOf(await compact(talk, deps));
		assertSendable(project(talk.messages, once));
		talk.prompt('[stopped]', 'interrupted').prompt('go on');
		talk.turn({
			calls: [
				{ name: 'Read', result: tokensOfText(6_000) },
				{ name: 'Bash', result: 'y' },
			],
		});
		const twice = [...once, ...changesOf(await compact(talk, deps, { changes: once }))];
		assert.deepEqual(kindsOf(twice), ['compacted', 'compacted']);
		const sent = project(talk.messages, twice);
		assertSendable(sent);
		assert.match(sentText(sent), /Fix the login.*And now the tests.*go on/s);
	});

	test('signed thinking of what stays is left out', async () => {
		const talk = work(6).turn({ thinking: 'hm', calls: [{ name: 'Bash' }] });
		const changes = changesOf(await compact(talk, contextDeps()));
		assert.deepEqual(kindsOf(changes), ['thinking_dropped', 'compacted']);
		assert.doesNotMatch(sentText(project(talk.messages, changes)), /c2lnbmVk/);
	});

	test('never leaves the person without a conversation: failure, blank answer, stop', async () => {
		const talk = work(6);
		const overloaded = { kind: 'failed', failure: { kind: 'overloaded', message: '' } } as const;
		const failed = await compact(talk, contextDeps({ summarise: () => Promise.resolve(overloaded) }));
		assert.deepEqual(failed.kind === 'not_compacted' && [failed.problem, failed.tracking.failures], [
			'summary_failed',
			1,
		]);
		const blank = await compact(talk, contextDeps({ summarise: () => Promise.resolve(answered(' \n')) }));
		assert.equal(blank.kind, 'not_compacted');
		const controller = new AbortController();
		const stopping = contextDeps({
			summarise: () => {
				controller.abort('stop');
				return Promise.resolve(overloaded);
			},
		});
		const stopped = await compactNow(contextInput(talk.messages), stopping, controller.signal);
		assert.deepEqual(
			stopped,
			{ kind: 'not_compacted', problem: 'stopped', tracking: noTracking },
			'and it is no failure',
		);
	});

	test('what is kept begins with a whole exchange where that fits, else with a whole turn', async () => {
		const exchanges = work(30)
			.prompt('a small one')
			.turn({ calls: [{ name: 'Bash' }] })
			.turn({ text: 'ok' })
			.prompt('next');
		const cut = (changes: ReturnType<typeof changesOf>, messages: readonly Message[]) => {
			const [change] = changes;
			const upTo = change?.kind === 'compacted' ? change.upTo : '';
			return messages[messages.findIndex(({ id }) => id === upTo) + 1];
		};
		const first = cut(changesOf(await compact(exchanges, contextDeps())), exchanges.messages);
		assert.match(JSON.stringify(first?.content), /And now the tests/);
		const long = new Talk().prompt('go');
		for (let turn = 0; turn < 30; turn++) long.turn({ calls: [{ name: 'Read', result: tokensOfText(5_000) }] });
		const kept = cut(changesOf(await compact(long, contextDeps())), long.messages);
		assert.equal(kept?.role, 'assistant');
	});

	test('never cuts inside a collapsed segment: what its summary replaced does not come back', async () => {
		const talk = new Talk().prompt('go');
		for (let turn = 0; turn < 12; turn++)
			talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(4_000, `out${turn} `) }] });
		const segment = {
			kind: 'collapsed',
			at: 'a9-results',
			from: 'a6',
			to: 'a12-results',
			summary: 'SEGMENT',
			freed: 1,
		} as const;
		const changes = changesOf(await compact(talk, contextDeps(), { changes: [segment] }));
		const sent = sentText(project(talk.messages, [segment, ...changes]));
		assert.match(sent, /SEGMENT/);
		assert.doesNotMatch(sent, /out[45678] /);
	});

	test('the person can always try again; nothing to summarise says so', async () => {
		const talk = work(6);
		const tracking = { failures: limits.summaryAttempts, refills: 0 };
		assert.equal((await compact(talk, contextDeps(), { tracking })).kind, 'compacted');
		const empty = await compact(new Talk().prompt('hello'), contextDeps());
		assert.deepEqual(empty.kind === 'not_compacted' && empty.problem, 'nothing_to_compact');
		const changes = changesOf(await compact(talk, contextDeps()));
		const again = await compact(talk, contextDeps(), { changes });
		assert.deepEqual(again.kind === 'not_compacted' && again.problem, 'no_growth');
	});

	test('a medium that is too large is left out, without a model call', async () => {
		const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' } as const;
		const talk = new Talk().prompt('look').turn({ calls: [{ name: 'Read', result: [{ type: 'image', source }] }] });
		const deps = contextDeps();
		const failure = { kind: 'media_too_large', message: '' } as const;
		const input = contextInput(talk.messages);
		const result = await reactiveCompact(input, deps, new AbortController().signal, { failure });
		const changes = changesOf(result);
		assert.deepEqual(kindsOf(changes), ['media_dropped']);
		assert.doesNotMatch(sentText(project(talk.messages, changes)), /base64/);
		assert.equal(deps.requests.length, 0);
		const again = await reactiveCompact({ ...input, changes }, deps, new AbortController().signal, { failure });
		assert.equal(again.kind, 'not_compacted');
	});

	test('without the feature nothing is compacted after a refusal', async () => {
		const input = contextInput(work(6).messages);
		const result = await withoutFeature('REACTIVE_COMPACT', () =>
			reactiveCompact(input, contextDeps(), new AbortController().signal, { failure: tooLongFailure }),
		);
		assert.equal(result.kind, 'not_compacted');
	});
});

const tooLongFailure = { kind: 'prompt_too_long', message: '', actual: 211_000, maximum: 200_000 } as const;
