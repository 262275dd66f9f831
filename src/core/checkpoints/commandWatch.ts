// What shell commands change: the files that a command's text names are kept before it runs; a look over the project afterwards
// finds the others, which come back from what was known of them, or are listed as lost.
// Contract: a command never waits for a look over the project.
import nodePath from 'node:path';
import { limits } from '../limits.ts';
import type { FileImage, FileImages } from '../ports/checkpoints.ts';
import type { FileMark, Listing, ProjectScan, TrackedFiles } from '../ports/projectScan.ts';
import type { ShellCommand } from '../ports/shell.ts';
import { pathKey } from '../util/paths.ts';
import type { CheckpointRecorder } from './recorder.ts';
import { sameImage } from './sameImage.ts';

export interface CommandWatchOptions {
	readonly recorder: CheckpointRecorder;
	readonly images: Pick<FileImages, 'keep' | 'look'>;
	/** The image of bytes that are no file's. */
	readonly keepBytes: (bytes: Uint8Array) => Promise<FileImage>;
	readonly scan: ProjectScan;
	/** What the text of a command line says. Never rejects. */
	readonly targets: (command: ShellCommand) => Promise<CommandTargets>;
	/** Files that editors show. */
	readonly openFiles: () => readonly string[];
	/** True for what the person saved since then (milliseconds since the epoch). */
	readonly savedByPerson: (path: string, since: number) => boolean;
	readonly now: () => number;
}

export interface CommandTargets {
	/** Absolute paths that it may write. */
	readonly paths: readonly string[];
	/** It changes nothing: nobody has to look afterwards. */
	readonly readOnly: boolean;
}

/** Milliseconds that a file system's clock may lag behind. */
const clockLag = 20;

interface Known {
	readonly mark: FileMark;
	readonly image: FileImage;
}
interface Baseline {
	readonly listing: Listing;
	readonly tracked: TrackedFiles | undefined;
}

interface Look {
	readonly controller: AbortController;
	/** What was found is in the list. */
	readonly compared: Promise<unknown>;
	/** The next one can be compared with it. */
	readonly done: Promise<unknown>;
}

export class CommandWatch {
	private readonly options: CommandWatchOptions;
	/** What the agent has read, and how it was before the last command; the oldest go first. */
	private readonly reads = new Map<string, Known | undefined>();
	private baseline: Baseline | undefined;
	private looking: Look | undefined;

	constructor(options: CommandWatchOptions) {
		this.options = options;
	}

	/** A file was read: it is kept before the next command that may change something, and costs nothing until then. */
	seen(path: string): void {
		const known = this.reads.get(path);
		this.reads.delete(path);
		this.reads.set(path, known);
		const oldest = this.reads.keys().next();
		if (this.reads.size > limits.checkpointReads && !oldest.done) this.reads.delete(oldest.value);
	}

	/** The first look, from which later ones see what is new. Nobody waits for this. */
	begin(): void {
		if (this.baseline === undefined && this.looking === undefined) this.look(async () => {});
	}

	/** Keeps what the command may write. Gives back what to call when it is over. Never rejects. */
	async before(command: ShellCommand): Promise<() => Promise<void>> {
		const { recorder, targets, now } = this.options;
		const prompt = recorder.prompt;
		const { paths, readOnly } = await targets(command);
		if (readOnly) return () => Promise.resolve();
		const named = await this.named(paths);
		const settle = await Promise.all(named.map((path) => recorder.before(path)));
		const kept = new Map([...(await this.readImages()), ...(await this.shown())]);
		// A look that is under way would take what the command does for what was before.
		this.looking?.controller.abort('command');
		// What was changed before is nothing of the command's: the person's work, another program's, a restore.
		const since = now() - clockLag;
		return async () => {
			await Promise.all(settle.map(async (done, index) => done(!(await this.isFolder(named[index] ?? '')))));
			const handled = new Set(named.map((path) => pathKey(path)));
			this.look((before, after) => this.compare({ before, after, since, prompt, handled, kept }));
		};
	}

	/** No look is under way any more; looks are bounded in time. */
	async settled(): Promise<void> {
		while (this.looking) await this.looking.done;
	}

	/** What commands did so far is in the list. */
	async compared(): Promise<void> {
		for (let look: Look | undefined; look !== this.looking;) {
			look = this.looking;
			await look?.compared;
		}
	}

	stop(): void {
		this.looking?.controller.abort('stop');
	}

	/** The files that the command's text names, within bounds. */
	private async named(paths: readonly string[]): Promise<readonly string[]> {
		const found = new Map<string, string>();
		let bytes = 0;
		for (const target of paths) {
			for (const path of await this.options.scan.filesOf(target, limits.checkpointCommandFiles)) {
				bytes += (await this.options.scan.mark(path))?.size ?? 0;
				if (found.size >= limits.checkpointCommandFiles || bytes > limits.checkpointCommandBytes) break;
				found.set(pathKey(path), path);
			}
		}
		return [...found.values()];
	}

