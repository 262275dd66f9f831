// What the engine is asked: a call, the rules of all sources, the mode, the folders, the trust; and the same with every path
// resolved and every rule read.
import type { PermissionMode } from '../../shared/permission.ts';
import type { PermissionNeed } from './access.ts';
import type { CommandFacts } from './commandFacts.ts';
import type { Places } from './places.ts';
import type { CallInput } from './ruleMatch.ts';
import type { Rules } from './rule.ts';
import type { SecretsPolicy } from './secretsPolicy.ts';

/** A PreToolUse hook's word. `allow` spares the prompt, and nothing else. */
export interface HookWord {
	readonly behavior: 'allow' | 'ask' | 'deny';
	/** For the model (deny) or the person (ask). */
	readonly reason?: string;
}

export interface Call {
	readonly tool: string;
	readonly need: PermissionNeed;
	readonly mode: PermissionMode;
	/** False when nobody can answer: what would ask is denied. */
	readonly interactive: boolean;
	/** The call's input, for rules on hosts, names and parameters. */
	readonly input?: CallInput;
	/** False: commands and MCP tools wait, edits always ask. Default: trusted. */
	readonly trusted?: boolean;
	readonly hook?: HookWord;
}

export interface PlacedQuery extends Call {
	readonly rules: Rules;
	readonly places: Places;
	readonly secrets: SecretsPolicy;
	/** For commands. */
	readonly command?: CommandFacts;
}
