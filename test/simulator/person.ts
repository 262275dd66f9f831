// The person at a run's engine: submits, waits, stops, interrupts, queues, changes mode and model, compacts, leaves, and
// pulls the plug. What they did is compared with what the engine says of it (invariant 3: nothing is lost or said twice).
import type { PermissionMode } from '../../src/shared/permission.ts';
import { permissionModes } from '../../src/shared/permission.ts';
import type { LoopEvent } from '../../src/core/loop/events.ts';
import type { Terminal } from '../../src/core/loop/state.ts';
import type { QueuedPrompt } from '../../src/core/messages/journal.ts';
import type { Conversation } from '../../src/core/session/engineApi.ts';
import type { ApiModel } from './apiModel.ts';
import type { Setup } from './engine.ts';
import { models, startEngine } from './engine.ts';
import { EventChecks } from './eventChecks.ts';
import type { EntryKind, Life, World } from './world.ts';
import { diskFull, newLife } from './world.ts';

type Exchange = AsyncGenerator<LoopEvent, Terminal>;

export class Person {
	conversation: Conversation;
	/** How the last exchange ended; undefined when it was left or killed. */
	terminal: Terminal | undefined;
	private life: Life = newLife();
	private readonly world: World;
	private readonly api: ApiModel;
	private readonly setup: Setup;
	private exchange: Exchange | undefined;
	private compacting: AbortController | undefined;
	private leaving = false;
	private interruptWith: string | undefined;
	private prompts = 0;
	/** Queued prompts that wait, in order. */
	private waiting: readonly QueuedPrompt[] = [];

	constructor(world: World, api: ApiModel, setup: Setup) {
		this.world = world;
		this.api = api;
		this.setup = setup;
		this.conversation = startEngine(world, this.life, api, setup);
	}

	get idle(): boolean {
		return this.exchange === undefined && this.compacting === undefined;
	}

	get killed(): boolean {
		return this.life.dead;
	}

	/** `queuedId`: of the prompt that waited and is said now. */
	submit(text = this.words('do it'), queuedId?: string): void {
		this.world.note(`the person says ${text}`);
		const picture = this.world.peace ? {} : this.picture();
		this.begin(this.conversation.submitMessage({ text, ...picture }, queuedId));
	}

	resume(): void {
		this.world.note('the person resumes');
		this.begin(this.conversation.resume());
	}

	/** The process dies, and another one starts from the transcript. */
	restart(): void {
		this.world.note('the process is killed; another one starts');
		this.life.dead = true;
		this.world.scheduler.clear();
		this.world.running.clear();
		this.world.declined.clear();
		this.world.changed.clear();
		this.world.files?.restart();
		this.world.pipeline.restart();
		this.exchange = undefined;
		this.compacting = undefined;
		this.leaving = false;
		this.interruptWith = undefined;
		this.waiting = [...this.world.queued.values()];
		this.life = newLife();
		this.conversation = startEngine(this.world, this.life, this.api, this.setup);
	}

	/** From now on nothing ends it. */
	calm(): void {
		this.life.entriesLeft = undefined;
		this.life.diskFull = false;
	}

	/** Between exchanges. False: the person has had enough. */
	next(): boolean {
		const { decisions } = this.world;
		if (this.interruptWith !== undefined) {
			const text = this.interruptWith;
			this.interruptWith = undefined;
			this.submit(text);
			return true;
		}
		const what = decisions.weighted([
			[this.prompts === 0 || (this.world.long && this.prompts < 12) ? 0 : 2, 'end'],
			[5, 'submit'],
			[this.conversation.interrupted ? 8 : 0, 'resume'],
			[1, 'compact'],
			[1, 'restart'],
			[1, 'change'],
			[1, 'pause'],
			[this.waiting.length > 0 ? 4 : 0, 'submit queued'],
		]);
		switch (what) {
			case 'end':
				return false;
			case 'resume':
				this.resume();
				break;
			case 'compact':
				this.compact();
				break;
			case 'restart':
				this.restart();
				break;
			case 'change':
				this.change();
				break;
			case 'pause':
				this.world.scheduler.pass(2 * 3_600_000);
				break;
			case 'submit queued':
				this.submitQueued();
				break;
			default:
				this.submit();
		}
		return true;
	}

