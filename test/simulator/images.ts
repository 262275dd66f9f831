// Images that the service does not take: one by its place, or all of them without saying why. Checked: a refusal of one costs
// that one; the others are in the next request, unless the context was made smaller in between.
import type { ModelRequest } from '../../src/core/model/client.ts';
import type { ApiError } from './faults.ts';
import type { World } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

export const imageData = (serial: number) => `iVBORw0KGgoAAAANSUhEUgAA${serial.toString(36).padStart(4, '0')}`;

export class ImageRefusals {
	/** Undefined: none. */
	private refused: string | undefined;
	private refusesAll = false;
	/** What the next request must still have, as long as this many changes were made. */
	private due: { readonly data: readonly string[]; readonly boundaries: number } | undefined;
	private readonly world: World;

	constructor(world: World) {
		this.world = world;
	}

	newExchange(): void {
		this.refused = undefined;
		this.refusesAll = false;
		this.due = undefined;
	}

	/** From now on one of the request's images is not taken, or none is. Undefined when it has none. */
	begin(request: ModelRequest): ApiError | undefined {
		const images = imagesOf(request);
		const chosen = images.length === 0 ? undefined : images[this.world.decisions.below(images.length)];
		if (!chosen) return undefined;
		if (this.world.decisions.oneIn(3)) {
			this.refusesAll = true;
			return unreadable;
		}
		this.refused = chosen.data;
		const data = [...new Set(images.map((image) => image.data))].filter((other) => other !== chosen.data);
		this.due = { data, boundaries: this.world.boundaries + 1 };
		return tooLarge(chosen.path);
	}

	/** The refusal of this request, if it still has what is refused. */
	of(request: ModelRequest): ApiError | undefined {
		const images = imagesOf(request);
		if (this.due && this.due.boundaries === this.world.boundaries) {
			const gone = this.due.data.find((data) => !images.some((image) => image.data === data));
			if (gone !== undefined) this.world.fail(`2: the image ${gone} went with another one that was refused`);
		}
		this.due = undefined;
		if (this.refusesAll) return images.length > 0 ? unreadable : undefined;
		const again = images.find(({ data }) => data === this.refused);
		return again && tooLarge(again.path);
	}
}

const unreadable: ApiError = { type: 'invalid_request_error', message: 'Could not process image' };

function tooLarge(path: string): ApiError {
	const message = `${path}.image.source.base64: image exceeds 5 MB maximum: 6096280 bytes > 5242880 bytes`;
	return { type: 'invalid_request_error', message };
}

function imagesOf({ messages }: ModelRequest): readonly { readonly path: string; readonly data: string }[] {
	const found: { path: string; data: string }[] = [];
	const look = (blocks: unknown, path: string) => {
		if (!Array.isArray(blocks)) return;
		(blocks as readonly Json[]).forEach((block, at) => {
			const here = `${path}.content.${at}`;
			if (block['type'] === 'image') found.push({ path: here, data: String((block['source'] as Json)['data']) });
			else look(block['content'], here);
		});
	};
	messages.forEach((message, at) => look((message as Json)['content'], `messages.${at}`));
	return found;
}
