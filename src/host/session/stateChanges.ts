// Which fields of the panel's state change. Pure.
import { promptTokens } from '../../core/context/tokens.ts';
import type { Terminal } from '../../core/loop/state.ts';
import type { Usage } from '../../core/messages/types.ts';
import type { Row, ViewState } from '../../shared/view.ts';
import type { ViewSource } from '../panel/projection.ts';

/** The fields that differ; undefined when none does. */
export function changedFields(before: ViewState, next: Partial<ViewState>): Partial<ViewState> | undefined {
	const changed = Object.entries(next).filter(([key, value]) => !equal(before[key as keyof ViewState], value));
	return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<ViewState>);
}

/** What was sent and answered in all; sent counts what a cache had, too. */
export function tokenSums(usage: Usage): ViewState['usage'] {
	return { input: promptTokens(usage), output: usage.outputTokens };
}

/** A command waits for the person, in its terminal. */
export function waitsForInput(view: Pick<ViewSource, 'projected' | 'row'>): boolean {
	return view.projected.open.some((id) => {
		const open = view.row(id);
		return open !== undefined && waits(open);
	});
}

/** A command, or one of a subagent. */
function waits(row: Row): boolean {
	if (row.kind !== 'tool') return false;
	const { view } = row;
	return view.kind === 'agent'
		? row.state === 'running' && view.log.some(waits)
		: view.kind === 'command' && view.waiting === true;
}

/** Lists of small plain objects are compared by what is in them, everything else by identity. */
function equal(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (typeof one !== 'object' || typeof other !== 'object') return false;
	return JSON.stringify(one) === JSON.stringify(other);
}

/** The person ended the exchange themselves. */
export function isStop({ reason }: Terminal): boolean {
	return reason === 'aborted_streaming' || reason === 'aborted_tools';
}
