// A large transcript is read from its end: the pages are the whole in parts, and a conversation that is resumed from the part that
// counts is the one that is resumed from the whole.
import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { activeEntries } from '../../src/core/messages/activeEntries.ts';
import { project } from '../../src/core/messages/projection.ts';
import type { Entry, StoredEntry } from '../../src/core/messages/journal.ts';
import type { UserMessage } from '../../src/core/messages/types.ts';
import { toRequestMessages } from '../../src/core/messages/toRequest.ts';
import { loadSession } from '../../src/core/session/resume.ts';
import { linesBackward } from '../../src/node/sessions/linesOfFile.ts';
import { readForRequest, readPage, readWhole } from '../../src/node/sessions/partialRead.ts';
import { showTranscript } from '../../src/host/panel/transcriptRows.ts';
import { ViewModel } from '../../src/host/panel/viewModel.ts';
import { formatLine, parseTranscript } from '../../src/node/sessions/transcriptFile.ts';
import { bareState } from '../support/viewState.ts';

const usage = { inputTokens: 1, cacheCreationTokens: 2, cacheReadTokens: 3, outputTokens: 4 };
const user = (id: string, origin: UserMessage['origin'] = 'prompt'): Entry => ({
	type: 'user',
	message: { role: 'user', id, origin, content: [{ type: 'text', text: `said ${id} "type":"mode"` }], time: 1 },
});

/** A conversation of any course, as its engine would write it. */
class Course {
	readonly entries: Entry[] = [{ type: 'session', version: 1, sessionId: 's', cwd: '/w', app: '0' }];
	#count = 0;
	#messages: string[] = [];
	#prompts: string[] = [];
	#costUsd = 0;
	#used = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

	exchange(kind: number): void {
		const prompt = `p${++this.#count}`;
		if (kind % 5 === 0) this.entries.push({ type: 'queued', id: prompt, text: `said ${prompt}` });
		this.entries.push(user(prompt));
		this.#prompts.push(prompt);
		this.#messages.push(prompt);
		for (let turn = 0; turn <= kind % 3; turn++) this.#turn(kind, turn);
		if (kind % 7 === 0) this.entries.push({ type: 'queued', id: `q${this.#count}`, text: 'later' });
		if (kind % 11 !== 0) this.#end();
	}

	compact(): void {
		const upTo = this.#messages.at(-3);
		const at = this.#messages.at(-1);
		if (upTo === undefined || at === undefined) return;
		const message = { role: 'user', id: `s${++this.#count}`, origin: 'hidden', content: [], time: 1 } as const;
		const summary = [{ ...message, content: [{ type: 'text', text: `summary ${this.#count}` } as const] }];
		const change = { kind: 'compacted', at, upTo, summary, trigger: 'auto', before: 9, after: 1 } as const;
		this.entries.push({ type: 'projection', change });
	}

	set(mode: 'plan' | 'acceptEdits'): void {
		this.entries.push({ type: 'mode', mode }, { type: 'model', model: `m${++this.#count}` });
	}

	rewind(back: number): void {
		const to = this.#prompts.at(-1 - back);
		if (to !== undefined) this.entries.push({ type: 'rewound', to });
	}

	#turn(kind: number, turn: number): void {
		const id = `a${++this.#count}`;
		this.#messages.push(id, `${id}-results`);
		const call = { type: 'tool_use', id: `t${id}`, name: 'Read', input: { turn } } as const;
		const result = {
			type: 'tool_result',
			tool_use_id: call.id,
			content: [{ type: 'text', text: 'x'.repeat(kind * 40) }],
		} as const;
		this.#costUsd += 1;
		for (const name of Object.keys(usage) as (keyof typeof usage)[]) this.#used[name] += usage[name];
		this.entries.push(
			{ type: 'request', turn, model: 'm', messageCount: 1 },
			{ type: 'block', messageId: id, index: 0, model: 'm', block: { type: 'text', text: `look ${id}` } },
			{ type: 'block', messageId: id, index: 1, model: 'm', block: call },
			{ type: 'answer', messageId: id, stopReason: 'tool_use', usage, complete: true, costUsd: 1 },
			{ type: 'tool_start', toolUseId: call.id, name: 'Read', input: call.input },
			{
				type: 'tool_result',
				toolUseId: call.id,
				result,
				state: 'done',
				view:
					kind % 4 === 0
						? { kind: 'todos', todos: [{ content: id, activeForm: id, status: 'pending' }] }
						: { kind: 'none' },
				...(kind % 2 === 0 ? { files: [{ path: `/w/${id}`, hash: id, partial: false }] } : {}),
			},
		);
	}

	#end(): void {
		this.entries.push({
			type: 'exchange_end',
			reason: 'completed',
			spent: { usage: { ...this.#used }, costUsd: this.#costUsd },
		});
	}
}

