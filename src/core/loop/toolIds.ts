// Ids of tool calls, made unique within a conversation: servers send empty ones, and the same one twice. A call that is
// the same in every respect as one before it in the same answer is a repetition and is dropped (it must not run twice).
import type { AnswerOutcome, AnswerSignal } from '../model/answer.ts';
import type { AssistantBlock, Message, ToolUseBlock } from '../messages/types.ts';
import { toolUses } from '../messages/types.ts';
import type { NewId } from '../ports/clock.ts';

export class ToolIds {
	private readonly used: Set<string>;
	private readonly uuid: NewId;
	private readonly apart: boolean;
	/** By position in the answer: the id that a call goes by. */
	private readonly renamed = new Map<number, string>();
	/** Finished calls of this answer (and of one that it repeats) by the id they came with. */
	private readonly finished = new Map<string, ToolUseBlock[]>();
	private readonly dropped = new Set<AssistantBlock>();
	private readonly replaced = new Map<AssistantBlock, AssistantBlock>();

	/**
	 * `afterDrop`: the last answer was cut off; a server that sends it again from the start repeats its calls. `apart`: other
	 * loops of the conversation ask the same service, which may count its ids for each: all get new ones.
	 */
	constructor(messages: readonly Message[], uuid: NewId, { afterDrop, apart }: { afterDrop: boolean; apart: boolean }) {
		this.apart = apart;
		const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolUses(message) : []));
		this.used = new Set(calls.map((call) => call.id));
		this.uuid = uuid;
		const last = afterDrop ? messages.findLast((message) => message.role === 'assistant') : undefined;
		for (const call of last ? toolUses(last) : []) this.finished.set(call.id, [call]);
	}

	rename(signal: AnswerSignal): AnswerSignal {
		if (signal.type === 'block_start' && signal.toolUse) {
			const id = this.fresh(signal.toolUse.id);
			this.renamed.set(signal.index, id);
			return { ...signal, toolUse: { ...signal.toolUse, id } };
		}
		if (signal.type === 'block_end' && signal.block?.type === 'tool_use') {
			return { ...signal, block: this.finish(signal.index, signal.block) };
		}
		return signal;
	}

	/** The answer with the same changes. */
	applyTo(outcome: AnswerOutcome): AnswerOutcome {
		if (this.dropped.size === 0 && this.replaced.size === 0) return outcome;
		const content = outcome.message.content.flatMap((block) =>
			this.dropped.has(block) ? [] : [this.replaced.get(block) ?? block],
		);
		return { ...outcome, message: { ...outcome.message, content } };
	}

	private fresh(id: string): string {
		const free = id !== '' && !this.apart && !this.used.has(id) ? id : `toolu_${this.uuid().replaceAll('-', '')}`;
		this.used.add(free);
		return free;
	}

	private finish(index: number, block: ToolUseBlock): ToolUseBlock | undefined {
		const twins = this.finished.get(block.id) ?? [];
		if (block.id !== '' && twins.some((twin) => sameCall(twin, block))) {
			this.dropped.add(block);
			return undefined;
		}
		this.finished.set(block.id, [...twins, block]);
		const id = this.renamed.get(index) ?? this.fresh(block.id);
		if (id === block.id) return block;
		const renamed = { ...block, id };
		this.replaced.set(block, renamed);
		return renamed;
	}
}

function sameCall(one: ToolUseBlock, other: ToolUseBlock): boolean {
	return (
		one.name === other.name &&
		one.malformed === other.malformed &&
		JSON.stringify(one.input) === JSON.stringify(other.input)
	);
}
