// Every feature flag on: what the build does by `define`, as a global for code that runs from its sources. Mocha loads it.

const names = [
	'CONTEXT_COLLAPSE',
	'REACTIVE_COMPACT',
	'HISTORY_SNIP',
	'STREAMING_TOOLS',
	'TOKEN_BUDGET',
	'AUTO_DREAM',
	'TOOL_SUMMARIES',
] as const;
type Flags = Record<(typeof names)[number], boolean>;

const world = globalThis as unknown as { FEATURES?: Flags };
world.FEATURES ??= Object.fromEntries(names.map((name) => [name, true])) as Flags;
const flags = world.FEATURES;

/** Runs something with one flag off. */
export async function withoutFeature<T>(name: keyof Flags, run: () => T | Promise<T>): Promise<T> {
	flags[name] = false;
	try {
		return await run();
	} finally {
		flags[name] = true;
	}
}
