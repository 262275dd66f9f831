// What the model reads when the person declined a call and said why. The reason is the person's own words, so it is found again
// and kept when the conversation is shortened.
import type { ToolResultBlock } from './types.ts';

const opening = 'The user declined this call and said: ';

export function declinedText(reason: string): string {
	return opening + reason;
}

/** The reason in a result, as the person wrote it; undefined for any other result. */
export function reasonOfDecline({ is_error, content }: ToolResultBlock): string | undefined {
	const [first] = content;
	if (!is_error || first?.type !== 'text' || !first.text.startsWith(opening)) return undefined;
	return first.text.slice(opening.length);
}
