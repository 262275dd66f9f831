// Settings files: strict JSON, names dotted or nested. A broken file is a problem that names its line; nothing in it is
// guessed, because a deny rule could be lost.
import { readFile } from 'node:fs/promises';
import { checkValue, isSettingName, type SettingName, type SettingValue } from './definitions.ts';

export type SettingValues = ReadonlyMap<SettingName, SettingValue>;

export interface SettingsFile {
	readonly path: string;
	readonly values: SettingValues;
	/** One sentence each, with path and line where there is one. */
	readonly problems: readonly string[];
}

/** Reads a settings file; one that does not exist is empty. Contract: never rejects. */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
	let text: string;
	try {
		text = await readFile(path, 'utf8');
	} catch (error) {
		const missing = error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code));
		const problem = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
		return { path, values: new Map(), problems: missing ? [] : [problem] };
	}
	return parseSettings(path, text);
}

/** The settings in a text. Unknown names are other programs' business and are passed over. */
export function parseSettings(path: string, text: string): SettingsFile {
	const values = new Map<SettingName, SettingValue>();
	const problems: string[] = [];
	if (text.trim() === '') return { path, values, problems };
	let root: unknown;
	try {
		root = JSON.parse(text.replace(/^\ufeff/, ''));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return { path, values, problems: [`${path}:${brokenLine(text)} is no valid JSON: ${reason}`] };
	}
	if (!isObject(root)) return { path, values, problems: [`${path}:1 must hold a JSON object`] };
	for (const [name, value] of flatten(root, '')) {
		if (!isSettingName(name)) continue;
		const checked = checkValue(name, value);
		if (checked.ok) values.set(name, checked.value);
		else problems.push(`${path}:${lineOf(text, name)} ${checked.problem}`);
	}
	return { path, values, problems };
}

function* flatten(object: Readonly<Record<string, unknown>>, prefix: string): Generator<[string, unknown]> {
	for (const [key, value] of Object.entries(object)) {
		const name = prefix + key;
		if (isObject(value) && !isSettingName(name)) yield* flatten(value, `${name}.`);
		else yield [name, value];
	}
}

/** The line at which a text stops being the beginning of JSON. 1-based. */
function brokenLine(text: string): number {
	const lines = text.split('\n');
	for (let count = 1; count <= lines.length; count++) {
		const prefix = lines.slice(0, count).join('\n');
		const position = errorPosition(prefix);
		if (position !== undefined && position < prefix.length) return prefix.slice(0, position).split('\n').length;
	}
	return lines.length;
}

/** Where the text is wrong; undefined when it is right, or only not complete yet. */
function errorPosition(text: string): number | undefined {
	try {
		JSON.parse(text);
		return undefined;
	} catch (error) {
		const message = error instanceof Error ? error.message : '';
		if (/unexpected end|unterminated/i.test(message)) return undefined;
		const position = /at position (\d+)/.exec(message)?.[1];
		// Without a position it is in the last line: the lines before were looked at already.
		return position === undefined ? Math.max(0, text.lastIndexOf('\n') + 1) : Number(position);
	}
}

/** The first line that holds the last part of a setting's name in quotes. */
function lineOf(text: string, name: string): number {
	const last = name.slice(name.lastIndexOf('.') + 1);
	const at = [text.indexOf(`"${name}"`), text.indexOf(`"${last}"`)].find((index) => index >= 0) ?? 0;
	return text.slice(0, at).split('\n').length;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
