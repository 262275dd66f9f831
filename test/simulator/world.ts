// What a run shares: its decisions, its time, the transcript on "disk", what tools did, what the person said. It outlives
// the engines (lives) that work in it: a kill ends a life, never the world.
import type { AgentJournal, Entry, Journal, QueuedPrompt, StoredEntry } from '../../src/core/messages/journal.ts';
import type { Decisions } from './decisions.ts';
import type { FinishedTask } from '../../src/core/ports/finishedWork.ts';
import { SimFiles } from './files.ts';
import { PipelineChecks } from './pipelineChecks.ts';
import { Scheduler } from './scheduler.ts';

/** One process: from its start until it is killed. */
export interface Life {
	/** Set when the process is killed: from then on nothing that it does counts. */
	dead: boolean;
	/** Entries that will still be written before it dies; undefined: it is not going to. */
	entriesLeft: number | undefined;
	/** Only these count, so that it dies in the middle of writing one of them; undefined: all do. */
	diesWriting: EntryKind | undefined;
	/** Nothing can be written down. */
	diskFull: boolean;
}

/** A kind of entry; notes and what the person says are told apart. */
export type EntryKind = Exclude<Entry['type'], 'user'> | 'prompt' | 'note';

export function newLife(): Life {
	return { dead: false, entriesLeft: undefined, diesWriting: undefined, diskFull: false };
}

export interface RunningTool {
	readonly nonce: string;
	readonly safe: boolean;
}

export class World {
	readonly decisions: Decisions;
	readonly scheduler: Scheduler;
	readonly trace: string[] | undefined;
	/** The transcript on disk. */
	readonly entries: StoredEntry[] = [];
	/** The first broken promise; the run ends with it. */
	failure: string | undefined;
	/** The person has stopped the exchange: nothing may start any more. */
	stopped = false;
	/** A long conversation: many exchanges with much to say, and few faults. */
	long = false;
	/** Of all files: somebody else changes them. */
	version = 1;
	/** Files that the built-in tools work on; absent: the run has tools of its own only. */
	files: SimFiles | undefined;
	/** The model may start subagents. */
	agents = false;
	/** Prompts that wait, as the transcript says, by id. */
	readonly queued = new Map<string, QueuedPrompt>();
	/** Calls that the person changed, by tool use id: what runs instead. */
	readonly changed = new Map<string, string>();
	/** By tool use id: the nonce that the model wrote. */
	private readonly nonces = new Map<string, string>();
	/** By the nonce that the model wrote: that of the start entry. */
	readonly startedAs = new Map<string, string>();
	/** The other way round. */
	readonly startedBy = new Map<string, string>();
	/** The project's memory. */
	readonly memory = new Map<string, string>();
	/** Work in the background that has ended and was not told, in order. */
	finished: readonly FinishedTask[] = [];
	private ended = 0;
	private told = 0;
	/** Ids of the messages that tell of an end. */
	private readonly toldOf = new Set<string>();
	/** Nonces of commands in the background that have ended, until the model is told. */
	private readonly untold = new Set<string>();
	/** Images that there were. */
	images = 0;
	/** What the service counts as a token. */
	charsPerToken = 4;
	/** How much tools say: 0 little, else longer results the higher. */
	talk = 0;
	/** No more faults, kills or choices of the person: the end of a run, where everything must go well. */
	peace = false;

	/** The last prompt is said: the model is told of what has ended by now. */
	lastWords = false;

	/** By the nonce of a call: how often it ran. */
	readonly ran = new Map<string, number>();
	/** Ids of the calls in the transcript, by the message that made them; gone when the answer is taken back. */
	private readonly calls = new Map<string, string[]>();
	/** Nonces that the service sent more than once, in answers to the same request. */
	readonly resent = new Set<string>();
	readonly running = new Map<string, RunningTool>();
	readonly startEntries = new Set<string>();
	/** Unsafe calls that have started, by tool use id. */
	readonly unsafeStarted = new Set<string>();
	/** Calls that the person declined. */
	readonly declined = new Set<string>();
	/** By tool use id: the text of the result in the transcript. */
	readonly results = new Map<string, string>();
	/** Changes of what is sent, the ones that change nothing left out. */
	boundaries = 0;
	compactions = 0;
	readonly pipeline = new PipelineChecks((message) => this.fail(message));
	/** Prompts in the transcript, by their mark, in order. */
	readonly prompts: string[] = [];
	/** Requests of the running exchange. */
	requests = 0;
	allRequests = 0;

