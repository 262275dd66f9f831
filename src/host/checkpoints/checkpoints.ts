// The window's checkpoints: the store that all sessions share, and what records one session. Contract: nothing is read, made or
// watched before a session changes or restores something.
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandWatch } from '../../core/checkpoints/commandWatch.ts';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { CheckpointIndex, FileImages } from '../../core/ports/checkpoints.ts';
import type { ShellParser } from '../../core/ports/shellParser.ts';
import { BlobStore } from '../../node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../node/checkpoints/diskImages.ts';
import { recordSession, type RecordedParts } from '../../node/checkpoints/recordSession.ts';
import { sessionFolder } from '../../node/sessions/paths.ts';
import { EditorImages } from './editorImages.ts';

/** Milliseconds after a prompt: what is too old or too much goes when nobody waits for anything. */
const pruneAfter = 60_000;
/** Milliseconds: windows stay open for weeks. */
const pruneEvery = 6 * 60 * 60_000;

export interface CheckpointsDeps {
	later(task: () => void, ms: number): () => void;
	/** Days that contents are kept. */
	readonly keepDays: () => number;
	readonly failed: (what: string, error: unknown) => void;
}

export interface SessionPlace {
	/** The folder that the session belongs to. */
	readonly cwd: string;
	readonly sessionId: string;
	readonly shellParser: ShellParser;
	/** The transcript so far. */
	readonly entries: readonly StoredEntry[];
}

export class Checkpoints implements vscode.Disposable {
	readonly images: FileImages;
	private readonly disk: DiskImages;
	private readonly saves = new Map<string, number>();
	private watchSaves: vscode.Disposable | undefined;
	private readonly deps: CheckpointsDeps;
	private readonly store = new BlobStore();
	private cancelPrune: (() => void) | undefined;
	/** Milliseconds since the epoch. */
	private nextPrune = 0;

	constructor(deps: CheckpointsDeps) {
		this.deps = deps;
		this.disk = new DiskImages(this.store);
		this.images = new EditorImages(this.disk);
	}

	/** The list of a session. `cwd`: the folder that it belongs to. */
	index(cwd: string, sessionId: string): CheckpointIndex {
		return new CheckpointFile(path.join(sessionFolder(cwd, sessionId), 'checkpoints.jsonl'), (error) =>
			this.deps.failed('writing the list of checkpoints', error),
		);
	}

	/** What a session works with, as its conversation uses it, and its commands' watch. */
	record(
		session: RecordedParts,
		{ cwd, sessionId, shellParser, entries }: SessionPlace,
	): { readonly parts: RecordedParts; readonly watch: Pick<CommandWatch, 'compared'> } {
		const { parts, watch } = recordSession(session, {
			index: this.index(cwd, sessionId),
			images: this.images,
			disk: this.disk,
			shellParser,
			entries,
			trusted: () => vscode.workspace.isTrusted,
			openFiles,
			savedByPerson: (file, since) => (this.saves.get(file) ?? 0) >= since,
			promptTaken: () => {
				this.prompted();
				if (vscode.workspace.isTrusted) watch.begin();
			},
		});
		return { parts, watch };
	}

	dispose(): void {
		this.cancelPrune?.();
		this.watchSaves?.dispose();
	}

	private prompted(): void {
		this.watchSaves ??= vscode.workspace.onDidSaveTextDocument(({ uri }) => {
			if (uri.scheme === 'file') this.saves.set(path.normalize(uri.fsPath), Date.now());
		});
		if (Date.now() < this.nextPrune) return;
		this.nextPrune = Date.now() + pruneEvery;
		this.cancelPrune = this.deps.later(() => {
			const settings = vscode.workspace.getConfiguration('loopwright');
			const maxBytes = settings.get('checkpoints.maxSizeMb', 500) * 1024 * 1024;
			void this.store.prune({ maxBytes, days: settings.get('cleanupPeriodDays', 30) });
		}, pruneAfter);
	}
}

function openFiles(): readonly string[] {
	return vscode.workspace.textDocuments.flatMap(({ uri }) =>
		uri.scheme === 'file' ? [path.normalize(uri.fsPath)] : [],
	);
}
