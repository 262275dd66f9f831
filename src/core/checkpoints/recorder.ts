// Keeps what the agent is about to change: around each change of a file, by edit tools and by commands, as it was before and
// as it was left. Rule: what cannot be kept never holds up the agent; the list says so instead.
import type { CheckpointIndex, CheckpointRecord, FileImage, FileImages } from '../ports/checkpoints.ts';
import { pathKey } from '../util/paths.ts';
import { sameImage } from './sameImage.ts';

export interface RecorderOptions {
	readonly index: CheckpointIndex;
	readonly images: Pick<FileImages, 'keep' | 'look'>;
	/** The newest message of the person in a session that goes on. */
	readonly prompt?: string;
}

/** One for each conversation. */
export class CheckpointRecorder {
	private readonly options: RecorderOptions;
	/** As the agent left the files that it has changed since the newest message of the person. */
	private readonly left = new Map<string, FileImage>();
	/** As the agent left each file, in the whole of this window's conversation. */
	private readonly everLeft = new Map<string, FileImage>();
	/** The newest message of the person; empty before the first. */
	prompt: string;

	constructor(options: RecorderOptions) {
		this.options = options;
		this.prompt = options.prompt ?? '';
	}

	/** A message of the person: the changes that follow are its own. */
	promptTaken(id: string): void {
		this.left.clear();
		this.prompt = id;
		void this.options.index.append({ type: 'prompt', id });
	}

	/**
	 * Keeps the file as it is. Gives back what to call when the change is over; `changed` false: nothing was written.
	 * Contract: never rejects. `path` is real.
	 */
	async before(path: string): Promise<(changed: boolean) => Promise<void>> {
		const key = pathKey(path);
		const known = this.left.get(key);
		const { index, images } = this.options;
		// Its second change: only what somebody else made of it meanwhile is new.
		let image = known === undefined ? await images.keep(path) : await images.look(path);
		if (known !== undefined && !sameImage(known, image)) image = await images.keep(path);
		if (known === undefined || !sameImage(known, image)) await index.append({ type: 'before', path, image });
		return async (changed) => {
			const after = changed ? await images.look(path) : image;
			this.left.set(key, after);
			this.everLeft.set(key, after);
			await index.append({ type: 'after', path, image: after });
		};
	}

	/** As the agent left the file when it last changed it; undefined when it did not. */
	lastLeft(path: string): FileImage | undefined {
		return this.everLeft.get(pathKey(path));
	}

	/** A change that was found only afterwards; `prompt`: the message whose commands made it. */
	found(change: Omit<Extract<CheckpointRecord, { type: 'found' }>, 'type'>): void {
		const key = pathKey(change.path);
		this.everLeft.set(key, change.after);
		if (change.prompt === this.prompt) this.left.set(key, change.after);
		void this.options.index.append({ type: 'found', ...change });
	}
}
