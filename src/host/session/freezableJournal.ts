// A journal that can be frozen: when the window goes, what happens on the way down must not count as the person's stop, so
// that the next window finds the conversation as it was and can go on.
import type { Entry, Journal } from '../../core/messages/journal.ts';

export class FreezableJournal implements Journal {
	private readonly journal: Journal;
	private frozen = false;

	constructor(journal: Journal) {
		this.journal = journal;
	}

	/** Contract: after `freeze` it never resolves, so that nothing that depends on an entry happens any more. */
	append(entry: Entry): Promise<void> {
		return this.frozen ? new Promise(() => {}) : this.journal.append(entry);
	}

	freeze(): void {
		this.frozen = true;
	}
}
