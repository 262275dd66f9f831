// All that one process writes of a session's talk: its transcript, and beside it those of its subagents
// (`<id>/subagents/<agent id>.jsonl`). Contract: one lease, one message about the disk for all of them, and after `close` nothing is
// written to any of them.
import type { AgentJournal, Entry, Journal } from '../../core/messages/journal.ts';
import { agentFile, endOf } from './agentTranscripts.ts';
import { FileJournal, type FileJournalOptions, type StorageTrouble } from './fileJournal.ts';

export interface SessionJournal extends Journal {
	/** Of a subagent; made with its first entry. A file that is there is gone on with. */
	agentJournal(agentId: string): AgentJournal;
	/** Waits for the last lines, closes the files and gives the session free. */
	close(): Promise<void>;
}

export interface SessionFilesOptions extends FileJournalOptions {
	/** Of the session's own files. */
	readonly folder: string;
}

export class SessionFiles implements SessionJournal {
	readonly #options: SessionFilesOptions;
	readonly #main: FileJournal;
	/** Those that work, or have lines that the disk did not take yet. */
	readonly #agents = new Set<FileJournal>();
	/** Files that the disk fails for. */
	#failing = 0;
	#closed = false;

	constructor(options: SessionFilesOptions) {
		this.#options = options;
		this.#main = new FileJournal({ ...options, ...this.#told });
	}

	async append(entry: Entry): Promise<void> {
		await this.#main.append(entry);
		await this.#retry();
	}

	/** Its `append` rejects where that of the session would. */
	agentJournal(agentId: string): AgentJournal {
		let journal: FileJournal | undefined;
		return {
			append: async (entry) => {
				if (this.#closed) throw new Error('The transcript is closed.');
				journal ??= this.#openAgent(agentId);
				await journal.append(entry);
				await this.#retry();
			},
			close: () => {
				const ended = journal;
				journal = undefined;
				if (ended) void this.#endAgent(ended);
			},
		};
	}

	async close(): Promise<void> {
		this.#closed = true;
		await Promise.all([...this.#agents].map((agent) => this.#closeAgent(agent)));
		await this.#main.close();
	}

	#openAgent(agentId: string): FileJournal {
		const { folder, now, secrets, claim, fs } = this.#options;
		const file = agentFile(folder, agentId);
		const journal = new FileJournal({
			file,
			now,
			...endOf(file),
			...this.#told,
			...(secrets ? { secrets } : {}),
			...(claim ? { claim } : {}),
			...(fs ? { fs } : {}),
		});
		this.#agents.add(journal);
		return journal;
	}

	/** One whose lines the disk does not take is kept until it does, or the session is closed. */
	async #endAgent(agent: FileJournal): Promise<void> {
		await agent.retry();
		if (!agent.waits) await this.#closeAgent(agent);
	}

	async #closeAgent(agent: FileJournal): Promise<void> {
		this.#agents.delete(agent);
		await agent.close();
	}

	/** What waits of one file is not left until that file gets another line. */
	async #retry(): Promise<void> {
		if (this.#failing === 0) return;
		for (const journal of [this.#main, ...this.#agents]) await journal.retry();
	}

	get #told(): Pick<FileJournalOptions, 'trouble' | 'recovered'> {
		return {
			trouble: (kind: StorageTrouble, error: Error) => {
				if (this.#failing++ === 0) this.#options.trouble?.(kind, error);
			},
			recovered: () => {
				if (--this.#failing === 0) this.#options.recovered?.();
			},
		};
	}
}
