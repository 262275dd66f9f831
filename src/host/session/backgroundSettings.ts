// Which work beside the conversation may run, of what the settings say and where the conversation is. No `vscode`.
import type { BackgroundSettings } from '../../core/background/ask.ts';
import { demoModel } from '../../core/model/models.ts';

export interface BackgroundPlace {
	readonly model: string;
	readonly trusted: boolean;
	/** The conversation is one of a folder that is open. */
	readonly inFolder: boolean;
	/** A model for small jobs is set: titles are worth its price, not the large one's. */
	readonly smallModel: boolean;
}

/** `get`: the value of a setting of the extension. Consolidation is a part of the memory: without it no memory file is touched. */
export function backgroundSettings(
	get: (name: string) => unknown,
	{ model, trusted, inFolder, smallModel }: BackgroundPlace,
): Partial<BackgroundSettings> {
	if (!trusted || !inFolder || model === demoModel) return {};
	const memory = get('memory.enabled') === true;
	return {
		memory,
		consolidation: memory && get('memory.consolidate') === true,
		suggestions: get('suggestions.enabled') === true,
		labels: get('toolLabels.enabled') === true,
		title: smallModel,
	};
}
