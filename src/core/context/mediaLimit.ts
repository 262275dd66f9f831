// How many images and documents one request may hold. The oldest are left out, with a note in their place; more than must be, so
// that the next image does not change the beginning of the request again.
import { limits } from '../limits.ts';
import type { MediaPlace } from '../messages/projection.ts';
import type { Message, UserBlock } from '../messages/types.ts';
import { imageSize } from '../util/imageSize.ts';
import type { ContextDeps, ContextInput, StageResult } from './contextTypes.ts';
import type { ContextLimits } from './tokens.ts';

interface Medium {
	readonly place: MediaPlace;
	/** Characters in the request. */
	readonly weight: number;
	/** Too large a side for a request of many images. */
	readonly large: boolean;
}

/** Leaves out what a request may not hold; nothing is done while all fit. */
export function limitMedia(input: ContextInput, bounds: ContextLimits, deps: ContextDeps): StageResult {
	const media = sentMedia(input, deps);
	const most = bounds.window > limits.manyMediaWindow ? limits.mediaOfLargeWindow : limits.media;
	const weight = media.reduce((sum, medium) => sum + medium.weight, 0);
	let left = new Set<Medium>();
	if (media.length > most || weight > limits.mediaChars) left = oldest(media, most, weight);
	const staying = media.filter((medium) => !left.has(medium));
	if (staying.length > limits.fewImages) for (const medium of staying) if (medium.large) left.add(medium);
	const last = input.messages.at(-1);
	if (left.size === 0 || !last) return { changes: [], freed: 0, items: 0 };
	const places = [...left].map(({ place }) => place);
	return { changes: [{ kind: 'media_limited', at: last.id, media: places }], freed: 0, items: places.length };
}

/** Down to four fifths of both bounds. */
function oldest(media: readonly Medium[], most: number, weight: number): Set<Medium> {
	const out = new Set<Medium>();
	let [count, characters] = [media.length, weight];
	for (const medium of media) {
		if (count <= most * limits.mediaKeptShare && characters <= limits.mediaChars * limits.mediaKeptShare) break;
		out.add(medium);
		count -= 1;
		characters -= medium.weight;
	}
	return out;
}

/** Those of the projection, by their places in the conversation, the oldest first. */
function sentMedia(input: ContextInput, deps: ContextDeps): readonly Medium[] {
	const sent = new Set(deps.cache.projected(input.messages, input.changes).flatMap(dataOf));
	if (sent.size === 0) return [];
	return input.messages.flatMap((message) =>
		message.role === 'assistant'
			? []
			: message.content.flatMap((block, index) =>
					partsOf(block).flatMap(({ part, medium }): readonly Medium[] => {
						if (!sent.has(medium.source.data)) return [];
						const place = { messageId: message.id, block: index, ...(part === undefined ? {} : { part }) };
						return [{ place, weight: medium.source.data.length, large: isLarge(medium) }];
					}),
				),
	);
}

type MediumBlock = Extract<UserBlock, { type: 'image' | 'document' }>;

function partsOf(block: UserBlock): readonly { readonly part?: number; readonly medium: MediumBlock }[] {
	if (block.type === 'image' || block.type === 'document') return [{ medium: block }];
	if (block.type !== 'tool_result') return [];
	return block.content.flatMap((medium, part) => (medium.type === 'text' ? [] : [{ part, medium }]));
}

function dataOf(message: Message): readonly string[] {
	if (message.role === 'assistant') return [];
	return message.content.flatMap((block) => partsOf(block).map(({ medium }) => medium.source.data));
}

function isLarge(medium: MediumBlock): boolean {
	const size = medium.type === 'image' ? imageSize(medium.source.data) : undefined;
	return size !== undefined && Math.max(size.width, size.height) > limits.imageSideOfMany;
}
