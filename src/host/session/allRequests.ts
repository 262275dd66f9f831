// What waits for the person in all conversations of the window, as if it were one desk: for editors, keys and notifications, which
// do not care whose it is. Ids are unique over conversations. No `vscode`.
import type { ProposedEdit } from '../../core/ports/workspace.ts';
import type { PermissionAnswer, PermissionRequest, RequestDetail } from '../../shared/permission.ts';
import type { PermissionDesk } from './permissionDesk.ts';

export type Requests = Pick<PermissionDesk, 'pending' | 'count' | 'proposed' | 'answer' | 'revise' | 'onChange'>;

export class AllRequests implements Requests {
	private readonly desks = new Set<Requests>();
	private readonly listeners = new Set<() => void>();

	/** Gives back how to take it out again. */
	add(desk: Requests): () => void {
		this.desks.add(desk);
		const unfollow = desk.onChange(() => this.tell());
		return () => {
			unfollow();
			this.desks.delete(desk);
			this.tell();
		};
	}

	/** Those of one conversation together, in the order in which they were asked. */
	get pending(): readonly PermissionRequest[] {
		return [...this.desks].flatMap(({ pending }) => pending);
	}

	get count(): number {
		return [...this.desks].reduce((sum, { count }) => sum + count, 0);
	}

	proposed(requestId: string): ProposedEdit | undefined {
		return this.ownerOf(requestId)?.proposed(requestId);
	}

	answer(requestId: string, answer: PermissionAnswer): boolean {
		return this.ownerOf(requestId)?.answer(requestId, answer) === true;
	}

	revise(requestId: string, detail: RequestDetail): void {
		this.ownerOf(requestId)?.revise(requestId, detail);
	}

	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private ownerOf(requestId: string): Requests | undefined {
		return [...this.desks].find(({ pending }) => pending.some(({ id }) => id === requestId));
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}