	private ids = 0;
	private lastNonce = 0;
	private lastAgentCall = 0;

	constructor(decisions: Decisions, trace: string[] | undefined) {
		this.decisions = decisions;
		this.trace = trace;
		this.scheduler = new Scheduler(decisions, trace);
	}

	fail(message: string): void {
		this.failure ??= message;
		this.trace?.push(`BROKEN: ${message}`);
	}

	/** Something worth knowing was reached. */
	count(what: string): void {
		this.pipeline.count(what);
	}

	note(text: string): void {
		this.trace?.push(text);
	}

	readonly uuid = (): string => {
		const number = (++this.ids).toString(16).padStart(8, '0');
		return `${number}-0000-4000-8000-000000000000`;
	};

	/** Work in the background ends. */
	workEnds(): void {
		const id = `w${++this.ended}`;
		this.finished = [...this.finished, { id, note: `Work ${id} has ended.` }];
	}

	/** A command goes on in the background, and ends: the model is to be told. */
	commandEnds(nonce: string): void {
		if (!this.lastWords) this.untold.add(nonce);
	}

	/** Each that ended once, and the world's own in their order. */
	private checkTold(id: string, text: string): void {
		if (this.toldOf.has(id)) this.fail(`3: the model was told of ${id} twice`);
		this.toldOf.add(id);
		if (!id.startsWith('finished-w')) this.count('end of a command told');
		for (const nonce of text.match(/\bn\d+\b/g) ?? []) this.untold.delete(nonce);
		if (id.startsWith('finished-w') && id !== `finished-w${++this.told}`) {
			this.fail(`3: the model was told of ${id}, and w${this.told} was next`);
		}
	}

	/** Nothing that ended may be left untold once somebody was told of anything. */
	checkFinished(): void {
		const [command] = this.untold;
		if (command !== undefined)
			this.fail(`3: the command ${command} has ended in the background, and the model was not told`);
		if (this.told < this.ended) this.fail(`3: work w${this.told + 1} has ended, and the model was not told`);
	}

	/** From now on the model has the built-in tools, and files. */
	openFiles(): void {
		this.files = new SimFiles(this.decisions, this);
	}

	nonce(): string {
		return `n${++this.lastNonce}`;
	}

	/** Of a call by the subagent that was started by the call with this nonce. */
	agentNonce(starter: string): string {
		return `a${++this.lastAgentCall}.${starter}`;
	}

	/** A subagent begins to do something that is not to be done twice: what started it is not taken back any more. */
	agentActs(nonce: string): void {
		const starter = this.startedBy.get(nonce.split('.')[1] ?? '');
		if (starter !== undefined) this.unsafeStarted.add(starter);
	}

	/** The journal of one life. A life that is to die dies in the middle of an `append`, before or after the entry is on disk. */
	journalOf(life: Life): Journal {
		return {
			append: (entry) => {
				if (life.dead) return never();
				if (life.diskFull) return Promise.reject(new Error(diskFull));
				const counts = life.diesWriting === undefined || life.diesWriting === kindOf(entry);
				if (counts && life.entriesLeft !== undefined && life.entriesLeft-- <= 0) {
					life.dead = true;
					if (this.decisions.below(2) === 0) this.write(entry);
					this.note(`killed while writing "${kindOf(entry)}"`);
					this.count(`killed while writing ${kindOf(entry)}`);
					return never();
				}
				this.write(entry);
				return Promise.resolve();
			},
		};
	}

	/** The transcript of a subagent: nothing is resumed from it. */
	agentJournalOf(life: Life): AgentJournal {
		return {
			append: (entry) => {
				if (life.dead) return never();
				if (entry.type === 'tool_start') this.checkStart(entry.toolUseId, nonceOf(entry.input));
				return Promise.resolve();
			},
			close: () => undefined,
		};
	}

