// What is sent is a projection of the conversation: the messages stay as they happened, and a list of changes says what is
// replaced, left out or shortened when they are sent. Changes are entries of the transcript, so a resumed session projects
// to the same bytes. Each change is a *projection boundary*: between boundaries a request's prefix never changes (loop.md 11).
import type { AssistantMessage, Message, TextBlock, ToolResultBlock, UserBlock, UserMessage } from './types.ts';

/** Where the text of a stored tool result is, and what stands in its place. */
export interface StoredResult {
	readonly toolUseId: string;
	/** Absolute path of the file with the whole text. */
	readonly path: string;
	/** What the model sees instead: the path and the beginning. */
	readonly replacement: string;
}

export type CompactionTrigger = 'auto' | 'manual' | 'reactive';

/** `at` is the id of the conversation's last message when the change was made: usage reported by later answers knows of it. */
export type ProjectionChange = { readonly at: string } & (
	| /** Everything up to and including a message is replaced by a summary. `upTo` is a message id. */
	  {
			readonly kind: 'compacted';
			readonly upTo: string;
			readonly summary: readonly UserMessage[];
			readonly trigger: CompactionTrigger;
			/** Tokens of the context before and after, estimated. */
			readonly before: number;
			readonly after: number;
	  }
	  /** The messages from `from` to `to` (ids, inclusive; whole turns, no words of the person) are replaced by one summary. */
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
	/** Large results that were looked at and stay whole (the tool opted out, or the file could not be written). Sticky, too. */
	| { readonly kind: 'results_kept'; readonly toolUseIds: readonly string[] }
	/** Thinking up to and including a message is not sent any more (other model, other prefix, refused signature). */
	| { readonly kind: 'thinking_dropped'; readonly upTo: string }
	/** Images and documents up to and including a message are replaced by a note. */
	| { readonly kind: 'media_dropped'; readonly upTo: string }
	/** Images and documents that the service does not take; the others stay. */
	| { readonly kind: 'media_refused'; readonly media: readonly MediaPlace[] }
	/** Images and documents that are more than one request may hold. */
	| { readonly kind: 'media_limited'; readonly media: readonly MediaPlace[] }
);

/** Where an image or a document stands: the block of a user message, and in a result the part of it, both from 0. */
export interface MediaPlace {
	readonly messageId: string;
	readonly block: number;
	readonly part?: number;
}

/** What a cleared result says; short on purpose. */
export const clearedResultText = '[Old output, left out to save room. Call the tool again if it is needed.]';
const mediaNote = { type: 'text', text: '[An image or a document was here; it is not sent any more.]' } as const;
const refusedNote = {
	type: 'text',
	text: '[An image or a document was here. The service does not take it (too large, or unreadable), so it is left out.]',
} as const;

/** No thinking of the conversation so far is sent any more; nothing for an empty conversation. */
export function thinkingDropped(messages: readonly Message[]): readonly ProjectionChange[] {
	const last = messages.at(-1);
	return last ? [{ kind: 'thinking_dropped', at: last.id, upTo: last.id }] : [];
}

/** The messages that are sent, in order. Pure; the same messages and changes give the same result. */
export function project(
	messages: readonly Message[],
	changes: readonly ProjectionChange[],
	memo?: ProjectionMemo,
): readonly Message[] {
	if (changes.length === 0) return messages;
	const plan = planOf(messages, changes);
	return [...plan.summary, ...projectFrom(plan.start, messages, plan, memo)];
}

/** What the changes mean for a conversation. */
export interface Plan {
	readonly summary: readonly UserMessage[];
	/** Index of the first message that is sent. */
	readonly start: number;
	readonly snipped: ReadonlySet<string>;
	/** By the id of their first message. */
	readonly segments: ReadonlyMap<string, { readonly end: number; readonly summary: string }>;
	/** By tool use id: the text that replaces a result; `keepsMedia`: its images stay. */
	readonly replacements: ReadonlyMap<string, Replacement>;
	/** Index up to which thinking, and media, are left out; -1 for none. */
	readonly thinkingUpTo: number;
	readonly mediaUpTo: number;
	/** By the id of their message. */
	readonly leftOut: ReadonlyMap<string, readonly LeftOut[]>;
}
/** `note` stands in its place. */
interface LeftOut extends MediaPlace {
	readonly note: TextBlock;
}
interface Replacement {
	readonly text: string;
	readonly keepsMedia: boolean;
}

