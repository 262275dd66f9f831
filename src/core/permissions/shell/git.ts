// git: options before the command that change what it runs, code in its words, and which files its commands write or read.
import type { Folders, Place } from './collector.ts';
import { pathFrom } from './collector.ts';
import type { Invocation, Launching } from './invocation.ts';
import { within } from './invocation.ts';
import type { ReadWord } from './words.ts';

export interface GitWords {
	/** The command, such as `log`. */
	readonly command?: string;
	readonly args: readonly ReadWord[];
	/** Folders of `-C`, in order. */
	readonly folders: readonly ReadWord[];
	/** Options that change configuration, programs or the repository. */
	readonly changed: boolean;
	readonly unclear: boolean;
}

/** `words` without `git`. */
export function readGitWords(words: readonly ReadWord[]): GitWords {
	const folders: ReadWord[] = [];
	let changed = false;
	for (let at = 0; at < words.length; at++) {
		const word = words[at];
		const value = word?.value;
		if (word === undefined || value === undefined || word.several === true)
			return { args: words.slice(at), folders, changed, unclear: true };
		if (!value.startsWith('-')) return { command: value, args: words.slice(at + 1), folders, changed, unclear: false };
		if (value === '-C') {
			const folder = words[++at];
			if (folder !== undefined) folders.push(folder);
		} else if (
			value === '-c' ||
			/^--(?:exec-path|git-dir|work-tree|namespace|config-env|super-prefix|attr-source)$/.test(value)
		) {
			changed = true;
			at++;
		} else if (
			!/^(?:-P|--no-pager|--no-optional-locks|--literal-pathspecs|--no-replace-objects|--version|-v|--help|-h|--no-advice|--no-lazy-fetch)$/.test(
				value,
			)
		) {
			changed = true;
		}
	}
	return { args: [], folders, changed, unclear: false };
}

/** Options, whole or shortened, whose value is a program, or that let configured programs run. */
const running =
	/^(?:--ext-diff|--textconv|--up.*|--receive-p.*|--exec(?:=.*)?|--extcmd.*|--open-files-in-pager.*|--template.*|--conf.*|--tool.*|--gpg-.*|--recur.*=.*|-O.+|--upload-archive.*)$/;

/** Commands that write files of the working folder. */
const changing =
	/^(?:checkout|restore|reset|switch|stash|merge|rebase|pull|apply|am|cherry-pick|revert|clean|rm|mv|bisect|sparse-checkout|submodule|read-tree|checkout-index|merge-file|filter-branch|lfs|svn|p4|subtree|cvsimport|mergetool|difftool)$/;

export function checkGit(invocation: Invocation, launching: Launching): void {
	const { collector } = launching;
	const { place: outer, words } = invocation;
	const { command, args, folders, changed, unclear } = readGitWords(words.slice(1));
	const place = { ...outer, folders: folders.reduce<Folders>(into, outer.folders) };
	if (changed) collector.problem('environment', place.text);
	if (unclear) collector.problem('dynamic_command', place.text);
	if (command === undefined) return;
	const texts = args.map(({ value }) => value ?? '');
	if (texts.some((text) => /^(?:ext|fd)::|^--?[a-z-]*=?ext::/.test(text)))
		collector.problem('dynamic_code', place.text);
	runsCode(command, args, place, { invocation, launching });
	writes(command, args, place, launching);
	if (/^(?:diff|show|log|blame|grep|cat-file|hash-object|annotate)$/.test(command)) {
		for (const arg of args) readsFile(arg, place, launching);
		if (command === 'grep' || args.length === 0) collector.read(here, place, { by: 'git', recursive: true });
	}
}

function into(folders: Folders, word: ReadWord): Folders {
	return new Set([...folders].map((folder) => pathFrom(folder, word.value)));
}

const here: ReadWord = { text: '.', value: '.', start: 0, end: 0 };

