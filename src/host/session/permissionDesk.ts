// The requests and long waits that wait for the person: kept here, not in the panel, so that closing, reloading or killing the webview loses
// none. Contract: each is answered exactly once; an answer that comes later, or for an unknown id, changes nothing.
import type { Interaction } from '../../core/ports/interaction.ts';
import type { ProposedEdit } from '../../core/ports/workspace.ts';
import type { PermissionAnswer, PermissionRequest, RequestDetail } from '../../shared/permission.ts';
import type { WaitView } from '../../shared/view.ts';

interface Waiting {
	request: PermissionRequest;
	readonly proposed: ProposedEdit | undefined;
	readonly settle: (answer: PermissionAnswer) => void;
}

interface OpenWait {
	readonly view: WaitView;
	readonly settle: (wait: boolean) => void;
}

export class PermissionDesk implements Interaction {
	private waits: readonly OpenWait[] = [];
	private waitCount = 0;
	private waiting: readonly Waiting[] = [];
	private requests: readonly PermissionRequest[] = [];
	private readonly listeners = new Set<() => void>();

	/** In the order in which they were asked; the same array as long as nothing changes. */
	get pending(): readonly PermissionRequest[] {
		return this.requests;
	}

	requestPermission(
		request: PermissionRequest,
		signal: AbortSignal,
		proposed?: ProposedEdit,
	): Promise<PermissionAnswer> {
		const stopped: PermissionAnswer = { behavior: 'deny', stopped: true };
		if (signal.aborted) return Promise.resolve(stopped);
		return new Promise((resolve) => {
			const abort = () => entry.settle(stopped);
			const entry: Waiting = {
				request,
				proposed,
				settle: (answer) => {
					if (!this.waiting.includes(entry)) return;
					signal.removeEventListener('abort', abort);
					this.change(this.waiting.filter((other) => other !== entry));
					resolve(answer);
				},
			};
			signal.addEventListener('abort', abort, { once: true });
			this.change([...this.waiting, entry]);
		});
	}

	/** The oldest long wait that is not decided on; the same object as long as it is open. */
	get wait(): WaitView | null {
		return this.waits[0]?.view ?? null;
	}

	/** True waits, false gives up; a stop gives up, too. */
	confirmWait(delayMs: number, signal: AbortSignal): Promise<boolean> {
		if (signal.aborted) return Promise.resolve(false);
		return new Promise((resolve) => {
			const abort = () => entry.settle(false);
			const entry: OpenWait = {
				view: { id: `wait-${++this.waitCount}`, delayMs },
				settle: (wait) => {
					if (!this.waits.includes(entry)) return;
					signal.removeEventListener('abort', abort);
					this.changeWaits(this.waits.filter((other) => other !== entry));
					resolve(wait);
				},
			};
			signal.addEventListener('abort', abort, { once: true });
			this.changeWaits([...this.waits, entry]);
		});
	}

	/** False when no such wait is open. */
	answerWait(waitId: string, wait: boolean): boolean {
		const entry = this.waits.find(({ view }) => view.id === waitId);
		entry?.settle(wait);
		return entry !== undefined;
	}

	/** How many things wait for the person. */
	get count(): number {
		return this.waiting.length + this.waits.length;
	}

	/** False when nothing waits under this id. */
	answer(requestId: string, answer: PermissionAnswer): boolean {
		const entry = this.waiting.find(({ request }) => request.id === requestId);
		if (!entry) return false;
		entry.settle(answer);
		return true;
	}

	/** The texts of an edit that waits under this id. */
	proposed(requestId: string): ProposedEdit | undefined {
		return this.waiting.find(({ request }) => request.id === requestId)?.proposed;
	}

	/** Shows other details of a request that waits; what is asked stays the same. */
	revise(requestId: string, detail: RequestDetail): void {
		const entry = this.waiting.find(({ request }) => request.id === requestId);
		if (!entry) return;
		entry.request = { ...entry.request, detail };
		this.change(this.waiting);
	}

	/** Gives back how to end the subscription. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private change(waiting: readonly Waiting[]): void {
		this.waiting = waiting;
		this.requests = waiting.map(({ request }) => request);
		this.tell();
	}

	private changeWaits(waits: readonly OpenWait[]): void {
		this.waits = waits;
		this.tell();
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}
