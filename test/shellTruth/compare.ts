// Was everything that a real shell started and wrote listed by the analysis, or was the command line said to be unclear?
import type { FileUse, ShellAnalysis, ShellCommand } from '../../src/core/permissions/shellAnalysis.ts';
import type { Seen, Started, Tree } from './sandbox.ts';

/** What happened and was not listed, one line each; empty when all was. */
export function unlisted(analysis: ShellAnalysis, seen: Seen): string[] {
	if (analysis.unclear.length > 0) return [];
	const programs = seen.started
		.filter((started) => !isListed(started, analysis.commands))
		.map(({ program, args, cwd }) => `started in ${cwd}: ${JSON.stringify([program, ...args])}`);
	const changed = changes(seen);
	const files = changed.filter((change) => !isWritten(change, analysis));
	const readOnly = analysis.readOnly && changed.length > 0;
	return [
		...programs,
		...files.map(({ path, kind }) => `${kind}: ${path}`),
		...(readOnly ? ['written although it was read-only'] : []),
	];
}

interface Change {
	readonly path: string;
	readonly kind: 'new' | 'changed' | 'removed';
	readonly folder: boolean;
}

export function changes({ trees }: Seen): Change[] {
	return trees === undefined ? [] : difference(trees.before, trees.after);
}

function difference(base: Tree, now: Tree): Change[] {
	const found: Change[] = [];
	for (const [path, state] of now) {
		const before = base.get(path);
		if (before !== state)
			found.push({ path, kind: before === undefined ? 'new' : 'changed', folder: state.startsWith('d') });
	}
	for (const [path, state] of base)
		if (!now.has(path)) found.push({ path, kind: 'removed', folder: state.startsWith('d') });
	return found;
}

function isListed({ program, args, cwd }: Started, commands: readonly ShellCommand[]): boolean {
	const name = program.slice(program.lastIndexOf('/') + 1);
	// A script that a shell found, by the name in its words.
	if (!program.includes('/')) return commands.some(({ words }) => words.some(({ value }) => value === program));
	return commands.some((command) => {
		if (command.wrappers.some((wrapper) => wrapper.split(' ')[0] === name)) return true;
		const [first, ...words] = command.words;
		const listed = first?.value?.slice(first.value.lastIndexOf('/') + 1);
		if (listed !== name || (command.cwd !== undefined && command.cwd !== cwd)) return false;
		return fits(words, args);
	});
}

/** Could these words have come to be these arguments? */
function fits(words: ShellCommand['words'], args: readonly string[]): boolean {
	const [word, ...others] = words;
	if (word === undefined) return args.length === 0;
	if (word.several === true) {
		return Array.from({ length: args.length + 1 }, (_, taken) => taken).some((taken) =>
			fits(others, args.slice(taken)),
		);
	}
	const [arg, ...rest] = args;
	return arg !== undefined && (word.value === undefined || word.value === arg) && fits(others, rest);
}

function isWritten({ path, kind, folder }: Change, { writes }: ShellAnalysis): boolean {
	return writes.some((write) => {
		if (write.path === undefined) return false;
		if (path === write.path || (write.recursive === true && (covers(write, path) || write.path === '/'))) return true;
		// `mkdir -p a/b` makes `a` too.
		return kind === 'new' && folder && write.path.startsWith(`${path}/`);
	});
}

/** A pattern in the path stands for whatever fits; that it begins in the same folder must do here. */
function covers({ path = '', text }: FileUse, changed: string): boolean {
	if (changed.startsWith(`${path}/`)) return true;
	const pattern = /[*?[]/.exec(path);
	return (
		pattern !== null &&
		/[*?[]/.test(text) &&
		changed.startsWith(path.slice(0, path.lastIndexOf('/', pattern.index) + 1))
	);
}
