// What bounds one exchange, from the settings and the person's own words.
import type { QueryParams } from '../loop/params.ts';
import { targetOf } from '../loop/tokenBudget.ts';
import type { UserMessage } from '../messages/types.ts';
import { textOf } from '../messages/types.ts';
import type { SessionSettings } from './options.ts';

type Limits = Pick<QueryParams, 'maxTurns' | 'maxCostUsd' | 'tokenTarget'>;

export function exchangeLimits(settings: SessionSettings, prompt: UserMessage | undefined): Limits {
	const target = FEATURES.TOKEN_BUDGET ? ((prompt && targetOf(textOf(prompt))) ?? settings.tokenTarget) : undefined;
	return {
		...(settings.maxTurns === undefined ? {} : { maxTurns: settings.maxTurns }),
		...(settings.maxCostUsd === undefined ? {} : { maxCostUsd: settings.maxCostUsd }),
		...(target === undefined ? {} : { tokenTarget: target }),
	};
}
