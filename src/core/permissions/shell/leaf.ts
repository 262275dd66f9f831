// A command that starts nothing but itself: noted with its words, the files that it writes and reads, and whether it only reads.
import { commandFolder } from './collector.ts';
import { checkFiles } from './files.ts';
import { checkGit } from './git.ts';
import type { Invocation, Launching } from './invocation.ts';
import { isReadOnly } from './readOnly.ts';
import { isHarmlessVariable } from './environment.ts';

/** `name`: the program's, without its folder. */
export function leaf(invocation: Invocation, launching: Launching, name: string): void {
	const { words, assignments, place } = invocation;
	const { collector } = launching;
	const quiet =
		place.wrappers.every((wrapper) =>
			/^(?:timeout|time|nice|command|builtin|nohup|xargs|(?:bash|sh) -c)$/.test(wrapper),
		) && assignments.every((one) => isHarmlessVariable(one.name));
	const readOnly = quiet && words[0]?.value === name && isReadOnly(name, words.slice(1), place);
	collector.command(
		{
			text: place.text,
			words: words.map(({ text, value, glob, several }) => ({
				text,
				...(value === undefined ? {} : { value }),
				...(glob === true ? { glob } : {}),
				...(several === true ? { several } : {}),
			})),
			assignments,
			wrappers: place.wrappers,
			...commandFolder(place.folders),
		},
		readOnly,
	);
	if (name === 'git') checkGit(invocation, launching);
	else checkFiles(name, invocation, launching);
}
