// What a session has used and cost, in all and by model. Everything that asks a model is counted here: turns, summaries and
// background work.
import type { Usage } from '../messages/types.ts';
import { noUsage } from '../messages/types.ts';
import { addUsage } from './resume.ts';

/** Of one model. `costUsd`: null when its prices are unknown. */
export interface ModelUse {
	readonly usage: Usage;
	readonly costUsd: number | null;
}

export class Ledger {
	/** Of the whole session. */
	usage: Usage;
	/** USD of the whole session; null when a model's prices are unknown. */
	costUsd: number | null;
	/** Since this conversation was opened, by model, in the order of their first answers. */
	readonly byModel = new Map<string, ModelUse>();

	/** Starts with what a resumed session has used before. */
	constructor(before: { readonly usage: Usage; readonly costUsd: number | null }) {
		this.usage = before.usage;
		this.costUsd = before.costUsd;
	}

	add(model: string, usage: Usage, costUsd: number | null): void {
		const known = this.byModel.get(model) ?? { usage: noUsage, costUsd: 0 };
		this.byModel.set(model, { usage: addUsage(known.usage, usage), costUsd: sum(known.costUsd, costUsd) });
		this.usage = addUsage(this.usage, usage);
		this.costUsd = sum(this.costUsd, costUsd);
	}
}

function sum(a: number | null, b: number | null): number | null {
	return a === null || b === null ? null : a + b;
}
