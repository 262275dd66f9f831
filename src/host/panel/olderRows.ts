// The rows of a large conversation that are still on the disk: a page of them comes before the others when somebody wants to see it.
// No `vscode`. Contract: rows that are there stay as they are, and none comes twice.
import { versionsByPrompt } from '../../core/messages/activeEntries.ts';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { Row } from '../../shared/view.ts';
import { showTranscript } from './transcriptRows.ts';
import { ViewModel } from './viewModel.ts';

/** What is stored before the entries that are shown, a page at a time, the newest page first. */
export interface OlderEntries {
	/** Undefined when there are no more. Rejects when they cannot be read. */
	next(): Promise<readonly StoredEntry[] | undefined>;
}

export interface OlderRowsParts {
	readonly entries: OlderEntries;
	/** Absolute; shortens the paths of tool calls. */
	readonly folder: string;
	readonly failed: (error: unknown) => void;
}

export class OlderRows {
	private readonly view: ViewModel;
	private readonly parts: OlderRowsParts;
	private loading: Promise<void> | undefined;
	private done = false;

	constructor(view: ViewModel, parts: OlderRowsParts) {
		this.view = view;
		this.parts = parts;
	}

	/** There may be more. */
	get more(): boolean {
		return !this.done;
	}

	/** Brings the next page. Never rejects: what cannot be read is not shown. */
	load(): Promise<void> {
		this.loading ??= this.page().finally(() => {
			this.loading = undefined;
		});
		return this.loading;
	}

	/** Brings pages until `enough`, or until all are here. */
	async until(enough: () => boolean): Promise<void> {
		while (!this.done && !enough()) await this.load();
	}

	private async page(): Promise<void> {
		try {
			const entries = await this.parts.entries.next();
			if (entries === undefined) this.done = true;
			else this.view.prepend(rowsOf(entries, this.view, this.parts.folder));
		} catch (error) {
			this.done = true;
			this.parts.failed(error);
		}
	}
}

function rowsOf(entries: readonly StoredEntry[], { state }: ViewModel, folder: string): readonly Row[] {
	const page = new ViewModel(state);
	showTranscript(page, entries, folder);
	const versions = versionsByPrompt(entries);
	return page.all.map((row) => {
		const known = row.kind === 'prompt' ? versions.get(row.id) : undefined;
		return row.kind === 'prompt' && known ? { ...row, versions: known } : row;
	});
}
