// Where versions of files come from: packages of a registry, the commits of a repository, and this project's own files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Pair } from './check.ts';
import type { Random } from './hunks.ts';

/** Bytes of the largest file that is compared. */
const largest = 300_000;

/** The files that neighbouring versions have in common. They are downloaded once, by npm, into `cache`. */
export function* packagePairs(name: string, versions: readonly string[], cache: string): Generator<Pair> {
	for (const [index, version] of versions.slice(1).entries()) {
		const from = unpacked(`${name}@${versions[index]}`, cache);
		const to = unpacked(`${name}@${version}`, cache);
		for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' }).toSorted()) {
			const [old, wanted] = [path.join(from, file), path.join(to, file)];
			if (!isFile(old) || !isFile(wanted) || file.endsWith('.map')) continue;
			const bytes = { old: readFileSync(old), wanted: readFileSync(wanted) };
			if (!bytes.old.equals(bytes.wanted)) yield { source: name, file: `${file} of ${version}`, ...bytes };
		}
	}
}

function isFile(file: string): boolean {
	const found = statSync(file, { throwIfNoEntry: false });
	return found?.isFile() === true && found.size <= largest;
}

function unpacked(spec: string, cache: string): string {
	const folder = path.join(cache, spec.replaceAll('/', '+'));
	if (existsSync(folder)) return folder;
	const partial = `${folder}.part`;
	rmSync(partial, { recursive: true, force: true });
	mkdirSync(partial, { recursive: true });
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	execFileSync(npm, ['pack', spec, '--silent'], { cwd: partial, shell: process.platform === 'win32' });
	const archive = readdirSync(partial).find((file) => file.endsWith('.tgz'));
	if (archive === undefined) throw new Error(`npm packed nothing for ${spec}`);
	execFileSync('tar', ['-xzf', archive], { cwd: partial });
	rmSync(path.join(partial, archive));
	renameSync(partial, folder);
	return folder;
}

/** The files that each commit changes, from the newest on. */
export function* commitPairs(repository: string): Generator<Pair> {
	const git = (...args: readonly string[]): Buffer =>
		execFileSync('git', ['-C', repository, ...args], { maxBuffer: 64 * 1024 * 1024 });
	const source = path.basename(repository);
	for (const commit of git('rev-list', '--no-merges', 'HEAD').toString().split('\n').filter(Boolean)) {
		const changes = git('diff-tree', '-r', '-z', '--no-commit-id', '--diff-filter=M', commit).toString().split('\0');
		for (let at = 0; at + 1 < changes.length; at += 2) {
			const [, , from, to] = changes[at]?.split(' ') ?? [];
			if (from === undefined || to === undefined) continue;
			const [old, wanted] = [git('cat-file', 'blob', from), git('cat-file', 'blob', to)];
			if (Math.max(old.length, wanted.length) > largest) continue;
			yield { source, file: `${changes[at + 1]} at ${commit.slice(0, 10)}`, old, wanted };
		}
	}
}

/** Files of a folder, each with a later version that chance makes of it and the others. */
export function* inventedPairs(root: string, files: readonly string[], random: Random): Generator<Pair> {
	const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
	const texts = files.map((file) => readFileSync(path.join(root, file), 'utf8'));
	for (;;) {
		const index = Math.floor(random() * texts.length);
		const text = texts[index] ?? '';
		const shape = Math.floor(random() * 4);
		const old = shape === 0 ? JSON.stringify(text.slice(0, 60_000)) : shape === 1 ? text.trimEnd() : text;
		const lines = old.split('\n');
		for (let edits = 1 + Math.floor(random() * 5); edits > 0; edits--) {
			const at = Math.floor(random() * lines.length);
			const foreign = pick((pick(texts) ?? '').split('\n')) ?? '';
			const kind = Math.floor(random() * 4);
			const line = lines[at] ?? '';
			const middle = Math.floor(random() * line.length);
			if (kind === 0) lines.splice(at, 1 + Math.floor(random() * 3));
			else if (kind === 1) lines.splice(at, 0, foreign, `\t$& $1 $$ ${foreign}  `);
			else lines[at] = `${line.slice(0, middle)}${kind === 2 ? 'ü中' : foreign}${line.slice(middle + 3)}`;
		}
		const wanted = random() < 0.1 ? `${lines.join('\n')}\n` : lines.join('\n');
		const end = random() < 0.5 ? '\n' : '\r\n';
		const bytes = (version: string) => Buffer.from(version.replaceAll('\n', end));
		yield { source: 'invented', file: files[index] ?? '', old: bytes(old), wanted: bytes(wanted) };
	}
}