	/** While an exchange runs. */
	act(): void {
		const { decisions, world } = this;
		const what = decisions.weighted([
			[2, 'stop'],
			[2, 'interrupt'],
			[4, 'queue'],
			[1, 'unqueue'],
			[this.waiting.length > 1 ? 1 : 0, 'reorder'],
			[2, 'change'],
			[1, 'leave'],
			[world.files ? 4 : 1, 'file changes'],
			[1, 'work ends'],
			[2, 'restart'],
			[2, 'die soon'],
			[1, 'disk full'],
		]);
		world.note(`the person: ${what}`);
		switch (what) {
			case 'stop':
				this.compacting?.abort('stop');
				this.stop('stop');
				break;
			case 'interrupt':
				if (this.compacting) break;
				this.interruptWith ??= this.words('rather this');
				this.stop('interrupt');
				break;
			case 'queue':
				this.queue();
				break;
			case 'unqueue':
				this.unqueue();
				break;
			case 'reorder':
				this.reorder();
				break;
			case 'change':
				this.change();
				break;
			case 'leave':
				this.leave();
				break;
			case 'file changes':
				world.version++;
				world.files?.somebodyChanges();
				break;
			case 'work ends':
				for (let left = 1 + decisions.below(3); left > 0; left--) world.workEnds();
				if (decisions.oneIn(4)) this.dieWriting('note');
				break;
			case 'restart':
				this.restart();
				break;
			case 'disk full':
				this.life.diskFull = true;
				break;
			case 'die soon':
				this.dieSoon();
				break;
		}
	}

	/** After some entries, or in the middle of writing one of a kind that seldom comes. */
	private dieSoon(): void {
		const { decisions } = this.world;
		this.dieWriting(decisions.pick<EntryKind | undefined>([undefined, 'note', 'projection', 'tombstone', 'prompt']));
	}

	private dieWriting(kind: EntryKind | undefined): void {
		this.life.diesWriting = kind;
		this.life.entriesLeft = this.world.decisions.below(kind === undefined ? 6 : 2);
	}

	/** What the engine says of the queue is what the person did. */
	checkQueue(): void {
		const { queued } = this.conversation;
		if (this.idle && queued.map(({ id }) => id).join() !== this.waiting.map(({ id }) => id).join()) {
			const say = (list: readonly { readonly text: string }[]) => list.map(({ text }) => text).join(' ') || 'nothing';
			this.world.fail(`3: waiting are ${say(this.waiting)}, and the engine has ${say(queued)}`);
		}
	}

	private get decisions() {
		return this.world.decisions;
	}

	private words(text: string): string {
		return `[p${++this.prompts}] ${text}`;
	}

	private stop(reason: 'stop' | 'interrupt'): void {
		this.world.stopped = true;
		void this.conversation.stop(reason);
	}

	private queue(): void {
		const prompt = { text: this.words('and this'), ...this.picture() };
		const afterExchange = this.decisions.below(4) === 3;
		const id = this.conversation.enqueue(prompt, afterExchange);
		this.waiting = [...this.waiting, { id, ...prompt, ...(afterExchange ? { afterExchange } : {}) }];
	}

	/** Something beside the words, now and then. */
	private picture(): Pick<QueuedPrompt, 'attachments'> {
		if (!this.decisions.oneIn(10)) return {};
		const about = { id: 'picture', name: 'a.png', mediaType: 'image/png', width: 10, height: 10 } as const;
		return { attachments: [{ kind: 'image', ...about }] };
	}

	/** Another one comes first. */
	private reorder(): void {
		const from = this.waiting.length > 1 ? this.decisions.below(this.waiting.length) : 0;
		const chosen = this.waiting[from];
		if (!chosen || !this.conversation.moveQueued(chosen.id, 0)) return;
		this.waiting = [chosen, ...this.waiting.filter((other) => other !== chosen)];
	}

	private unqueue(): void {
		const { waiting } = this;
		const chosen = waiting[waiting.length > 1 ? this.decisions.below(waiting.length) : 0];
		if (!chosen || !this.conversation.unqueue(chosen.id)) return;
		this.waiting = waiting.filter((other) => other !== chosen);
	}

	private submitQueued(): void {
		const [first] = this.waiting;
		if (!first) return;
		if (!this.conversation.queued.some(({ id }) => id === first.id))
			this.world.fail(`3: ${first.text} waits, and the engine does not have it`);
		this.waiting = this.waiting.slice(1);
		this.submit(first.text, first.id);
	}

