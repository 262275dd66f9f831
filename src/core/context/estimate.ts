// Tokens of messages, estimated from their characters and pixels. Knows nothing of the model; errs to the high side.
import { limits } from '../limits.ts';
import type { ImageBlock, Message, ToolResultBlock, ToolResultContent } from '../messages/types.ts';
import { imageSize } from '../util/imageSize.ts';
import { roughTokens } from '../util/text.ts';

/** Tokens of one message, without any knowledge of the model; errs to the high side. */
export function roughMessageTokens(message: Message): number {
	let tokens = limits.messageOverheadTokens;
	for (const block of message.content) {
		switch (block.type) {
			case 'text':
				tokens += roughTokens(block.text);
				break;
			case 'thinking':
				tokens += roughTokens(block.thinking) + roughTokens(block.signature) / 2;
				break;
			case 'redacted_thinking':
				tokens += roughTokens(block.data) / 2;
				break;
			case 'tool_use':
				tokens += roughTokens(block.name) + roughTokens(JSON.stringify(block.input));
				break;
			case 'tool_result':
				tokens += resultTokens(block);
				break;
			case 'image':
				tokens += imageTokens(block);
				break;
			case 'document':
				tokens += block.pages * limits.pdfPageTokens;
				break;
			case 'opaque':
				tokens += roughTokens(JSON.stringify(block.value));
				break;
		}
	}
	return Math.ceil(tokens);
}

/** Tokens of a tool result, roughly. */
export function resultTokens({ content }: ToolResultBlock): number {
	return content.reduce((sum, part) => sum + partTokens(part), 0);
}

function partTokens(part: ToolResultContent): number {
	switch (part.type) {
		case 'text':
			return roughTokens(part.text);
		case 'image':
			return imageTokens(part);
		case 'document':
			return part.pages * limits.pdfPageTokens;
	}
}

/** An image costs its pixels by 750, whatever its bytes; a fixed figure when its size cannot be read. */
function imageTokens({ source }: ImageBlock): number {
	const size = imageSize(source.data);
	if (!size) return limits.imageTokens;
	return Math.min(limits.imageTokensMax, Math.max(1, Math.ceil((size.width * size.height) / 750)));
}
