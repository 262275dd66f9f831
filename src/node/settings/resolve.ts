// From all sources to the settings that hold. Single values: the strongest source wins; lists (rules, folders) of all
// sources are put together. What a folder's own files may set depends on trust (product.md). Pure.
import type { PermissionMode } from '../../shared/permission.ts';
import { defaultModel } from '../../core/model/models.ts';
import type { ThinkingSetting } from '../../core/model/client.ts';
import {
	checkText,
	definitionOf,
	environmentName,
	isSettingName,
	settingNames,
	type SettingName,
	type SettingValue,
} from './definitions.ts';
import type { SettingValues } from './settingsFile.ts';

/** Strongest first. */
export interface SettingSources {
	/** `--setting NAME=VALUE` and options of the same meaning. */
	readonly flags: SettingValues;
	readonly environment: SettingValues;
	/** The person's own, for this folder: `~/.loopwright/projects/<slug>/settings.json`. */
	readonly mine: SettingValues;
	/** The folder's: `.loopwright/settings.json`. */
	readonly folder: SettingValues;
	/** The person's own, everywhere: `~/.loopwright/settings.json`. */
	readonly everywhere: SettingValues;
	readonly trusted: boolean;
}

export interface ResolvedSettings {
	readonly provider: 'auto' | 'anthropic' | 'demo';
	/** Unset: the provider's own address. */
	readonly baseUrl?: string;
	readonly model: string;
	/** True when flags or environment named the model: a resumed session then does not bring its own. */
	readonly modelChosen: boolean;
	/** Asked in this order when the model is overloaded or declines. */
	readonly fallbackModels: readonly string[];
	/** Unset: small jobs are done by the model itself. */
	readonly smallModel?: string;
	/** USD that a session may cost. */
	readonly maxCostUsd?: number;
	readonly compaction: {
		readonly enabled: boolean;
		/** Share of the window, above 0 and at most 1. */
		readonly threshold?: number;
		/** Tokens. */
		readonly window?: number;
	};
	/** Attempts after the first; unset: the built-in number. */
	readonly maxRetries?: number;
	/** Tokens. */
	readonly maxOutputTokens?: number;
	readonly thinking: ThinkingSetting;
	readonly permissionMode: PermissionMode;
	/** As with `modelChosen`. */
	readonly modeChosen: boolean;
	readonly allow: readonly string[];
	readonly ask: readonly string[];
	readonly deny: readonly string[];
	readonly allowBypass: boolean;
	readonly additionalDirectories: readonly string[];
	readonly maxTurns?: number;
	/** Output tokens wished for in an exchange. */
	readonly tokenTarget?: number;
	/** Milliseconds. */
	readonly idleTimeoutMs: number;
	readonly bashErrorCancelsSiblings: boolean;
	readonly maxConcurrency: number;
}

const defaultIdleSeconds = 300;
const defaultConcurrency = 10;

/** The settings that hold. */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
	const layers = [sources.flags, sources.environment, sources.mine, allowedOf(sources), sources.everywhere];
	const chosen = (name: SettingName) => sources.flags.has(name) || sources.environment.has(name);
	const one = (name: SettingName) => layers.find((layer) => layer.has(name))?.get(name);
	const text = (name: SettingName) => asText(one(name));
	const count = (name: SettingName) => asNumber(one(name));
	const list = (name: SettingName) => [...new Set(layers.flatMap((layer) => asList(layer.get(name))))];
	const baseUrl = text('baseUrl');
	const maxOutputTokens = count('maxOutputTokens');
	const maxTurns = count('maxTurns');
	const maxCostUsd = count('maxCostUsd');
	const tokenTarget = count('tokenTarget');
	const maxRetries = count('network.maxRetries');
	const smallModel = text('smallModel');
	const threshold = count('compaction.threshold');
	const window = count('compaction.window');
	return {
		provider: (text('provider') ?? 'auto') as ResolvedSettings['provider'],
		...(baseUrl === undefined ? {} : { baseUrl }),
		model: text('model') ?? defaultModel,
		modelChosen: chosen('model'),
		fallbackModels: asList(one('fallbackModels')),
		...(smallModel === undefined ? {} : { smallModel }),
		...(maxCostUsd === undefined ? {} : { maxCostUsd }),
		compaction: {
			enabled: one('compaction.enabled') !== false,
			...(threshold === undefined ? {} : { threshold }),
			...(window === undefined ? {} : { window }),
		},
		...(maxRetries === undefined ? {} : { maxRetries }),
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
		thinking: (text('thinking') ?? 'auto') as ThinkingSetting,
		permissionMode: (text('permissionMode') ?? 'default') as PermissionMode,
		modeChosen: chosen('permissionMode'),
		allow: list('permissions.allow'),
		ask: list('permissions.ask'),
		deny: list('permissions.deny'),
		allowBypass: one('permissions.allowBypass') === true,
		additionalDirectories: list('additionalDirectories'),
		...(maxTurns === undefined ? {} : { maxTurns }),
		...(tokenTarget === undefined ? {} : { tokenTarget }),
		idleTimeoutMs: (count('network.idleTimeoutSeconds') ?? defaultIdleSeconds) * 1000,
		bashErrorCancelsSiblings: one('tools.bashErrorCancelsSiblings') !== false,
		maxConcurrency: count('tools.maxConcurrency') ?? defaultConcurrency,
	};
}

/** What the folder's files may say. Contract: never a base URL, a provider or the right to bypass. */
function allowedOf({ folder, trusted }: SettingSources): SettingValues {
	return new Map(
		[...folder].filter(([name, value]) => {
			const right = definitionOf(name).folder;
			if (name === 'permissionMode' && value === 'bypassPermissions') return false;
			return right === 'always' || (right === 'trusted' && trusted);
		}),
	);
}

/** Values written as `NAME=VALUE`; problems name what is wrong. */
export function settingsOfFlags(texts: readonly string[]): { values: SettingValues; problems: readonly string[] } {
	return collect(
		texts.map((text) => {
			const equals = text.indexOf('=');
			return equals === -1 ? [text, undefined] : [text.slice(0, equals).trim(), text.slice(equals + 1)];
		}),
		(name) => `--setting ${name}`,
	);
}

/** Values in LOOPWRIGHT_… variables; empty ones do not count. */
export function settingsOfEnvironment(env: Readonly<Record<string, string | undefined>>): {
	values: SettingValues;
	problems: readonly string[];
} {
	return collect(
		settingNames.flatMap((name): [string, string][] => {
			const value = env[environmentName(name)];
			return value ? [[name, value]] : [];
		}),
		(name) => (isSettingName(name) ? environmentName(name) : name),
	);
}

function collect(
	pairs: readonly (readonly [string | undefined, string | undefined])[],
	where: (name: string) => string,
): { values: SettingValues; problems: readonly string[] } {
	const values = new Map<SettingName, SettingValue>();
	const problems: string[] = [];
	for (const [name = '', text] of pairs) {
		if (!isSettingName(name)) problems.push(`${where(name)}: there is no such setting`);
		else if (text === undefined) problems.push(`${where(name)}: write NAME=VALUE`);
		else {
			const checked = checkText(name, text);
			if (!checked.ok) problems.push(`${where(name)}: ${checked.problem}`);
			else
				values.set(
					name,
					Array.isArray(checked.value) ? [...asList(values.get(name)), ...checked.value] : checked.value,
				);
		}
	}
	return { values, problems };
}

function asText(value: SettingValue | undefined): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
function asNumber(value: SettingValue | undefined): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
function asList(value: SettingValue | undefined): readonly string[] {
	return typeof value === 'object' ? value : [];
}