export function planOf(messages: readonly Message[], changes: readonly ProjectionChange[]): Plan {
	const index = new Map(messages.map((message, at) => [message.id, at]));
	const place = (id: string) => index.get(id) ?? -1;
	const snipped = new Set<string>();
	const segments = new Map<string, { end: number; summary: string }>();
	const replacements = new Map<string, Replacement>();
	const leftOut = new Map<string, readonly LeftOut[]>();
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
				for (const id of change.toolUseIds) replacements.set(id, { text: clearedResultText, keepsMedia: false });
				break;
			case 'results_stored':
				for (const { toolUseId, replacement } of change.results) {
					replacements.set(toolUseId, { text: replacement, keepsMedia: true });
				}
				break;
			case 'results_kept':
				break;
			case 'thinking_dropped':
				thinkingUpTo = Math.max(thinkingUpTo, place(change.upTo));
				break;
			case 'media_dropped':
				mediaUpTo = Math.max(mediaUpTo, place(change.upTo));
				break;
			case 'media_refused':
			case 'media_limited': {
				const note = change.kind === 'media_refused' ? refusedNote : mediaNote;
				for (const at of change.media)
					leftOut.set(at.messageId, [...(leftOut.get(at.messageId) ?? []), { ...at, note }]);
				break;
			}
		}
	}
	return { summary, start, snipped, segments, replacements, thinkingUpTo, mediaUpTo, leftOut };
}

/** The projection of the messages from an index on, without the summary that stands before all of them. */
export function projectFrom(
	from: number,
	messages: readonly Message[],
	plan: Plan,
	memo: ProjectionMemo | undefined,
): readonly Message[] {
	const projected: Message[] = [];
	for (let at = from; at < messages.length; at++) {
		const message = messages[at];
		if (!message) continue;
		const segment = plan.segments.get(message.id);
		if (segment) {
			projected.push(segmentMessage(message, segment.summary));
			at = segment.end;
		} else if (!plan.snipped.has(message.id)) {
			const changed = message.role === 'user' ? shortened(message, plan, at) : withoutThinking(message, at, plan);
			projected.push(memo?.same(message, changed) ?? changed);
		}
	}
	return projected;
}

/** Gives the same object for the same projection of a message, so that what is derived from it can be cached, too. */
export class ProjectionMemo {
	private readonly known = new WeakMap<Message, Message>();

	same(message: Message, changed: Message): Message {
		if (changed === message) return message;
		const before = this.known.get(message);
		if (before && sameBlocks(before.content, changed.content)) return before;
		this.known.set(message, changed);
		return changed;
	}
}

type Blocks = Message['content'];

function sameBlocks(one: Blocks, other: Blocks): boolean {
	return one.length === other.length && one.every((block, index) => sameBlock(block, other[index]));
}

/** Equal for two projections of one block: the same object, or a result with the same replacement. */
function sameBlock(one: Blocks[number], other: Blocks[number] | undefined): boolean {
	if (one === other) return true;
	if (one.type !== 'tool_result' || other?.type !== 'tool_result' || one.content.length !== other.content.length) {
		return false;
	}
	return one.content.every((part, index) => {
		const twin = other.content[index];
		return part === twin || (part.type === 'text' && twin?.type === 'text' && part.text === twin.text);
	});
}

function segmentMessage(first: Message, text: string): UserMessage {
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
	const leftOut = plan.leftOut.get(message.id);
	let changed = false;
	const content = message.content.map((given, index): UserBlock => {
		const block = leftOut ? without(given, index, leftOut) : given;
		const next =
			block.type === 'tool_result' ? shortenedResult(block, plan, withoutMedia) : plainBlock(block, withoutMedia);
		if (next !== given) changed = true;
		return next;
	});
	return changed ? { ...message, content } : message;
}

function shortenedResult(block: ToolResultBlock, plan: Plan, withoutMedia: boolean): ToolResultBlock {
	const replacement = plan.replacements.get(block.tool_use_id);
	const media = block.content.filter(({ type }) => type !== 'text');
	if (replacement) {
		const kept = !replacement.keepsMedia ? [] : withoutMedia && media.length > 0 ? [mediaNote] : media;
		return { ...block, content: [{ type: 'text', text: replacement.text }, ...kept] };
	}
	if (!withoutMedia || media.length === 0) return block;
	return { ...block, content: block.content.map((part) => (part.type === 'text' ? part : mediaNote)) };
}

function without(block: UserBlock, index: number, leftOut: readonly LeftOut[]): UserBlock {
	const places = leftOut.filter((place) => place.block === index);
	const [first] = places;
	if (!first) return block;
	if (block.type !== 'tool_result') return block.type === 'text' ? block : first.note;
	const notes = new Map(places.map(({ part, note }) => [part, note]));
	return { ...block, content: block.content.map((part, at) => notes.get(at) ?? part) };
}

function plainBlock(
	block: Exclude<UserBlock, ToolResultBlock>,
	withoutMedia: boolean,
): Exclude<UserBlock, ToolResultBlock> {
	return withoutMedia && block.type !== 'text' ? mediaNote : block;
}
