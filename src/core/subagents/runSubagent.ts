// One subagent from its task to its last answer: the same loop as every exchange, told to a card instead of the conversation.
// Contract: never rejects for what service, tools or person do; what it has done is told however it ends.
import { limits } from '../limits.ts';
import type { QueryParams } from '../loop/params.ts';
import { query } from '../loop/query.ts';
import type { EndReason, Terminal } from '../loop/state.ts';
import type { Message, Usage } from '../messages/types.ts';
import { textOf } from '../messages/types.ts';
import type { SubagentOrder, SubagentReport } from '../tools/subagent.ts';
import type { AgentLog } from './agentLog.ts';

export interface SubagentRun {
	readonly params: QueryParams;
	readonly log: AgentLog;
	/** Told of each answer, so that nothing goes uncounted. */
	readonly count: (usage: Usage, model: string) => void;
}

export async function runSubagent(order: SubagentOrder, run: SubagentRun): Promise<SubagentReport> {
	const { params, log } = run;
	const { clock } = params.deps;
	const card = new Card(order, log, (signal) => clock.sleep(limits.agentCardMs, signal));
	card.changed();
	log.onWaits(() => card.changed());
	const exchange = query(params);
	try {
		let step = await exchange.next();
		while (!step.done) {
			const event = step.value;
			if (event.type === 'answer_end') run.count(event.message.usage, event.message.model);
			if (log.note(event, clock.now())) card.changed();
			step = await exchange.next();
		}
		const answer = lastWords(step.value.messages);
		const trouble = troubleOf(step.value);
		return { answer, ...(trouble === undefined ? {} : { trouble }), view: log.view(answer) };
	} finally {
		card.close();
	}
}

/** Tells the card at most a few times a second; the last change is always told, unless the whole result follows at once. */
class Card {
	private readonly closed = new AbortController();
	private readonly order: SubagentOrder;
	private readonly log: AgentLog;
	private readonly pause: (signal: AbortSignal) => Promise<unknown>;
	private resting = false;
	private due = false;

	constructor(order: SubagentOrder, log: AgentLog, pause: (signal: AbortSignal) => Promise<unknown>) {
		this.order = order;
		this.log = log;
		this.pause = pause;
	}

	changed(): void {
		this.due = true;
		if (this.resting || this.closed.signal.aborted) return;
		this.due = false;
		this.order.progress(this.log.view());
		this.resting = true;
		void this.pause(this.closed.signal).then(() => {
			this.resting = false;
			if (this.due) this.changed();
		});
	}

	close(): void {
		this.closed.abort();
	}
}

/** What it said last; words before calls count where it came to no more. */
function lastWords(messages: readonly Message[]): string {
	const said = messages.flatMap((message) => (message.role === 'assistant' ? [textOf(message).trim()] : []));
	return said.findLast((text) => text !== '') ?? '';
}

function troubleOf({ reason, failure }: Terminal): string | undefined {
	if (reason === 'completed') return undefined;
	const why = failure === undefined ? '' : ` (${failure.message})`;
	return `The subagent did not come to its end: ${whyEnded[reason] ?? reason}${why}.`;
}

const whyEnded: Readonly<Partial<Record<EndReason, string>>> = {
	max_turns: 'it had made as many requests as a subagent may',
	budget_exhausted: 'the session has cost as much as it may',
	aborted_streaming: 'it was stopped',
	aborted_tools: 'it was stopped',
	prompt_too_long: 'its conversation became too long',
	refusal: 'the model refused to go on',
	blocking_limit: 'its conversation became too long',
	model_error: 'the model could not be reached',
	stop_hook_prevented: 'a hook ended it',
	hook_stopped: 'a hook ended it',
};
