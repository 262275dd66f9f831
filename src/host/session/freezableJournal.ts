// A journal that can be frozen: when the window goes, what happens on the way down must not count as the person's stop, so
// that the next window finds the conversation as it was and can go on.
import type { AgentJournal, Entry, Journal } from '../../core/messages/journal.ts';

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

	/** Of a subagent: frozen together with this one. */
	guard(agent: AgentJournal): AgentJournal {
		return {
			append: (entry) => (this.frozen ? new Promise(() => {}) : agent.append(entry)),
			close: () => agent.close(),
		};
	}

	freeze(): void {
		this.frozen = true;
	}
}
