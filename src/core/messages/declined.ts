// What the model reads when the person declined a call and said why. The reason is the person's own words, so it is found again
// and kept when the conversation is shortened.
import type { ToolResultBlock } from './types.ts';

const opening = 'The user declined this call and said: ';

/** When the person gave no reason. */
export const declinedWithoutReason =
	'The user declined this call. Nothing was changed. Do not try it another way; ask if you need to.';

const guidance = '\n\n[From Loopwright] ';

/** `advice`: what follows from it for the model; not the person's words. */
export function declinedText(reason: string, advice?: string): string {
	return opening + reason + (advice === undefined ? '' : guidance + advice);
}

/** The reason in a result, as the person wrote it; undefined for any other result. */
export function reasonOfDecline({ is_error, content }: ToolResultBlock): string | undefined {
	const [first] = content;
	if (!is_error || first?.type !== 'text' || !first.text.startsWith(opening)) return undefined;
	const end = first.text.lastIndexOf(guidance);
	return first.text.slice(opening.length, end < 0 ? undefined : end);
}
