// Which images and documents of a conversation a service has refused: by the places that its error names in the request, else by
// their measures. One bad image must not cost the others, nor the conversation.
import type { MediaPlace, ProjectionChange } from '../messages/projection.ts';
import { toRequestMessages } from '../messages/toRequest.ts';
import type { JsonObject, Message } from '../messages/types.ts';
import type { RefusedMedia } from '../model/failure.ts';
import { imageSize } from '../util/imageSize.ts';
import type { ContextDeps, ContextInput } from './contextTypes.ts';

/** The change that leaves out just what was refused; none when the error does not say what that is. */
export function leaveOutRefused(
	input: ContextInput,
	deps: ContextDeps,
	media: RefusedMedia | undefined,
): readonly ProjectionChange[] {
	const last = input.messages.at(-1);
	if (!media || !last) return [];
	const projected = deps.cache.projected(input.messages, input.changes);
	const sent = toRequestMessages(projected, { memo: deps.cache.params });
	const named = new Set(media.paths.flatMap((path) => dataAt(sent, path)));
	const isRefused = (data: string, image: boolean) =>
		named.size > 0 ? named.has(data) : image && exceeds(data, media);
	const places = placesOf(input.messages, isRefused);
	// What was left out before can be no reason for this refusal.
	const known = new Set(
		input.changes.flatMap((change) => (change.kind === 'media_refused' ? change.media.map(keyOf) : [])),
	);
	const fresh = places.filter((place) => !known.has(keyOf(place)));
	return fresh.length > 0 ? [{ kind: 'media_refused', at: last.id, media: fresh }] : [];
}

/** The data of the medium at a place of the request; a place that is a whole result means all media in it. */
function dataAt(sent: readonly JsonObject[], path: string): readonly string[] {
	let value: unknown = sent;
	for (const step of path.replace(/^messages\./, '').split('.')) {
		const next = fieldOf(value, step);
		// Services name the kind of a block (`…content.0.image.source`), which is no field of it.
		if (next !== undefined) value = next;
		if (isMedium(value)) break;
	}
	return isMedium(value) ? [value.source.data] : mediaIn(value);
}

function mediaIn(value: unknown): readonly string[] {
	const content = fieldOf(value, 'content');
	return Array.isArray(content) ? content.flatMap((part: unknown) => (isMedium(part) ? [part.source.data] : [])) : [];
}

function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Readonly<Record<string, unknown>>)[name]
		: undefined;
}

function isMedium(value: unknown): value is { readonly source: { readonly data: string } } {
	const type = fieldOf(value, 'type');
	return (type === 'image' || type === 'document') && typeof fieldOf(fieldOf(value, 'source'), 'data') === 'string';
}

function exceeds(data: string, { maxSide, maxBytes }: RefusedMedia): boolean {
	if (maxBytes !== undefined && Buffer.byteLength(data, 'base64') > maxBytes) return true;
	const size = maxSide === undefined ? undefined : imageSize(data);
	return size !== undefined && maxSide !== undefined && Math.max(size.width, size.height) > maxSide;
}

function placesOf(
	messages: readonly Message[],
	isRefused: (data: string, image: boolean) => boolean,
): readonly MediaPlace[] {
	const places: MediaPlace[] = [];
	for (const message of messages) {
		if (message.role !== 'user') continue;
		const { id: messageId } = message;
		message.content.forEach((block, index) => {
			if (block.type === 'tool_result') {
				block.content.forEach((part, at) => {
					if (part.type !== 'text' && isRefused(part.source.data, part.type === 'image'))
						places.push({ messageId, block: index, part: at });
				});
			} else if (block.type !== 'text' && isRefused(block.source.data, block.type === 'image')) {
				places.push({ messageId, block: index });
			}
		});
	}
	return places;
}

function keyOf({ messageId, block, part }: MediaPlace): string {
	return JSON.stringify([messageId, block, part ?? null]);
}
