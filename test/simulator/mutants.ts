// Shows that the simulator would notice: for each promise the source is broken on purpose, in a copy, and the simulator runs
// until it finds a seed that tells. A break that does not match its source exactly once fails, and so does one that survives.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Mutant } from './breaks.ts';
import { mutants } from './breaks.ts';

/** The table, as lines of Markdown; `ok`: all were caught. */
export function runMutants(
	root: string,
	{ seconds, only = '' }: { readonly seconds: number; readonly only?: string | undefined },
	onLine: (line: string) => void,
): { readonly ok: boolean; readonly table: readonly string[] } {
	const folder = mkdtempSync(path.join(tmpdir(), 'loopwright-mutants-'));
	const table = ['| break | seed | runs | promise |', '|---|---|---|---|'];
	let ok = true;
	try {
		for (const part of ['src', 'test/support', 'test/simulator', 'scripts', 'package.json', 'tsconfig.base.json']) {
			cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
		}
		symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
		for (const mutant of mutants.filter(({ name }) => new RegExp(only).test(name))) {
			const outcome = runMutant(mutant, folder, seconds);
			ok &&= outcome.caught;
			const line = `| ${mutant.name} | ${outcome.cells} |`;
			table.push(line);
			onLine(line);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return { ok, table };
}

function runMutant(
	mutant: Mutant,
	folder: string,
	seconds: number,
): { readonly caught: boolean; readonly cells: string } {
	const mend = apply(mutant, folder);
	if (typeof mend === 'string') return { caught: false, cells: `- | - | ${mend}` };
	try {
		const kinds = [
			...(mutant.long ? ['--long'] : []),
			...(mutant.files ? ['--files'] : []),
			...(mutant.agents ? ['--agents'] : []),
		];
		const args = ['scripts/simulate.mjs', '--brief', '--workers', '1', '--runs', '1000000', ...kinds];
		const { stdout, stderr } = spawnSync(process.execPath, [...args, '--seconds', String(seconds)], {
			cwd: folder,
			encoding: 'utf8',
			timeout: (seconds + 60) * 1000,
		});
		const found = /^seed (\d+): (.*)$/m.exec(stdout);
		const runs = /: (\d+) runs/.exec(stdout)?.[1] ?? '?';
		if (!found) return { caught: false, cells: `- | ${runs} | SURVIVED ${stderr.trim().slice(-200)}` };
		return { caught: true, cells: `${found[1]} | ${runs} | ${found[2]?.slice(0, 110).replaceAll('|', '/')} ` };
	} finally {
		mend();
	}
}

/** Breaks a file of the copy; returns the way to mend it, or why it could not be broken. */
function apply({ file, find, put }: Mutant, folder: string): (() => void) | string {
	const target = path.join(folder, 'src/core', file);
	const source = readFileSync(target, 'utf8');
	const matches = source.split(find).length - 1;
	if (matches !== 1) return `THE BREAK MATCHES ${matches} TIMES in ${file}`;
	writeFileSync(
		target,
		source.replace(find, () => put),
	);
	return () => writeFileSync(target, source);
}
