// Programs that only read, with the options that they may have. Data only; `readOnly.ts` reads it. Rule: what is not here
// is not read-only; options that write, start something or follow orders from a file are refused.
import type { OptionTable } from './options.ts';

export interface ReadOnlyProgram {
	/** Letters that are refused. */
	readonly short?: string;
	/** Long options that are refused, with all their abbreviations. */
	readonly long?: readonly string[];
	/** Exact words that are refused. */
	readonly words?: readonly string[];
	/** Operands at most. */
	readonly operands?: number;
	/** Words whose text is not known do no harm: nothing of it is read, and no option does more than print. */
	readonly anyText?: boolean;
	/** An open pattern could become an option that writes. */
	readonly noGlob?: boolean;
	readonly options?: OptionTable;
}

const plain: ReadOnlyProgram = {};

export const readOnlyPrograms: Readonly<Record<string, ReadOnlyProgram>> = {
	':': { anyText: true },
	true: { anyText: true },
	false: { anyText: true },
	echo: { anyText: true },
	test: { anyText: true },
	'[': { anyText: true },
	printf: { short: 'v' },
	pwd: { operands: 0 },
	cd: { operands: 1, words: ['-'] },
	ls: plain,
	cat: plain,
	head: plain,
	tail: { short: 'fF', long: ['follow', 'retry', 'pid'] },
	wc: { long: ['files0-from'] },
	grep: { short: 'f', long: ['file', 'exclude-from', 'decompress'] },
	egrep: { short: 'f', long: ['file', 'exclude-from', 'decompress'] },
	fgrep: { short: 'f', long: ['file', 'exclude-from', 'decompress'] },
	rg: {
		short: 'fz',
		long: ['pre', 'pre-glob', 'hostname-bin', 'search-zip', 'file', 'ignore-file', 'hyperlink-format'],
		noGlob: true,
	},
	find: {
		words: [
			'-exec',
			'-execdir',
			'-ok',
			'-okdir',
			'-delete',
			'-fprint',
			'-fprint0',
			'-fprintf',
			'-fls',
			'-f',
			'-files0-from',
		],
		noGlob: true,
	},
	which: { short: 'i', long: ['read-alias', 'read-functions', 'skip-alias'] },
	type: plain,
	command: { short: 'p' },
	diff: { short: 'lX', long: ['paginate', 'exclude-from'] },
	cmp: plain,
	comm: plain,
	stat: plain,
	du: { short: 'X', long: ['exclude-from', 'files0-from'] },
	df: plain,
	tree: { short: 'oR', long: ['output', 'fromfile', 'gitfile', 'infofile'], noGlob: true },
	sort: {
		short: 'oTS',
		long: ['output', 'compress-program', 'temporary-directory', 'files0-from', 'random-source', 'buffer-size'],
		noGlob: true,
	},
	uniq: { operands: 1, noGlob: true },
	cut: plain,
	tr: plain,
	nl: plain,
	tac: plain,
	rev: plain,
	fold: plain,
	paste: plain,
	join: plain,
	column: plain,
	expand: plain,
	seq: plain,
	basename: plain,
	dirname: plain,
	realpath: plain,
	readlink: plain,
	md5sum: plain,
	sha1sum: plain,
	sha256sum: plain,
	sha512sum: plain,
	cksum: plain,
	base64: plain,
	od: plain,
	hexdump: { short: 'f' },
	strings: plain,
	sed: { short: 'if', long: ['in-place', 'file'], noGlob: true },
	date: { short: 'sf', long: ['set', 'file'] },
	env: { operands: 0 },
	printenv: plain,
	uname: plain,
	nproc: plain,
	arch: plain,
	tty: plain,
	id: plain,
	groups: plain,
	whoami: { operands: 0 },
	hostname: { operands: 0, short: 'Fb', long: ['file', 'boot'] },
	file: { short: 'Cmfz', long: ['compile', 'magic-file', 'files-from', 'uncompress', 'uncompress-noreport'] },
	jq: { short: 'fL', long: ['from-file', 'slurpfile', 'rawfile', 'argfile'] },
	sleep: plain,
};

/** Programs whose version and help may be asked for. */
export const knownVersions: ReadonlySet<string> = new Set(
	(
		'node npm npx pnpm yarn bun deno tsc python python3 pip pip3 ruby gem perl php java javac go rustc cargo gcc g++ cc clang cmake make ' +
		'git docker kubectl terraform bash zsh sh curl wget tar gzip rg jq awk gawk sed sqlite3 psql mysql ffmpeg code gh dotnet'
	).split(' '),
);

export interface ReadOnlyGit {
	/** Operands at most. */
	readonly operands?: number;
	/** The options that it may have. */
	readonly only?: RegExp;
	/** What the first word must be. */
	readonly first?: RegExp;
	/** Without operands it lists, whatever `first` says. */
	readonly alone?: boolean;
}

/** git's reading commands. */
export const readOnlyGit: Readonly<Record<string, ReadOnlyGit>> = {
	status: {},
	log: {},
	diff: {},
	show: {},
	shortlog: {},
	'rev-parse': {},
	'rev-list': {},
	'ls-files': {},
	'ls-tree': {},
	'cat-file': {},
	'merge-base': {},
	'name-rev': {},
	'for-each-ref': {},
	'show-ref': {},
	'count-objects': {},
	'check-ignore': {},
	blame: {},
	annotate: {},
	grep: {},
	describe: {},
	version: {},
	branch: {
		operands: 0,
		only: /^(?:-a|-r|-v|-vv|-l|--all|--remotes|--verbose|--list|--show-current|--no-color|--no-column|--sort=.*|--format=.*)$/,
	},
	tag: { operands: 0, only: /^(?:-l|-n\d*|--list|--no-column|--sort=.*|--format=.*)$/ },
	remote: { alone: true, only: /^(?:-v|--verbose)$/, first: /^(?:get-url)$/ },
	stash: { first: /^(?:list|show)$/ },
	config: {
		first: /^(?:--get|--get-all|--get-regexp|--list|-l|get|list)$/,
		only: /^(?:--get|--get-all|--get-regexp|--list|-l|--global|--local|--show-origin|--show-scope|--name-only|-z|--null)$/,
	},
	reflog: { operands: 0 },
	worktree: { first: /^list$/ },
	notes: { first: /^(?:list|show)$/ },
};

/** Refused with all abbreviations. */
export const gitRefused: readonly string[] = [
	'output',
	'output-directory',
	'ext-diff',
	'textconv',
	'open-files-in-pager',
	'show-signature',
	'exec',
	'upload-pack',
	'no-index',
	'contents',
	'paginate',
	'filters',
	'batch-command',
	'exclude-from',
	'exclude-per-directory',
	'pathspec-from-file',
	'show-pulls-from',
	'pager',
	'edit-description',
	'resolve-git-dir',
];
