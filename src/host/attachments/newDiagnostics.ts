// New problems in the files that the agent has worked on: what was there when it first looked is not its business, what came
// since is told once. No `vscode`.
import path from 'node:path';
import type { AttachmentSource } from '../../core/loop/params.ts';
import { ToldNotes } from '../../core/loop/toldNotes.ts';
import type { Message } from '../../core/messages/types.ts';
import { toolUses } from '../../core/messages/types.ts';
import { currentToolName } from '../../core/util/toolNames.ts';

export interface Problem {
	readonly severity: 'error' | 'warning';
	/** From 1. */
	readonly line: number;
	readonly message: string;
	/** Who says so, such as "ts 2304"; may be empty. */
	readonly source: string;
}

/** Told in one note. */
export const problemsTold = 20;
/** Characters of one problem's text. */
const messageMost = 300;
/** Files that are looked at, the ones used last. */
const filesWatched = 50;

interface Found extends Problem {
	readonly file: string;
}

/**
 * `folder`: absolute, where relative paths start. `problemsOf`: errors and warnings of a file (absolute path), at once.
 * `isSecret`: files whose problems are not told, as they may quote them.
 */
export function newDiagnosticsSource(
	folder: string,
	problemsOf: (file: string) => readonly Problem[],
	isSecret: (file: string) => boolean = () => false,
): AttachmentSource {
	/** By file: the problems known so far. Undefined before the first look: what an earlier window did is not told. */
	const told = new ToldNotes<ReadonlyMap<string, ReadonlySet<string>> | undefined>(undefined);
	return ({ messages }) => {
		const known = told.known(messages);
		const seen = new Map(known);
		const touched = touchedFiles(messages, folder).filter(({ file }) => !isSecret(file));
		const found = touched.flatMap(({ file, changed }) => {
			const problems = problemsOf(file);
			const before = seen.get(file);
			seen.set(file, new Set(problems.map(keyOf)));
			if (before) return problems.filter((problem) => !before.has(keyOf(problem))).map(inFile(file));
			// Read and changed between two looks: only errors, as warnings are likely older.
			return changed && known ? problems.filter(({ severity }) => severity === 'error').map(inFile(file)) : [];
		});
		return Promise.resolve(told.tell(found.length === 0 ? undefined : noteOf(found, folder), seen));
	};
}

const inFile =
	(file: string) =>
	(problem: Problem): Found => ({ ...problem, file });

/** Lines move with edits, so they are no part of it. */
function keyOf({ severity, message, source }: Problem): string {
	return `${severity}\n${source}\n${message}`;
}

/** Errors first, then by file and line; at most so many. */
function noteOf(found: readonly Found[], folder: string): string {
	const rank = ({ severity }: Found) => (severity === 'error' ? 0 : 1);
	const sorted = found.toSorted(
		(a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
	);
	const lines = sorted.slice(0, problemsTold).map(({ file, line, severity, message, source }) => {
		const inside = file.startsWith(folder + path.sep);
		const place = `${inside ? path.relative(folder, file) : file}:${line}`;
		const text = message.length > messageMost ? `${message.slice(0, messageMost)}…` : message;
		return `${place} ${severity}: ${text.replaceAll(/\s*\n\s*/g, ' ')}${source === '' ? '' : ` [${source}]`}`;
	});
	const more = sorted.length > problemsTold ? [`… and ${sorted.length - problemsTold} more`] : [];
	return `New problems that the editor reports in files you worked on:\n${[...lines, ...more].join('\n')}`;
}

interface Touched {
	readonly file: string;
	/** Edited or written, not only read. */
	readonly changed: boolean;
}

/** The files that tool calls named, the ones used last, in the order of their first use. */
function touchedFiles(messages: readonly Message[], folder: string): readonly Touched[] {
	const found = new Map<string, boolean>();
	for (const message of messages) {
		if (message.role === 'user') continue;
		for (const { name, input } of toolUses(message)) {
			const tool = currentToolName(name);
			const file = input['file_path'] ?? input['notebook_path'];
			if (typeof file !== 'string' || file === '' || !['Read', 'Edit', 'Write', 'NotebookEdit'].includes(tool))
				continue;
			const whole = path.resolve(folder, file);
			found.set(whole, found.get(whole) === true || tool !== 'Read');
		}
	}
	return [...found].slice(-filesWatched).map(([file, changed]) => ({ file, changed }));
}
