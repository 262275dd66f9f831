// The journal of a conversation, with a memory of the running exchange: when its consumer leaves in the middle, the
// conversation is rebuilt from what was written, just as after a crash.
import type { Entry, Journal, StoredEntry } from '../messages/journal.ts';

export class ExchangeJournal implements Journal {
	/** Written since `begin`. */
	entries: readonly StoredEntry[] = [];
	private readonly journal: Journal;
	private readonly now: () => number;
	private written: StoredEntry[] = [];

	constructor(journal: Journal, now: () => number) {
		this.journal = journal;
		this.now = now;
	}

	begin(): void {
		this.written = [];
		this.entries = this.written;
	}

	async append(entry: Entry): Promise<void> {
		await this.journal.append(entry);
		this.written.push({ ...entry, time: this.now() });
	}
}
