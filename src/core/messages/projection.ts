// What is sent is a projection of the conversation: the messages stay as they happened, and a list of changes says what is
// replaced, left out or shortened when they are sent. Changes are entries of the transcript, so a resumed session projects
// to the same bytes. Each change is a *projection boundary*: between boundaries a request's prefix never changes (loop.md 11).
import type { AssistantMessage, Message, ToolResultBlock, UserBlock, UserMessage } from './types.ts';

/** Where the text of a stored tool result is, and what stands in its place. */
export interface StoredResult {
	readonly toolUseId: string;
	/** Absolute path of the file with the whole text. */
	readonly path: string;
	/** What the model sees instead: the path and the beginning. */
	readonly replacement: string;
}

export type ProjectionChange =
	/** Everything up to and including a message is replaced by a summary. `upTo` is a message id. */
	| {
			readonly kind: 'compacted';
			readonly upTo: string;
			readonly summary: readonly UserMessage[];
			readonly trigger: 'auto' | 'manual' | 'reactive';
			/** Tokens of the context before and after, estimated. */
			readonly before: number;
			readonly after: number;
	  }
	/** The messages from `from` to `to` (ids, inclusive; whole turns) are replaced by one summary. */
	| {
			readonly kind: 'collapsed';
			readonly from: string;
			readonly to: string;
			readonly summary: string;
			readonly freed: number;
	  }
	/** Whole turns without words of the person, left out. */
	| { readonly kind: 'snipped'; readonly messageIds: readonly string[]; readonly freed: number }
	/** Old outputs of tools, replaced by a short mark. */
	| { readonly kind: 'results_cleared'; readonly toolUseIds: readonly string[]; readonly freed: number }
	/** Large outputs, replaced by a preview and the path of a file. Sticky. */
	| { readonly kind: 'results_stored'; readonly results: readonly StoredResult[] }
	/** Results that were looked at and stay whole. Sticky, too. */
	| { readonly kind: 'results_kept'; readonly toolUseIds: readonly string[] }
	/** Thinking up to and including a message is not sent any more (other model, other prefix, refused signature). */
	| { readonly kind: 'thinking_dropped'; readonly upTo: string }
	/** Images and documents up to and including a message are replaced by a note. */
	| { readonly kind: 'media_dropped'; readonly upTo: string };

/** What a cleared result says; short on purpose. */
export const clearedResultText = '[Old output, left out to save room. Call the tool again if it is needed.]';
const droppedMediaText = '[An image was here; it was too large to send.]';

/** The messages that are sent, in order. Pure; the same messages and changes give the same result. */
export function project(messages: readonly Message[], changes: readonly ProjectionChange[]): readonly Message[] {
	if (changes.length === 0) return messages;
	const plan = planOf(messages, changes);
	const projected: Message[] = [...plan.summary];
	for (let at = plan.start; at < messages.length; at++) {
		const message = messages[at];
		if (!message || plan.snipped.has(message.id)) continue;
		const segment = plan.segments.get(message.id);
		if (segment) projected.push(summaryMessage(message, segment.summary));
		if (segment) at = segment.end;
		else projected.push(message.role === 'user' ? shortened(message, plan, at) : withoutThinking(message, at, plan));
	}
	return projected;
}

interface Plan {
	readonly summary: readonly UserMessage[];
	/** Index of the first message that is sent. */
	readonly start: number;
	readonly snipped: ReadonlySet<string>;
	/** By the id of their first message. */
	readonly segments: ReadonlyMap<string, { readonly end: number; readonly summary: string }>;
	readonly replacements: ReadonlyMap<string, string>;
	/** Index up to which thinking, and media, are left out; -1 for none. */
	readonly thinkingUpTo: number;
	readonly mediaUpTo: number;
}

function planOf(messages: readonly Message[], changes: readonly ProjectionChange[]): Plan {
	const index = new Map(messages.map((message, at) => [message.id, at]));
	const place = (id: string) => index.get(id) ?? -1;
	const snipped = new Set<string>();
	const segments = new Map<string, { end: number; summary: string }>();
	const replacements = new Map<string, string>();
	let summary: readonly UserMessage[] = [];
	let [start, thinkingUpTo, mediaUpTo] = [0, -1, -1];
	for (const change of changes) {
		switch (change.kind) {
			case 'compacted':
				if (place(change.upTo) < 0) break;
				summary = change.summary;
				start = place(change.upTo) + 1;
				break;
			case 'collapsed':
				if (place(change.from) >= 0 && place(change.to) >= place(change.from)) {
					segments.set(change.from, { end: place(change.to), summary: change.summary });
				}
				break;
			case 'snipped':
				for (const id of change.messageIds) snipped.add(id);
				break;
			case 'results_cleared':
				for (const id of change.toolUseIds) replacements.set(id, clearedResultText);
				break;
			case 'results_stored':
				for (const { toolUseId, replacement } of change.results) replacements.set(toolUseId, replacement);
				break;
			case 'results_kept':
				break;
			case 'thinking_dropped':
				thinkingUpTo = Math.max(thinkingUpTo, place(change.upTo));
				break;
			case 'media_dropped':
				mediaUpTo = Math.max(mediaUpTo, place(change.upTo));
				break;
		}
	}
	return { summary, start, snipped, segments, replacements, thinkingUpTo, mediaUpTo };
}

function summaryMessage(first: Message, text: string): UserMessage {
	return {
		role: 'user',
		id: `${first.id}-summary`,
		origin: 'hidden',
		content: [{ type: 'text', text }],
		time: first.time,
	};
}

function withoutThinking(message: AssistantMessage, at: number, plan: Plan): AssistantMessage {
	if (at > plan.thinkingUpTo) return message;
	const content = message.content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');
	return content.length === message.content.length ? message : { ...message, content };
}

function shortened(message: UserMessage, plan: Plan, at: number): UserMessage {
	const withoutMedia = at <= plan.mediaUpTo;
	let changed = false;
	const content = message.content.map((block): UserBlock => {
		const next =
			block.type === 'tool_result' ? shortenedResult(block, plan, withoutMedia) : plainBlock(block, withoutMedia);
		if (next !== block) changed = true;
		return next;
	});
	return changed ? { ...message, content } : message;
}

function shortenedResult(block: ToolResultBlock, plan: Plan, withoutMedia: boolean): ToolResultBlock {
	const replacement = plan.replacements.get(block.tool_use_id);
	if (replacement !== undefined) return { ...block, content: [{ type: 'text', text: replacement }] };
	if (!withoutMedia || !block.content.some(({ type }) => type === 'image')) return block;
	return { ...block, content: block.content.map((part) => (part.type === 'image' ? mediaNote : part)) };
}

const mediaNote = { type: 'text', text: droppedMediaText } as const;

function plainBlock(
	block: Exclude<UserBlock, ToolResultBlock>,
	withoutMedia: boolean,
): Exclude<UserBlock, ToolResultBlock> {
	return withoutMedia && block.type === 'image' ? mediaNote : block;
}
