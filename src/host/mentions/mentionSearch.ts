// What `@` and a few characters may mean, ranked: files and folders first, symbols as soon as the language services have
// answered. No `vscode`. Contract: nothing that the secrets policy keeps from the model is offered.
import path from 'node:path';
import { displayPath } from '../../core/util/paths.ts';
import type { MentionItem } from '../../shared/composer.ts';
import { writtenNamed, writtenPath, writtenSession, type LineRange } from '../../shared/mentions.ts';
import type { EditorSources } from './editorSources.ts';
import type { FileIndex, RankedPath } from './fileIndex.ts';
import { fuzzyMatch, fuzzyQuery, fuzzyText } from './fuzzy.ts';

export interface SearchParts {
	readonly index: Pick<FileIndex, 'search'>;
	readonly sources: Pick<EditorSources, 'openFiles' | 'symbols' | 'problemFiles' | 'terminals' | 'sessions'>;
	/** The session's root, absolute. */
	readonly root: () => string;
	/** Whether the secrets policy keeps a file (absolute) from the model. */
	readonly isSecret: () => Promise<(file: string) => boolean>;
	readonly words: MentionWords;
}

/** In the language of the person. */
export interface MentionWords {
	readonly problems: string;
	readonly terminal: string;
	readonly changes: string;
	readonly sessions: string;
	readonly lastCommand: string;
	readonly counts: (errors: number, warnings: number) => string;
}

export interface FoundMentions {
	readonly items: readonly MentionItem[];
	/** False while symbols may come. */
	readonly done: boolean;
}

const mostItems = 30;
const mostSymbols = 8;
const openBonus = 25;
/** A range, or the beginning of one, at the end of what is typed. */
const typedRange = /(?::(\d{1,9})?(?:-(\d{1,9})?)?)$/;

/** Ends early when `isNewest` says that nobody waits for it any more. */
export async function* searchMentions(
	typed: string,
	parts: SearchParts,
	isNewest: () => boolean,
): AsyncGenerator<FoundMentions, void> {
	const named = /^(problems|terminal|session):(.*)$/s.exec(typed);
	if (named) {
		const rest = named[2] ?? '';
		if (named[1] === 'problems') yield { items: await problemItems(rest, parts), done: true };
		else if (named[1] === 'terminal') yield { items: terminalItems(rest, parts), done: true };
		else yield { items: await sessionItems(rest, parts, mostItems), done: true };
		return;
	}
	const match = typedRange.exec(typed);
	const words = match ? typed.slice(0, match.index) : typed;
	const wantsSymbols = words.length >= 2 && !/[\\/]/.test(words) && !match;
	const symbols = wantsSymbols ? parts.sources.symbols(words) : undefined;
	const files = await pathItems(words, rangeOf(match), parts, isNewest);
	if (!files) return;
	const others = match ? [] : [...topicItems(words, parts), ...(await fewSessions(words, parts))];
	const local = words === '' ? [...others, ...files] : merged(files, others);
	yield { items: local.slice(0, mostItems).map(({ item }) => item), done: symbols === undefined };
	if (!symbols) return;
	const found = await symbolItems(words, await symbols, parts);
	if (isNewest())
		yield {
			items: merged(local, found)
				.slice(0, mostItems)
				.map(({ item }) => item),
			done: true,
		};
}

interface Ranked {
	readonly item: MentionItem;
	readonly score: number;
}

function merged(...lists: readonly (readonly Ranked[])[]): readonly Ranked[] {
	return lists.flat().toSorted((a, b) => b.score - a.score);
}

function rangeOf(match: RegExpExecArray | null): LineRange | undefined {
	const first = Number(match?.[1]);
	if (!(first > 0)) return undefined;
	const last = Number(match?.[2] ?? first);
	return { first: Math.min(first, last || first), last: Math.max(first, last) };
}

async function pathItems(
	words: string,
	range: LineRange | undefined,
	{ index, sources, root, isSecret }: SearchParts,
	isNewest: () => boolean,
): Promise<readonly Ranked[] | undefined> {
	const open = new Set(sources.openFiles().map((file) => displayPath(root(), file)));
	const query = fuzzyQuery(words);
	const found = await index.search(query, {
		// Some of them may be kept back.
		limit: mostItems * 2,
		bonus: ({ name }) => (open.has(name.text) ? openBonus : 0),
		isNewest,
	});
	if (!found) return undefined;
	const secret = await isSecret();
	const shown = query === '' ? found.filter(({ path: { name } }) => open.has(name.text)) : found;
	return shown
		.filter(({ path: { kind, name } }) => kind === 'folder' || !secret(path.resolve(root(), name.text)))
		.map((ranked) => ({ item: pathItem(ranked, range), score: ranked.score }));
}

