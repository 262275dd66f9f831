// One simple command of plain words, understood without a grammar. Contract: what would need one to be read is unclear.
import type { ShellAnalysis } from '../shellAnalysis.ts';
import type { Flow, Launching } from './invocation.ts';
import { Collector } from './collector.ts';
import { invoke } from './launch.ts';
import { flavourOf } from './shells.ts';
import type { ReadWord } from './words.ts';

/** `text`: of the whole command; `words`: after quoting, none of them expanded; `cwd`: absolute. */
export function analysePlain(
	text: string,
	words: readonly string[],
	{ shell, cwd }: { readonly shell: string; readonly cwd: string },
): ShellAnalysis {
	const collector = new Collector(undefined);
	const unreadable = (): Flow => {
		collector.problem('no_parser', text);
		return { ok: new Set([undefined]), fail: new Set([undefined]) };
	};
	const launching: Launching = {
		collector,
		flavour: flavourOf(shell),
		invoke: (invocation, external) => invoke(invocation, launching, external),
		environment: unreadable,
		isHarmless: () => false,
		nested: unreadable,
	};
	const place = { folders: new Set([cwd]), start: cwd, wrappers: [], text, depth: 0 };
	const read = words.map((word): ReadWord => ({ text: word, value: word, start: 0, end: text.length }));
	invoke({ words: read, assignments: [], place, redirected: false, input: false }, launching);
	return collector.result();
}
