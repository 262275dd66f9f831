// Whatever agent and person do to files, and however often somebody goes back: a restore brings back what was, never touches
// what somebody else has changed unless it is chosen, and is taken back exactly. And a conversation that goes on from before any
// message of the person is sent as the API wants it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { changedByRestore, changedSince, planRestore, redoable } from '../../src/core/checkpoints/planRestore.ts';
import type { ChangedFile } from '../../src/core/checkpoints/planRestore.ts';
import { CheckpointRecorder } from '../../src/core/checkpoints/recorder.ts';
import { restoreFiles } from '../../src/core/checkpoints/restoreFiles.ts';
import { activeEntries } from '../../src/core/messages/activeEntries.ts';
import type { Entry, StoredEntry } from '../../src/core/messages/journal.ts';
import { project } from '../../src/core/messages/projection.ts';
import { toRequestMessages } from '../../src/core/messages/toRequest.ts';
import type { Message } from '../../src/core/messages/types.ts';
import { noUsage } from '../../src/core/messages/types.ts';
import type { CheckpointRecord, FileImage, FileImages } from '../../src/core/ports/checkpoints.ts';
import { loadSession } from '../../src/core/session/resume.ts';
import { checkRequest } from '../support/requestRules.ts';

/** Files in memory; what was kept never goes. */
class World implements FileImages {
	readonly files = new Map<string, string>();
	readonly records: CheckpointRecord[] = [];
	private readonly blobs = new Map<string, string>();
	readonly index = {
		append: (record: CheckpointRecord) => void this.records.push(record),
		read: () => Promise.resolve(this.records),
	};
	readonly recorder = new CheckpointRecorder({ index: this.index, images: this });

	keep(path: string): Promise<FileImage> {
		const text = this.files.get(path);
		if (text === undefined) return Promise.resolve({ kind: 'missing' });
		const hash = createHash('sha256').update(text).digest('hex');
		this.blobs.set(hash, text);
		return Promise.resolve({ kind: 'file', hash, size: text.length });
	}
	look(path: string): Promise<FileImage> {
		return this.keep(path);
	}
	put(path: string, image: FileImage): Promise<{ readonly kind: 'done' }> {
		if (image.kind === 'file') this.files.set(path, this.blobs.get(image.hash) ?? assert.fail());
		else this.files.delete(path);
		return Promise.resolve({ kind: 'done' });
	}
	bytes(image: FileImage): Promise<Uint8Array | undefined> {
		const text = image.kind === 'file' ? this.blobs.get(image.hash) : undefined;
		return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
	}
	async agent(path: string, text: string | undefined): Promise<void> {
		const settle = await this.recorder.before(path);
		this.person(path, text);
		await settle(true);
	}
	person(path: string, text: string | undefined): void {
		if (text === undefined) this.files.delete(path);
		else this.files.set(path, text);
	}
	async plan(changed: readonly ChangedFile[]) {
		const now = new Map<string, FileImage>();
		for (const { path } of changed) now.set(path, await this.keep(path));
		return planRestore(changed, now);
	}
}

type Step =
	| { readonly do: 'prompt' }
	| { readonly do: 'agent' | 'person'; readonly path: string; readonly text: string | undefined }
	| { readonly do: 'restore' | 'redo'; readonly nth: number; readonly all: boolean };

const path = fc.constantFrom('/w/a', '/w/b', '/w/c');
const text = fc.option(fc.constantFrom('0', '1', '2', '3', '4', '5'), { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant({ do: 'prompt' } as const) },
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('agent' as const), path, text }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('person' as const), path, text }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restore', 'redo'), nth: fc.nat(9), all: fc.boolean() }) },
);
const scope = { scope: 'files' } as const;

