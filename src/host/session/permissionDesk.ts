// The requests that wait for the person: kept here, not in the panel, so that closing, reloading or killing the webview loses
// none. Contract: each is answered exactly once; an answer that comes later, or for an unknown id, changes nothing.
import type { Interaction } from '../../core/ports/interaction.ts';
import type { PermissionAnswer, PermissionRequest } from '../../shared/permission.ts';

interface Waiting {
	readonly request: PermissionRequest;
	readonly settle: (answer: PermissionAnswer) => void;
}

export class PermissionDesk implements Interaction {
	private waiting: readonly Waiting[] = [];
	private requests: readonly PermissionRequest[] = [];
	private readonly listeners = new Set<() => void>();

	/** In the order in which they were asked; the same array as long as nothing changes. */
	get pending(): readonly PermissionRequest[] {
		return this.requests;
	}

	requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
		const stopped: PermissionAnswer = { behavior: 'deny', stopped: true };
		if (signal.aborted) return Promise.resolve(stopped);
		return new Promise((resolve) => {
			const abort = () => entry.settle(stopped);
			const entry: Waiting = {
				request,
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

	/** False when nothing waits under this id. */
	answer(requestId: string, answer: PermissionAnswer): boolean {
		const entry = this.waiting.find(({ request }) => request.id === requestId);
		if (!entry) return false;
		entry.settle(answer);
		return true;
	}

	/** Gives back how to end the subscription. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private change(waiting: readonly Waiting[]): void {
		this.waiting = waiting;
		this.requests = waiting.map(({ request }) => request);
		for (const listener of this.listeners) listener();
	}
}
