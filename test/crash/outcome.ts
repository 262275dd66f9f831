// What a killed and resumed run of the scripted session must have left: its end, the files and commands of an undisturbed run,
// and a transcript in which nothing was started twice. The same for every host.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StoredEntry } from '../../src/core/messages/journal.ts';
import { projectFolder } from '../../src/node/sessions/paths.ts';
import { parseTranscript } from '../../src/node/sessions/transcriptFile.ts';
import { expected, lastWords } from './script.ts';

export interface Place {
	/** The folder that the session works in. */
	readonly cwd: string;
	/** The folder that holds `projects`. */
	readonly home: string;
}

/** The entries of a session; none while it has no file. */
export function entriesOf({ cwd, home }: Place, sessionId: string): readonly StoredEntry[] {
	const file = path.join(projectFolder(home, cwd), `${sessionId}.jsonl`);
	return existsSync(file) ? parseTranscript(readFileSync(file, 'utf8')).entries : [];
}

/** It has heard the person. */
export function hasHeard(entries: readonly StoredEntry[]): boolean {
	return entries.some((entry) => entry.type === 'user' && entry.message.origin === 'prompt');
}

/** It has come to the end of the script. */
export function isDone(entries: readonly StoredEntry[]): boolean {
	const last = entries.findLast(({ type }) => type === 'exchange_end' || type === 'user' || type === 'request');
	return last?.type === 'exchange_end' && JSON.stringify(entries).includes(lastWords);
}

/** Empty when all is as it should be. `files`: what else may lie in the folder. */
export function problemsOf(
	{ cwd }: Place,
	entries: readonly StoredEntry[],
	files: readonly string[] = [],
): readonly string[] {
	const problems: string[] = [];
	const same = (what: string, is: unknown, shouldBe: unknown) => {
		if (JSON.stringify(is) !== JSON.stringify(shouldBe)) {
			problems.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(shouldBe)}`);
		}
	};
	if (!isDone(entries)) problems.push('it did not come to its end');
	const read = (file: string) => {
		const whole = path.join(cwd, file);
		return existsSync(whole) ? readFileSync(whole, 'utf8') : '';
	};
	// Commands of one answer may change places when the first of them was interrupted.
	same('commands', read('log.txt').split('\n').filter(Boolean).toSorted(), expected.log.toSorted());
	for (const [file, content] of Object.entries(expected.files)) same(file, read(file), content);
	const left = readdirSync(cwd).filter((name) => !files.includes(name));
	same('files', left.toSorted(), ['a.txt', 'b.txt', 'c.txt', 'log.txt']);
	const starts = entries.flatMap((entry) => (entry.type === 'tool_start' ? [entry.toolUseId] : []));
	same('starts', starts.length, new Set(starts).size);
	return problems;
}

/** A small generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
