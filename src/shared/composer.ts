// What a prompt is made of besides its words, and how it reaches the agent. Both bundles, the transcript and the queue use it.

/** A picture, a PDF (kept by the host under its id), or the lines that were selected in an editor when the prompt was sent. */
export type PromptAttachment = MediaAttachment | SelectionAttachment;
export type MediaAttachment =
	| {
			readonly kind: 'image';
			readonly id: string;
			readonly name: string;
			/** One of `imageTypes`. */
			readonly mediaType: string;
			readonly width: number;
			readonly height: number;
	  }
	| { readonly kind: 'pdf'; readonly id: string; readonly name: string; readonly pages: number };
export interface SelectionAttachment {
	readonly kind: 'selection';
	/** Absolute. */
	readonly path: string;
	/** From 1, both included. */
	readonly firstLine: number;
	readonly lastLine: number;
}

/** What the person has written and not sent. */
export interface KeptDraft {
	readonly text: string;
	/** Large pasted texts by their mark in it. */
	readonly pastes: Readonly<Record<string, string>>;
	/** `bytes` of each; `thumb`: a tiny picture as a data URL, empty for a PDF. */
	readonly media: readonly { readonly media: MediaAttachment; readonly bytes: number; readonly thumb: string }[];
}

export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/**
 * While the agent works: `steer` is read at the next step, `queue` when the exchange is done, `now` stops it first. Without
 * anything running all are the same.
 */
export const deliveries = ['steer', 'queue', 'now'] as const;
export type Delivery = (typeof deliveries)[number];

/** Bounds of one prompt, within those of the Messages API; the webview makes media fit, the host refuses what does not. */
export const promptLimits = {
	/** Pixels of an image's longer edge: what models see at most without downscaling of their own. */
	imageEdge: 1568,
	/** Bytes of an image, and of a PDF, before base64 adds a third. */
	imageBytes: 3_500_000,
	pdfBytes: 16_000_000,
	pdfPages: 100,
	/** Images and PDFs of one prompt, and bytes of all of them together: a request may have 32 MB. */
	media: 20,
	mediaBytes: 18_000_000,
	/** Bytes of a file that is looked at at all, and pixels of an image that is made smaller. */
	sourceBytes: 100_000_000,
	sourcePixels: 50_000_000,
} as const;

/** What the composer knows of the active editor's selection. */
export interface SelectionView extends SelectionAttachment {
	readonly name: string;
	/** Whether it goes with the next prompt: the person's choice, which stays. */
	readonly shared: boolean;
	/** The secrets policy keeps the file from the model, whatever the choice. */
	readonly withheld: boolean;
}

export type MentionKind = 'file' | 'folder' | 'symbol' | 'problems' | 'terminal' | 'changes' | 'session' | 'topic';
/** Something that `@` offers. */
export interface MentionItem {
	readonly kind: MentionKind;
	/** Shown first; parts of it that match the query are at `hits` (indices of UTF-16 units). */
	readonly label: string;
	readonly hits: readonly number[];
	readonly detail: string;
	/** What is written into the prompt, from the `@` on. */
	readonly insert: string;
}
