// The service of a run: a model of the Messages API without sockets. It checks each request, plans an answer with the run's
// decisions (blocks, and a fault at a random place), and sends it event by event, as the scheduler lets it.
import type { JsonObject } from '../../src/core/messages/types.ts';
import type { ModelClient, ModelFacts, ModelRequest, ModelSignal, StreamEvent } from '../../src/core/model/client.ts';
import type { ModelFailure } from '../../src/core/model/failure.ts';
import { toBody } from '../../src/node/anthropic/body.ts';
import type { SentEvent, SimAnswer, SimBlock } from './answers.ts';
import {
	agentBlocks,
	callBlock,
	eventsOfAnswer,
	fileBlocks,
	longBlocks,
	randomBlocks,
	textBlock,
	thinkingBlock,
} from './answers.ts';
import type { ApiError } from './faults.ts';
import { apiErrors, badSignature, brokenConnection, failureOf, overload, stalled, tooLong } from './faults.ts';
import { ImageRefusals } from './images.ts';
import type { AnswerSent, RequestChecks } from './requestChecks.ts';
import { isOfAgent } from './requestChecks.ts';
import type { Life, World } from './world.ts';
import { never, nonceOf } from './world.ts';

/** What the service does with a request of the conversation. */
const faults = [
	'error',
	'drop',
	'close',
	'error event',
	'stall',
	'max_tokens',
	'refusal',
	'pause_turn',
	'empty',
	'too long',
	'overloads',
	'bad signature',
	'window',
	'no stop reason',
	'no stream',
	'unreachable',
	'bad calls',
	'bad image',
] as const;
export type Fault = (typeof faults)[number];

/** How an answer is sent: events, and how it ends. */
interface Plan {
	readonly events: readonly SentEvent[];
	/** `whole`: all of it; `closed`: the connection ends without a word. */
	readonly end: 'whole' | 'closed' | ModelFailure;
	readonly waitsMs?: number;
}

export class ApiModel {
	/** Sent for every request of the conversation until it is taken back. */
	lasting: Fault | undefined;
	/** Answers with calls that may still come in this exchange. */
	fuel = 0;
	private serial = 0;
	private overloads = 0;
	private refusesUntil: number | undefined;
	private readonly images: ImageRefusals;
	private last: { readonly key: string; readonly blocks: readonly SimBlock[] } | undefined;
	private readonly world: World;
	private readonly checks: RequestChecks;
	private readonly facts: (model: string) => ModelFacts;

	constructor(world: World, checks: RequestChecks, facts: (model: string) => ModelFacts) {
		this.world = world;
		this.checks = checks;
		this.facts = facts;
		this.images = new ImageRefusals(world);
	}

	clientOf(life: Life): ModelClient {
		return {
			stream: (request, signal) => this.stream(request, signal, life),
			listModels: () => Promise.resolve([]),
		};
	}

	newExchange(): void {
		const { decisions } = this.world;
		this.overloads = 0;
		this.refusesUntil = undefined;
		this.images.newExchange();
		this.fuel = this.world.peace ? 0 : this.turns();
		this.lasting = !this.world.peace && decisions.oneIn(this.world.long ? 60 : 12) ? decisions.pick(faults) : undefined;
		if (this.lasting) this.world.note(`  the service will always: ${this.lasting}`);
	}

	private turns(): number {
		const { long, decisions } = this.world;
		if (!long) return decisions.below(6);
		return decisions.oneIn(3) ? 12 + decisions.below(18) : decisions.below(10);
	}

	private async *stream(request: ModelRequest, signal: AbortSignal, life: Life): AsyncGenerator<ModelSignal> {
		if (life.dead) await never();
		const { world } = this;
		if (!isOfAgent(request)) world.requests++;
		world.allRequests++;
		const body: JsonObject = { ...toBody(request, this.facts(request.model)), stream: true };
		const actual = this.checks.check(request, body);
		const plan = this.plan(request, actual);
		const answer: AnswerSent = { body, signatures: [] };
		const pace = world.peace ? 'burst' : world.decisions.pick(['burst', 'blocks', 'events']);
		await world.scheduler.turn('the service answers');
		if (plan.waitsMs !== undefined) await world.scheduler.sleep(plan.waitsMs, signal);
		for (const { event, finishes, between } of plan.events) {
			if (signal.aborted) return;
			if (finishes) this.checks.remember(finishes, request.model, answer);
			yield { kind: 'event', event: event as unknown as StreamEvent };
			if (pace === 'events' || (pace === 'blocks' && between)) await world.scheduler.turn('the service goes on');
		}
		if (signal.aborted) return;
		if (typeof plan.end === 'object') {
			if (plan.end.kind === 'stalled') await world.scheduler.sleep(180_000, signal);
			if (!signal.aborted) yield { kind: 'failed', failure: plan.end };
		}
	}

