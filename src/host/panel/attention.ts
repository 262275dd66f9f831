// Tells the person that something waits or is done while they look elsewhere: a number on the view's icon, and one quiet
// notification for each conversation. Waiting is told while nobody sees the conversation or the window has not the focus; an end only
// in the latter case, as who works in another file of this window sees the number. Contract: a notification that outlives its
// request answers nothing, and leads to the conversation that it is about. No `vscode`: the window is handed in.
import type { Terminal } from '../../core/loop/state.ts';
import type { PermissionRequest } from '../../shared/permission.ts';
import type { Conversations, Member } from '../session/conversations.ts';
import type { PermissionDesk } from '../session/permissionDesk.ts';
import { isStop } from '../session/stateChanges.ts';

export interface Watched extends Member {
	readonly desk: PermissionDesk;
}

/** What is said in a notification; the window localises it. */
export type Notice =
	| { readonly kind: 'answered' | 'broken_off' | 'long_wait' | 'too_late' }
	| { readonly kind: 'waits'; readonly request: PermissionRequest };
export type NoticeAnswer = 'show' | 'deny';

/** The window, as far as it matters here. */
export interface AttentionWindow {
	readonly focused: boolean;
	/** Returns the way to end it. */
	onFocusMoved(listener: () => void): () => void;
	/** Something waits; for the keys of the palette. */
	setWaiting(waits: boolean): void;
	/** Resolves with what the person chose; undefined when they closed it. */
	tell(notice: Notice, answers: readonly NoticeAnswer[]): Promise<NoticeAnswer | undefined>;
}

export interface AttentionDeps<T extends Watched> {
	readonly window: AttentionWindow;
	readonly conversations: Conversations<T>;
	readonly chat: {
		showCount(count: number, meaning: 'waiting' | 'done'): void;
		focusRequest(conversation: T): Promise<void>;
		focusComposer(insert: undefined, conversation: T): Promise<void>;
	};
	/** The setting `notifications`. */
	notify(): boolean;
	readonly failed: (what: string, error: unknown) => void;
}

/** What waits in a conversation, by its id. */
interface Known {
	/** What the person was told of, until they saw the conversation or nothing waits any more. */
	told?: string | undefined;
	/** What they had before their eyes: they know of it when they go to another window. */
	seen?: string | undefined;
}

/** Until it is disposed of. */
export function watchAttention<T extends Watched>(deps: AttentionDeps<T>): { dispose(): void } {
	const { conversations, window } = deps;
	const known = new WeakMap<T, Known>();
	let waits = false;
	const update = () => {
		if (waits !== conversations.requests.count > 0) {
			waits = !waits;
			window.setWaiting(waits);
		}
		showBadge(deps);
		for (const conversation of conversations.all) {
			const facts = known.get(conversation) ?? {};
			known.set(conversation, facts);
			tellWaiting(conversation, facts, deps);
		}
	};
	const ends = [
		window.onFocusMoved(update),
		conversations.onChange(update),
		conversations.onEvent((event, conversation) => {
			if (event.type !== 'exchange_end' || isStop(event.terminal)) return;
			if (window.focused || !deps.notify()) return;
			tellEnd(event.terminal, conversation, deps).catch((error: unknown) => deps.failed('a notice', error));
		}),
	];
	return {
		dispose() {
			for (const end of ends) end();
		},
	};
}

/** What waits where nobody sees it, else how many conversations are done that nobody has seen. */
function showBadge<T extends Watched>({ conversations, chat }: AttentionDeps<T>): void {
	const hidden = conversations.all.filter(({ visible }) => !visible);
	const waiting = hidden.reduce((sum, { desk }) => sum + desk.count, 0);
	if (waiting > 0) return chat.showCount(waiting, 'waiting');
	const ended = hidden.filter((conversation) => ['done', 'failed'].includes(conversations.stateOf(conversation)));
	chat.showCount(ended.length, 'done');
}

function tellWaiting<T extends Watched>(conversation: T, known: Known, deps: AttentionDeps<T>): void {
	const { desk, visible } = conversation;
	const { focused } = deps.window;
	const waiting = desk.count === 0 ? undefined : (desk.pending[0]?.id ?? desk.wait?.id);
	if (visible && focused) known.seen = waiting;
	const first = !visible || (!focused && waiting !== known.seen) ? waiting : undefined;
	if (first === known.told) return;
	known.told = first;
	if (first === undefined || !deps.notify()) return;
	notify(conversation, deps).catch((error: unknown) => deps.failed('a notice', error));
}

async function tellEnd<T extends Watched>(
	{ reason }: Terminal,
	conversation: T,
	{ chat, conversations, window }: AttentionDeps<T>,
): Promise<void> {
	const picked = await window.tell({ kind: reason === 'completed' ? 'answered' : 'broken_off' }, ['show']);
	if (picked === 'show') await chat.focusComposer(undefined, stillOpen(conversation, conversations));
}

async function notify<T extends Watched>(
	conversation: T,
	{ chat, conversations, window }: AttentionDeps<T>,
): Promise<void> {
	const { desk } = conversation;
	const [first] = desk.pending;
	const picked = await window.tell(
		first ? { kind: 'waits', request: first } : { kind: 'long_wait' },
		first && canBeDenied(first) ? ['show', 'deny'] : ['show'],
	);
	if (picked === 'show') return chat.focusRequest(stillOpen(conversation, conversations));
	if (picked !== 'deny' || !first || desk.answer(first.id, { behavior: 'deny' })) return;
	await window.tell({ kind: 'too_late' }, []);
}

/** It may have been left since, when nothing waited in it any more; then it is opened again. */
function stillOpen<T extends Watched>(conversation: T, conversations: Conversations<T>): T {
	if (conversations.all.includes(conversation)) return conversation;
	return conversations.open(conversation.controller.state.sessionId);
}

/** Plans and questions want more than a no. */
function canBeDenied({ detail }: PermissionRequest): boolean {
	return detail.kind !== 'plan' && detail.kind !== 'questions';
}
