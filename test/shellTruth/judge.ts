// Runs lines and compares. Programs succeed for one line and fail for the next, so that both ways of conditions are taken.
import { analyseCommand } from '../../src/core/permissions/shell/analyseCommand.ts';
import type { ShellParser } from '../../src/core/ports/shellParser.ts';
import { changes, unlisted } from './compare.ts';
import type { Case } from './sandbox.ts';
import { runCases } from './sandbox.ts';

export interface Report {
	readonly lines: number;
	/** Runs in which something was started or written. */
	readonly active: number;
	readonly started: number;
	readonly written: number;
	/** Lines that were not understood. */
	readonly unclear: number;
	readonly readOnly: number;
	readonly faults: readonly { readonly line: string; readonly found: readonly string[] }[];
}

export async function judgeLines(
	lines: readonly string[],
	parser: ShellParser,
	shell: Case['shell'] = 'bash',
): Promise<Report> {
	const cases = lines.map((line, index): Case => ({ line, status: index % 2 === 0 ? 0 : 1, shell }));
	const seen = await runCases(cases, namesIn(lines));
	const faults: { readonly line: string; readonly found: readonly string[] }[] = [];
	let [active, started, written, unclear, readOnly] = [0, 0, 0, 0, 0];
	for (const [index, line] of lines.entries()) {
		const analysis = await analyseCommand(line, { shell, cwd: '/w', home: '/home/u', parser });
		if (analysis.unclear.length > 0) unclear++;
		if (analysis.readOnly) readOnly++;
		const run = seen[index] ?? { started: [] };
		const changed = changes(run).length;
		started += run.started.length;
		written += changed;
		if (run.started.length + changed > 0) active++;
		const found = unlisted(analysis, run);
		if (found.length > 0) faults.push({ line, found });
	}
	return { lines: lines.length, active, started, written, unclear, readOnly, faults };
}

/** Everything in the lines that could be a program's name. */
function namesIn(lines: readonly string[]): Set<string> {
	const names = new Set<string>(always.split(' '));
	for (const line of lines)
		for (const [name] of line.matchAll(/[\w.+@-]{1,40}/g)) if (!/^\.+$|^\.stub$/.test(name)) names.add(name);
	return names;
}

const always =
	'env xargs timeout nice nohup stdbuf setsid find ionice flock bash sh dash tee cp mv ln touch mkdir rm rmdir unlink truncate chmod install dd sed sort split cat head tail grep tr cut uniq wc basename dirname seq tar gzip shred mkfifo expr true false echo printf test csplit shuf diff od sudo doas [ alpha beta gamma delta';
