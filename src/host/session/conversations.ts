// The conversations that this window has open: any number at once, where each is shown, and which one has the focus. No `vscode`.
// Contract: a session is open at most once in a window; a conversation in which something runs, waits or is new goes on, whether
// anybody looks at it or not.
import type { AgentEvent } from '../panel/projection.ts';
import type { PanelFocus } from '../../shared/protocol.ts';
import type { OthersView } from '../../shared/view.ts';
import type { TaskDesk } from '../tasks/taskDesk.ts';
import { AllRequests, type Requests } from './allRequests.ts';
import type { SessionWish } from './controllerDeps.ts';
import type { SessionController } from './sessionController.ts';
import type { RememberedSessions, SessionMemory } from './sessionMemory.ts';
import { isStop } from './stateChanges.ts';

/** Where a conversation is shown: the side bar, which always shows one, or a tab of the editor. */
export interface Place {
	readonly kind: 'view' | 'tab';
}

/** What is known here of a conversation. */
export interface Member {
	readonly wish: SessionWish;
	/** The folder that it belongs to, absolute. */
	readonly root: { readonly path: string };
	readonly controller: Pick<SessionController, 'state' | 'idle' | 'onEvent'>;
	/** Resolves when it can go on; never rejects. */
	opened(): Promise<void>;
	readonly desk: Requests;
	readonly tasks: Pick<TaskDesk, 'running'>;
	/** A person can see it. */
	readonly visible: boolean;
	/** Where the keyboard is, where it is shown. */
	readonly focus: PanelFocus;
	/** Ends what runs, and gives the session free. */
	close(): Promise<void>;
	/** The window goes; the next one goes on. */
	dispose(): Promise<void>;
}

/**
 * `done`, `failed`: it ended while nobody saw it; `interrupted`: the window before was closed in the middle of it. `running`: only
 * commands in its background.
 */
export type ConversationState = Unseen | 'working' | 'waiting' | 'running' | 'stopped' | 'ready';
type Unseen = 'done' | 'failed' | 'interrupted';

/** How a conversation reaches the list, also while it is being made. */
export interface MemberLinks {
	/** Something of it is another: work, requests, commands, whether it is seen. */
	readonly changed: () => void;
	/** What the person would want to know of the others. */
	readonly others: () => OthersView | null;
}

export interface ConversationsDeps<T extends Member> {
	make(wish: SessionWish, links: MemberLinks): T;
	readonly memory: SessionMemory;
	/** The folder that the person works in, absolute; undefined when that cannot be told. */
	folderInUse(): string | undefined;
	readonly failed: (what: string, error: unknown) => void;
}

export class Conversations<T extends Member> {
	/** The side bar's. */
	readonly view: Place = { kind: 'view' };
	/** Of all conversations. */
	readonly requests = new AllRequests();
	private readonly deps: ConversationsDeps<T>;
	/** With how to let go of each. */
	private readonly members = new Map<T, () => void>();
	private readonly shown = new Map<Place, T>();
	/** The one that has, or had, the focus comes first. */
	private places: readonly Place[];
	private readonly unseen = new Map<T, Unseen>();
	/** Sessions that are being given free. */
	private readonly leaving = new Map<string, Promise<void>>();
	/** As it was written last. */
	private remembered = '';
	/** What happens on the way down is not what the next window goes on with. */
	private disposed = false;
	private readonly changes = new Set<() => void>();
	private readonly shows = new Set<(place: Place, conversation: T) => void>();
	private readonly listeners = new Set<(event: AgentEvent, conversation: T) => void>();

	/** The side bar has the conversation that it had in the window before, or a new one. */
	constructor(deps: ConversationsDeps<T>) {
		this.deps = deps;
		this.places = [this.view];
		const root = deps.folderInUse();
		const wish = { id: deps.memory.recall().sessionId, patient: true, ...(root === undefined ? {} : { root }) };
		this.shown.set(this.view, this.add(wish));
	}

	/**
	 * What the window before left at work, wherever it was shown: each is open again, and listed as interrupted until it was seen. Whoever
	 * had waited for an answer asks again, like the one that is shown. Resolves when all are open.
	 */
	async bringBack(): Promise<void> {
		const { others } = this.deps.memory.recall();
		const left = others.filter(({ id }) => !this.find(id));
		await Promise.all(
			left.map(async ({ id, state }) => {
				const conversation = this.add({ id, patient: true });
				this.unseen.set(conversation, state === 'at_work' ? 'interrupted' : state);
				if (state !== 'at_work') return this.tell();
				await conversation.opened();
				const { canContinue, openElsewhere } = conversation.controller.state;
				// It had come to its end by itself, or another window has it.
				if (conversation.controller.idle && (!canContinue || openElsewhere === true)) this.unseen.delete(conversation);
				this.changed(conversation);
			}),
		);
	}

