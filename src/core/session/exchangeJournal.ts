// The journal of a conversation, with a memory of the running exchange: when its consumer leaves in the middle, the
// conversation is rebuilt from what was written, just as after a crash. Adds what only the session knows: what was spent so far,
// and which model the person has chosen, so that a large transcript can be resumed from its end.
import type { Entry, Journal, Spent, StoredEntry } from '../messages/journal.ts';
import type { EngineOptions } from './options.ts';

export class ExchangeJournal implements Journal {
	/** Written since `begin`. */
	entries: readonly StoredEntry[] = [];
	private readonly options: Pick<EngineOptions, 'ports' | 'settings'>;
	private readonly spent: () => Spent;
	private written: StoredEntry[] = [];
	private model: string | undefined;

	/** `storedModel`: the last one that the transcript names; `spent`: of the whole session. */
	constructor(options: Pick<EngineOptions, 'ports' | 'settings'>, storedModel: string | undefined, spent: () => Spent) {
		this.options = options;
		this.model = storedModel;
		this.spent = spent;
	}

	/** An exchange begins, or has ended. */
	begin(): void {
		this.written = [];
		this.entries = this.written;
	}

	/**
	 * For the calls of the running exchange. Contract: what comes of a call after the exchange has ended without it is not written
	 * any more: the conversation has gone on with the word that its outcome is unknown.
	 */
	ofExchange(): Journal {
		const { written } = this;
		const ended = () => Promise.reject(new Error('The exchange has ended.'));
		return { append: (entry) => (this.written === written ? this.append(entry) : ended()) };
	}

	async append(entry: Entry): Promise<void> {
		if (entry.type === 'model') this.model = entry.model;
		if (entry.type === 'request' && entry.model !== this.model && entry.model === this.options.settings().model) {
			await this.append({ type: 'model', model: entry.model });
		}
		const { journal, clock } = this.options.ports;
		const whole = entry.type === 'exchange_end' ? withSpent(entry, this.spent()) : entry;
		await journal.append(whole);
		this.written.push({ ...whole, time: clock.now() });
	}
}

function withSpent(entry: Extract<Entry, { type: 'exchange_end' }>, { usage, costUsd }: Spent): Entry {
	return { ...entry, spent: { usage, costUsd } };
}
