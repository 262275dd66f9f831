// Find and parse: what can be known of a tool call before its turn comes.
import { limits } from '../limits.ts';
import type { ToolUseBlock } from '../messages/types.ts';
import type { Registry } from './registry.ts';
import type { ParsedCall, Tool } from './tool.ts';

/** A call as the executor holds it, after find and parse. */
export type CheckedCall =
	| { readonly kind: 'runnable'; readonly parsed: ParsedCall; readonly tool: Tool }
	| { readonly kind: 'refused'; readonly message: string };

/** Find and parse: what can be known of a call before its turn comes. */
export function checkCall(toolUse: ToolUseBlock, tools: Registry): CheckedCall {
	const tool = tools.find(toolUse.name);
	if (!tool) return { kind: 'refused', message: tools.unknown(toolUse.name) };
	if (toolUse.malformed !== undefined) {
		if (endsEarly(toolUse.malformed)) return { kind: 'refused', message: cutText(tool.name) };
		const shown = toolUse.malformed.slice(0, limits.malformedInputShown);
		return {
			kind: 'refused',
			message: `The input of ${tool.name} was no JSON object, so nothing ran. Received: ${shown}`,
		};
	}
	return parseCall(toolUse, tool);
}

export function parseCall(toolUse: ToolUseBlock, tool: Tool): CheckedCall {
	try {
		const parsed = tool.parse(toolUse.input);
		if (parsed.kind === 'parsed') return { kind: 'runnable', parsed, tool };
		return { kind: 'refused', message: `The input of ${tool.name} is not valid, so nothing ran.\n${parsed.message}` };
	} catch (error) {
		return { kind: 'refused', message: `The input of ${tool.name} could not be checked: ${messageOf(error)}` };
	}
}

/** True for JSON that stops before its end: the output limit, or the connection, cut it. */
function endsEarly(json: string): boolean {
	let depth = 0;
	let inString = false;
	for (let at = 0; at < json.length; at++) {
		const char = json[at];
		if (inString) {
			if (char === '\\') at++;
			else if (char === '"') inString = false;
		} else if (char === '"') inString = true;
		else if (char === '{' || char === '[') depth++;
		else if (char === '}' || char === ']') depth--;
	}
	return json.trimStart().startsWith('{') && (inString || depth > 0);
}

function cutText(tool: string): string {
	return `The input of ${tool} was cut off before its end, so nothing ran and nothing was changed. Make the call again in smaller parts: for a long text first its beginning, then the rest step by step.`;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