suite('checkpoint properties', () => {
	test('restores bring back what was, spare what others changed, and are taken back exactly', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
				const world = new World();
				world.files.set('/w/a', 'a');
				world.files.set('/w/b', 'b');
				/** All files at each message, and who has changed which since. */
				const past: {
					readonly id: string;
					readonly files: ReadonlyMap<string, string>;
					readonly others: Set<string>;
				}[] = [];
				const prompt = () => {
					const id = `p${past.length}`;
					past.push({ id, files: new Map(world.files), others: new Set() });
					world.recorder.promptTaken(id);
				};
				prompt();
				for (const one of steps) {
					if (one.do === 'prompt') prompt();
					if (one.do === 'agent') await world.agent(one.path, one.text);
					if (one.do === 'person' && world.files.get(one.path) !== one.text) {
						world.person(one.path, one.text);
						for (const { others } of past) others.add(one.path);
					}
					if (one.do === 'restore') await restore(world, past[one.nth % past.length] ?? assert.fail(), one.all);
					if (one.do === 'redo') await redo(world);
				}
			}),
			{ numRuns: 300 },
		);
	});

	async function restore(
		world: World,
		to: { readonly id: string; readonly files: ReadonlyMap<string, string>; readonly others: ReadonlySet<string> },
		all: boolean,
	): Promise<void> {
		const before = new Map(world.files);
		const { files, lost } = await world.plan(changedSince(world.records, to.id) ?? assert.fail());
		assert.deepEqual(lost, []);
		for (const file of files) if (!to.others.has(file.path)) assert.equal(file.conflict, undefined);
		const chosen = files.filter(({ conflict }) => all || conflict === undefined);
		const outcome = await restoreFiles(
			{ files: chosen, to: to.id, redo: false, ...scope },
			{ images: world, index: world.index },
		);
		assert.deepEqual(outcome.failed, []);
		for (const file of new Set([...world.files.keys(), ...before.keys(), ...to.files.keys()])) {
			// Of what only the agent has changed since, everything is as it was.
			if (!to.others.has(file)) assert.equal(world.files.get(file), to.files.get(file), file);
			else if (!chosen.some((one) => one.path === file)) assert.equal(world.files.get(file), before.get(file), file);
		}
		const after = new Map(world.files);
		await redo(world);
		assert.deepEqual(Object.fromEntries(world.files), Object.fromEntries(before));
		// And once more, so that what follows starts from the restored files.
		const again = (await world.plan(changedSince(world.records, to.id) ?? [])).files;
		const same = again.filter(({ path: file }) => chosen.some((one) => one.path === file));
		await restoreFiles({ files: same, to: to.id, redo: false, ...scope }, { images: world, index: world.index });
		assert.deepEqual(Object.fromEntries(world.files), Object.fromEntries(after));
	}

	async function redo(world: World): Promise<void> {
		const last = redoable(world.records);
		if (!last) return;
		const { files } = await world.plan(changedByRestore(last));
		const clean = files.filter(({ conflict }) => conflict === undefined);
		await restoreFiles({ files: clean, to: last.to, redo: true, ...scope }, { images: world, index: world.index });
	}
});

/** One thing that an exchange writes down. */
type Part = 'queued' | 'call' | 'unanswered' | 'started' | 'retracted' | 'text' | 'cleared' | 'compacted' | 'snipped';
const part = fc.constantFrom<Part[]>(
	'queued',
	'call',
	'unanswered',
	'started',
	'retracted',
	'text',
	'cleared',
	'compacted',
	'snipped',
);
const exchange = fc.record({ parts: fc.array(part, { maxLength: 5 }), ended: fc.boolean() });

suite('rewind properties', () => {
	test('at any message, at any time, any number of times: what is sent is valid, and what came before is as it was', () => {
		fc.assert(
			fc.property(
				fc.array(exchange, { minLength: 1, maxLength: 4 }),
				fc.array(fc.record({ nth: fc.nat(20), next: exchange }), { minLength: 1, maxLength: 3 }),
				(first, rewinds) => {
					const writer = new Writer();
					for (const one of first) writer.exchange(one);
					for (const { nth, next } of rewinds) {
						const prompts = loadSession(writer.entries).messages.filter(isPrompt);
						const to = prompts[nth % Math.max(1, prompts.length)];
						if (!to) return;
						const before = loadSession(writer.entries).messages;
						writer.add({ type: 'rewound', to: to.id });
						const loaded = loadSession(writer.entries);
						assert.deepEqual(loaded.pending, undefined);
						assert.deepEqual(
							loaded.messages,
							before.slice(
								0,
								before.findIndex(({ id }) => id === to.id),
							),
						);
						assertValid(loaded.messages, writer.entries);
						writer.exchange(next);
						assertValid(loadSession(writer.entries).messages, writer.entries);
					}
					const ids = activeEntries(writer.entries).flatMap((entry) =>
						entry.type === 'user' ? [entry.message.id] : [],
					);
					assert.equal(new Set(ids).size, ids.length);
				},
			),
			{ numRuns: 300 },
		);
	});
});

