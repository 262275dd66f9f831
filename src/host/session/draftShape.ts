// How a draft comes from the panel and lies in its file. The panel is not trusted more than any other input.
import * as z from 'zod';
import { imageTypes, promptLimits, type KeptDraft } from '../../shared/composer.ts';

const count = z.number().int().nonnegative();
/** Its id becomes the name of a file. */
const mediaId = z.uuid();

export const mediaAttachment = z.discriminatedUnion('kind', [
	z.strictObject({
		kind: z.literal('image'),
		id: mediaId,
		name: z.string().max(500),
		mediaType: z.enum(imageTypes),
		width: count,
		height: count,
	}),
	z.strictObject({ kind: z.literal('pdf'), id: mediaId, name: z.string().max(500), pages: count }),
]);

const text = z.string().max(5_000_000);

export const keptDraft: z.ZodType<KeptDraft> = z.strictObject({
	text,
	pastes: z.record(z.string(), text),
	media: z
		.array(z.strictObject({ media: mediaAttachment, bytes: z.number().nonnegative(), thumb: z.string().max(100_000) }))
		.max(promptLimits.media),
});