	get all(): readonly T[] {
		return [...this.members.keys()];
	}

	/** The one that has the focus, or had it last. */
	get front(): T {
		return this.at(this.frontPlace);
	}

	/** Where the keyboard is in all places. */
	get focusIn(): PanelFocus {
		const all = this.all.map(({ focus }) => focus);
		return all.find((focus) => focus === 'request') ?? all.find((focus) => focus === 'elsewhere') ?? 'none';
	}

	/** One in which something waits for the person, the one in front first; the one in front when there is none. */
	get waiting(): T {
		return [this.front, ...this.all].find(({ desk }) => desk.count > 0) ?? this.front;
	}

	get frontPlace(): Place {
		return this.places[0] ?? this.view;
	}

	/** Contract: a place that is there shows a conversation. */
	at(place: Place): T {
		const found = this.shown.get(place) ?? this.shown.get(this.view);
		if (!found) throw new Error('the side bar shows no conversation');
		return found;
	}

	/** Where it is shown; the one that had the focus last comes first. */
	placesOf(conversation: T): readonly Place[] {
		return this.places.filter((place) => this.shown.get(place) === conversation);
	}

	find(sessionId: string): T | undefined {
		return this.all.find((conversation) => idOf(conversation) === sessionId);
	}

	/** The stored session, to be shown next. */
	open(sessionId: string, wish: Omit<SessionWish, 'id'> = {}): T {
		return this.find(sessionId) ?? this.add({ ...wish, id: sessionId });
	}

	/** A new one in the folder that the person works in and the mode of the one in front, to be shown next. */
	begin(wish: Omit<SessionWish, 'id'> = {}): T {
		const { controller, root } = this.front;
		const { sessionId, mode } = controller.state;
		const place = { root: this.deps.folderInUse() ?? root.path };
		return this.add({ ...place, ...(sessionId === '' ? {} : { mode }), ...wish });
	}

	/** In the place that has the focus unless told otherwise; what was shown there goes on, if it has anything to do. */
	show(conversation: T, place: Place = this.frontPlace): void {
		const before = this.shown.get(place);
		if (before === conversation) return;
		this.shown.set(place, conversation);
		for (const listener of this.shows) listener(place, conversation);
		this.remember();
		if (before) this.changed(before);
		this.looked();
	}

	/** Places were shown or hidden: what is new in a conversation that a person sees is new no more. */
	looked(): void {
		for (const conversation of this.all) if (conversation.visible) this.unseen.delete(conversation);
		this.tell();
	}

	/** Where it is shown already, else in the place that has the focus. */
	present(conversation: T): void {
		const [place] = this.placesOf(conversation);
		if (place) this.focus(place);
		else this.show(conversation);
	}

	/** Another tab. */
	addPlace(place: Place, conversation: T): void {
		this.places = [...this.places, place];
		this.shown.set(place, conversation);
		this.looked();
	}

	/** A tab is closed: that answers nothing and stops nothing. */
	removePlace(place: Place): void {
		const before = this.shown.get(place);
		if (place === this.view || !before) return;
		this.places = this.places.filter((other) => other !== place);
		this.shown.delete(place);
		this.changed(before);
	}

	focus(place: Place): void {
		if (!this.shown.has(place) || this.frontPlace === place) return;
		this.places = [place, ...this.places.filter((other) => other !== place)];
		this.tell();
	}

	/** For good: where it was shown, a new one is. `root`: of that one. Resolves when its session is free. */
	async end(conversation: T, root?: string): Promise<void> {
		const places = this.placesOf(conversation);
		if (places.length > 0) {
			const next = this.begin(root === undefined ? {} : { root });
			for (const place of places) this.show(next, place);
		}
		await this.close(conversation);
		await this.leaving.get(idOf(conversation));
	}

	stateOf(conversation: T): ConversationState {
		const { controller, desk, tasks } = conversation;
		const { status } = controller.state;
		if (desk.count > 0 || status === 'waiting') return 'waiting';
		if (!controller.idle) return 'working';
		const unseen = this.unseen.get(conversation);
		if (unseen) return unseen;
		if (tasks.running.length > 0) return 'running';
		return status === 'stopped' ? 'stopped' : 'ready';
	}