function isPrompt(message: Message): boolean {
	return message.role === 'user' && message.origin === 'prompt';
}

function assertValid(messages: readonly Message[], entries: readonly StoredEntry[]): void {
	const sent = toRequestMessages(project(messages, loadSession(entries).changes));
	const body = { model: 'claude-sonnet-5', max_tokens: 1000, stream: true, messages: sent };
	const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'k', 'content-type': 'application/json' };
	assert.deepEqual(checkRequest({ body: JSON.parse(JSON.stringify(body)), headers }), []);
}

class Writer {
	readonly entries: StoredEntry[] = [];
	private next = 0;
	private last = '';

	add(entry: Entry): void {
		this.entries.push({ ...entry, time: this.next });
	}

	exchange({ parts, ended }: { readonly parts: readonly Part[]; readonly ended: boolean }): void {
		this.prompt();
		for (const one of parts) this.part(one);
		if (ended) {
			this.answer([{ type: 'text', text: 'done' }]);
			this.add({ type: 'exchange_end', reason: 'completed' });
		}
	}

	private part(one: Part): void {
		switch (one) {
			case 'queued':
				return this.prompt();
			case 'text':
				return this.answer([{ type: 'text', text: 'words' }]);
			case 'call':
			case 'unanswered':
			case 'started': {
				const toolUseId = this.call();
				if (one === 'unanswered') return;
				this.add({ type: 'tool_start', toolUseId, name: 'Read', input: {} });
				if (one === 'started') return;
				const result = {
					type: 'tool_result',
					tool_use_id: toolUseId,
					content: [{ type: 'text', text: 'ok' }],
				} as const;
				return this.add({ type: 'tool_result', toolUseId, result, state: 'done', view: { kind: 'none' } });
			}
			case 'retracted': {
				this.call();
				return this.add({ type: 'tombstone', messageId: this.last });
			}
			case 'cleared':
			case 'compacted':
			case 'snipped':
				return this.change(one);
		}
	}

	private change(kind: 'cleared' | 'compacted' | 'snipped'): void {
		const { messages } = loadSession([...this.entries, { type: 'exchange_end', reason: '', time: 0 }]);
		const at = messages.at(-1)?.id ?? '';
		const results = messages.flatMap((message) =>
			message.role === 'user'
				? message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
				: [],
		);
		if (kind === 'cleared') {
			return this.add({ type: 'projection', change: { kind: 'results_cleared', at, toolUseIds: results, freed: 1 } });
		}
		if (kind === 'snipped') {
			// A whole turn: an answer and its results.
			const turn = messages.findIndex(({ id }) => messages.some((other) => other.id === `${id}-results`));
			const messageIds = messages.slice(turn, turn + 2).map(({ id }) => id);
			if (turn >= 0) this.add({ type: 'projection', change: { kind: 'snipped', at, messageIds, freed: 1 } });
			return;
		}
		const summary: Message = {
			role: 'user',
			id: `s${++this.next}`,
			origin: 'hidden',
			content: [{ type: 'text', text: 'sum' }],
			time: 0,
		};
		const change = {
			kind: 'compacted',
			at,
			upTo: at,
			summary: [summary],
			trigger: 'auto',
			before: 2,
			after: 1,
		} as const;
		this.add({ type: 'projection', change });
	}

	private prompt(): void {
		const id = `u${++this.next}`;
		const message = {
			role: 'user',
			id,
			origin: 'prompt',
			content: [{ type: 'text', text: id }],
			time: this.next,
		} as const;
		this.add({ type: 'user', message });
	}

	private call(): string {
		const id = `toolu_${++this.next}`;
		this.answer([
			{ type: 'thinking', thinking: 'hm', signature: 'c2ln' },
			{ type: 'tool_use', id, name: 'Read', input: { file_path: 'a' } },
		]);
		return id;
	}

	private answer(blocks: Extract<Message, { role: 'assistant' }>['content']): void {
		const messageId = `a${++this.next}`;
		this.last = messageId;
		this.add({ type: 'request', turn: 1, model: 'claude-sonnet-5', messageCount: 1 });
		blocks.forEach((block, index) => this.add({ type: 'block', messageId, index, model: 'claude-sonnet-5', block }));
		this.add({ type: 'answer', messageId, stopReason: 'end_turn', usage: noUsage, complete: true, costUsd: 0 });
	}
}
