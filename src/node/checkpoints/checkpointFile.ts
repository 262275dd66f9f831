// A session's list of checkpoints: `<session folder>/checkpoints.jsonl`, append-only, one JSON object per line. Reading is
// tolerant: a broken line costs that line only.
import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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

export class CheckpointFile implements CheckpointIndex {
	private readonly path: string;
	private readonly failed: (error: unknown) => void;
	private made = false;

	/** `failed` is told when a line cannot be written; the agent goes on. */
	constructor(file: string, failed: (error: unknown) => void) {
		this.path = file;
		this.failed = failed;
	}

	/** As of transcripts, a line goes straight into the system's cache: microseconds. */
	append(line: CheckpointRecord): void {
		try {
			if (!this.made) mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
			// A line that a crash cut must not spoil the next one.
			const text = `${JSON.stringify(line)}\n`;
			appendFileSync(this.path, this.made ? text : `\n${text}`, { mode: 0o600 });
			this.made = true;
		} catch (error) {
			this.failed(error);
		}
	}

	async read(): Promise<readonly CheckpointRecord[]> {
		const text = await readFile(this.path, 'utf8').catch(() => '');
		const schema = recordSchema();
		return text.split('\n').flatMap((line) => parse(line, schema) ?? []);
	}
}

function parse(line: string, schema: z.ZodType<CheckpointRecord>): CheckpointRecord | undefined {
	if (line === '') return undefined;
	try {
		return schema.safeParse(JSON.parse(line)).data;
	} catch {
		return undefined;
	}
}