function runsCode(
	command: string,
	args: readonly ReadWord[],
	place: Place,
	{ invocation, launching }: { readonly invocation: Invocation; readonly launching: Launching },
): void {
	const texts = args.map(({ value }) => value ?? '');
	const problem = (): void => launching.collector.problem('dynamic_code', place.text);
	const short = command === 'clone' || command === 'fetch' || command === 'pull' ? /^-(?:c|u)/ : /^$/;
	if (texts.some((text) => running.test(text) || short.test(text))) problem();
	if (command === 'submodule' && texts.includes('foreach')) problem();
	if (command === 'bisect' && texts[0] === 'run') {
		launching.invoke({ ...invocation, words: args.slice(1), place: within(place, 'git bisect run') }, true);
	}
	if (command === 'rebase' && texts.some((text) => /^(?:-[a-zA-Z]*x|--exec)/.test(text))) problem();
	if (
		/^(?:filter-branch|difftool|mergetool|send-email|daemon|shell|cvsserver|upload-pack|receive-pack|remote-ext|remote-fd|for-each-repo|hook|instaweb|web--browse)$/.test(
			command,
		)
	)
		problem();
	if (command === 'config' && args.some(({ value }) => value === undefined)) problem();
}

function writes(command: string, args: readonly ReadWord[], place: Place, { collector }: Launching): void {
	const texts = args.map(({ value }) => value ?? '');
	const by = 'git';
	for (const [at, word] of args.entries()) {
		const [, glued] = /^--out(?:p(?:u(?:t)?)?)?(?:-(?:directory|dir))?=(.*)$/s.exec(word.value ?? '') ?? [];
		const next = args[at + 1];
		if (glued !== undefined) collector.write({ ...word, value: glued }, place, { by, recursive: true });
		else if (/^--out(?:p(?:u(?:t)?)?)?(?:-directory)?$/.test(word.value ?? '') && next !== undefined)
			collector.write(next, place, { by, recursive: true });
		else if (/^-o$/.test(word.value ?? '') && /^(?:archive|format-patch)$/.test(command) && next !== undefined) {
			collector.write(next, place, { by, recursive: true });
		}
	}
	if (command === 'config') {
		const reads = texts.some((text) =>
			/^(?:--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?|-l|--list|get|list)$/.test(text),
		);
		if (!reads) collector.write(configFile(args, collector.home), place, { by });
		return;
	}
	if (command === 'clone' || command === 'init' || command === 'worktree') {
		const operands = args.filter(({ value }) => value === undefined || !value.startsWith('-'));
		const [first, second] = operands;
		const target = command === 'init' ? first : second;
		collector.write(target ?? here, place, { by, recursive: true });
		return;
	}
	if (command === 'format-patch' && !texts.some((text) => /^-o|^--out|^--stdout/.test(text)))
		collector.write(here, place, { by, recursive: true });
	if (command === 'clean') clean(args, place, collector);
	const idle = command === 'stash' && /^(?:list|show)$/.test(texts[0] ?? '');
	if (changing.test(command) && !idle) collector.write(here, place, { by, recursive: true });
}

/** What git does not know is nowhere else: it is removed for good. */
function clean(args: readonly ReadWord[], place: Place, collector: Launching['collector']): void {
	const texts = args.map(({ value }) => value ?? '');
	if (texts.some((text) => /^-[a-zA-Z]*n|^--dry-run$/.test(text))) return;
	const targets = args.filter(({ value }, at) => value?.startsWith('-') !== true && texts[at - 1] !== '-e');
	for (const target of targets.length > 0 ? targets : [here])
		collector.write(target, place, { by: 'git', recursive: true, removed: true });
}

function configFile(args: readonly ReadWord[], home: string | undefined): ReadWord {
	const at = args.findIndex(({ value }) => value === '-f' || value === '--file');
	const glued = args.find(({ value }) => value?.startsWith('--file=') === true);
	const named = glued === undefined ? args[at + 1] : { ...glued, value: glued.value?.slice('--file='.length) ?? '' };
	const file = at >= 0 || glued !== undefined ? named : undefined;
	if (file !== undefined) return file;
	const text = args.map(({ value }) => value).includes('--global') ? '~/.gitconfig' : '.git/config';
	if (args.some(({ value }) => value === '--system'))
		return { ...here, text: '/etc/gitconfig', value: '/etc/gitconfig' };
	if (!text.startsWith('~')) return { ...here, text, value: text };
	return home === undefined ? { text, start: 0, end: 0 } : { text, value: `${home}/.gitconfig`, start: 0, end: 0 };
}

/** `HEAD:path` names a file too. */
function readsFile(word: ReadWord, place: Place, { collector }: Launching): void {
	const { value } = word;
	if (value === undefined || value.startsWith('-')) return;
	const [, path] = /^[^/:]*:(.+)$/s.exec(value) ?? [];
	collector.read({ ...word, value: path ?? value }, place, { by: 'git' });
}
