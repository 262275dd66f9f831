// The Workspace port on the disk, for the headless runner. Writes are atomic, keep the file's mode, encoding and links,
// and happen only when the text on disk is still the expected one.
import { limits } from '../../core/limits.ts';
import type {
	CellsChange,
	ChangeOutcome,
	FileChange,
	FileContent,
	FileStat,
	MediaContent,
	Workspace,
} from '../../core/ports/workspace.ts';
import { applyEdits } from '../../core/tools/edits.ts';
import type { Encoding } from '../text/encodings.ts';
import {
	contentOf,
	createFile,
	loadFile,
	movedElsewhere,
	namesIn,
	obstacleTo,
	realPathOf,
	spliceFile,
	statFile,
} from './diskFile.ts';
import type { OnDisk } from './diskFile.ts';
import { FileTurns } from './fileTurns.ts';
import { ImageFitter } from '../images/imageFitter.ts';
import { loadMedia } from './mediaFile.ts';

export interface NodeWorkspaceOptions {
	/** Absolute paths, the session's root first; at least one. */
	readonly roots: readonly string[];
	/** Bytes of the largest file that is loaded; default `limits.fileBytes`. */
	readonly maxBytes?: number;
	/** What files are encoded in that have no byte order mark and where it fits; new files too. Default: UTF-8. */
	readonly encoding?: Encoding;
	/** Makes large images smaller. */
	readonly images?: Pick<ImageFitter, 'fit'>;
}

export class NodeWorkspace implements Workspace {
	readonly roots: readonly string[];
	private readonly maxBytes: number;
	private readonly encoding: Encoding | undefined;
	private readonly turns = new FileTurns();
	private readonly images: Pick<ImageFitter, 'fit'>;
	private readonly resolving = new Map<string, Promise<string>>();

	constructor({ roots, maxBytes, encoding, images = new ImageFitter() }: NodeWorkspaceOptions) {
		this.images = images;
		this.roots = roots;
		this.maxBytes = maxBytes ?? limits.fileBytes;
		this.encoding = encoding;
	}

	async read(file: string): Promise<FileContent> {
		return contentOf(await this.load(file));
	}

	readMedia(file: string): Promise<MediaContent> {
		return loadMedia(file, this.images);
	}

	stat(file: string): Promise<FileStat | undefined> {
		return statFile(file);
	}

	async change(change: FileChange | CellsChange): Promise<ChangeOutcome> {
		if ('expectedCells' in change) return { kind: 'failed', message: 'no editor holds the notebook' };
		const real = await this.realPath(change.path);
		if (change.realPath !== undefined && change.realPath !== real) return { kind: 'failed', message: movedElsewhere };
		return this.turns.change(real, () => this.changeNow(real, change));
	}

	async obstacle(change: FileChange | CellsChange): Promise<string | undefined> {
		const real = await this.realPath(change.path);
		const edits = 'edits' in change ? change.edits : [];
		return obstacleTo(real, edits, async () => ({ found: await this.load(real), assumed: this.encoding }));
	}

	changeCount(): number {
		return this.turns.count;
	}

	inTurn<T>(realPath: string, work: () => Promise<T>): Promise<T> {
		return this.turns.inTurn(realPath, work);
	}

	/** Calls that come while one for the same path is under way share its answer: ten Reads at once ask for the root ten times. */
	async realPath(file: string): Promise<string> {
		const known = this.resolving.get(file);
		if (known) return known;
		const found = realPathOf(file).finally(() => this.resolving.delete(file));
		this.resolving.set(file, found);
		return found;
	}

	list(folder: string): Promise<readonly string[]> {
		return namesIn(folder);
	}

	private load(file: string): Promise<OnDisk> {
		return loadFile(file, { maxBytes: this.maxBytes, assumed: () => Promise.resolve(this.encoding) });
	}

	private async changeNow(real: string, { expected, edits }: FileChange): Promise<ChangeOutcome> {
		const found = await this.load(real);
		const current = found.kind === 'text' ? found.decoded.text : found.kind === 'missing' ? undefined : null;
		const isExpected = expected === undefined ? current === undefined || current === '' : current === expected;
		if (!isExpected) return { kind: 'changed', current: contentOf(found) };
		const text = applyEdits(expected ?? '', edits);
		const written =
			found.kind === 'text'
				? await spliceFile(real, found, edits, this.encoding)
				: await createFile(real, text, this.encoding);
		if (written.kind === 'written') return { kind: 'applied', text, saved: true };
		return written.kind === 'failed' ? written : { kind: 'changed', current: await this.read(real) };
	}
}
