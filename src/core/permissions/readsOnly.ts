// Does a single sub-command only read? Pure. Rule: when in doubt, no.
import { hasUnsafeAssignment, isPassedThrough } from './launchers.ts';
import { readOnlyCommand } from './readOnlyCommand.ts';
import type { ShellAnalysis, ShellCommand } from './shellAnalysis.ts';

/** What the analysis says of the whole line holds for its parts; else the sub-command is looked at by itself. */
export function readsOnly(command: ShellCommand, analysis: ShellAnalysis, shell: string): boolean {
	if (analysis.readOnly) return true;
	if (hasUnsafeAssignment(command) || !command.wrappers.every((wrapper) => isPassedThrough(wrapper))) return false;
	const words = command.words.map((word) => (word.glob === true ? undefined : word.value));
	if (words.some((word) => word === undefined || word.includes("'"))) return false;
	return readOnlyCommand(words.map((word) => `'${word ?? ''}'`).join(' '), shell) !== undefined;
}
