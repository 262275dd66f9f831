// What a conversation is told of the settings; the same for the editor and the headless runner. Pure.
import { demoModel } from '../../core/model/models.ts';
import { defaultExcludes } from '../../core/permissions/secretsPolicy.ts';
import type { SessionSettings } from '../../core/session/options.ts';
import type { ResolvedSettings } from './resolve.ts';

/** Without the rules, which change by themselves. `model`: the one that answers. */
export function engineSettings(
	settings: ResolvedSettings,
	model: string,
): Omit<SessionSettings, 'allow' | 'ask' | 'deny'> {
	const {
		maxOutputTokens,
		maxTurns,
		smallModel,
		maxCostUsd,
		maxRetries,
		tokenTarget,
		fallbackModels,
		commandTimeoutMs,
	} = settings;
	// The demo model is the only one of its service.
	const others = model === demoModel ? {} : { fallbackModels, ...(smallModel === undefined ? {} : { smallModel }) };
	return {
		model,
		...others,
		...(maxCostUsd === undefined ? {} : { maxCostUsd }),
		...(maxRetries === undefined ? {} : { maxRetries }),
		compaction: settings.compaction,
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
		thinking: settings.thinking,
		...(maxTurns === undefined ? {} : { maxTurns }),
		...(tokenTarget === undefined ? {} : { tokenTarget }),
		...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }),
		maxConcurrency: settings.maxConcurrency,
		bashErrorCancelsSiblings: settings.bashErrorCancelsSiblings,
		streamingTools: true,
		allowBypass: settings.allowBypass,
		exclude: [...defaultExcludes, ...settings.excludes],
	};
}