	private plan(request: ModelRequest, actual: number | undefined): Plan {
		const { world } = this;
		const main = request.tools.length > 0 && request.toolChoice !== 'none';
		const inputTokens = actual ?? Math.ceil(this.checks.chars / world.charsPerToken);
		if (actual !== undefined) {
			world.note(`  request ${world.requests}: too long indeed, ${actual} tokens`);
			return this.error(tooLong(actual, this.facts(request.model).contextWindow));
		}
		if (!main) return this.summary(request, inputTokens);
		if (isOfAgent(request)) return this.agentAnswer(request, inputTokens);
		const { contextWindow } = this.facts(request.model);
		if (inputTokens > contextWindow) {
			world.note(`  request ${world.requests}: too long, ${inputTokens} tokens`);
			return this.error(tooLong(inputTokens, contextWindow));
		}
		if (this.overloads > 0) {
			this.overloads--;
			return this.error(overload);
		}
		if (this.refusesUntil !== undefined && world.compactions < this.refusesUntil) {
			return this.error(tooLong(inputTokens, inputTokens - 100));
		}
		const refusal = this.images.of(request);
		if (refusal) return this.error(refusal);
		const fault = this.chooseFault();
		world.note(
			`  request ${world.requests} (${request.model}, ${request.messages.length} messages): ${fault ?? 'an answer'}`,
		);
		return this.answer(fault, request, inputTokens);
	}

	/** To a subagent; faults that change what may be sent later are for the conversation alone. */
	private agentAnswer(request: ModelRequest, inputTokens: number): Plan {
		const fault = this.chooseFault();
		this.world.count('request of a subagent');
		this.world.note(
			`  a subagent asks (${request.model}, ${request.messages.length} messages): ${fault ?? 'an answer'}`,
		);
		const odd = fault === 'too long' || fault === 'bad signature' || fault === 'bad image' || fault === 'overloads';
		return this.answer(odd ? undefined : fault, request, inputTokens);
	}

	private chooseFault(): Fault | undefined {
		const { peace, long, decisions } = this.world;
		if (peace) return undefined;
		if (this.lasting) return this.lasting;
		if (long && decisions.oneIn(25)) return 'too long';
		return decisions.oneIn(long ? 15 : 3) ? decisions.pick(faults) : undefined;
	}

	private answer(fault: Fault | undefined, request: ModelRequest, inputTokens: number): Plan {
		const { decisions, scheduler } = this.world;
		switch (fault) {
			case 'error':
				return this.error(decisions.pick(apiErrors));
			case 'unreachable':
				return { events: [], end: brokenConnection(scheduler, 'before') };
			case 'no stream':
				return { events: [], end: 'closed' };
			case 'overloads':
				this.overloads = 2 + decisions.below(8);
				return this.error(overload);
			case 'too long':
				this.refusesUntil = this.world.compactions + 1;
				return this.error(tooLong(inputTokens, Math.max(1, inputTokens - 100)));
			case 'bad signature':
				if (!JSON.stringify(request.messages).includes('"signature"')) break;
				this.checks.mayBeStripped = true;
				return this.error(badSignature);
			case 'bad image': {
				const bad = this.images.begin(request);
				if (!bad) break;
				return this.error(bad);
			}
			case 'empty':
				return this.whole(request, this.emptyBlocks(), 'end_turn', inputTokens);
			case 'bad calls':
				return this.whole(request, [this.badCall()], 'tool_use', inputTokens);
			case 'pause_turn':
				return this.whole(request, this.pausedBlocks(), 'pause_turn', inputTokens);
			case 'drop':
			case 'close':
			case 'error event':
			case 'stall':
				return this.broken(fault, request, this.blocks(request), inputTokens);
			default:
		}
		const stopReasons: Partial<Record<Fault, string | null>> = {
			max_tokens: 'max_tokens',
			refusal: 'refusal',
			window: 'model_context_window_exceeded',
			'no stop reason': null,
		};
		const blocks = this.blocks(request);
		const calls = blocks.some(({ wire }) => wire.type === 'tool_use');
		const usual = calls ? 'tool_use' : 'end_turn';
		const odd = fault ? stopReasons[fault] : usual;
		return this.whole(request, blocks, odd === undefined ? usual : odd, inputTokens);
	}

	/** Blocks of an answer; for the request that was asked before, perhaps the very same ones. */
	private blocks(request: ModelRequest): readonly SimBlock[] {
		const { decisions, peace } = this.world;
		if (peace) return [textBlock('All is well.')];
		if (isOfAgent(request)) {
			const spoken = request.messages.length > 6 ? [textBlock('Enough.')] : this.agentSteps(request);
			this.world.note(`    ${spoken.map(describe).join(', ')}`);
			return spoken;
		}
		const key = `${request.messages.length} ${JSON.stringify(request.messages.at(-1))}`;
		if (this.last?.key === key && decisions.oneIn(3)) {
			for (const { wire } of this.last.blocks) {
				const nonce = wire.type === 'tool_use' ? nonceOf(wire.input) : '';
				if (nonce !== '') this.world.resent.add(nonce);
			}
			return this.last.blocks;
		}
		const calls = this.fuel > 0 && decisions.below(8) !== 0;
		if (calls) this.fuel--;
		const blocks = calls || decisions.oneIn(2) ? this.freshBlocks(calls) : [];
		const spoken = blocks.length > 0 ? blocks : [textBlock('It is done.')];
		this.last = { key, blocks: spoken };
		this.world.note(`    ${spoken.map(describe).join(', ')}`);
		return spoken;
	}

