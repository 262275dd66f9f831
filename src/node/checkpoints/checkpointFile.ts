// A session's list of checkpoints: `<session folder>/checkpoints.jsonl`, append-only, one JSON object per line. Reading is
// tolerant: a broken line costs that line only.
import { appendFileSync, mkdirSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { CheckpointIndex, CheckpointRecord } from '../../core/ports/checkpoints.ts';

/** Made when a list is read: most sessions only write theirs, and a start should not pay for it. */
function recordSchema(): z.ZodType<CheckpointRecord> {
	const image = z.discriminatedUnion('kind', [
		z.object({ kind: z.literal('missing'), folders: z.number().exactOptional() }),
		z.object({
			kind: z.literal('file'),
			hash: z.string().regex(/^[0-9a-f]{64}$/),
			size: z.number(),
			mode: z.number().exactOptional(),
		}),
		z.object({
			kind: z.literal('unkept'),
			reason: z.enum([
				'too_large',
				'git',
				'link',
				'special',
				'unreadable',
				'not_stored',
				'unsaved_notebook',
				'unexpected',
			]),
		}),
	]);
	const file = z.object({ path: z.string(), before: image, after: image });
	return z.discriminatedUnion('type', [
		z.object({ type: z.literal('prompt'), id: z.string() }),
		z.object({ type: z.literal('before'), path: z.string(), image }),
		z.object({ type: z.literal('after'), path: z.string(), image }),
		z.object({ type: z.literal('found'), prompt: z.string(), path: z.string(), before: image, after: image }),
		z.object({
			type: z.literal('restored'),
			to: z.string(),
			scope: z.enum(['files', 'conversation', 'both']),
			redo: z.boolean(),
			files: z.array(file),
		}),
	]);
}

/** How a list is appended to, 0600; both may fail. */
export interface ListFs {
	append(file: string, text: string): void;
	/** The same without holding up the process. */
	appendLater(file: string, text: string): Promise<void>;
}

/** A write that took longer than this makes the next ones take the thread pool, as of transcripts. */
const slowMs = 100;

export class CheckpointFile implements CheckpointIndex {
	private readonly path: string;
	private readonly failed: (error: unknown) => void;
	private readonly fs: ListFs;
	private hasFolder = false;
	/** The list ends with a line end. */
	private whole = false;
	private slow = false;
	private queue: Promise<void> = Promise.resolve();

	/** `failed` is told when a line cannot be written; the agent goes on. */
	constructor(file: string, failed: (error: unknown) => void, fs: ListFs = realFs) {
		this.path = file;
		this.failed = failed;
		this.fs = fs;
	}

	/** As of transcripts, a line goes straight into the system's cache: microseconds. A slow disk takes it beside. */
	append(record: CheckpointRecord): void | Promise<void> {
		if (this.slow) {
			this.queue = this.queue.then(() => this.later(record));
			return this.queue;
		}
		const began = performance.now();
		try {
			this.fs.append(this.path, this.next(record));
			this.whole = true;
		} catch (error) {
			this.lost(error);
		}
		this.slow = performance.now() - began > slowMs;
	}

	async read(): Promise<readonly CheckpointRecord[]> {
		await this.queue;
		const text = await readFile(this.path, 'utf8').catch(() => '');
		const schema = recordSchema();
		return text.split('\n').flatMap((line) => parse(line, schema) ?? []);
	}

	private async later(record: CheckpointRecord): Promise<void> {
		try {
			await this.fs.appendLater(this.path, this.next(record));
			this.whole = true;
		} catch (error) {
			this.lost(error);
		}
	}

	/** A line that a crash or a full disk cut must not spoil the next one. */
	private next(record: CheckpointRecord): string {
		if (!this.hasFolder) mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
		this.hasFolder = true;
		const line = `${JSON.stringify(record)}\n`;
		return this.whole ? line : `\n${line}`;
	}

	private lost(error: unknown): void {
		this.whole = false;
		this.failed(error);
	}
}

const realFs: ListFs = {
	append: (file, text) => appendFileSync(file, text, { mode: 0o600 }),
	appendLater: (file, text) => appendFile(file, text, { mode: 0o600 }),
};

function parse(line: string, schema: z.ZodType<CheckpointRecord>): CheckpointRecord | undefined {
	if (line === '') return undefined;
	try {
		return schema.safeParse(JSON.parse(line)).data;
	} catch {
		return undefined;
	}
}