const step = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('exchange' as const), n: fc.nat(30) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('compact' as const), n: fc.constant(0) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('set' as const), n: fc.nat(1) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('rewind' as const), n: fc.nat(3) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
function courseOf(steps: readonly Step[]): readonly Entry[] {
	const course = new Course();
	for (const { do: what, n } of steps) {
		if (what === 'exchange') course.exchange(n);
		else if (what === 'compact') course.compact();
		else if (what === 'set') course.set(n === 0 ? 'plan' : 'acceptEdits');
		else course.rewind(n);
	}
	return course.entries;
}
const anyCourse = fc.array(step, { minLength: 1, maxLength: 25 }).map(courseOf);

/** Goes back to what is gone already: nothing is taken back, and the exchange before it has no end. */
const backToNothing: readonly Step[] = [
	{ do: 'exchange', n: 0 },
	{ do: 'rewind', n: 0 },
	{ do: 'exchange', n: 0 },
	{ do: 'rewind', n: 1 },
	{ do: 'exchange', n: 1 },
];

function rowsOf(entries: readonly StoredEntry[]) {
	const view = new ViewModel(bareState);
	showTranscript(view, entries, '/w');
	// Notices and failures are numbered as they come.
	return view.all.map((row) => (row.kind === 'notice' || row.kind === 'error' ? { ...row, id: row.kind } : row));
}

suite('large transcripts', function () {
	this.timeout(60_000);
	let folder: string;
	suiteSetup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'lw-part-'));
	});
	suiteTeardown(() => rm(folder, { recursive: true, force: true }));

	async function write(entries: readonly Entry[], cut = 1): Promise<{ file: string; whole: readonly StoredEntry[] }> {
		const bytes = Buffer.from(entries.map((entry, index) => formatLine(entry, index)).join(''), 'utf8');
		const kept = bytes.subarray(0, Math.ceil(bytes.length * cut));
		const file = path.join(folder, 's.jsonl');
		await writeFile(file, kept);
		return { file, whole: parseTranscript(kept.toString('utf8')).entries };
	}

	test('lines from the end: every line, at its place, whatever its length', async () => {
		const lengths = fc.array(fc.oneof(fc.nat(40), fc.constantFrom(262_143, 262_144, 600_000)), { maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(lengths, fc.boolean(), async (sizes, ended) => {
				const lines = sizes.map((size, index) => String(index).padEnd(size + 1, 'é'));
				const content = lines.join('\n') + (ended && lines.length > 0 ? '\n' : '');
				const file = path.join(folder, 'lines');
				await writeFile(file, content);
				const handle = await open(file, 'r');
				const found: string[] = [];
				const bytes = Buffer.from(content);
				for await (const { start, text } of linesBackward(handle, bytes.length)) {
					found.unshift(text);
					assert.equal(bytes.toString('utf8', start, start + Buffer.byteLength(text)), text);
				}
				await handle.close();
				assert.deepEqual(found, lines);
			}),
			{ numRuns: 60 },
		);
	});

	test('resumed from the part: the same request, settings, todo list, files, queue and sums', async () => {
		await fc.assert(
			fc.asyncProperty(anyCourse, fc.double({ min: 0.2, max: 1, noNaN: true }), async (entries, cut) => {
				const { file, whole } = await write(entries, cut);
				assert.deepEqual((await readWhole(file)).entries, whole);
				const part = await readForRequest(file, 0);
				const [one, other] = [loadSession(whole), loadSession(part.entries)];
				const request = ({ messages, changes }: typeof one) => toRequestMessages(project(messages, changes));
				assert.deepEqual(request(other), request(one));
				for (const name of ['pending', 'interrupted', 'mode', 'model', 'todos', 'usage', 'costUsd', 'queued'] as const)
					assert.deepEqual(other[name], one[name], name);
				assert.deepEqual(other.files, one.files);
				assert.equal(other.contextTokens, one.contextTokens);
			}),
			{ numRuns: 300 },
		);
	});

	test('pages from the end: together the whole, each with what it takes back', async () => {
		await fc.assert(
			fc.asyncProperty(anyCourse, fc.integer({ min: 1, max: 30 }), async (entries, atLeast) => {
				const { file, whole } = await write(entries);
				const pages: (readonly StoredEntry[])[] = [];
				let before: number | undefined;
				while (before !== 0) {
					const page = await readPage(file, { atLeast, ...(before === undefined ? {} : { before }) });
					pages.unshift(page.entries);
					before = page.start;
				}
				assert.deepEqual(pages.flat(), whole);
				const shown = pages.flatMap((page) => activeEntries(page));
				assert.deepEqual(shown, activeEntries(whole));
				assert.deepEqual(pages.flatMap(rowsOf), rowsOf(whole), 'each page is shown as it is in the whole');
			}),
			{ numRuns: 300, examples: [[courseOf(backToNothing), 1]] },
		);
	});
});
