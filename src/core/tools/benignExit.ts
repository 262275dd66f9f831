// Exit code 1 that only says "nothing found" or "they differ" is no failure. Pure. Rule: when it is not clear which command
// of the line has said it, it is a failure.
import type { ShellAnalysis, ShellCommand } from '../permissions/shellAnalysis.ts';
import { commandName } from '../permissions/shellWords.ts';
import type { ShellResult } from '../ports/shell.ts';

const answers = new Set('grep rg egrep fgrep find diff test ['.split(' '));
// Commands that do not exit 1 by themselves in a way that matters here.
const harmless = new Set('cd echo printf pwd true cat sort head tail wc'.split(' '));

/** True for exit code 1 of a command that answers with it, alone or at the end of harmless ones. `analysis`: of the command. */
export function isBenignExit(
	command: string,
	result: Pick<ShellResult, 'outcome' | 'exitCode'>,
	analysis: ShellAnalysis | undefined,
): boolean {
	if (result.outcome !== 'exited' || result.exitCode !== 1) return false;
	if (analysis === undefined || analysis.unclear.length > 0) return false;
	const { commands } = analysis;
	const last = commands.at(-1);
	if (last === undefined || !answersByExit(last)) return false;
	const between = gaps(command, commands);
	if (between === undefined) return false;
	// After a pipe only the last part's code counts; elsewhere a part before could have failed.
	const piped = between.every((gap) => gap === '|');
	return piped || commands.slice(0, -1).every((one) => answersByExit(one) || isHarmless(one));
}

function answersByExit({ words, wrappers }: ShellCommand): boolean {
	const [first, second] = words;
	const name = commandName(first?.value ?? '');
	if (wrappers.length > 0) return false;
	return answers.has(name) || (name === 'git' && (second?.value === 'diff' || second?.value === 'grep'));
}

function isHarmless({ words, wrappers }: ShellCommand): boolean {
	return wrappers.length === 0 && harmless.has(commandName(words[0]?.value ?? ''));
}

/** The signs between the commands of a line; undefined when there is more to it than commands in a row. */
function gaps(line: string, commands: readonly ShellCommand[]): readonly string[] | undefined {
	const found: string[] = [];
	let at = 0;
	for (const { text } of commands) {
		const start = line.indexOf(text, at);
		if (start === -1) return undefined;
		found.push(line.slice(at, start));
		at = start + text.length;
	}
	const [before, ...between] = [...found, line.slice(at)].map((gap) => gap.replaceAll(redirection, '').trim());
	const after = between.pop();
	if (before !== '' || after !== '') return undefined;
	return between.every((gap) => gap === '' || /^(?:\|&?|&&|\|\||;|\n)$/.test(gap))
		? between.map((gap) => (gap === '|&' ? '|' : gap))
		: undefined;
}

const redirection = /\d?>{1,2}(?:&\d|\s*[\w./-]+)/g;
