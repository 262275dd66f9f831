// The Search port over ripgrep. One rule for both searches: hidden files yes, `.git` never, the person's ripgrep
// configuration never. Grep leaves out what git ignores unless it was named; Glob puts it last.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type {
	ContentMatch,
	ContentSearch,
	FileSearch,
	FoundContent,
	FoundFiles,
	Search,
	SearchFailure,
	SearchResult,
} from '../../core/ports/search.ts';
import { ContentCollector } from './contentCollector.ts';
import { newestFirst } from './newestFirst.ts';
import { runRipgrep } from './ripgrepProcess.ts';
import type { RipgrepEnd, RipgrepRun } from './ripgrepProcess.ts';

export interface RipgrepOptions {
	/** Absolute path of the executable, as `findRipgrep` finds it. */
	readonly rgPath: string;
	/** Milliseconds; default `limits.searchTimeoutMs`. */
	readonly timeoutMs?: number;
}

const base = ['--no-config', '--no-require-git', '--hidden', '--color=never'] as const;
// Of several globs the last one counts, so this one stands behind all others.
const withoutGit = '--glob=!.git';

interface Listing {
	readonly files: readonly string[];
	readonly incomplete: boolean;
}

export class RipgrepSearch implements Search {
	private readonly rgPath: string;
	private readonly timeoutMs: number;

	constructor({ rgPath, timeoutMs }: RipgrepOptions) {
		this.rgPath = rgPath;
		this.timeoutMs = timeoutMs ?? limits.searchTimeoutMs;
	}

	async files(query: FileSearch, signal: AbortSignal): Promise<SearchResult<FoundFiles>> {
		const { folder, pattern } = relativeGlob(query);
		const [matching, tracked] = await Promise.all([
			this.list(folder, ['--no-ignore', `--glob=${pattern}`], signal),
			this.list(folder, [], signal),
		]);
		if ('kind' in matching) return matching;
		if ('kind' in tracked) return tracked;
		// A glob overrules ignore files in ripgrep, so what they leave out is found by comparing with a plain listing.
		const plain = new Set(tracked.files);
		const visible = matching.files.filter((file) => plain.has(file));
		const ignored = matching.files.filter((file) => !plain.has(file));
		const files = await newestFirst(visible);
		if (files.length < query.limit) files.push(...(await newestFirst(ignored)));
		const total = matching.files.length;
		const truncated = total > query.limit || matching.incomplete;
		const found = {
			kind: 'found' as const,
			files: files.slice(0, query.limit),
			truncated,
			total,
			ignored: ignored.length,
		};
		return matching.incomplete ? { ...found, incomplete: true } : found;
	}

	async content(query: ContentSearch, signal: AbortSignal): Promise<SearchResult<FoundContent>> {
		const found = await this.searchContent(query, [], signal);
		if (found.kind !== 'found' || found.total > 0 || signal.aborted) return found;
		return this.lookIntoIgnored(query, found, signal);
	}

	/** Nothing was found: a path that is ignored itself was named and is searched; else matches in ignored files are told. */
	private async lookIntoIgnored(
		query: ContentSearch,
		found: { readonly kind: 'found' } & FoundContent,
		signal: AbortSignal,
	): Promise<SearchResult<FoundContent>> {
		const isFile = (await stat(query.path).catch(() => undefined))?.isFile() === true;
		if (isFile) return found;
		const listed = await this.list(query.path, [], signal, 1);
		if (!('kind' in listed) && listed.files.length === 0) {
			return this.searchContent(query, ['--no-ignore'], signal);
		}
		const files: string[] = [];
		await this.run({
			args: ['--no-ignore', '--files-with-matches', '--null', ...matchArgs(query)],
			operands: [query.path],
			cwd: query.path,
			separator: '\0',
			timeoutMs: Math.min(this.timeoutMs, limits.searchIgnoredTimeoutMs),
			signal,
			onRecord(record) {
				files.push(record);
				return files.length < limits.searchIgnoredFiles;
			},
		});
		return files.length === 0 ? found : { ...found, ignoredFiles: files.sort() };
	}

	private async searchContent(
		query: ContentSearch,
		extra: readonly string[],
		signal: AbortSignal,
	): Promise<SearchResult<FoundContent>> {
		const info = await stat(query.path).catch(() => undefined);
		if (info === undefined) return { kind: 'failed', message: `${query.path} does not exist` };
		const cwd = info.isDirectory() ? query.path : path.dirname(query.path);
		// As with `files`: ripgrep's --glob alone would search ignored files too.
		const only =
			query.glob === undefined || extra.length > 0 || info.isFile() ? undefined : await this.list(cwd, [], signal);
		if (only !== undefined && 'kind' in only) return only;
		const collector = new ContentCollector(query, only === undefined ? undefined : new Set(only.files));
		const end = await this.run({
			args: [...extra, ...modeArgs(query), ...matchArgs(query)],
			operands: [query.path],
			cwd,
			separator: query.mode === 'files_with_matches' ? '\0' : '\n',
			timeoutMs: this.timeoutMs,
			signal,
			onRecord: (record) => collector.add(record),
		});
		const failure = await this.failureOf(end, [...matchArgs(query)], collector.isEmpty);
		if (failure !== undefined) return failure;
		const sorted = query.mode === 'files_with_matches' ? await sortMatches(collector.matches) : collector.matches;
		return collector.result(sorted, end.kind === 'enough');
	}

