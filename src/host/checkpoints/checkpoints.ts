// The window's checkpoints: the store that all sessions share, and what records one session. Contract: nothing is read, made or
// watched before a session changes or restores something.
import path from 'node:path';
import * as vscode from 'vscode';
import { RecordedWorkspace } from '../../core/checkpoints/recordedWorkspace.ts';
import { CheckpointRecorder } from '../../core/checkpoints/recorder.ts';
import type { Entry, Journal } from '../../core/messages/journal.ts';
import type { CheckpointIndex, FileImages } from '../../core/ports/checkpoints.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { BlobStore } from '../../node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../node/checkpoints/diskImages.ts';
import { sessionFolder } from '../../node/sessions/paths.ts';
import { EditorImages } from './editorImages.ts';

/** Milliseconds after the first prompt of a window: what is too old goes when nobody waits for anything. */
const pruneAfter = 60_000;

export interface CheckpointsDeps {
	later(task: () => void, ms: number): () => void;
	readonly failed: (what: string, error: unknown) => void;
}

export interface RecordedSession {
	readonly workspace: Workspace;
	readonly journal: Journal;
}

export class Checkpoints implements vscode.Disposable {
	readonly images: FileImages;
	private readonly deps: CheckpointsDeps;
	private readonly store = new BlobStore();
	private cancelPrune: (() => void) | undefined;

	constructor(deps: CheckpointsDeps) {
		this.deps = deps;
		this.images = new EditorImages(new DiskImages(this.store));
	}

	/** The list of a session. `cwd`: the folder that it belongs to. */
	index(cwd: string, sessionId: string): CheckpointIndex {
		return new CheckpointFile(path.join(sessionFolder(cwd, sessionId), 'checkpoints.jsonl'), (error) =>
			this.deps.failed('writing the list of checkpoints', error),
		);
	}

	/** The workspace and the journal of a session, as its conversation uses them. */
	record(session: RecordedSession, place: { readonly cwd: string; readonly sessionId: string }): RecordedSession {
		const { images } = this;
		const recorder = new CheckpointRecorder({ index: this.index(place.cwd, place.sessionId), images });
		const append = async (entry: Entry) => {
			await session.journal.append(entry);
			if (entry.type !== 'user' || entry.message.origin !== 'prompt') return;
			recorder.promptTaken(entry.message.id);
			this.pruneLater();
		};
		return { workspace: new RecordedWorkspace(session.workspace, recorder), journal: { append } };
	}

	dispose(): void {
		this.cancelPrune?.();
	}

	/** Once in a window. */
	private pruneLater(): void {
		this.cancelPrune ??= this.deps.later(() => {
			const settings = vscode.workspace.getConfiguration('loopwright');
			const maxBytes = settings.get('checkpoints.maxSizeMb', 500) * 1024 * 1024;
			void this.store.prune({ maxBytes, days: settings.get('cleanupPeriodDays', 30) });
		}, pruneAfter);
	}
}
