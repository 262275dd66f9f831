// The tools of a session by name. Names are exact; former public names lead to their successors.
import type { ToolDefinition } from '../model/client.ts';
import { currentToolName } from '../util/toolNames.ts';
import type { Tool } from './tool.ts';

export interface Registry {
	/** What is offered now, in the order given; it is the order in which they are sent (a stable prefix keeps the cache warm). */
	readonly tools: readonly Tool[];
	/** Case counts. Former names (`MultiEdit`, `Task`, `KillShell`, `BashOutput`) find their successors if those exist. */
	find(name: string): Tool | undefined;
	/** The error for a name that `find` does not know, written for the model. */
	unknown(name: string): string;
}

/** `isOffered`: false for tools that a rule denies whole; they are found all the same. Throws on two tools of one name (a bug of the composition). */
export function createRegistry(all: readonly Tool[], isOffered: (name: string) => boolean = () => true): Registry {
	const byName = new Map<string, Tool>();
	for (const tool of all) {
		if (byName.has(tool.name)) throw new Error(`Two tools are named ${tool.name}`);
		byName.set(tool.name, tool);
	}
	// Decided once, when it is first asked for: the list stands before every request, and a rule that comes later denies the call.
	let decided: readonly Tool[] | undefined;
	const offered = () => (decided ??= all.filter(({ name }) => isOffered(name)));
	return {
		get tools() {
			return offered();
		},
		find: (name) => byName.get(name) ?? byName.get(currentToolName(name)),
		unknown(name) {
			const tools = offered();
			const alike = tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase());
			const hint = alike === undefined ? '' : ` Did you mean ${alike.name}?`;
			return `There is no tool named "${name}".${hint} Available tools: ${tools.map((tool) => tool.name).join(', ')}.`;
		},
	};
}

/** The tools as a request names them. */
export function toolDefinitions({ tools }: Registry): readonly ToolDefinition[] {
	return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}