	/** A folder that a command has made: what is in it is found by the look afterwards. */
	private async isFolder(path: string): Promise<boolean> {
		const [first] = await this.options.scan.filesOf(path, 1);
		return first !== path;
	}

	/** Images of the files that were read, within bounds; the latest first. */
	private async readImages(): Promise<ReadonlyMap<string, FileImage>> {
		const paths = [...this.reads.keys()].toReversed();
		const marks = await Promise.all(paths.map((path) => this.options.scan.mark(path)));
		const images = new Map<string, FileImage>();
		let bytes = 0;
		for (const [index, path] of paths.entries()) {
			const mark = marks[index];
			const known = this.reads.get(path);
			if (!mark || mark.size > limits.checkpointReadBytes) continue;
			let image = known && sameMark(known.mark, mark) ? known.image : undefined;
			if (image === undefined) {
				bytes += mark.size;
				if (bytes > limits.checkpointCommandBytes) break;
				image = await this.options.images.keep(path);
				this.reads.set(path, { mark, image });
			}
			images.set(path, image);
		}
		return images;
	}

	/** Images of the files that editors show. */
	private async shown(): Promise<ReadonlyMap<string, FileImage>> {
		const files = this.options.openFiles().slice(0, limits.checkpointOpenFiles);
		return new Map(await Promise.all(files.map(async (file) => [file, await this.options.images.keep(file)] as const)));
	}

	private look(compare: (before: Baseline | undefined, after: Listing) => Promise<void>): void {
		this.looking?.controller.abort('again');
		const controller = new AbortController();
		const { signal } = controller;
		const compared = this.options.scan.list(signal).then(async (listing) => {
			if (!signal.aborted) await compare(this.baseline, listing);
			return listing;
		});
		const finish = async () => {
			const listing = await compared;
			const tracked = signal.aborted ? undefined : await this.options.scan.tracked(signal);
			if (!signal.aborted) this.baseline = { listing, tracked };
		};
		const done = finish()
			.catch(() => undefined)
			.finally(() => {
				if (this.looking?.controller === controller) this.looking = undefined;
			});
		this.looking = { controller, compared: compared.catch(() => undefined), done };
	}

	private async compare(look: {
		readonly before: Baseline | undefined;
		readonly after: Listing;
		readonly since: number;
		readonly prompt: string;
		readonly handled: ReadonlySet<string>;
		/** Files as they were right before the command. */
		readonly kept: ReadonlyMap<string, FileImage>;
	}): Promise<void> {
		const { before, after, since, handled, kept } = look;
		const { recorder, images, savedByPerson } = this.options;
		let finds = 0;
		for (const [path, was] of changes(before?.listing, after, since)) {
			if (finds >= limits.checkpointFinds) return;
			if (handled.has(pathKey(path)) || savedByPerson(path, since)) continue;
			if (!after.files.has(path) && !(await this.goneSince(path, since))) continue;
			const now = await images.look(path);
			const left = recorder.lastLeft(path);
			if (left && sameImage(left, now)) continue;
			const image = was === 'missing' ? ({ kind: 'missing' } as const) : await this.source(path, { was, before, kept });
			if (sameImage(image, now)) continue;
			recorder.found({ prompt: look.prompt, path, before: image, after: now });
			finds++;
		}
	}

	/** False when its folder says that it was gone before. */
	private async goneSince(path: string, since: number): Promise<boolean> {
		const changed = await this.options.scan.folderChanged(nodePath.dirname(path));
		return changed === undefined || changed >= since;
	}

	/** The file as it was, from whatever knows it. */
	private async source(
		path: string,
		{
			was,
			before,
			kept,
		}: {
			readonly was: FileMark | undefined;
			readonly before: Baseline | undefined;
			readonly kept: ReadonlyMap<string, FileImage>;
		},
	): Promise<FileImage> {
		const known = kept.get(path);
		if (known) return known;
		if (was && was.size > limits.checkpointFileBytes) return { kind: 'unkept', reason: 'too_large' };
		const bytes = was && (await before?.tracked?.bytes(path, was.size));
		return bytes ? this.options.keepBytes(bytes) : { kind: 'unkept', reason: 'unexpected' };
	}
}

/** Changed files and what they were: their mark, `missing`, or unknown. */
function* changes(
	before: Listing | undefined,
	after: Listing,
	since: number,
): Generator<readonly [string, FileMark | 'missing' | undefined]> {
	for (const [path, mark] of after.files) {
		if (mark.changed < since) continue;
		const was = before?.files.get(path);
		if (!was) yield [path, before?.complete === true ? 'missing' : undefined];
		else if (!sameMark(was, mark)) yield [path, was];
	}
	if (!after.complete) return;
	for (const [path, was] of before?.files ?? []) if (!after.files.has(path)) yield [path, was];
}

function sameMark(one: FileMark, other: FileMark): boolean {
	return one.size === other.size && one.mtime === other.mtime;
}
