// What waits for review, kept in the extension's storage, a file for each: a reload or crash finds it again.
// Contract: a file that cannot be read or written costs only the marks of that one.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { splitLines } from '../../core/review/lines.ts';
import { textOf, type ReviewedFile } from '../../core/review/reviewedFile.ts';
import { KeyedQueue } from '../../node/workspace/keyedQueue.ts';

export interface StoredReview {
	/** As the agent named it; absolute. */
	readonly path: string;
	/** Links resolved. */
	readonly realPath: string;
	readonly file: ReviewedFile;
}

const storedHunk = z.object({
	id: z.int().positive(),
	start: z.int().nonnegative(),
	count: z.int().nonnegative(),
	original: z.array(z.string()),
	turn: z.object({ sessionId: z.string(), promptId: z.string(), prompt: z.string() }),
});
const stored = z.object({
	version: z.literal(1),
	path: z.string().min(1),
	realPath: z.string().min(1),
	text: z.string(),
	hunks: z.array(storedHunk),
	nextId: z.int().positive(),
	created: z.object({ touched: z.boolean() }).optional(),
});

export class ReviewStore {
	private readonly folder: string;
	private readonly failed: (error: unknown) => void;
	private readonly writes = new KeyedQueue();

	constructor(folder: string, failed: (error: unknown) => void) {
		this.folder = folder;
		this.failed = failed;
	}

	async load(): Promise<readonly StoredReview[]> {
		const names = (await namesIn(this.folder)).filter((name) => name.endsWith('.json'));
		return (await Promise.all(names.map((name) => this.read(path.join(this.folder, name))))).flat();
	}

	/** Contract: never rejects. The last of several writes of one file counts. */
	async save({ path: file, realPath, file: reviewed }: StoredReview): Promise<void> {
		const { hunks, nextId, created } = reviewed;
		const text = textOf(reviewed);
		const content: z.input<typeof stored> = {
			version: 1,
			path: file,
			realPath,
			text,
			hunks: hunks.map(mutable),
			nextId,
		};
		await this.write(realPath, async (target) => {
			const temporary = `${target}.${randomUUID()}.tmp`;
			await mkdir(this.folder, { recursive: true });
			await writeFile(temporary, JSON.stringify({ ...content, ...(created ? { created } : {}) }));
			await rename(temporary, target);
		});
	}

	/** Contract: never rejects. */
	async remove(realPath: string): Promise<void> {
		await this.write(realPath, (target) => rm(target, { force: true }));
	}

	private async write(realPath: string, work: (target: string) => Promise<void>): Promise<void> {
		const name = createHash('sha256').update(realPath).digest('hex').slice(0, 32);
		try {
			await this.writes.run(name, () => work(path.join(this.folder, `${name}.json`)));
		} catch (error) {
			this.failed(error);
		}
	}

	private async read(file: string): Promise<readonly StoredReview[]> {
		try {
			const {
				path: shown,
				realPath,
				text,
				hunks,
				nextId,
				created,
			} = stored.parse(JSON.parse(await readFile(file, 'utf8')));
			const lines = splitLines(text);
			if (hunks.some(({ start, count }) => start + count > lines.length)) throw new Error(`${file} is not sound.`);
			return [{ path: shown, realPath, file: { lines, hunks, nextId, ...(created ? { created } : {}) } }];
		} catch (error) {
			this.failed(error);
			return [];
		}
	}
}

/** True when something may wait for review: cheap enough to ask when the editor starts. */
export async function hasStoredReview(folder: string): Promise<boolean> {
	return (await namesIn(folder)).some((name) => name.endsWith('.json'));
}

async function namesIn(folder: string): Promise<readonly string[]> {
	return readdir(folder).catch(() => []);
}

function mutable(hunk: ReviewedFile['hunks'][number]): z.input<typeof storedHunk> {
	return { ...hunk, original: [...hunk.original] };
}
