// Checkpoints of a run without an editor, in the same store: a session that began here can be rewound in the extension. Contract:
// before the agent changes something nothing is read, kept or written, but for one look over the project a moment after the
// prompt, while the model is waited for.
import path from 'node:path';
import type { StoredEntry } from '../core/messages/journal.ts';
import type { CheckpointIndex, CheckpointRecord } from '../core/ports/checkpoints.ts';
import type { ShellParser } from '../core/ports/shellParser.ts';
import { BlobStore } from '../node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../node/checkpoints/diskImages.ts';
import { recordSession, type RecordedParts } from '../node/checkpoints/recordSession.ts';
import { checkpointList } from '../node/sessions/keptContents.ts';
import { sessionFolder } from '../node/sessions/paths.ts';

/** Milliseconds from a prompt to the first look; a run that is over by then makes none. */
const lookAfter = 300;
/** Where no editor has said otherwise: the default of its setting. */
const maxBytes = 500 * 1024 * 1024;

export interface RunPlace {
	readonly cwd: string;
	readonly sessionId: string;
	readonly home: string;
	readonly shellParser: ShellParser;
	/** The transcript so far. */
	readonly entries: readonly StoredEntry[];
	readonly trusted: boolean;
	/** That contents are kept, where no editor has said otherwise. */
	readonly days: number;
}

export class RunCheckpoints {
	/** What the run works with. */
	readonly parts: RecordedParts;
	private readonly store: BlobStore;
	private readonly index: LateIndex;
	private readonly days: number;
	private readonly compared: () => Promise<void>;
	private timer: NodeJS.Timeout | undefined;

	constructor(parts: RecordedParts, { cwd, sessionId, home, shellParser, entries, trusted, days }: RunPlace) {
		this.days = days;
		this.store = new BlobStore(home);
		const disk = new DiskImages(this.store);
		// A list that cannot be written is none: the run goes on.
		this.index = new LateIndex(
			new CheckpointFile(path.join(sessionFolder(cwd, sessionId, home), checkpointList), () => {}),
		);
		const recorded = recordSession(parts, {
			index: this.index,
			images: disk,
			disk,
			shellParser,
			entries,
			trusted: () => trusted,
			openFiles: () => [],
			savedByPerson: () => false,
			promptTaken: (watch) => {
				this.timer ??= setTimeout(() => watch.begin(), lookAfter).unref();
			},
		});
		this.parts = recorded.parts;
		this.compared = () => recorded.watch.compared();
	}

	/** The run is over: what its last command did is found, within the bounds of a look, and the list is whole. */
	async end(): Promise<void> {
		clearTimeout(this.timer);
		await this.compared();
		await this.index.end();
		if (this.index.changed) await this.store.pruneDaily({ maxBytes, days: this.days });
	}
}

/** Messages of the person are written with the first change that follows, or at the end. */
class LateIndex implements CheckpointIndex {
	changed = false;
	private readonly inner: CheckpointIndex;
	private waiting: readonly CheckpointRecord[] = [];
	private last: void | Promise<void> = undefined;

	constructor(inner: CheckpointIndex) {
		this.inner = inner;
	}

	append(record: CheckpointRecord): void | Promise<void> {
		if (record.type === 'prompt') {
			this.waiting = [...this.waiting, record];
			return;
		}
		void this.end();
		this.changed = true;
		this.last = this.inner.append(record);
		return this.last;
	}

	/** A promise where the disk is slow: until all is written. */
	end(): void | Promise<void> {
		for (const record of this.waiting) this.last = this.inner.append(record);
		this.waiting = [];
		return this.last;
	}

	read(): Promise<readonly CheckpointRecord[]> {
		return this.inner.read();
	}
}
