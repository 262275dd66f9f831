// Exit code 1 that only says "nothing found" or "they differ" is no failure. Pure.
import { commandName, commandParts, plainWords } from '../permissions/shellWords.ts';
import type { ShellResult } from '../ports/shell.ts';

const answers = new Set('grep rg egrep fgrep find diff test ['.split(' '));
// Commands that do not exit 1 by themselves in a way that matters here.
const harmless = new Set('cd echo printf pwd true cat sort head tail wc'.split(' '));

/** True for exit code 1 of a command that answers with it, alone or at the end of harmless ones. */
export function isBenignExit(command: string, result: Pick<ShellResult, 'outcome' | 'exitCode'>): boolean {
	if (result.outcome !== 'exited' || result.exitCode !== 1) return false;
	const alone = plainWords(command);
	if (alone !== undefined) return answersByExit(alone);
	const { parts } = commandParts(command);
	const last = parts.at(-1);
	if (last === undefined || !answersByExit(last.words)) return false;
	// After a pipe only the last part's code counts; elsewhere a part before could have failed.
	const piped = !/&&|;|\n|\|\|/.test(command);
	return (
		piped || parts.slice(0, -1).every(({ words }) => answersByExit(words) || harmless.has(commandName(words[0] ?? '')))
	);
}

function answersByExit(words: readonly string[]): boolean {
	const [first, second] = words;
	const name = commandName(first ?? '');
	return answers.has(name) || (name === 'git' && (second === 'diff' || second === 'grep'));
}
