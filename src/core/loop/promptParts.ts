// What a prompt is, and the port to what it brings besides its words.
import type { PromptAttachment } from '../../shared/composer.ts';
import type { QueuedPrompt } from '../messages/journal.ts';
import type { DocumentBlock, ImageBlock } from '../messages/types.ts';

/** What the person says: words alone, or with something beside them. */
export type Prompt = string | { readonly text: string; readonly attachments?: readonly PromptAttachment[] };

export function spoken(prompt: Prompt): Exclude<Prompt, string> {
	return typeof prompt === 'string' ? { text: prompt } : prompt;
}

/** What a prompt brings besides its words. */
export interface PromptParts {
	readonly media: readonly (ImageBlock | DocumentBlock)[];
	/** For the model: what is mentioned, and what could not be read. */
	readonly notes: readonly string[];
}

/** Reads them at this moment, bounded. Contract: never rejects; what cannot be read is said in a note. */
export type PromptReader = (prompt: QueuedPrompt) => Promise<PromptParts>;
