// The settings that work outside of the editor: their names (final, product.md), kinds, and who may set them. Pure.
import { permissionModes } from '../../shared/permission.ts';
import { encodings } from '../text/encodings.ts';
import { say, type Sentence } from './sentence.ts';

export type SettingValue = string | number | boolean | readonly string[];

type Kind =
	| { readonly kind: 'text' }
	| { readonly kind: 'choice'; readonly values: readonly string[] }
	| { readonly kind: 'count'; readonly least: number; readonly most?: number }
	/** A number above 0, at most `most`; need not be whole. */
	| { readonly kind: 'amount'; readonly most?: number }
	| { readonly kind: 'flag' }
	/** Names in an order that counts: the strongest source wins as a whole. */
	| { readonly kind: 'names' }
	/** Lists of all sources are put together; single values of the strongest source win. */
	| { readonly kind: 'list' };

/**
 * What the files of a folder may set. `never`: keys and where they are sent. `trusted`: what gives rights. `always`: what
 * takes rights away, or is harmless.
 */
export type FolderRight = 'never' | 'trusted' | 'always';

export type Definition = Kind & { readonly folder: FolderRight };

const table = {
	provider: { kind: 'choice', values: ['auto', 'anthropic', 'demo'], folder: 'never' },
	baseUrl: { kind: 'text', folder: 'never' },
	model: { kind: 'text', folder: 'always' },
	smallModel: { kind: 'text', folder: 'always' },
	fallbackModels: { kind: 'names', folder: 'always' },
	maxOutputTokens: { kind: 'count', least: 1, folder: 'always' },
	thinking: { kind: 'choice', values: ['auto', 'off'], folder: 'always' },
	permissionMode: { kind: 'choice', values: permissionModes, folder: 'trusted' },
	'permissions.allow': { kind: 'list', folder: 'trusted' },
	'permissions.ask': { kind: 'list', folder: 'always' },
	'permissions.deny': { kind: 'list', folder: 'always' },
	'permissions.allowBypass': { kind: 'flag', folder: 'never' },
	'context.exclude': { kind: 'list', folder: 'always' },
	additionalDirectories: { kind: 'list', folder: 'trusted' },
	maxTurns: { kind: 'count', least: 1, folder: 'always' },
	maxCostUsd: { kind: 'amount', folder: 'trusted' },
	tokenTarget: { kind: 'count', least: 1, folder: 'trusted' },
	'compaction.enabled': { kind: 'flag', folder: 'always' },
	'compaction.threshold': { kind: 'amount', most: 1, folder: 'always' },
	'compaction.window': { kind: 'count', least: 10_000, folder: 'always' },
	'network.maxRetries': { kind: 'count', least: 0, most: 100, folder: 'always' },
	'network.idleTimeoutSeconds': { kind: 'count', least: 1, folder: 'always' },
	'tools.bashErrorCancelsSiblings': { kind: 'flag', folder: 'always' },
	'tools.maxConcurrency': { kind: 'count', least: 1, most: 10, folder: 'always' },
	/** Seconds. */
	'terminal.defaultTimeout': { kind: 'count', least: 1, most: 600, folder: 'always' },
	/** Days that conversations, and versions of files, are kept. */
	cleanupPeriodDays: { kind: 'count', least: 1, folder: 'never' },
	/** What files without a byte order mark are taken for. In the editor its own setting of this name counts. */
	'files.encoding': { kind: 'choice', values: encodings, folder: 'always' },
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof table;

export const settingNames = Object.keys(table) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
	return Object.hasOwn(table, name);
}

export function definitionOf(name: SettingName): Definition {
	return table[name];
}

/** `network.idleTimeoutSeconds` → `LOOPWRIGHT_NETWORK_IDLE_TIMEOUT_SECONDS`. */
export function environmentName(name: SettingName): string {
	return `LOOPWRIGHT_${name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.replaceAll('.', '_')
		.toUpperCase()}`;
}

export type Checked =
	{ readonly ok: true; readonly value: SettingValue } | { readonly ok: false; readonly problem: Sentence };

/** A value from a settings file (parsed JSON). */
export function checkValue(name: SettingName, value: unknown): Checked {
	const definition = definitionOf(name);
	switch (definition.kind) {
		case 'text':
			return typeof value === 'string' && value.trim() !== ''
				? good(value.trim())
				: bad(say('{0} must be a text', name));
		case 'choice': {
			const allowed: readonly string[] = definition.values;
			return typeof value === 'string' && allowed.includes(value)
				? good(value)
				: bad(say('{0} must be one of {1}', name, allowed.join(', ')));
		}
		case 'flag':
			return typeof value === 'boolean' ? good(value) : bad(say('{0} must be true or false', name));
		case 'amount': {
			const { most } = definition;
			const fits = isNumber(value) && value > 0 && value <= (most ?? Number.MAX_SAFE_INTEGER);
			if (fits) return good(value);
			return most === undefined
				? bad(say('{0} must be a number above 0', name))
				: bad(say('{0} must be a number above 0 and at most {1}', name, String(most)));
		}
		case 'names':
		case 'list':
			return Array.isArray(value) && value.every((item) => typeof item === 'string')
				? good(value)
				: bad(say('{0} must be a list of texts', name));
		case 'count': {
			const { least, most } = definition;
			const fits = isNumber(value) && value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER);
			if (fits && Number.isInteger(value)) return good(value);
			return most === undefined
				? bad(say('{0} must be a whole number of at least {1}', name, String(least)))
				: bad(say('{0} must be a whole number from {1} to {2}', name, String(least), String(most)));
		}
	}
}

/** A value from the command line or the environment. */
export function checkText(name: SettingName, text: string): Checked {
	const definition = definitionOf(name);
	if (definition.kind === 'list' || definition.kind === 'names') return good(splitList(text));
	if (definition.kind === 'flag') {
		const flags: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };
		return checkValue(name, Object.hasOwn(flags, text) ? flags[text] : text);
	}
	if (definition.kind === 'count') return checkValue(name, /^-?\d+$/.test(text.trim()) ? Number(text) : text);
	if (definition.kind === 'amount') return checkValue(name, /^-?\d*\.?\d+$/.test(text.trim()) ? Number(text) : text);
	return checkValue(name, text);
}

/** A comma list in which commas inside of parentheses belong to the item: `Read,Bash(git log a,b)`. */
export function splitList(text: string): readonly string[] {
	const items: string[] = [];
	let item = '';
	let depth = 0;
	for (const char of text) {
		if (char === '(') depth++;
		if (char === ')') depth = Math.max(0, depth - 1);
		if (char === ',' && depth === 0) {
			items.push(item);
			item = '';
		} else item += char;
	}
	return [...items, item].map((part) => part.trim()).filter(Boolean);
}

function good(value: SettingValue): Checked {
	return { ok: true, value };
}
function bad(problem: Sentence): Checked {
	return { ok: false, problem };
}
function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}