	private agentSteps(request: ModelRequest): readonly SimBlock[] {
		const starter = /Task (n\d+)/.exec(JSON.stringify(request.messages[0]))?.[1] ?? '';
		return agentBlocks(this.world, this.serial + 1, starter);
	}

	private freshBlocks(calls: boolean): readonly SimBlock[] {
		const { world, serial } = this;
		if (world.files) return fileBlocks(world, world.files, serial + 1, calls);
		return (world.long ? longBlocks : randomBlocks)(world, serial + 1, calls);
	}

	private whole(
		request: ModelRequest,
		blocks: readonly SimBlock[],
		stopReason: string | null,
		inputTokens: number,
	): Plan {
		const { decisions } = this.world;
		const cuts = stopReason === 'max_tokens' && decisions.oneIn(2);
		const answer: SimAnswer = {
			serial: ++this.serial,
			model: request.model,
			blocks,
			stopReason,
			inputTokens,
			...(cuts ? { cut: callBlock(this.world, this.serial, 99, []) } : {}),
		};
		return { events: eventsOfAnswer(answer, decisions), end: 'whole' };
	}

	/** An answer that breaks after any of its events. */
	private broken(fault: Fault, request: ModelRequest, blocks: readonly SimBlock[], inputTokens: number): Plan {
		const { decisions, scheduler } = this.world;
		const { events } = this.whole(request, blocks, 'end_turn', inputTokens);
		const after = decisions.below(events.length);
		this.world.note(`    it breaks after ${after} of ${events.length} events`);
		const sent = events.slice(0, after);
		if (fault === 'close') return { events: sent, end: 'closed' };
		if (fault === 'stall') return { events: sent, end: stalled() };
		if (fault === 'drop') return { events: sent, end: brokenConnection(scheduler, 'within') };
		return { events: sent, end: failureOf(decisions.pick(apiErrors), scheduler, true) };
	}

	private summary(request: ModelRequest, inputTokens: number): Plan {
		const { decisions, peace, requests, pipeline } = this.world;
		pipeline.count(request.tools.length === 0 ? 'side call' : 'summary asked for');
		const how = peace
			? 'text'
			: decisions.weighted([
					[6, 'text'],
					[1, 'error'],
					[1, 'empty'],
					[1, 'broken'],
					[1, 'too long'],
				]);
		this.world.note(`  request ${requests} for a summary: ${how}`);
		if (how === 'error') return this.error(decisions.pick(apiErrors));
		if (how === 'too long') return this.error(tooLong(inputTokens, Math.max(1, inputTokens - 100)));
		if (how === 'broken') return this.broken('drop', request, [textBlock('Summ')], inputTokens);
		const text = how === 'empty' ? ' ' : this.sideAnswer(request);
		return this.whole(request, [textBlock(text)], 'end_turn', inputTokens);
	}

	/** To a summary, a label, a suggestion; or changes of the memory. */
	private sideAnswer(request: ModelRequest): string {
		const { decisions } = this.world;
		if (request.tools.length > 0 || !JSON.stringify(request.messages).includes('<memory>'))
			return `Summary ${this.serial}.`;
		const [name, text] = [`note-${decisions.below(3)}.md`, `Do it, version ${this.serial}.`];
		return JSON.stringify(decisions.below(4) === 3 ? { remove: [name] } : { write: [{ name, text }] });
	}

	private error(error: ApiError): Plan {
		this.world.note(`    ${error.type || error.status}: ${error.message}`);
		return { events: [], end: failureOf(error, this.world.scheduler) };
	}

	private emptyBlocks(): readonly SimBlock[] {
		return this.world.decisions.pick<readonly SimBlock[]>([
			[],
			[textBlock(' \n')],
			[thinkingBlock(this.serial + 1, 0)],
		]);
	}

	private badCall(): SimBlock {
		const { decisions } = this.world;
		const id = `toolu_${this.serial + 1}_0`;
		const wire = { type: 'tool_use', id, name: decisions.pick(['Nothing', 'Look']), input: { bad: 1 } } as const;
		return { wire };
	}

	private pausedBlocks(): readonly SimBlock[] {
		const opaque = { type: 'server_tool_use', id: `srvtoolu_${this.serial + 1}`, name: 'web_search', input: {} };
		const paused = { wire: { type: 'text', text: '' }, opaque } as const;
		return [textBlock('I search.'), paused];
	}
}

function describe({ wire, json }: SimBlock): string {
	if (wire.type !== 'tool_use') return wire.type;
	return `${wire.name} ${wire.id} ${json ?? JSON.stringify(wire.input)}`;
}
