// What one command starts: wrappers are taken off until the program itself is there; code in strings is walked. Contract:
// whoever starts something that cannot be read from its words is a problem.
import { runBuiltin } from './builtins.ts';
import type { Folders } from './collector.ts';
import { pathFrom } from './collector.ts';
import { findCommand } from './find.ts';
import type { Flow, Invocation, Launching } from './invocation.ts';
import { isReserved, within } from './invocation.ts';
import { leaf } from './leaf.ts';
import { readOptions } from './options.ts';
import { runShell } from './shells.ts';
import type { Wrapper } from './wrappers.ts';
import { opaque, shells, wrappers } from './wrappers.ts';
import type { ReadWord } from './words.ts';

/** `external`: started by another program, so that the shell's own commands are out of reach. */
export function invoke(invocation: Invocation, launching: Launching, external = false): Flow {
	const [first] = invocation.words;
	const { folders } = invocation.place;
	const stays: Flow = { ok: folders, fail: folders };
	if (first === undefined) return stays;
	const name = first.value;
	if (name === undefined || name === '' || first.several === true) {
		launching.collector.problem('dynamic_command', invocation.place.text);
		leaf(invocation, launching, '');
		return { ok: new Set([undefined]), fail: new Set([undefined]) };
	}
	const base = name.slice(name.lastIndexOf('/') + 1);
	const foreign = external || base !== name;
	if (!foreign) {
		const flow = runBuiltin(name, invocation, launching);
		if (flow !== undefined) return flow;
	}
	const wrapper = wrappers[base];
	if (Object.hasOwn(wrappers, base) && wrapper !== undefined) {
		const flow = unwrap(base, wrapper, invocation, launching);
		return wrapper.builtin === true && !foreign ? flow : stays;
	}
	if (shells.has(base)) runShell(base, invocation, launching);
	else if (base === 'find' || base === 'gfind') findCommand(invocation, launching);
	else if (base === 'watch') watch(invocation, launching);
	else if (base === 'flock') flock(invocation, launching);
	else {
		if (opaque.has(base)) launching.collector.problem('unsupported', invocation.place.text);
		leaf(invocation, launching, base);
	}
	return stays;
}

function unwrap(name: string, wrapper: Wrapper, invocation: Invocation, launching: Launching): Flow {
	const { collector } = launching;
	const { place, words } = invocation;
	const { options, operands, unknown } = readOptions(words.slice(1), wrapper.options);
	const [firstOperand] = operands;
	const odd = unknown.filter((word) => word !== firstOperand);
	if (odd.length > 0 || options.some((option) => wrapper.refused?.includes(option.name) === true)) {
		collector.problem('unsupported', place.text);
	}
	if (options.some((option) => wrapper.starts?.includes(option.name) === true)) {
		leaf(invocation, launching, name);
		return { ok: place.folders, fail: place.folders };
	}
	const skipped = operands.slice(0, wrapper.skip ?? 0);
	let inner: readonly ReadWord[] = operands.slice(wrapper.skip ?? 0);
	// A word that may come to be several could push the program's name to another place.
	if (skipped.some(({ several }) => several === true)) collector.problem('dynamic_command', place.text);
	const assignments = [...invocation.assignments];
	if (wrapper.assigns === true) {
		while (inner[0] !== undefined && assignment(inner[0]) !== undefined) {
			const found = assignment(inner[0]);
			if (found !== undefined) assignments.push(found);
			inner = inner.slice(1);
		}
	}
	launching.environment(assignments.slice(invocation.assignments.length).map((one) => one.name));
	const folders = options.reduce<Folders>(
		(all, option) =>
			wrapper.folder?.includes(option.name) === true
				? new Set([...all].map((folder) => pathFrom(folder, option.value?.value)))
				: all,
		place.folders,
	);
	if (name === 'time' && inner[0] !== undefined && isReserved(inner[0])) collector.problem('syntax', place.text);
	if (inner.length === 0 && name !== 'xargs') {
		leaf(invocation, launching, name);
		return { ok: place.folders, fail: place.folders };
	}
	if (name === 'xargs')
		inner = withInput(inner, options.find((option) => option.name === 'I' || option.name === 'i')?.value?.value);
	const label = name === 'xargs' && options.length > 0 ? 'xargs with options' : name;
	const flow = invoke(
		{ ...invocation, words: inner, assignments, place: within(place, label, folders) },
		launching,
		wrapper.builtin !== true,
	);
	return name === 'exec' ? { ok: new Set(), fail: place.folders } : flow;
}

function assignment(word: ReadWord): { readonly name: string; readonly value?: string } | undefined {
	const [, name] = /^(\w+)=/.exec(word.value ?? word.text) ?? [];
	if (name === undefined) return undefined;
	return { name, ...(word.value === undefined ? {} : { value: word.value.slice(name.length + 1) }) };
}

/** What xargs hands on comes from its input: behind the words, or in place of `replaced`. */
function withInput(words: readonly ReadWord[], replaced: string | undefined): readonly ReadWord[] {
	const [program] = words;
	const echo: ReadWord = { text: 'echo', value: 'echo', start: 0, end: 0 };
	const input: ReadWord = { text: '{}', start: 0, end: 0, several: true };
	if (replaced === undefined) return program === undefined ? [echo, input] : [...words, input];
	return words.map((word) => (word.text.includes(replaced) ? { ...input, text: word.text } : word));
}

/** `watch` hands its words, put together, to sh. */
function watch(invocation: Invocation, launching: Launching): void {
	const { options, operands, unknown } = readOptions(invocation.words.slice(1), {
		flags: 'bcdegrtvwxp',
		values: 'nqs',
		longValues: ['interval', 'equexit'],
		inOrder: true,
	});
	const values = operands.map(({ value, several }) => (several === true ? undefined : value));
	leaf(invocation, launching, 'watch');
	if (operands.length === 0) return;
	if (unknown.some((word) => word !== operands[0]) || values.includes(undefined)) {
		launching.collector.problem('dynamic_code', invocation.place.text);
		return;
	}
	const place = within(invocation.place, 'watch');
	if (options.some(({ name }) => name === 'x' || name === 'exec'))
		invoke({ ...invocation, words: operands, place }, launching, true);
	else launching.nested(values.join(' '), within(place, 'sh -c'), 'posix');
}

/** `flock file program …`, `flock file -c code`, `flock number`. It creates the file. */
function flock(invocation: Invocation, launching: Launching): void {
	const { collector } = launching;
	const { operands, unknown } = readOptions(invocation.words.slice(1), {
		flags: 'senouxFvV',
		values: 'wE',
		longFlags: ['shared', 'exclusive', 'unlock', 'nonblock', 'nb', 'close', 'no-fork', 'verbose'],
		longValues: ['wait', 'timeout', 'conflict-exit-code'],
		inOrder: true,
	});
	const [file, ...rest] = operands;
	if (unknown.some((word) => word !== file)) collector.problem('unsupported', invocation.place.text);
	leaf(invocation, launching, 'flock');
	if (file === undefined || (rest.length === 0 && /^\d+$/.test(file.value ?? ''))) return;
	collector.write(file, invocation.place, { by: 'flock' });
	const place = within(invocation.place, 'flock');
	const [first, code] = rest;
	if (first === undefined) return;
	if (first.value !== '-c' && first.value !== '--command')
		invoke({ ...invocation, words: rest, place }, launching, true);
	else if (code?.value === undefined || code.several === true) collector.problem('dynamic_code', invocation.place.text);
	else launching.nested(code.value, within(place, 'sh -c'), 'posix');
}
