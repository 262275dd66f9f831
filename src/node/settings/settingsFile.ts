// Settings files, ours and those of Claude Code: strict JSON in UTF-8. Contract: a deny or ask rule is never lost silently: from
// a broken file they are taken as far as they can be read, and where one may be lost the file says so (`denialsUnknown`).
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { readDialect, type Dialect } from './dialects.ts';
import { say, type Sentence, type SettingsProblem } from './sentence.ts';
import { SettingsReader, type SettingsFile } from './settingsReader.ts';

/** Bytes; no settings file is so large. */
const largest = 1024 * 1024;

/** Text of a settings file; undefined where there is none. */
export type FileText = { readonly text: string } | { readonly problem: Sentence } | undefined;

/** Contract: never rejects, and never waits: a repository may hold a link to a device that gives bytes without end, or none. */
export async function readSettingsText(path: string): Promise<FileText> {
	let file: FileHandle | undefined;
	try {
		file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const found = await file.stat();
		if (!found.isFile()) return { problem: say('it is no ordinary file') };
		if (found.size > largest) return { problem: say('it is larger than 1 MB') };
		const { buffer, bytesRead } = await file.read(Buffer.alloc(found.size), 0, found.size, 0);
		return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)) };
	} catch (error) {
		if (error instanceof TypeError) return { problem: say('it is not in UTF-8') };
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
		return { problem: say('it cannot be read ({0})', code || String(error)) };
	} finally {
		await file?.close().catch(() => {});
	}
}

/** What a file says; one that does not exist is empty. */
export function readSettings(path: string, found: FileText, dialect: Dialect): SettingsFile {
	if (found === undefined) return emptyFile(path);
	if ('problem' in found) return unreadable(path, found.problem);
	return parseSettings(path, found.text, dialect);
}

export function parseSettings(path: string, text: string, dialect: Dialect): SettingsFile {
	if (text.trim() === '') return emptyFile(path);
	const errors: ParseError[] = [];
	let root: Node | undefined;
	try {
		root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
	} catch {
		return unreadable(path, say('it is nested too deeply'));
	}
	const reader = new SettingsReader(path, text);
	const [error] = errors;
	const syntax: SettingsProblem | undefined =
		error &&
		reader.problem(
			say('this is no valid JSON ({0})', printParseErrorCode(error.error)),
			error.offset,
			mayLoseDenials(text) ? 'unknown' : 'rights',
		);
	if (root?.type === 'object') readDialect(reader, root, dialect);
	else if (!syntax) reader.note(say('it must hold a JSON object'), root?.offset ?? 0, 'unknown');
	return reader.file(syntax);
}

/** With comments and trailing commas alone all is still clear; after any other fault a rule may have been swallowed. */
function mayLoseDenials(text: string): boolean {
	const hard: ParseError[] = [];
	parseTree(text, hard, { allowTrailingComma: true });
	return hard.length > 0 && /deny|ask|exclude|\\u/i.test(text);
}

function emptyFile(path: string): SettingsFile {
	return new SettingsReader(path, '').file(undefined);
}

function unreadable(path: string, sentence: Sentence): SettingsFile {
	const problem = { file: path, line: 1, column: 1, sentence, effect: 'unknown' } as const;
	return { ...emptyFile(path), problems: [problem], denialsUnknown: true };
}
