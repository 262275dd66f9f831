// Keeps pictures and PDFs of drafts and of queued prompts in files, until the agent reads them; a reload loses none. No `vscode`.
// Contract: what is not what it says to be, or is too large, is refused; never rejects.
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocumentBlock, ImageBlock } from '../../core/messages/types.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { imageSize } from '../../core/util/imageSize.ts';
import { promptLimits, type MediaAttachment } from '../../shared/composer.ts';

/** Milliseconds after which a draft's file is not needed any more. */
const keptMs = 30 * 24 * 60 * 60_000;

export class MediaStore {
	readonly #folder: string;
	#ready: Promise<void> | undefined;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Where it lies; absolute. */
	file(media: MediaAttachment): string {
		return path.join(
			this.#folder,
			`${media.id}.${media.kind === 'pdf' ? 'pdf' : (media.mediaType.split('/')[1] ?? 'png')}`,
		);
	}

	/** False when it is refused, or cannot be written. `data`: base64. */
	async add(media: MediaAttachment, data: string): Promise<boolean> {
		if (!fits(media, data)) return false;
		try {
			await this.#prepare();
			await writeFile(this.file(media), Buffer.from(data, 'base64'), { mode: 0o600 });
			return true;
		} catch {
			return false;
		}
	}

	/** Deletes all of them. */
	async clear(): Promise<void> {
		await rm(this.#folder, { recursive: true, force: true }).catch(() => {});
		this.#ready = undefined;
	}

	/** For a request; undefined when it is not there any more. */
	async block(media: MediaAttachment): Promise<ImageBlock | DocumentBlock | undefined> {
		const data = await readFile(this.file(media), 'base64').catch(() => undefined);
		if (data === undefined || !fits(media, data)) return undefined;
		if (media.kind === 'image') return { type: 'image', source: { type: 'base64', media_type: media.mediaType, data } };
		const source = { type: 'base64', media_type: 'application/pdf', data } as const;
		return { type: 'document', source, title: media.name, pages: media.pages };
	}

	/** Makes the folder, once, and clears away what is old. */
	#prepare(): Promise<void> {
		this.#ready ??= (async () => {
			await mkdir(this.#folder, { recursive: true, mode: 0o700 });
			for (const name of await readdir(this.#folder)) {
				const file = path.join(this.#folder, name);
				const { mtimeMs } = await stat(file);
				if (Date.now() - mtimeMs > keptMs) await rm(file, { force: true });
			}
		})();
		return this.#ready.catch((error: unknown) => {
			this.#ready = undefined;
			throw error;
		});
	}
}

const pictures = new Set(['.png', '.jpg', '.jpeg', '.webp', '.gif']);

/** A picture in a file, made to fit; undefined for anything else. */
export async function pictureOf(
	file: string,
	workspace: Pick<Workspace, 'readMedia'>,
): Promise<ImageBlock | undefined> {
	if (!pictures.has(path.extname(file).toLowerCase())) return undefined;
	const found = await workspace.readMedia(file);
	if (found.kind !== 'image') return undefined;
	return { type: 'image', source: { type: 'base64', media_type: found.mediaType, data: found.data } };
}

/** Pixels: what a request with many images may have. */
const longestEdge = 2000;

function fits(media: MediaAttachment, data: string): boolean {
	const bytes = (data.length / 4) * 3;
	if (media.kind === 'pdf') {
		const isPdf = Buffer.from(data.slice(0, 8), 'base64').toString('latin1').startsWith('%PDF');
		return isPdf && bytes <= promptLimits.pdfBytes + 3 && media.pages <= promptLimits.pdfPages;
	}
	const size = imageSize(data);
	return size !== undefined && Math.max(size.width, size.height) <= longestEdge && bytes <= promptLimits.imageBytes + 3;
}
