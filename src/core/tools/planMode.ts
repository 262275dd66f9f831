// Plan mode as the tools see it, and what the model is told when it begins and ends.
import { limits } from '../limits.ts';
import type { PermissionMode } from '../../shared/permission.ts';

/** The session's plan mode. It says what holds at this moment: the person may switch the mode while a call waits. */
export interface PlanMode {
	readonly on: boolean;
	/** Remembers the mode that holds now, for the way back. */
	enter(): Promise<void>;
	/** Leaves it for the mode before it, unless the person has chosen another one; the mode that holds then. */
	leave(): Promise<PermissionMode>;
}

export const planModeOn = `Plan mode is on: the user wants a plan before anything is changed.
- Change nothing, in no way: no edits, no commands that write, install or send. Such calls are denied until the plan is approved.
- Look around as much as the plan needs. Ask with AskUserQuestion about what only the user can decide.
- When you know what to do, call ExitPlanMode with the whole plan in Markdown: what changes in which files, in which order, how it is checked. That is how the user reads, edits and approves it; do not ask for approval in your answer.
- If the task turns out to need no change, just answer.`;

export const planModeOff = 'Plan mode is off';

/** A sentence that goes on from `planModeOff`: what holds instead. */
export function modeAfterPlan(mode: PermissionMode): string {
	switch (mode) {
		case 'acceptEdits':
			return 'edits in the workspace apply at once, and the user reviews them; commands still ask.';
		case 'dontAsk':
			return 'what was allowed beforehand runs, everything else is denied.';
		case 'bypassPermissions':
			return 'the user is not asked.';
		case 'default':
		case 'plan':
			return 'edits and commands ask the user.';
	}
}

/** The plan's first line of text, without marks of Markdown. */
export function planTitle(plan: string): string {
	const line = plan.split('\n').find((text) => /[^\s#*_`>=-]/.test(text)) ?? '';
	const title = line
		.replace(/^[\s#>*-]+/, '')
		.replaceAll(/[*_`]+/g, '')
		.trim();
	return title.length > limits.planTitleChars ? `${title.slice(0, limits.planTitleChars)}…` : title;
}
