// One source of settings, ready to be put on top of others: what it may say is decided here (trust, and what a folder's files
// can never set), and each rule has its origin. Pure.
import { homedir } from 'node:os';
import path from 'node:path';
import type { RuleOrigin } from '../../shared/permission.ts';
import type { RuleTexts, SourcedRule } from '../../core/permissions/rule.ts';
import { definitionOf, type SettingName, type SettingValue } from './definitions.ts';
import type { SettingsPlace } from './settingsPlaces.ts';
import type { SettingsFile, SettingValues } from './settingsReader.ts';

export interface SettingsLayer {
	readonly source: RuleOrigin['source'];
	/** Single values and names; no rules, no folders. */
	readonly values: SettingValues;
	readonly rules: RuleTexts;
	/** Absolute. */
	readonly directories: readonly string[];
	/** Globs of files with secrets, beside the built-in ones. */
	readonly excludes: readonly string[];
	readonly forbidsBypass: boolean;
	/** Allow rules that count once the folder is trusted. */
	readonly waiting: readonly SourcedRule[];
}

const ruleNames = { allow: 'permissions.allow', ask: 'permissions.ask', deny: 'permissions.deny' } as const;

/** From the command line, the environment or the editor. `base`: the folder that relative folders start at. */
export function layerOfValues(source: RuleOrigin['source'], values: SettingValues, base: string): SettingsLayer {
	const rules = (name: SettingName) => listOf(values.get(name)).map((text) => ({ text, origin: { source } }));
	return {
		source,
		values: withoutLists(values),
		rules: { allow: rules(ruleNames.allow), ask: rules(ruleNames.ask), deny: rules(ruleNames.deny) },
		directories: directoriesOf(values, base),
		excludes: listOf(values.get('context.exclude')),
		forbidsBypass: false,
		waiting: [],
	};
}

/**
 * What a file may say. Contract: a folder's file never sets a base URL, a provider or the right to bypass, and gives no right
 * unless it is trusted; where its denials may be lost, everything is asked.
 */
export function layerOfFile(place: SettingsPlace, file: SettingsFile, trusted: boolean): SettingsLayer {
	const { source } = place;
	const sourced = (rules: SettingsFile['rules']['allow']) =>
		rules.map(({ text, line }) => ({ text, origin: { source, file: place.file, line } }));
	const mayGive = place.folder === undefined || trusted;
	const values = place.folder === undefined ? file.values : folderValues(file.values, trusted);
	const allow = sourced(file.rules.allow);
	const line = file.problems.find(({ effect }) => effect === 'unknown')?.line ?? 1;
	const everything = file.denialsUnknown ? [{ text: '*', origin: { source, file: place.file, line } }] : [];
	return {
		source,
		values: withoutLists(values),
		rules: {
			allow: mayGive ? allow : [],
			ask: [...sourced(file.rules.ask), ...everything],
			deny: sourced(file.rules.deny),
		},
		directories: directoriesOf(values, place.base),
		// A folder can keep more files back, not fewer.
		excludes: listOf(values.get('context.exclude')).filter((text) => place.folder === undefined || !isTakenBack(text)),
		forbidsBypass: file.forbidsBypass,
		waiting: mayGive ? [] : allow,
	};
}

function folderValues(values: SettingValues, trusted: boolean): SettingValues {
	return new Map(
		[...values].filter(([name, value]) => {
			const right = definitionOf(name).folder;
			if (name === 'permissionMode' && value === 'bypassPermissions') return false;
			return right === 'always' || (right === 'trusted' && trusted);
		}),
	);
}

function withoutLists(values: SettingValues): SettingValues {
	return new Map([...values].filter(([name]) => definitionOf(name).kind !== 'list'));
}

function directoriesOf(values: SettingValues, base: string): readonly string[] {
	return listOf(values.get('additionalDirectories')).map((directory) =>
		directory === '~' || /^~[/\\]/.test(directory)
			? path.join(homedir(), directory.slice(1))
			: path.resolve(base, directory),
	);
}

/** `!name`: the file is not kept back after all. */
export function isTakenBack(exclude: string): boolean {
	return exclude.trimStart().startsWith('!');
}

function listOf(value: SettingValue | undefined): readonly string[] {
	return typeof value === 'object' ? value : [];
}
