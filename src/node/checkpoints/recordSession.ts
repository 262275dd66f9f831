// Puts a session's recorder around its workspace, shell and journal; the same for the editor and the headless runner. Contract:
// whoever works with the result sees the ports that were given.
import { CommandWatch, type CommandTargets } from '../../core/checkpoints/commandWatch.ts';
import { RecordedShell } from '../../core/checkpoints/recordedShell.ts';
import { RecordedWorkspace } from '../../core/checkpoints/recordedWorkspace.ts';
import { CheckpointRecorder } from '../../core/checkpoints/recorder.ts';
import type { Entry, Journal, StoredEntry } from '../../core/messages/journal.ts';
import { analyseCommand, type AnalysisQuery } from '../../core/permissions/shell/analyseCommand.ts';
import type { CheckpointIndex, FileImages } from '../../core/ports/checkpoints.ts';
import type { Shell } from '../../core/ports/shell.ts';
import type { ShellParser } from '../../core/ports/shellParser.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import type { DiskImages } from './diskImages.ts';
import { NodeProjectScan } from './projectScan.ts';

/** What a session works with, as its conversation uses it. */
export interface RecordedParts {
	readonly workspace: Workspace;
	readonly journal: Journal;
	readonly shell: Shell;
}

export interface RecordingOptions {
	readonly index: CheckpointIndex;
	readonly images: Pick<FileImages, 'keep' | 'look'>;
	readonly disk: Pick<DiskImages, 'keepBytes'>;
	readonly shellParser: ShellParser;
	/** The transcript so far. */
	readonly entries: readonly StoredEntry[];
	/** False: git is not asked. */
	readonly trusted: () => boolean;
	/** Files that editors show. */
	readonly openFiles: () => readonly string[];
	/** True for what the person saved since then (milliseconds since the epoch). */
	readonly savedByPerson: (path: string, since: number) => boolean;
	/** A message of the person was taken. */
	readonly promptTaken: (watch: CommandWatch) => void;
}

export function recordSession(
	{ workspace, journal, shell }: RecordedParts,
	options: RecordingOptions,
): { readonly parts: RecordedParts; readonly watch: CommandWatch } {
	const { index, images, disk, shellParser, trusted, openFiles, savedByPerson } = options;
	const prompt = options.entries.flatMap((entry) => promptId(entry) ?? []).at(-1);
	const recorder = new CheckpointRecorder({ index, images, ...(prompt === undefined ? {} : { prompt }) });
	const watch = new CommandWatch({
		recorder,
		images,
		keepBytes: (bytes) => disk.keepBytes(bytes),
		scan: new NodeProjectScan({ roots: () => workspace.roots, trusted }),
		targets: ({ command, cwd }) => writeTargets(command, { shell: shell.name, cwd, parser: shellParser }),
		openFiles,
		savedByPerson,
		now: () => Date.now(),
	});
	const append = async (entry: Entry) => {
		await journal.append(entry);
		const taken = promptId(entry);
		if (taken === undefined) return;
		recorder.promptTaken(taken);
		options.promptTaken(watch);
	};
	return {
		parts: {
			workspace: new RecordedWorkspace(workspace, recorder, (file) => watch.seen(file)),
			journal: { append },
			shell: new RecordedShell(shell, watch),
		},
		watch,
	};
}

function promptId(entry: Entry): string | undefined {
	return entry.type === 'user' && entry.message.origin === 'prompt' ? entry.message.id : undefined;
}

/** What the text of a command says that it writes; nothing when it cannot be read. */
async function writeTargets(command: string, query: AnalysisQuery): Promise<CommandTargets> {
	const { writes, readOnly } = await analyseCommand(command, query);
	return { paths: [...new Set(writes.flatMap(({ path: file }) => file ?? []))], readOnly };
}