	private write(entry: Entry): void {
		this.entries.push({ ...entry, time: this.scheduler.now() });
		this.pipeline.see(entry);
		switch (entry.type) {
			case 'user':
				if (entry.message.id.startsWith('finished-'))
					this.checkTold(entry.message.id, textOfBlocks(entry.message.content));
				this.queued.delete(entry.message.id);
				if (entry.message.origin === 'prompt') this.prompts.push(...marksIn(textOfBlocks(entry.message.content)));
				break;
			case 'queued':
				this.queued.set(entry.id, entry);
				break;
			case 'queue_ordered':
				this.reorder(entry.ids);
				break;
			case 'unqueued':
				this.queued.delete(entry.id);
				break;
			case 'block':
				if (entry.block.type !== 'tool_use') break;
				this.nonces.set(entry.block.id, nonceOf(entry.block.input));
				this.files?.called(entry.block.id, entry.block.input);
				this.calls.set(entry.messageId, [...(this.calls.get(entry.messageId) ?? []), entry.block.id]);
				break;
			case 'tombstone':
				this.takeBack(entry.messageId);
				break;
			case 'tool_start':
				if (this.startEntries.has(entry.toolUseId)) this.fail(`2: ${entry.toolUseId} has two start entries`);
				this.startEntries.add(entry.toolUseId);
				this.checkStart(entry.toolUseId, nonceOf(entry.input));
				break;
			case 'tool_result':
				// What was answered without waiting for it is given up: it does not hold anything back.
				this.running.delete(entry.toolUseId);
				this.results.set(entry.toolUseId, textOfBlocks(entry.result.content));
				this.files?.told(entry.toolUseId, entry.state, textOfBlocks(entry.result.content));
				break;
			case 'projection':
				this.note(`  what is sent changes: ${entry.change.kind}`);
				if (entry.change.kind !== 'results_kept') this.boundaries++;
				if (entry.change.kind === 'compacted') this.compactions++;
				break;
			default:
		}
	}

	private reorder(ids: readonly string[]): void {
		const waiting = [...this.queued.values()].toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
		this.queued.clear();
		for (const prompt of waiting) this.queued.set(prompt.id, prompt);
	}

	/** What runs is what the person made of it. */
	private checkStart(id: string, nonce: string): void {
		this.files?.started(id);
		this.startedAs.set(this.nonces.get(id) ?? '', nonce);
		this.startedBy.set(nonce, id);
		const changed = this.changed.get(id);
		if (changed !== undefined && changed !== nonce)
			this.fail(`${nonce} starts, and the person had changed it to ${changed}`);
		if (this.declined.has(id)) this.fail(`${id} starts although it was declined`);
	}

	/** The last call that stands in the transcript. */
	get lastCallId(): string | undefined {
		return [...this.calls.values()].at(-1)?.at(-1);
	}

	/** An answer is retracted: its ids may come again. */
	private takeBack(messageId: string): void {
		for (const id of this.calls.get(messageId) ?? []) {
			if (this.unsafeStarted.has(id)) this.fail(`2: an answer was taken back although its call ${id} had started`);
			this.startEntries.delete(id);
			this.results.delete(id);
			this.declined.delete(id);
			this.changed.delete(id);
		}
		this.calls.delete(messageId);
	}
}

/** What a transcript says that cannot be written. */
export const diskFull = 'The disk is full.';

export function never(): Promise<never> {
	return new Promise(() => {});
}

function kindOf(entry: Entry): EntryKind {
	if (entry.type !== 'user') return entry.type;
	return entry.message.origin === 'prompt' ? 'prompt' : 'note';
}

/** The marks of prompts in a text. */
export function marksIn(text: string): readonly string[] {
	return text.includes('[p') ? (text.match(/\[p\d+\]/g) ?? []) : [];
}

export function nonceOf(input: unknown): string {
	if (typeof input !== 'object' || input === null) return '';
	if ('id' in input) return String(input.id);
	if ('prompt' in input) return /\bn\d+\b/.exec(String(input.prompt))?.[0] ?? '';
	return 'command' in input ? (/\bn\d+\b/.exec(String(input.command))?.[0] ?? '') : '';
}

function textOfBlocks(content: readonly { readonly type: string }[]): string {
	const texts = content.flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : []));
	// Blank text is never sent.
	return texts.filter((text) => text.trim() !== '').join('\n');
}
