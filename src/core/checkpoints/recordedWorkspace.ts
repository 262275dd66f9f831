// A workspace whose changes the recorder keeps; everything else is the workspace's own.
import type {
	CellsChange,
	ChangeOutcome,
	FileChange,
	FileContent,
	FileStat,
	MediaContent,
	Workspace,
} from '../ports/workspace.ts';
import type { CheckpointRecorder } from './recorder.ts';

export class RecordedWorkspace implements Workspace {
	readonly obstacle?: NonNullable<Workspace['obstacle']>;
	readonly openNotebook?: NonNullable<Workspace['openNotebook']>;
	readonly changeCount?: NonNullable<Workspace['changeCount']>;
	private readonly inner: Workspace;
	private readonly recorder: CheckpointRecorder;

	private readonly seen: (path: string) => void;

	/** `seen` is told what was read. */
	constructor(inner: Workspace, recorder: CheckpointRecorder, seen: (path: string) => void = () => {}) {
		this.inner = inner;
		this.recorder = recorder;
		this.seen = seen;
		if (inner.obstacle) this.obstacle = (change) => inner.obstacle?.(change) ?? Promise.resolve(undefined);
		if (inner.changeCount) this.changeCount = () => inner.changeCount?.() ?? 0;
		if (inner.openNotebook) this.openNotebook = (path) => inner.openNotebook?.(path) ?? Promise.resolve(undefined);
	}

	inTurn<T>(realPath: string, work: () => Promise<T>): Promise<T> {
		return this.inner.inTurn?.(realPath, work) ?? work();
	}

	get roots(): readonly string[] {
		return this.inner.roots;
	}

	/** Contract: the file is kept before its first byte changes. */
	async change(change: FileChange | CellsChange): Promise<ChangeOutcome> {
		const settle = await this.recorder.before(change.realPath ?? (await this.inner.realPath(change.path)));
		const outcome = await this.inner.change(change);
		await settle(outcome.kind === 'applied');
		return outcome;
	}

	async read(path: string): Promise<FileContent> {
		const content = await this.inner.read(path);
		if (content.kind === 'text') this.seen(path);
		return content;
	}

	readMedia(path: string): Promise<MediaContent> {
		return this.inner.readMedia(path);
	}

	stat(path: string): Promise<FileStat | undefined> {
		return this.inner.stat(path);
	}

	realPath(path: string): Promise<string> {
		return this.inner.realPath(path);
	}

	list(path: string): Promise<readonly string[]> {
		return this.inner.list(path);
	}
}