	/** Paths below a folder, absolute. */
	private async list(
		folder: string,
		args: readonly string[],
		signal: AbortSignal,
		enough: number = limits.searchPaths,
	): Promise<Listing | SearchFailure> {
		const files: string[] = [];
		const end = await this.run({
			args: [...args, '--files', '--null'],
			cwd: folder,
			separator: '\0',
			timeoutMs: this.timeoutMs,
			signal,
			onRecord(record) {
				files.push(path.join(folder, record));
				return files.length < enough;
			},
		});
		const failure = await this.failureOf(end, args, files.length === 0);
		return failure ?? { files, incomplete: end.kind === 'enough' };
	}

	private run(run: Omit<RipgrepRun, 'rgPath'> & { readonly operands?: readonly string[] }): Promise<RipgrepEnd> {
		const { operands = [], args, ...rest } = run;
		return runRipgrep({ ...rest, rgPath: this.rgPath, args: [...base, ...args, withoutGit, '--', ...operands] });
	}

	/** What went wrong, if anything: exit 2 with results is a file that could not be read, without any it is a failure. */
	private async failureOf(
		end: RipgrepEnd,
		args: readonly string[],
		nothingFound: boolean,
	): Promise<SearchFailure | undefined> {
		switch (end.kind) {
			case 'enough':
				return undefined;
			case 'aborted':
				return { kind: 'failed', message: 'it was stopped' };
			case 'timed_out':
				return { kind: 'failed', message: `it took longer than ${this.timeoutMs} ms; narrow the path or the pattern` };
			case 'not_started':
				return { kind: 'failed', message: `ripgrep (${this.rgPath}) did not start: ${end.stderr}` };
			case 'exited':
				if (end.code === 0 || end.code === 1 || (end.code === 2 && !nothingFound)) return undefined;
				return (
					(await this.refusal(args)) ?? { kind: 'failed', message: end.stderr || `ripgrep ended with ${end.code}` }
				);
		}
	}

	/** Tells wrong arguments from trouble with files: the same arguments on empty input fail only when they are wrong. */
	private async refusal(args: readonly string[]): Promise<SearchFailure | undefined> {
		const hasPattern = args.some((arg) => arg.startsWith('--regexp='));
		const end = await this.run({
			args: [...(hasPattern ? args : [...args, '--regexp=x'])],
			operands: ['-'],
			cwd: path.parse(process.execPath).root,
			separator: '\n',
			timeoutMs: this.timeoutMs,
			signal: AbortSignal.timeout(this.timeoutMs),
			input: '',
			onRecord: () => true,
		});
		return end.kind === 'exited' && end.code === 2 ? { kind: 'invalid', message: end.stderr } : undefined;
	}
}

/** An absolute pattern is split into its folder and the rest; backslashes of Windows paths become slashes. */
function relativeGlob({ pattern, folder }: FileSearch): { readonly folder: string; readonly pattern: string } {
	const slashed = path.sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
	if (!path.isAbsolute(pattern)) return { folder, pattern: slashed.replace(/^(?:\.\/)+/, '') };
	const relative = path.relative(folder, path.dirname(`${pattern}x`));
	const inside = relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
	if (!inside) return { folder, pattern: slashed };
	return { folder, pattern: path.relative(folder, pattern).split(path.sep).join('/') };
}

function modeArgs(query: ContentSearch): string[] {
	switch (query.mode) {
		case 'files_with_matches':
			return ['--files-with-matches', '--null'];
		case 'count':
			return ['--count', '--null', '--with-filename', '--sort=path'];
		case 'content':
			return [
				'--json',
				'--sort=path',
				...(query.after === undefined ? [] : [`--after-context=${query.after}`]),
				...(query.before === undefined ? [] : [`--before-context=${query.before}`]),
			];
	}
}

/** The pattern and what decides which files and lines match it. `auto`: look-around is done by PCRE2. */
function matchArgs(query: ContentSearch): string[] {
	return [
		'--engine=auto',
		...(query.caseInsensitive === true ? ['--ignore-case'] : []),
		// A line end in the pattern can only match across lines; PCRE2 would silently find nothing without the option.
		...(query.multiline === true || /\n|\\n/.test(query.pattern) ? ['--multiline'] : []),
		...(query.multiline === true ? ['--multiline-dotall'] : []),
		...(query.glob === undefined ? [] : [`--glob=${query.glob}`]),
		...(query.type === undefined ? [] : [`--type=${query.type}`]),
		`--regexp=${query.pattern}`,
	];
}

async function sortMatches(matches: readonly ContentMatch[]): Promise<readonly ContentMatch[]> {
	const files = await newestFirst(matches.map((match) => match.file));
	return files.map((file) => ({ file }));
}
