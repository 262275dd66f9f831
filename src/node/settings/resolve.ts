// From all sources to the settings that hold. Single values: the strongest source wins; rules and folders of all sources are
// put together. Pure.
import type { PermissionMode, RuleOrigin } from '../../shared/permission.ts';
import { defaultModel } from '../../core/model/models.ts';
import type { ThinkingSetting } from '../../core/model/client.ts';
import type { RuleTexts, SourcedRule } from '../../core/permissions/rule.ts';
import {
	checkText,
	environmentName,
	isSettingName,
	settingNames,
	type SettingName,
	type SettingValue,
} from './definitions.ts';
import type { Encoding } from '../text/encodings.ts';
import type { SettingsLayer } from './layers.ts';
import { english } from './sentence.ts';
import type { SettingValues } from './settingsReader.ts';

export interface ResolvedSettings {
	readonly provider: 'auto' | 'anthropic' | 'demo';
	/** Unset: the provider's own address. */
	readonly baseUrl?: string;
	/** Who set `baseUrl`. */
	readonly baseUrlSource?: RuleOrigin['source'];
	/** As set, else the default one. */
	readonly model: string;
	readonly modelIsSet: boolean;
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
	/** `bypassPermissions` was wanted and is not allowed: `permissionMode` is another. */
	readonly bypassRefused: boolean;
	/** A file says that nobody may, whatever else is set. */
	readonly bypassForbidden: boolean;
	readonly rules: RuleTexts;
	/** Allow rules that count once the folder is trusted. */
	readonly waiting: readonly SourcedRule[];
	readonly allowBypass: boolean;
	/** Globs of files with secrets, beside the built-in ones; later ones win. */
	readonly excludes: readonly string[];
	/** Absolute. */
	readonly additionalDirectories: readonly string[];
	readonly maxTurns?: number;
	/** Output tokens wished for in an exchange. */
	readonly tokenTarget?: number;
	/** Milliseconds. */
	readonly idleTimeoutMs: number;
	readonly bashErrorCancelsSiblings: boolean;
	readonly maxConcurrency: number;
	/** Milliseconds for a command that names no time of its own; unset: the default. */
	readonly commandTimeoutMs?: number;
	/** Days that conversations, and versions of files, are kept. */
	readonly cleanupPeriodDays: number;
	/** What files without a byte order mark are taken for, outside of the editor. */
	readonly filesEncoding?: Encoding;
}

const defaultIdleSeconds = 300;
const defaultConcurrency = 10;
const defaultCleanupDays = 30;

/** The settings that hold. `layers`: strongest first. */
export function resolveSettings(layers: readonly SettingsLayer[]): ResolvedSettings {
	const setter = (name: SettingName) => layers.find(({ values }) => values.has(name));
	const chosen = (name: SettingName) =>
		layers.some(({ source, values }) => (source === 'flag' || source === 'environment') && values.has(name));
	const one = (name: SettingName) => setter(name)?.values.get(name);
	const text = (name: SettingName) => asText(one(name));
	const count = (name: SettingName) => asNumber(one(name));
	const baseUrl = text('baseUrl');
	const filesEncoding = text('files.encoding') as Encoding | undefined;
	const maxOutputTokens = count('maxOutputTokens');
	const maxTurns = count('maxTurns');
	const maxCostUsd = count('maxCostUsd');
	const tokenTarget = count('tokenTarget');
	const commandSeconds = count('terminal.defaultTimeout');
	const maxRetries = count('network.maxRetries');
	const smallModel = text('smallModel');
	const threshold = count('compaction.threshold');
	const window = count('compaction.window');
	const bypassForbidden = layers.some(({ forbidsBypass }) => forbidsBypass);
	const allowBypass = one('permissions.allowBypass') === true && !bypassForbidden;
	const wanted = (text('permissionMode') ?? 'default') as PermissionMode;
	const bypassRefused = wanted === 'bypassPermissions' && !allowBypass;
	const baseUrlSource = setter('baseUrl')?.source;
	return {
		provider: (text('provider') ?? 'auto') as ResolvedSettings['provider'],
		...(baseUrl === undefined ? {} : { baseUrl }),
		...(baseUrlSource === undefined ? {} : { baseUrlSource }),
		model: text('model') ?? defaultModel,
		modelIsSet: text('model') !== undefined,
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
		permissionMode: bypassRefused ? 'default' : wanted,
		modeChosen: chosen('permissionMode'),
		bypassRefused,
		bypassForbidden,
		rules: {
			allow: layers.flatMap(({ rules }) => rules.allow),
			ask: layers.flatMap(({ rules }) => rules.ask),
			deny: layers.flatMap(({ rules }) => rules.deny),
		},
		waiting: layers.flatMap(({ waiting }) => waiting),
		allowBypass,
		// What is stronger comes later, where it can take back.
		excludes: [...new Set(layers.toReversed().flatMap(({ excludes }) => excludes))],
		additionalDirectories: [...new Set(layers.flatMap(({ directories }) => directories))],
		...(maxTurns === undefined ? {} : { maxTurns }),
		...(tokenTarget === undefined ? {} : { tokenTarget }),
		idleTimeoutMs: (count('network.idleTimeoutSeconds') ?? defaultIdleSeconds) * 1000,
		bashErrorCancelsSiblings: one('tools.bashErrorCancelsSiblings') !== false,
		maxConcurrency: count('tools.maxConcurrency') ?? defaultConcurrency,
		...(commandSeconds === undefined ? {} : { commandTimeoutMs: commandSeconds * 1000 }),
		cleanupPeriodDays: count('cleanupPeriodDays') ?? defaultCleanupDays,
		...(filesEncoding === undefined ? {} : { filesEncoding }),
	};
}

/**
 * Where requests go. ANTHROPIC_BASE_URL is stronger than files and weaker than what a person set for Loopwright alone.
 * Contract: nothing of a folder comes in here.
 */
export function baseUrlOf(
	{ baseUrl, baseUrlSource }: Pick<ResolvedSettings, 'baseUrl' | 'baseUrlSource'>,
	env: Readonly<Record<string, string | undefined>>,
): string | undefined {
	const strong = ['managed', 'flag', 'environment', 'vscode'].includes(baseUrlSource ?? '');
	return strong ? baseUrl : env['ANTHROPIC_BASE_URL']?.trim() || baseUrl;
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
			if (!checked.ok) problems.push(`${where(name)}: ${english(checked.problem)}`);
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
