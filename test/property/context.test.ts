// Whatever the stages do to a conversation, in any order, with any failure of the service or the disk: what is sent keeps every
// rule of the API, every word of the person is in it, and between boundaries its prefix does not change by a byte.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CollapseArea } from '../../src/core/context/collapseArea.ts';
import { ContextCache } from '../../src/core/context/contextCache.ts';
import type { CompactTracking, ContextInput, SummaryAnswer } from '../../src/core/context/contextTypes.ts';
import { noTracking } from '../../src/core/context/contextTypes.ts';
import { compactNow, drainCollapses, reactiveCompact } from '../../src/core/context/pipeline.ts';
import { declinedText } from '../../src/core/messages/declined.ts';
import type { ProjectionChange } from '../../src/core/messages/projection.ts';
import { project } from '../../src/core/messages/projection.ts';
import { toRequestMessages } from '../../src/core/messages/toRequest.ts';
import type { Message } from '../../src/core/messages/types.ts';
import { modelFacts } from '../../src/core/model/models.ts';
import type { CallSpec, FakeDeps } from '../support/contextWorld.ts';
import {
	answered,
	assertSendable,
	contextDeps,
	contextInput,
	prepared,
	sentText,
	Talk,
	tokensOfText,
	tooLong,
} from '../support/contextWorld.ts';

const image = {
	type: 'image',
	source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAAN' },
} as const;

/** `declined` 0: the person said no, and why. */
type AnyCall = CallSpec & { readonly declined: number };

const call: fc.Arbitrary<AnyCall> = fc
	.record({
		name: fc.constantFrom('Read', 'Bash', 'Grep', 'Edit', 'TodoWrite', 'Other'),
		input: fc.constantFrom({ file_path: '/w/a.ts' }, { file_path: '/w/b.ts' }, { command: 'ls' }),
		result: fc.oneof(
			{ weight: 9, arbitrary: fc.constantFrom('', 'short', tokensOfText(150), tokensOfText(400), tokensOfText(800)) },
			{ weight: 1, arbitrary: fc.constantFrom(tokensOfText(9000), [image, { type: 'text', text: 'seen' } as const]) },
		),
		isError: fc.boolean(),
		declined: fc.integer({ min: 0, max: 7 }),
	})
	.map((spec) => ({ ...spec, isError: spec.isError && typeof spec.result === 'string' }));

type Step =
	| { readonly kind: 'turn'; readonly calls: readonly AnyCall[]; readonly thinks: boolean; readonly counts: number }
	| { readonly kind: 'prompt' | 'interrupted' | 'hidden' }
	| { readonly kind: 'prepare' | 'compact' | 'drain' | 'too_long' | 'media' | 'resume' | 'cold' | 'idle' };

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 9,
		arbitrary: fc.record({
			kind: fc.constant('turn' as const),
			calls: fc.array(call, { minLength: 1, maxLength: 3 }),
			thinks: fc.boolean(),
			counts: fc.constantFrom(0, 0.7, 1, 1.3),
		}),
	},
	{ weight: 5, arbitrary: fc.constant({ kind: 'prepare' } as const) },
	{ weight: 2, arbitrary: fc.constant({ kind: 'prompt' } as const) },
	{
		weight: 3,
		arbitrary: fc
			.constantFrom('interrupted', 'hidden', 'compact', 'drain', 'too_long', 'media', 'resume', 'cold', 'idle')
			.map((kind): Step => ({ kind })),
	},
);

/** Summaries that come, fail, are refused for their length, or are blank. */
const outcomes = fc.array(
	fc.constantFrom<SummaryAnswer>(
		answered('S1'),
		answered('S2 long '.repeat(20)),
		answered(' '),
		tooLong(),
		tooLong(9000, 6000),
		{
			kind: 'failed',
			failure: { kind: 'overloaded', message: 'overloaded' },
		},
	),
	{ minLength: 1, maxLength: 6 },
);

/** One conversation with what the engine would hold of it. */
class World {
	readonly talk = new Talk();
	changes: readonly ProjectionChange[] = [];
	tracking: CompactTracking = noTracking;
	deps: FakeDeps;
	private words = 0;
	/** By id of an answer with signed thinking: what had been sent when it was given. */
	private readonly thoughtAfter = new Map<string, string>();
	private before: { readonly sent: readonly string[]; readonly changes: number } | undefined;

	constructor(answers: readonly SummaryAnswer[], storeFails: boolean) {
		this.deps = contextDeps({
			storeFails,
			summarise: ({ messages }, count) => {
				assertSendable(messages);
				return Promise.resolve(answers[count % answers.length] ?? answered('S'));
			},
			reattachment: { files: [{ path: '/w/a.ts', text: tokensOfText(400) }], mode: 'plan', plan: 'the plan' },
		});
		this.talk.prompt('facts of the session', 'hidden');
		this.say();
	}

	say(): void {
		this.talk.prompt(`word-${++this.words}-of-the-person ${'please '.repeat(this.words % 7)}`);
	}

	decline(call: CallSpec): CallSpec {
		const reason = `word-${++this.words}-of-the-person ${'no '.repeat(this.words % 5 === 0 ? 200 : 1)}`;
		return { ...call, result: declinedText(reason), isError: true };
	}

