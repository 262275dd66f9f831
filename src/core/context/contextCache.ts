// What the pipeline remembers between turns so that a turn costs what is new in it: the projection so far, and the tokens
// of each message. One instance for each conversation; losing it loses time only.
import type { Message } from '../messages/types.ts';
import type { Plan, ProjectionChange } from '../messages/projection.ts';
import { planOf, project, projectFrom, ProjectionMemo } from '../messages/projection.ts';
import { ParamMemo } from '../messages/toRequest.ts';
import { roughMessageTokens } from './estimate.ts';

interface Known {
	readonly messages: readonly Message[];
	readonly changes: readonly ProjectionChange[];
	readonly plan: Plan;
	readonly projected: readonly Message[];
}

export class ContextCache {
	/** What each block of the conversation is in a request. */
	readonly params = new ParamMemo();
	private readonly memo = new ProjectionMemo();
	private readonly estimates = new WeakMap<Message, number>();
	private estimated: { readonly answerId: string; readonly tokens: number } | undefined;
	private known: Known | undefined;

	/** `project`, with the same objects for what did not change since the last call. */
	projected(messages: readonly Message[], changes: readonly ProjectionChange[]): readonly Message[] {
		return changes.length === 0 ? messages : this.at(messages, changes).projected;
	}

	/** What the changes mean for the conversation. */
	plan(messages: readonly Message[], changes: readonly ProjectionChange[]): Plan {
		return changes.length === 0 ? planOf([], []) : this.at(messages, changes).plan;
	}

	private at(messages: readonly Message[], changes: readonly ProjectionChange[]): Known {
		const { known } = this;
		if (known && known.messages === messages && known.changes === changes) return known;
		const goesOn = known && extendsList(known.messages, messages) && changesNothing(known.changes, changes);
		const plan = goesOn ? known.plan : planOf(messages, changes);
		const projected = goesOn
			? [...known.projected, ...projectFrom(known.messages.length, messages, plan, this.memo)]
			: [...plan.summary, ...projectFrom(plan.start, messages, plan, this.memo)];
		this.known = { messages, changes, plan, projected };
		return this.known;
	}

	/** The same, of an earlier state of the conversation: leaves the one that goes on alone. */
	projectedOnce(messages: readonly Message[], changes: readonly ProjectionChange[]): readonly Message[] {
		return project(messages, changes, this.memo);
	}

	/** The rough tokens of the projection that ended with an answer; the newest one is remembered. */
	estimateAt(answerId: string, estimate: () => number): number {
		if (this.estimated?.answerId !== answerId) this.estimated = { answerId, tokens: estimate() };
		return this.estimated.tokens;
	}

	/** Tokens of a message as it is sent, roughly; none for one that is left out or stands in a collapsed segment. */
	sentTokens(messages: readonly Message[], changes: readonly ProjectionChange[]): (message: Message) => number {
		const sent = new Map(this.projected(messages, changes).map((message) => [message.id, message]));
		return ({ id }) => {
			const message = sent.get(id);
			return message ? this.tokens(message) : 0;
		};
	}

	/** Tokens of a message, roughly (see `tokens.ts`). */
	tokens(message: Message): number {
		const known = this.estimates.get(message);
		if (known !== undefined) return known;
		const tokens = roughMessageTokens(message);
		this.estimates.set(message, tokens);
		return tokens;
	}
}

/** The list is the other one with more at its end. Judged by first and last, as conversations only grow or are replaced. */
function extendsList<T>(list: readonly T[], longer: readonly T[]): boolean {
	return (
		list.length > 0 && list.length <= longer.length && list[0] === longer[0] && list.at(-1) === longer[list.length - 1]
	);
}

function changesNothing(before: readonly ProjectionChange[], now: readonly ProjectionChange[]): boolean {
	return extendsList(before, now) && now.slice(before.length).every(({ kind }) => kind === 'results_kept');
}
