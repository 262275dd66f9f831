// The shell's own commands that move it, end it, run text as code or change how the rest is read. Contract: answers
// `undefined` for what is no such command.
import { pathFrom } from './collector.ts';
import type { Folders } from './collector.ts';
import { changesPrograms } from './environment.ts';
import type { Flow, Invocation, Launching } from './invocation.ts';
import { within } from './invocation.ts';
import { leaf } from './leaf.ts';
import type { ReadWord } from './words.ts';

type Run = (invocation: Invocation, launching: Launching) => Flow;

const unknown = (): Folders => new Set([undefined]);

export function runBuiltin(name: string, invocation: Invocation, launching: Launching): Flow | undefined {
	const run = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
	return run?.(invocation, launching);
}

/** Functions and aliases of these names would change what this analysis says. */
export function isSpecialName(name: string): boolean {
	return (
		Object.hasOwn(builtins, name) ||
		/^(?:command|builtin|time|env|xargs|find|printf|echo|test|\[|true|false)$/.test(name)
	);
}

function stays({ place }: Invocation): Flow {
	return { ok: place.folders, fail: place.folders };
}

/** Its words are read by `check`; what it does not pass is a problem. */
function checked(check: (words: readonly ReadWord[], launching: Launching) => boolean): Run {
	return (invocation, launching) => {
		const name = invocation.words[0]?.value ?? '';
		if (!check(invocation.words.slice(1), launching))
			launching.collector.problem('dynamic_code', invocation.place.text);
		leaf(invocation, launching, name);
		return stays(invocation);
	};
}

/** Names of variables: an index in them would be evaluated. */
function namesOnly(words: readonly ReadWord[], launching: Launching): boolean {
	launching.environment(words.map(({ value }) => value ?? ''));
	return words.every(({ value, several }) => value !== undefined && several !== true && !/[[$`]/.test(value));
}

const ends: Run = (invocation, launching) => {
	leaf(invocation, launching, invocation.words[0]?.value ?? '');
	return { ok: new Set(), fail: new Set() };
};

/** `break` and `continue` go on behind or at the head of their loop, wherever the shell is then. */
const leaps: Run = (invocation, launching) => {
	leaf(invocation, launching, invocation.words[0]?.value ?? '');
	return stays(invocation);
};

const cd: Run = (invocation, launching) => {
	const { place, words } = invocation;
	leaf(invocation, launching, 'cd');
	const operands = words.slice(1).filter(({ value }) => value === undefined || !/^-[LPe@]+$|^--$/.test(value));
	const physical = words.some(({ value }) => /^-[LPe@]*P/.test(value ?? ''));
	const [target] = operands;
	if (target !== undefined && target.value !== '-') launching.collector.read(target, place, { by: 'cd' });
	if (operands.length > 1) return { ok: unknown(), fail: place.folders };
	const { home } = launching.collector;
	if (target === undefined) return { ok: new Set([home]), fail: place.folders };
	const { value } = target;
	if (value === undefined || value === '-' || target.several === true || (physical && value.includes('..'))) {
		return { ok: unknown(), fail: place.folders };
	}
	if (value === '') return { ok: place.folders, fail: place.folders };
	return { ok: new Set([...place.folders].map((folder) => pathFrom(folder, value))), fail: place.folders };
};

const moves: Run = (invocation, launching) => {
	leaf(invocation, launching, invocation.words[0]?.value ?? '');
	launching.collector.notReadOnly();
	return { ok: unknown(), fail: unknown() };
};

const evaluate: Run = (invocation, launching) => {
	const words = invocation.words.slice(1).filter((word, index) => index > 0 || word.value !== '--');
	const { place } = invocation;
	launching.collector.notReadOnly();
	if (words.some(({ value, several }) => value === undefined || several === true)) {
		launching.collector.problem('dynamic_code', place.text);
		leaf(invocation, launching, 'eval');
		return { ok: unknown(), fail: unknown() };
	}
	const code = words.map(({ value }) => value).join(' ');
	return launching.nested(code, within(place, 'eval'), launching.flavour);
};

const trap: Run = (invocation, launching) => {
	const [first, ...rest] = invocation.words.slice(1).filter((word, index) => index > 0 || word.value !== '--');
	leaf(invocation, launching, 'trap');
	if (first === undefined || rest.length === 0 || /^-(?:[lpP]*)?$|^$/.test(first.value ?? '?'))
		return stays(invocation);
	if (first.value === undefined || first.several === true) {
		launching.collector.problem('dynamic_code', invocation.place.text);
		return stays(invocation);
	}
	// It runs at any time, wherever the shell is then.
	launching.nested(first.value, within(invocation.place, 'trap', unknown()), launching.flavour);
	return stays(invocation);
};

const source: Run = (invocation, launching) => {
	const file = invocation.words[1];
	launching.collector.problem('dynamic_code', invocation.place.text);
	leaf(invocation, launching, 'source');
	if (file !== undefined) launching.collector.read(file, invocation.place, { by: 'source' });
	return { ok: unknown(), fail: unknown() };
};

/** `export`, `declare` and the like: names before `=`. */
const declares: Run = (invocation, launching) => {
	const { collector } = launching;
	const words = invocation.words.slice(1);
	leaf(invocation, launching, invocation.words[0]?.value ?? '');
	const flags = words.filter(({ value }) => /^[-+][a-zA-Z]+$/.test(value ?? '')).map(({ value }) => value ?? '');
	const shows = words.every((word) => flags.includes(word.value ?? ''));
	if (!shows) collector.notReadOnly();
	for (const word of words) {
		const text = word.value ?? word.text;
		if (flags.includes(text)) continue;
		const [, name, subscript = ''] = /^([A-Za-z_]\w*)(\[[^\]]*\])?(?:\+?=|$)/s.exec(text) ?? [];
		if (name === undefined || (word.several === true && !text.includes('=')))
			collector.problem('environment', word.text);
		else launching.environment([name]);
		if (subscript !== '' && !/^\[\w*\]$/.test(subscript)) collector.problem('dynamic_code', word.text);
	}
	// A number is evaluated, and a reference stands for a name in another variable's text.
	const plain = words.every(({ value }) => /^[-+]\w+$|^\w+(?:=\d*)?$/.test(value ?? ''));
	if (flags.some((flag) => /n/.test(flag) || (/i/.test(flag) && !plain)))
		collector.problem('dynamic_code', invocation.place.text);
	return stays(invocation);
};

const harmlessSettings = /^(?:[-+][euxfvbmC]+|[-+]o|--|-|errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber)$/;
const harmlessOptions =
	/^(?:-[supq]+|nullglob|globstar|dotglob|failglob|nocaseglob|nocasematch|inherit_errexit|globasciiranges)$/;

function settings(words: readonly ReadWord[]): boolean {
	// Behind `--` come the shell's own arguments.
	const end = words.findIndex(({ value }) => value === '--');
	const own = end < 0 ? words : words.slice(0, end);
	if (own.every(({ value }) => /^(?:[-+][eux]*o|[-+][eux]+|errexit|nounset|pipefail|xtrace)$/.test(value ?? '')))
		return true;
	return own.every(
		({ value, several }) =>
			several !== true && value !== undefined && (harmlessSettings.test(value) || !/^[-+]/.test(value)),
	);
}

const never = checked(() => false);
const withoutOptions = checked((words) => words.every(({ value }) => value !== undefined && !value.startsWith('-')));

const arithmetic = checked((words, launching) =>
	words.every(({ value }) => {
		if (value === undefined || /[[$`'"\\]/.test(value)) return false;
		const names = value.match(/[A-Za-z_]\w*/g) ?? [];
		launching.environment(names);
		return names.every((name) => launching.isHarmless(name));
	}),
);

/** Values behind an option that are names of variables. */
function nameAfter(option: RegExp, words: readonly ReadWord[], launching: Launching): boolean {
	const [first, ...others] = words;
	// `"$x"` may be the option itself.
	if (first?.value === undefined && others.some(({ value }) => value === undefined || /[[$`]/.test(value)))
		return false;
	return words.every(({ value }, index) => {
		if (value === undefined || !option.test(value)) return true;
		const glued = value.slice(2);
		const name = glued === '' ? words[index + 1]?.value : glued;
		launching.environment([name ?? '']);
		return name !== undefined && !/[[$`]/.test(name);
	});
}

const builtins: Readonly<Record<string, Run>> = {
	cd,
	chdir: cd,
	pushd: moves,
	popd: moves,
	exit: ends,
	logout: ends,
	return: ends,
	break: leaps,
	continue: leaps,
	eval: evaluate,
	trap,
	source,
	'.': source,
	export: declares,
	declare: declares,
	typeset: declares,
	local: declares,
	readonly: declares,
	integer: never,
	float: never,
	nameref: never,
	unset: checked((words, launching) =>
		namesOnly(
			words.filter(({ value }) => !/^-[fvn]+$/.test(value ?? '')),
			launching,
		),
	),
	read: checked(namesOnly),
	mapfile: checked(
		(words, launching) => namesOnly(words, launching) && !words.some(({ value }) => /^-.*C/.test(value ?? '')),
	),
	readarray: checked(
		(words, launching) => namesOnly(words, launching) && !words.some(({ value }) => /^-.*C/.test(value ?? '')),
	),
	getopts: checked(([, ...words], launching) => namesOnly(words.slice(0, 1), launching)),
	wait: checked((words, launching) => nameAfter(/^-p/, words, launching)),
	printf: checked((words, launching) => nameAfter(/^-v/, words, launching)),
	test: checked(testWords),
	'[': checked(testWords),
	let: arithmetic,
	set: checked(settings),
	setopt: never,
	unsetopt: never,
	emulate: never,
	zmodload: never,
	autoload: never,
	zle: never,
	bindkey: never,
	compdef: never,
	vared: never,
	sched: never,
	repeat: never,
	foreach: never,
	end: never,
	'-': never,
	shopt: checked((words) => words.every(({ value }) => harmlessOptions.test(value ?? '?'))),
	enable: never,
	hash: withoutOptions,
	bind: never,
	complete: never,
	compgen: never,
	compopt: never,
	fc: never,
	coproc: never,
	history: withoutOptions,
	jobs: withoutOptions,
	alias: checked((words) => words.every(({ value }) => value !== undefined && /^(?:-p|[\w.-]+)$/.test(value))),
	command_not_found_handle: never,
};

/** `-v a[…]` is evaluated, wherever its parts come from. */
function testWords(words: readonly ReadWord[], launching: Launching): boolean {
	const index = (word: ReadWord | undefined): boolean =>
		word !== undefined && (word.value === undefined || /\[.*[$`]/s.test(word.value));
	for (const [at, word] of words.entries()) {
		if (word.value === '-v' || word.value === '-R' ? index(words[at + 1]) : index(word) && index(words[at + 1]))
			return false;
		if (word.value !== undefined || word.several !== true) continue;
		const [, name] = /^\$\{?(\w+|[#?$!])\}?$/.exec(word.text) ?? [];
		if (name === undefined || /^\d/.test(name) || !launching.isHarmless(name)) return false;
	}
	return true;
}

/** The variables that a command sets, as problems when they change what runs. */
export function checkEnvironment(names: readonly string[], launching: Pick<Launching, 'collector'>): void {
	for (const name of names) if (changesPrograms(name)) launching.collector.problem('environment', name);
}
