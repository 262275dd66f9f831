// What a consumer of one exchange may see (invariant 5, and the rules of endings): results in the order of their calls, each
// once; nothing of an answer that was taken back; an error only when it is the end; the end once, and last.
import type { LoopEvent } from '../../src/core/loop/events.ts';
import type { World } from './world.ts';

export class EventChecks {
	private readonly world: World;
	private queued: string[] = [];
	private ended = 0;
	private readonly retracted = new Set<string>();
	private over = false;
	private failed = false;

	constructor(world: World) {
		this.world = world;
	}

	see(event: LoopEvent): void {
		const { world } = this;
		if (this.over) world.fail(`${event.type} after the end of the exchange`);
		if (this.failed && event.type !== 'exchange_end') world.fail(`model_error was shown, and then came ${event.type}`);
		switch (event.type) {
			case 'tool_queued':
				if (this.queued.includes(event.toolUseId)) world.fail(`2: ${event.toolUseId} was queued twice`);
				this.retracted.delete(event.toolUseId);
				this.queued.push(event.toolUseId);
				break;
			case 'tool_start':
			case 'tool_progress':
				if (this.retracted.has(event.toolUseId)) world.fail(`${event.type} of a call that was taken back`);
				break;
			case 'tool_end':
				this.seeResult(event.toolUseId, event.result.tool_use_id);
				break;
			case 'answer_retracted':
				for (const id of this.queued) this.retracted.add(id);
				this.queued = [];
				this.ended = 0;
				break;
			case 'transition':
			case 'turn_start':
				this.seeAllAnswered(event.type);
				break;
			case 'model_error':
				this.failed = true;
				break;
			case 'exchange_end':
				this.seeAllAnswered(event.type);
				this.over = true;
				break;
			default:
		}
	}

	/** The generator has returned. */
	returned(): void {
		if (!this.over) this.world.fail('the exchange returned without exchange_end');
	}

	private seeResult(id: string, resultId: string): void {
		const { world, queued } = this;
		if (this.retracted.has(id)) world.fail(`the result of ${id} came out after its answer was taken back`);
		else if (queued[this.ended] !== id) world.fail(`5: the result of ${id} came before that of ${queued[this.ended]}`);
		if (resultId !== id) world.fail(`2: the result of ${id} says that it is of ${resultId}`);
		this.ended++;
	}

	private seeAllAnswered(when: string): void {
		if (this.ended < this.queued.length) this.world.fail(`2: ${this.queued[this.ended]} has no result at ${when}`);
		this.queued = [];
		this.ended = 0;
	}
}
