// The window's checkpoints: the store that all sessions share, and what records one session. Contract: nothing is read, made or
// watched before a session changes or restores something.
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandTargets } from '../../core/checkpoints/commandWatch.ts';
import { CommandWatch } from '../../core/checkpoints/commandWatch.ts';
import { RecordedShell } from '../../core/checkpoints/recordedShell.ts';
import { RecordedWorkspace } from '../../core/checkpoints/recordedWorkspace.ts';
import { CheckpointRecorder } from '../../core/checkpoints/recorder.ts';
import type { Entry, Journal, StoredEntry } from '../../core/messages/journal.ts';
import type { CheckpointIndex, FileImages } from '../../core/ports/checkpoints.ts';
import { analyseCommand } from '../../core/permissions/shell/analyseCommand.ts';
import type { AnalysisQuery } from '../../core/permissions/shell/analyseCommand.ts';
import type { Shell } from '../../core/ports/shell.ts';
import type { ShellParser } from '../../core/ports/shellParser.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { BlobStore } from '../../node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../node/checkpoints/diskImages.ts';
import { NodeProjectScan } from '../../node/checkpoints/projectScan.ts';
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
	readonly shell: Shell;
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
	/** Of the open session. */
	private watch: CommandWatch | undefined;
	private cancelPrune: (() => void) | undefined;

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

	/** What a session works with, as its conversation uses it. */
	record(session: RecordedSession, place: SessionPlace): RecordedSession {
		const { images, disk } = this;
		const { workspace, shell } = session;
		const prompt = place.entries.flatMap((entry) => promptId(entry) ?? []).at(-1);
		const index = this.index(place.cwd, place.sessionId);
		const recorder = new CheckpointRecorder({ index, images, ...(prompt === undefined ? {} : { prompt }) });
		const watch = new CommandWatch({
			recorder,
			images,
			keepBytes: (bytes) => disk.keepBytes(bytes),
			scan: new NodeProjectScan({ roots: () => workspace.roots, trusted: () => vscode.workspace.isTrusted }),
			targets: ({ command, cwd }) => writeTargets(command, { shell: shell.name, cwd, parser: place.shellParser }),
			openFiles,
			savedByPerson: (file, since) => (this.saves.get(file) ?? 0) >= since,
			now: () => Date.now(),
		});
		this.watch = watch;
		const append = async (entry: Entry) => {
			await session.journal.append(entry);
			const taken = promptId(entry);
			if (taken === undefined) return;
			recorder.promptTaken(taken);
			this.firstPrompt();
			if (vscode.workspace.isTrusted) watch.begin();
		};
		return {
			workspace: new RecordedWorkspace(workspace, recorder, (file) => void watch.seen(file)),
			journal: { append },
			shell: new RecordedShell(shell, watch),
		};
	}

	/** What commands did so far is in the list. */
	async settled(): Promise<void> {
		await this.watch?.settled();
	}

	dispose(): void {
		this.cancelPrune?.();
		this.watchSaves?.dispose();
	}

	/** Once in a window. */
	private firstPrompt(): void {
		this.watchSaves ??= vscode.workspace.onDidSaveTextDocument(({ uri }) => {
			if (uri.scheme === 'file') this.saves.set(path.normalize(uri.fsPath), Date.now());
		});
		this.cancelPrune ??= this.deps.later(() => {
			const settings = vscode.workspace.getConfiguration('loopwright');
			const maxBytes = settings.get('checkpoints.maxSizeMb', 500) * 1024 * 1024;
			void this.store.prune({ maxBytes, days: settings.get('cleanupPeriodDays', 30) });
		}, pruneAfter);
	}
}

function promptId(entry: Entry): string | undefined {
	return entry.type === 'user' && entry.message.origin === 'prompt' ? entry.message.id : undefined;
}

/** What the text of a command says that it writes; nothing when it cannot be read. */
async function writeTargets(command: string, query: AnalysisQuery): Promise<CommandTargets> {
	const { writes, readOnly } = await analyseCommand(command, query);
	return { paths: [...new Set(writes.flatMap(({ path: file }) => file ?? []))], readOnly };
}

function openFiles(): readonly string[] {
	return vscode.workspace.textDocuments.flatMap(({ uri }) =>
		uri.scheme === 'file' ? [path.normalize(uri.fsPath)] : [],
	);
}
