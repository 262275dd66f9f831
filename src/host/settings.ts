// The extension's settings as the rest reads them: always the values of this moment. Wrong values fall back to the default.
import * as vscode from 'vscode';
import type { ContextSettings } from '../core/context/contextTypes.ts';
import { limits } from '../core/limits.ts';
import { demoModel } from '../core/model/models.ts';
import { rulesFrom } from '../core/permissions/rule.ts';
import type { SessionSettings } from '../core/session/options.ts';
import type { PermissionMode } from '../shared/permission.ts';
import type { ServiceSettings } from './provider/modelService.ts';
import { backgroundSettings } from './session/backgroundSettings.ts';

/** The modes that the panel offers. */
export const offeredModes = ['default', 'acceptEdits', 'plan', 'dontAsk'] as const satisfies readonly PermissionMode[];

/** Tokens: below, tools and instructions alone would fill the context. */
const smallestWindow = 10_000;

/** In a folder that is not trusted nothing runs and nothing is written. */
const untrustedDenials = ['Bash', 'Edit', 'Write'];

export function serviceSettings(): ServiceSettings {
	const settings = vscode.workspace.getConfiguration('loopwright');
	return {
		// Application scope: folders cannot set these two, and only the person's own value counts.
		provider: own(settings, 'provider') ?? 'auto',
		baseUrl: own(settings, 'baseUrl') ?? '',
		model: settings.get<string>('model') ?? '',
		idleTimeoutMs: within(settings.get('network.idleTimeoutSeconds'), 1, 3600, 300) * 1000,
	};
}

export interface SessionFacts {
	readonly model: string;
	/** Rules that the conversation has by itself. */
	readonly allow: readonly string[];
	/** The conversation is one of a folder that is open. */
	readonly inFolder: boolean;
}

export function sessionSettings({ model, allow, inFolder }: SessionFacts): SessionSettings {
	const settings = vscode.workspace.getConfiguration('loopwright');
	const trusted = vscode.workspace.isTrusted;
	const maxOutputTokens = positive(settings.get('maxOutputTokens'));
	const maxTurns = positive(settings.get('maxTurns'));
	const maxCostUsd = above(settings.get('maxCostUsd'), 0);
	const tokenTarget = positive(settings.get('tokenTarget'));
	const smallModel = text(settings.get('smallModel'));
	const fallbackModels = texts(settings.get('fallbackModels'));
	// The demo model is the only one of its service.
	const others = model === demoModel ? {} : { fallbackModels, ...(smallModel === '' ? {} : { smallModel }) };
	return {
		model,
		thinking: settings.get('thinking') === 'off' ? 'off' : 'auto',
		maxConcurrency: within(settings.get('tools.maxConcurrency'), 1, 10, 10),
		bashErrorCancelsSiblings: settings.get('tools.bashErrorCancelsSiblings') !== false,
		streamingTools: true,
		maxRetries: within(settings.get('network.maxRetries'), 0, 100, limits.maxRetries),
		compaction: compactionSettings(settings),
		allow: rulesFrom({ source: 'session' }, allow),
		ask: [],
		deny: rulesFrom({ source: 'session' }, trusted ? [] : untrustedDenials),
		background: backgroundSettings((name) => settings.get(name), { model, trusted, inFolder }),
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
		...(maxTurns === undefined ? {} : { maxTurns }),
		...(maxCostUsd === undefined ? {} : { maxCostUsd }),
		...(tokenTarget === undefined ? {} : { tokenTarget }),
		...others,
	};
}

/** Tokens that the context may have: the model's, or fewer where a setting says so. */
export function contextWindow(ofModel: number): number {
	const { window } = compactionSettings(vscode.workspace.getConfiguration('loopwright'));
	return Math.min(ofModel, window ?? ofModel);
}

function compactionSettings(settings: vscode.WorkspaceConfiguration): ContextSettings {
	const threshold = above(settings.get('compaction.threshold'), 0);
	const window = positive(settings.get('compaction.window'));
	return {
		enabled: settings.get('compaction.enabled') !== false,
		...(threshold === undefined ? {} : { threshold: Math.min(1, threshold) }),
		...(window === undefined ? {} : { window: Math.max(smallestWindow, window) }),
	};
}

/** The mode of a new conversation. */
export function initialMode(): PermissionMode {
	const mode = vscode.workspace.getConfiguration('loopwright').get('permissionMode');
	return offeredModes.find((offered) => offered === mode) ?? 'default';
}

function own(settings: vscode.WorkspaceConfiguration, name: string): string | undefined {
	const found = settings.inspect<string>(name);
	const value = found?.globalValue ?? found?.defaultValue;
	return typeof value === 'string' ? value : undefined;
}

function within(value: unknown, least: number, most: number, otherwise: number): number {
	return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}

function above(value: unknown, least: number): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) && value > least ? value : undefined;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}

function texts(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.map(text).filter((item) => item !== '') : [];
}

function positive(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
