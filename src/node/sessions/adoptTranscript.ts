// A transcript goes to another folder: all of it stays as it is but for its first entry, which says where the session belongs.
// Contract: at every moment one of the two files is whole.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readRange } from './linesOfFile.ts';
import { formatLine, readLine } from './transcriptFile.ts';

const longestFirst = 64 * 1024;

/** `cwd`: the folder that it belongs to from now on. Rejects when it cannot be written; then the old one is there. */
export async function adoptTranscript(from: string, to: string, cwd: string): Promise<void> {
	const { line, length } = await firstLine(from);
	const { entry } = readLine(line);
	const isFirst = entry?.type === 'session';
	await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
	const fresh = `${to}.part`;
	const target = createWriteStream(fresh, { mode: 0o600 });
	if (isFirst) {
		const { time, ...rest } = entry;
		target.write(formatLine({ ...rest, cwd }, time));
	}
	await pipeline(createReadStream(from, { start: isFirst ? length : 0 }), target);
	await rename(fresh, to);
	await rm(from, { force: true });
}

/** Bytes, with its end. */
async function firstLine(file: string): Promise<{ readonly line: string; readonly length: number }> {
	const handle = await open(file, 'r');
	try {
		const bytes = await readRange(handle, 0, longestFirst);
		const end = bytes.indexOf(0x0a);
		return { line: end < 0 ? '' : bytes.toString('utf8', 0, end), length: end + 1 };
	} finally {
		await handle.close();
	}
}
