// What all conversations share that change the same files: whose turn it is, and how often something was changed.
import { pathKey } from '../../core/util/paths.ts';
import { KeyedQueue } from './keyedQueue.ts';

/** Contract: whoever holds a file's turn may change it: a change waits for other changes, never for a turn. */
export class FileTurns {
	private readonly turns = new KeyedQueue();
	private readonly changes = new KeyedQueue();
	private counted = 0;

	/** Changes so far. */
	get count(): number {
		return this.counted;
	}

	/** `realPath`: links resolved. */
	inTurn<T>(realPath: string, work: () => Promise<T>): Promise<T> {
		return this.turns.run(pathKey(realPath), work);
	}

	/** One change of a file at a time. */
	change<T>(realPath: string, work: () => Promise<T>): Promise<T> {
		return this.changes.run(pathKey(realPath), async () => {
			try {
				return await work();
			} finally {
				this.counted++;
			}
		});
	}
}
