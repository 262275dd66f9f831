// What the mock knows of models: windows, output limits and which thinking each accepts (the subset that the rules need).

export interface MockModel {
	readonly id: string;
	readonly displayName: string;
	readonly window: number;
	readonly maxOutput: number;
	/** Accepted values of `thinking.type`. */
	readonly thinking: readonly string[];
	readonly effort: boolean;
	/** Messages of role `system` in mid-conversation. */
	readonly systemRole: boolean;
	readonly forcedToolChoice: boolean;
	/** Thinking signatures are bound to the exact prefix of the conversation. */
	readonly prefixBound: boolean;
}

const MILLION = 1_000_000;

function modern(id: string, thinking: readonly string[], facts: Partial<MockModel> = {}): MockModel {
	return {
		id,
		displayName: id,
		window: MILLION,
		maxOutput: 128_000,
		thinking,
		effort: true,
		systemRole: false,
		forcedToolChoice: true,
		prefixBound: false,
		...facts,
	};
}

const newest = { systemRole: true, forcedToolChoice: false, prefixBound: true } as const;
const classic = { window: 200_000, maxOutput: 64_000, effort: false } as const;

/** The models that the mock serves unless a test gives others. */
export const mockModels: readonly MockModel[] = [
	modern('claude-fable-5-2', ['adaptive'], newest),
	modern('claude-fable-5-1', ['adaptive'], newest),
	modern('claude-fable-5', ['adaptive'], { systemRole: true }),
	modern('claude-opus-5-5', ['adaptive'], newest),
	modern('claude-opus-5', ['adaptive', 'disabled'], { systemRole: true }),
	modern('claude-opus-4-8', ['adaptive', 'disabled'], { systemRole: true }),
	modern('claude-opus-4-7', ['adaptive', 'disabled']),
	modern('claude-opus-4-6', ['adaptive', 'enabled', 'disabled']),
	modern('claude-sonnet-5-5', ['adaptive', 'between_tools'], newest),
	modern('claude-sonnet-5', ['adaptive', 'disabled']),
	modern('claude-sonnet-4-6', ['adaptive', 'enabled', 'disabled']),
	modern('claude-haiku-5-5', ['adaptive', 'disabled'], { prefixBound: true }),
	modern('claude-opus-4-5-20251101', ['enabled', 'disabled'], { ...classic, effort: true }),
	modern('claude-sonnet-4-5-20250929', ['enabled', 'disabled'], classic),
	modern('claude-haiku-4-5-20251001', ['enabled', 'disabled'], classic),
];

/** Finds a model by id, or by id without its date. */
export function findModel(models: readonly MockModel[], id: unknown): MockModel | undefined {
	return models.find((model) => model.id === id || model.id.replace(/-\d{8}$/, '') === id);
}