	/** What the person would want to know of all but this one; null: nothing. */
	othersOf(conversation: T | undefined): OthersView | null {
		const states = this.all.filter((other) => other !== conversation).map((other) => this.stateOf(other));
		const count = (...wanted: readonly ConversationState[]) => states.filter((state) => wanted.includes(state)).length;
		const others = { waiting: count('waiting'), working: count('working', 'running'), done: count('done', 'failed') };
		const interrupted = count('interrupted');
		if (others.waiting + others.working + others.done + interrupted === 0) return null;
		return interrupted === 0 ? others : { ...others, interrupted };
	}

	/** The engines' events, as they come. Each gives back how to end the subscription. */
	onEvent(listener: (event: AgentEvent, conversation: T) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Something of a conversation, of the list or of what is in front is another. */
	onChange(listener: () => void): () => void {
		this.changes.add(listener);
		return () => this.changes.delete(listener);
	}

	/** A place shows another conversation. */
	onShown(listener: (place: Place, conversation: T) => void): () => void {
		this.shows.add(listener);
		return () => this.shows.delete(listener);
	}

	async dispose(): Promise<void> {
		this.disposed = true;
		this.listeners.clear();
		this.changes.clear();
		this.shows.clear();
		await Promise.all([...this.all.map((conversation) => conversation.dispose()), ...this.leaving.values()]);
	}

	private add(wish: SessionWish): T {
		const after = wish.id === undefined ? undefined : this.leaving.get(wish.id);
		/** Empty while it is being made. */
		const made: T[] = [];
		const conversation = this.deps.make(
			{ ...wish, ...(after ? { after } : {}) },
			{ changed: () => made.forEach((member) => this.changed(member)), others: () => this.othersOf(made[0]) },
		);
		made.push(conversation);
		const unfollow = conversation.controller.onEvent((event) => {
			const ends = event.type === 'exchange_end' && !isStop(event.terminal) && !conversation.visible;
			if (ends) this.unseen.set(conversation, event.terminal.reason === 'completed' ? 'done' : 'failed');
			for (const listener of this.listeners) listener(event, conversation);
		});
		const take = this.requests.add(conversation.desk);
		this.members.set(conversation, () => {
			unfollow();
			take();
		});
		return conversation;
	}

	private changed(conversation: T): void {
		if (!this.members.has(conversation)) return;
		if (conversation.visible) this.unseen.delete(conversation);
		this.remember();
		if (this.placesOf(conversation).length === 0 && this.mayGo(conversation)) void this.close(conversation);
		else this.tell();
	}

	private mayGo(conversation: T): boolean {
		const state = this.stateOf(conversation);
		return state === 'ready' || state === 'stopped';
	}

	private async close(conversation: T): Promise<void> {
		const letGo = this.members.get(conversation);
		if (!letGo) return;
		letGo();
		this.members.delete(conversation);
		this.unseen.delete(conversation);
		this.remember();
		this.tell();
		const ended = conversation.close().catch((error: unknown) => this.deps.failed('ending a conversation', error));
		const id = idOf(conversation);
		this.leaving.set(id, ended);
		await ended;
		if (this.leaving.get(id) === ended) this.leaving.delete(id);
	}

	private remember(): void {
		const inView = this.at(this.view);
		const { sessionId } = inView.controller.state;
		if (sessionId === '' || this.disposed) return;
		const others = this.all.flatMap((conversation): RememberedSessions['others'] => {
			const id = idOf(conversation);
			const state = this.stateOf(conversation);
			if (conversation === inView || id === '') return [];
			if (state === 'done' || state === 'failed') return [{ id, state }];
			return ['working', 'waiting', 'interrupted'].includes(state) ? [{ id, state: 'at_work' }] : [];
		});
		const text = JSON.stringify([sessionId, others]);
		if (text === this.remembered) return;
		this.remembered = text;
		void this.deps.memory.remember({ sessionId, others });
	}

	private tell(): void {
		for (const listener of this.changes) listener();
	}
}

/** Known also before the session is opened. */
function idOf({ controller, wish }: Pick<Member, 'controller' | 'wish'>): string {
	return controller.state.sessionId === '' ? (wish.id ?? '') : controller.state.sessionId;
}
