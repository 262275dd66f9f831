// The only door to VS Code: typed messages out, typed messages in, and the little state that the webview itself owns
// (drafts and where the reader was). Everything else belongs to the host.
import type { Delivery } from '../../src/shared/composer.ts';
import type { DraftMedia } from './dock/media.ts';
import type { DraftOwner } from './dock/draftOwner.ts';
import type { Pastes } from './dock/pastes.ts';
import type { ToHost, ToWebview } from '../../src/shared/protocol.ts';

/** Where the reader was: at the bottom, or at this many pixels below the top of a row. */
export type ReadingPlace =
	{ readonly kind: 'bottom' } | { readonly kind: 'row'; readonly rowId: string; readonly offset: number };
/** `command`: the command as the person changes it; absent while they do not. */
export interface RequestDraft {
	readonly reason: string;
	readonly command?: string | undefined;
	/** By the text of the question. */
	readonly answers?: Readonly<Record<string, AnswerDraft>>;
}
/** What is chosen of a question's options, by label; `null` stands for the person's own words, which are kept while unused. */
export interface AnswerDraft {
	readonly chosen: readonly (string | null)[];
	readonly other: string;
}
export interface Kept {
	readonly draft: string;
	/** Of the draft: large pasted texts by their mark, pictures and PDFs. */
	readonly pastes: Pastes;
	readonly media: readonly DraftMedia[];
	/** Whose draft it is; absent before a conversation is shown. */
	readonly draftOwner?: DraftOwner;
	/** How a message reaches an agent that works, as last chosen. */
	readonly delivery: Delivery;
	readonly place: ReadingPlace;
	/** Tool activity is hidden. */
	readonly focusView: boolean;
	/** Of the conversation that is shown; empty before one is. */
	readonly sessionId: string;
	/** By the request's id, the newest last. */
	readonly requests: Readonly<Record<string, RequestDraft>>;
}

interface VscodeApi {
	postMessage(message: ToHost): void;
	getState(): Partial<Kept> | undefined;
	setState(state: Kept): void;
}
declare const acquireVsCodeApi: () => VscodeApi;

export interface Bridge {
	readonly send: (message: ToHost) => void;
	/** Calls back for each message of the host; returns the way to end it. */
	listen(listener: (message: ToWebview) => void): () => void;
	kept(): Kept;
	keep(change: Partial<Kept>): void;
}

/** Contract: called once per page, as VS Code hands out its API only once. */
export function connect(): Bridge {
	const api = acquireVsCodeApi();
	const kept = (): Kept => ({
		draft: '',
		pastes: {},
		media: [],
		delivery: 'steer',
		place: { kind: 'bottom' },
		focusView: false,
		sessionId: '',
		requests: {},
		...api.getState(),
	});
	return {
		// oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's API, not a window
		send: (message) => api.postMessage(message),
		listen(listener) {
			const onMessage = (event: MessageEvent<ToWebview>) => listener(event.data);
			window.addEventListener('message', onMessage);
			return () => window.removeEventListener('message', onMessage);
		},
		kept,
		keep: (change) => api.setState({ ...kept(), ...change }),
	};
}
