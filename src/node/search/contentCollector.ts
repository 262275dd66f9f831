// Turns ripgrep's records into matches: skips the offset, keeps the limit, counts on up to a bound, then says "enough".
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type { ContentMatch, ContentSearch, FoundContent } from '../../core/ports/search.ts';

interface JsonText {
	readonly text?: string;
	readonly bytes?: string;
}
interface JsonRecord {
	readonly type: string;
	readonly data: {
		readonly path?: JsonText;
		readonly lines?: JsonText;
		readonly line_number?: number | null;
		readonly submatches?: readonly { readonly match: JsonText }[];
	};
}

export class ContentCollector {
	/** In `files_with_matches` mode all of them (they are sorted before they are cut), else the page. */
	readonly matches: ContentMatch[] = [];
	private readonly query: ContentSearch;
	private readonly only: ReadonlySet<string> | undefined;
	private readonly seen = new Set<string>();
	/** Entries so far; context lines do not count. */
	private total = 0;
	private full = false;

	/** `only`: files that count; absolute paths. */
	constructor(query: ContentSearch, only: ReadonlySet<string> | undefined) {
		this.query = query;
		this.only = only;
	}

	get isEmpty(): boolean {
		return this.total === 0;
	}

	/** Takes a record; false when enough was counted. */
	add(record: string): boolean {
		if (record === '') return true;
		switch (this.query.mode) {
			case 'files_with_matches':
				this.entry({ file: this.absolute(record) });
				return this.total < limits.searchPaths;
			case 'count': {
				const at = record.lastIndexOf('\0');
				this.entry({ file: this.absolute(record.slice(0, at)), count: Number(record.slice(at + 1)) });
				return this.total < limits.searchPaths;
			}
			case 'content':
				this.addJson(record);
				return this.total < limits.searchCounted + this.first + this.query.limit;
		}
	}

	/** The page that was asked for. `cut`: the search was ended before its end. */
	result(matches: readonly ContentMatch[], cut: boolean): { readonly kind: 'found' } & FoundContent {
		const page = this.query.mode === 'content' ? matches : matches.slice(this.first, this.first + this.query.limit);
		const found = {
			kind: 'found' as const,
			matches: page,
			truncated: this.total > this.first + this.query.limit || cut,
			total: this.total,
			files: this.seen.size,
		};
		return cut ? { ...found, incomplete: true } : found;
	}

	private get first(): number {
		return this.query.offset ?? 0;
	}

	private absolute(file: string): string {
		return path.resolve(this.query.path, file);
	}

	private addJson(record: string): void {
		const { type, data } = JSON.parse(record) as JsonRecord;
		if ((type !== 'match' && type !== 'context') || data.path === undefined) return;
		const file = this.absolute(textOf(data.path));
		const line = data.line_number ?? undefined;
		const text = textOf(data.lines ?? {}).replace(/\r?\n$/, '');
		if (type === 'context') {
			// Context belongs to the page when an entry of the page is near.
			if (!this.full && this.counts(file) && this.total >= this.first) {
				this.matches.push({ ...at(file, line), text, context: true });
			}
			return;
		}
		if (this.query.onlyMatching === true) {
			for (const { match } of data.submatches ?? []) this.entry({ ...at(file, line), text: textOf(match) });
			return;
		}
		// A match over several lines is shown line by line but is one entry.
		const [head = '', ...more] = text.split(/\r?\n/);
		const kept = this.entry({ ...at(file, line), text: head });
		if (!kept) return;
		for (const [index, extra] of more.entries()) {
			this.matches.push({ ...at(file, line === undefined ? undefined : line + index + 1), text: extra });
		}
	}

	/** Counts an entry; keeps it when it is on the page. */
	private entry(match: ContentMatch): boolean {
		if (!this.counts(match.file)) return false;
		this.seen.add(match.file);
		this.total++;
		if (this.query.mode !== 'content') {
			this.matches.push(match);
			return true;
		}
		if (this.total > this.first + this.query.limit) this.full = true;
		const kept = this.total > this.first && !this.full;
		if (kept) this.matches.push(match);
		return kept;
	}

	private counts(file: string): boolean {
		return this.only === undefined || this.only.has(file);
	}
}

function at(file: string, line: number | undefined): Pick<ContentMatch, 'file' | 'line'> {
	return line === undefined ? { file } : { file, line };
}

function textOf({ text, bytes }: JsonText): string {
	return text ?? (bytes === undefined ? '' : Buffer.from(bytes, 'base64').toString('utf8'));
}