function pathItem({ path: { kind, name }, hits }: RankedPath, range: LineRange | undefined): MentionItem {
	const { text, base } = name;
	const lines = kind === 'file' ? range : undefined;
	const suffix = lines ? `:${lines.first}${lines.last === lines.first ? '' : `-${lines.last}`}` : '';
	return {
		kind,
		label: text.slice(base) + suffix,
		hits: hits.filter((hit) => hit >= base).map((hit) => hit - base),
		detail: text.slice(0, Math.max(0, base - 1)),
		insert: writtenPath(text, lines),
	};
}

function topicItems(words: string, { sources, words: names }: SearchParts): readonly Ranked[] {
	const problems = sources.problemFiles();
	const errors = problems.reduce((sum, file) => sum + file.errors, 0);
	const warnings = problems.reduce((sum, file) => sum + file.warnings, 0);
	const [terminal] = sources.terminals();
	const topics = [
		...(problems.length > 0 ? [topic('problems', names.problems, names.counts(errors, warnings), '@problems')] : []),
		...(terminal === undefined
			? []
			: [topic('terminal', names.terminal, `${names.lastCommand}: ${terminal}`, '@terminal')]),
		topic('changes', names.changes, '', '@changes'),
		topic('topic', names.sessions, '', '@session:'),
	];
	const query = fuzzyQuery(words);
	return topics.flatMap((item) => {
		// Both in the person's language and as it is written.
		const label = fuzzyMatch(query, fuzzyText(item.label));
		const match = label ?? fuzzyMatch(query, fuzzyText(item.insert.slice(1)));
		return match ? [{ item: { ...item, hits: label?.hits ?? [] }, score: match.score }] : [];
	});
}

function topic(kind: MentionItem['kind'], label: string, detail: string, insert: string): MentionItem {
	return { kind, label, hits: [], detail, insert };
}

async function problemItems(
	rest: string,
	{ sources, root, isSecret, words }: SearchParts,
): Promise<readonly MentionItem[]> {
	const secret = await isSecret();
	const query = fuzzyQuery(rest);
	const found = sources
		.problemFiles()
		.filter(({ file }) => !secret(file))
		.flatMap(({ file, errors, warnings }): Ranked[] => {
			const shown = displayPath(root(), file);
			const match = fuzzyMatch(query, fuzzyText(shown));
			const insert = writtenNamed('problems', shown);
			const detail = words.counts(errors, warnings);
			return match
				? [{ item: { kind: 'problems', label: shown, hits: match.hits, detail, insert }, score: match.score }]
				: [];
		});
	return merged(found)
		.slice(0, mostItems)
		.map(({ item }) => item);
}

function terminalItems(rest: string, { sources, words }: SearchParts): readonly MentionItem[] {
	return sources.terminals().flatMap((name): MentionItem[] => {
		const match = fuzzyMatch(fuzzyQuery(rest), fuzzyText(name));
		const insert = writtenNamed('terminal', name);
		return match ? [{ kind: 'terminal', label: name, hits: match.hits, detail: words.lastCommand, insert }] : [];
	});
}

async function sessionItems(rest: string, { sources }: SearchParts, most: number): Promise<readonly MentionItem[]> {
	const sessions = await sources.sessions();
	const query = fuzzyQuery(rest);
	const found = sessions.flatMap(({ id, title }): Ranked[] => {
		const match = fuzzyMatch(query, fuzzyText(title));
		const insert = writtenSession(title, id);
		return match
			? [{ item: { kind: 'session', label: title, hits: match.hits, detail: '', insert }, score: match.score }]
			: [];
	});
	return merged(found)
		.slice(0, most)
		.map(({ item }) => item);
}

/** Beside files: a title has many letters, so only words as they are count. */
async function fewSessions(words: string, parts: SearchParts): Promise<readonly Ranked[]> {
	if (words.length < 3) return [];
	const sessions = await parts.sources.sessions();
	return sessions
		.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()))
		.slice(0, 3)
		.map(({ id, title }) => {
			const at = title.toLowerCase().indexOf(words.toLowerCase());
			const hits = Array.from(words, (_, index) => at + index).slice(0, words.length);
			const insert = writtenSession(title, id);
			return { item: { kind: 'session', label: title, hits, detail: '', insert }, score: 0 };
		});
}

async function symbolItems(
	words: string,
	found: Awaited<ReturnType<EditorSources['symbols']>>,
	{ root, isSecret }: SearchParts,
): Promise<readonly Ranked[]> {
	const secret = await isSecret();
	const query = fuzzyQuery(words);
	const ranked = found
		.filter(({ file }) => !secret(file))
		.flatMap(({ name, container, file, first, last }): Ranked[] => {
			const match = fuzzyMatch(query, fuzzyText(name));
			if (!match) return [];
			const shown = displayPath(root(), file);
			const detail = [container, `${shown}:${first}`].filter((part) => part !== '').join(' · ');
			const insert = writtenPath(shown, { first, last });
			return [{ item: { kind: 'symbol', label: name, hits: match.hits, detail, insert }, score: match.score }];
		});
	return merged(ranked).slice(0, mostSymbols);
}