	get input(): ContextInput {
		return contextInput(this.talk.messages, {
			changes: this.changes,
			facts: { ...modelFacts('claude-haiku-4-5'), contextWindow: 16_000 },
			now: this.talk.time,
			tracking: this.tracking,
			overheadTokens: 500,
		});
	}

	async take(step: Step): Promise<void> {
		const { signal } = new AbortController();
		switch (step.kind) {
			case 'turn': {
				if (step.thinks)
					this.thoughtAfter.set(`a${this.talk.next}`, prefixOf(project(this.talk.messages, this.changes)));
				const rough = sentText(project(this.talk.messages, this.changes)).length / 3.5;
				this.talk.turn({
					...(step.thinks ? { thinking: 'hm' } : {}),
					text: 'next',
					calls: step.calls.map((call) => (call.declined === 0 ? this.decline(call) : call)),
					tokens: Math.round((500 + rough) * step.counts),
				});
				return;
			}
			case 'prompt':
				return this.say();
			case 'interrupted':
			case 'hidden':
				return void this.talk.prompt(`a note ${step.kind}`, step.kind);
			case 'cold':
				this.talk.time += 3_700_000;
				return;
			case 'idle':
				return this.deps.staged.idle();
			case 'resume':
				this.changes = JSON.parse(JSON.stringify(this.changes));
				this.talk.messages = JSON.parse(JSON.stringify(this.talk.messages));
				this.deps = { ...this.deps, cache: new ContextCache(), staged: new CollapseArea() };
				this.tracking = noTracking;
				return;
			case 'prepare': {
				const { changes, tracking, messages } = await prepared(this.input, this.deps);
				this.changes = changes.length > 0 ? [...this.changes, ...changes] : this.changes;
				this.tracking = tracking;
				assert.deepEqual(messages, project(this.talk.messages, this.changes), 'the cache gives what projecting gives');
				return this.checkPrefix(messages, changes);
			}
			case 'drain':
				this.changes = [...this.changes, ...(drainCollapses(this.input, this.deps)?.changes ?? [])];
				return;
			case 'compact':
			case 'too_long':
			case 'media': {
				const failure = { kind: step.kind === 'media' ? 'media_too_large' : 'prompt_too_long', message: '' } as const;
				const result =
					step.kind === 'compact'
						? await compactNow(this.input, this.deps, signal)
						: await reactiveCompact(this.input, this.deps, signal, { failure });
				if (result.kind === 'compacted') this.changes = [...this.changes, ...result.changes];
				this.tracking = result.tracking;
				return;
			}
		}
	}

	/** Without a boundary in between a request begins with the whole of the one before it. */
	private checkPrefix(messages: readonly Message[], made: readonly ProjectionChange[]): void {
		const sent: readonly string[] = toRequestMessages(messages).map((param) =>
			JSON.stringify(param, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
		);
		const quiet = made.every(({ kind }) => kind === 'results_stored' || kind === 'results_kept');
		const { before } = this;
		if (before && quiet && before.changes === this.changes.length - made.length) {
			const shared = before.sent.slice(0, -1);
			assert.deepEqual(sent.slice(0, shared.length), shared);
			const tail = before.sent.at(-1)?.slice(0, -2) ?? '';
			assert.ok(sent[shared.length]?.startsWith(tail), 'the last message of the request before is only added to');
		}
		this.before = { sent, changes: this.changes.length };
	}

	check(): void {
		const projected = project(this.talk.messages, this.changes);
		assertSendable(projected);
		projected.forEach((message, at) => {
			if (message.role === 'user' || !message.content.some(({ type }) => type === 'thinking')) return;
			assert.equal(
				prefixOf(projected.slice(0, at)),
				this.thoughtAfter.get(message.id),
				'thinking stands on its prefix',
			);
		});
		const text = sentText(projected);
		for (let word = 1; word <= this.words; word++)
			assert.ok(text.includes(`word-${word}-of-the-person`), `word ${word}`);
		assert.ok(text.includes('facts of the session'));
	}
}

/** What a signature is bound to: everything before, thinking and cache marks aside. */
function prefixOf(messages: readonly Message[]): string {
	return JSON.stringify(toRequestMessages(messages), (key, value: unknown) =>
		key === 'cache_control'
			? undefined
			: key === 'content' && Array.isArray(value)
				? value.filter((block: { readonly type: string }) => block.type !== 'thinking')
				: value,
	);
}

suite('context pipeline', () => {
	test('keeps conversations valid, the words of the person whole, and the prefix stable', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { maxLength: 70, size: 'max' }),
				outcomes,
				fc.boolean(),
				async (steps, answers, storeFails) => {
					const world = new World(answers, storeFails);
					for (const step of steps) {
						await world.take(step);
						world.check();
					}
				},
			),
			{ numRuns: 150 },
		);
	});

	test('compacts at most once without growth, whatever is asked for', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
				const world = new World([answered('S')], false);
				for (const step of steps) await world.take(step);
				const compactions = () => world.changes.filter(({ kind }) => kind === 'compacted').length;
				await world.take({ kind: 'compact' });
				const once = compactions();
				for (const kind of ['compact', 'prepare', 'too_long', 'prepare'] as const) await world.take({ kind });
				assert.equal(compactions(), once);
			}),
			{ numRuns: 100 },
		);
	});
});