	private change(): void {
		const { decisions, setup } = this;
		const what = decisions.weighted([
			[2, 'model'],
			[2, 'mode'],
			[1, 'rule'],
			[1, 'fallback'],
		] as const);
		if (what === 'model') setup.settings = { ...setup.settings, model: decisions.pick(models) };
		else if (what === 'mode') this.setMode(decisions.pick(permissionModes));
		else if (what === 'rule') this.conversation.allowForSession(decisions.pick(['Do', 'Bash']));
		else setup.settings = { ...setup.settings, fallbackModels: decisions.pick<string[]>([[], ['claude-haiku-5-5']]) };
		this.world.note(`  change of ${what}`);
	}

	/** A mode that cannot be written down is not chosen. */
	private setMode(mode: PermissionMode): void {
		if (this.life.diskFull) return;
		if (this.world.files) this.world.files.trusting = true;
		void this.conversation.setMode(mode);
	}

	private compact(): void {
		const { world, life } = this;
		const compacting = new AbortController();
		this.compacting = compacting;
		world.note('the person compacts');
		world.pipeline.compacting = true;
		this.conversation.compact(undefined, compacting.signal).then(
			({ kind }) => {
				if (life.dead) return;
				world.note(`  ${kind}`);
				this.compacting = undefined;
			},
			(error: unknown) => {
				if (life.dead) return;
				this.compacting = undefined;
				if (!this.mends(error)) world.fail(`compact threw ${String(error)}`);
			},
		);
	}

	private begin(exchange: Exchange): void {
		const { world } = this;
		world.requests = 0;
		world.stopped = false;
		this.terminal = undefined;
		this.leaving = false;
		this.exchange = exchange;
		this.api.newExchange();
		const slow = !world.peace && this.decisions.oneIn(4);
		void this.consume(exchange, new EventChecks(world), slow, this.life);
	}

	private async consume(exchange: Exchange, checks: EventChecks, slow: boolean, life: Life): Promise<void> {
		const { world } = this;
		try {
			while (true) {
				const step = await exchange.next();
				if (life.dead) return;
				if (step.done) {
					if (!this.leaving) checks.returned();
					this.terminal = step.value;
					world.note(`  the exchange ended: ${step.value?.reason ?? 'left'}`);
					break;
				}
				this.see(step.value, checks);
				if (slow) await world.scheduler.turn('the consumer pulls');
				if (life.dead) return;
			}
		} catch (error) {
			if (life.dead) return;
			if (this.mends(error)) world.note('  the transcript could not be written: the exchange ended');
			else world.fail(`the exchange threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
		}
		this.exchange = undefined;
	}

	/** The one failure that may come out: then the person makes room on the disk. */
	private mends(error: unknown): boolean {
		const expected = this.life.diskFull && error instanceof Error && error.message === diskFull;
		this.life.diskFull = false;
		// What still runs was given up, and its result could not be written.
		this.world.running.clear();
		this.world.files?.forget();
		// A denial that could not be written is asked about again, or answered by a rule that came since.
		for (const id of this.world.declined) if (!this.world.results.has(id)) this.world.declined.delete(id);
		return expected;
	}

	private see(event: LoopEvent, checks: EventChecks): void {
		checks.see(event);
		const { pipeline } = this.world;
		if (event.type === 'compaction_start') pipeline.compacting = true;
		if (event.type === 'context_prepared') for (const { stage } of event.reports) pipeline.count(`stage ${stage}`);
		if (event.type === 'transition') pipeline.count(event.transition.reason);
		if (event.type === 'exchange_end') pipeline.count(`end ${event.terminal.reason}`);
		if (event.type === 'transition') this.world.note(`  transition: ${event.transition.reason}`);
		if (event.type === 'model_error') this.world.note(`  model_error: ${event.failure.kind}`);
		if (event.type !== 'prompt_taken' || event.queueId === undefined) return;
		const first = this.waiting.find(({ afterExchange }) => !afterExchange);
		if (first?.id !== event.queueId) this.world.fail(`3: ${event.queueId} was taken, and ${first?.text} was first`);
		this.waiting = this.waiting.filter((other) => other !== first);
	}

	private leave(): void {
		const { exchange } = this;
		if (!exchange || this.leaving) return;
		this.leaving = true;
		// A step that is under way comes first; then the generator ends, and `consume` with it.
		void exchange.return(undefined as never);
	}
}
