// A token target ("+500k" in a prompt, or a setting): a wish for effort, not a cap. The model is asked to go on until most
// of it is used, and left alone when going on brings nothing more.
import { limits } from '../limits.ts';
import type { BudgetProgress } from './state.ts';

/** Reads a target out of a prompt: "+500k" or "+2m" at its start or end. Tokens; `undefined` when there is none. */
export function targetOf(prompt: string): number | undefined {
	const found = /^\s*\+(\d+(?:\.\d+)?)([km])\b|(?:^|\s)\+(\d+(?:\.\d+)?)([km])\s*$/i.exec(prompt);
	if (!found) return undefined;
	const amount = Number(found[1] ?? found[3]);
	const unit = (found[2] ?? found[4] ?? 'k').toLowerCase() === 'm' ? 1_000_000 : 1_000;
	return Math.round(amount * unit);
}

/** The next continuation, or nothing when the target is near enough or no longer worth it. */
export function nextForBudget(
	progress: BudgetProgress,
	target: number | undefined,
): { readonly text: string; readonly progress: BudgetProgress } | undefined {
	if (target === undefined || progress.used >= target * limits.budgetShare) return undefined;
	const gains = [...progress.gains, progress.used - progress.usedAtLast].slice(-2);
	const stalled = gains.length === 2 && gains.every((gain) => gain < limits.budgetMinimumGain);
	if (progress.continuations >= limits.budgetContinuations && stalled) return undefined;
	const share = Math.floor((progress.used / target) * 100);
	return {
		text: `You have used ${share} % of the effort the user asked for (${progress.used} of ${target} tokens). Go on: check what you did, go deeper, cover what is missing. If nothing is left, say so in one sentence.`,
		progress: { used: progress.used, continuations: progress.continuations + 1, gains, usedAtLast: progress.used },
	};
}
