// May this file be read or written, this tool be used? After deny rules, plan mode and ask rules have had their say.
import { isInWorkspace } from './places.ts';
import type { Place } from './places.ts';
import { isProtected } from './protectedPaths.ts';
import type { PlacedQuery } from './query.ts';
import type { Rule } from './rule.ts';
import { coversInput, coversPath, coversTool } from './ruleMatch.ts';
import type { SecretsPolicy } from './secretsPolicy.ts';
import { suggestPath, suggestUse } from './suggestRule.ts';
import type { Reason, Verdict } from './verdict.ts';
import { allow, ask } from './verdict.ts';

/** Does the place hold secrets, by either name? */
export function isSecretPlace(secrets: SecretsPolicy, { path, real }: Place): boolean {
	return secrets.isSecret(path) || (real !== path && secrets.isSecret(real));
}

/** The first allow rule for reading or writing that covers the place. */
export function pathAllowed({ rules, places }: PlacedQuery, tool: 'Read' | 'Edit', place: Place): Rule | undefined {
	return rules.allow.find(
		(rule) => rule.tool === tool && (rule.specifier.kind === 'any' || coversPath(rule, place, places)),
	);
}

export function judgeRead(query: PlacedQuery): Verdict {
	const { places, secrets, mode, tool } = query;
	const { target } = places;
	if (target === undefined) return ask(query, { code: 'mode_asks', args: { mode } });
	if (isSecretPlace(secrets, target)) return askSecret(query, target);
	if (mode === 'bypassPermissions') return allow();
	if (query.hook?.behavior === 'ask') return askHook(query);
	if (isInWorkspace(places, target)) return allow();
	if (query.hook?.behavior === 'allow') return allow();
	const rule = pathAllowed(query, 'Read', target) ?? toolAllowed(query, tool);
	if (rule !== undefined) return allow({ rule, part: target.real });
	return ask(query, outside(target), {
		part: target.real,
		danger: 'outside_workspace',
		suggested: suggestPath('Read', target, places),
	});
}

export function judgeWrite(query: PlacedQuery): Verdict {
	const { mode, places, secrets, tool, need } = query;
	const { target } = places;
	if (target === undefined) return ask(query, { code: 'mode_asks', args: { mode } });
	// Allow rules and hooks do not reach protected paths, and no rule is offered for them.
	const guarded = isProtected(places, target) || (need.access.kind === 'write' && need.access.runsCode === true);
	if (guarded && mode !== 'bypassPermissions') return askProtected(query, target);
	if (isSecretPlace(secrets, target)) return askSecret(query, target);
	if (query.trusted === false)
		return ask(query, { code: 'untrusted', args: { path: target.real } }, { part: target.real });
	if (mode === 'bypassPermissions') return allow();
	if (query.hook?.behavior === 'allow') return allow();
	if (query.hook?.behavior === 'ask') return askHook(query);
	const inside = isInWorkspace(places, target);
	if (inside && mode === 'acceptEdits') return allow();
	const rule = pathAllowed(query, 'Edit', target) ?? toolAllowed(query, tool);
	if (rule !== undefined) return allow({ rule, part: target.real });
	const suggested = suggestPath('Edit', target, places);
	if (inside) return ask(query, { code: 'mode_asks', args: { mode } }, { part: target.real, suggested });
	return ask(query, outside(target), { part: target.real, danger: 'outside_workspace', suggested });
}

/** Tools that touch neither files nor a shell, but more than this conversation. */
export function judgeUse(query: PlacedQuery): Verdict {
	const { mode, tool, hook, input = {} } = query;
	if (mode === 'bypassPermissions') return allow();
	if (hook?.behavior === 'allow') return allow();
	if (hook?.behavior === 'ask') return askHook(query);
	const rule = query.rules.allow.find((found) => coversTool(found, tool) && coversInput(found, input));
	if (rule !== undefined) return allow({ rule });
	return ask(query, { code: 'mode_asks', args: { mode } }, { suggested: suggestUse(tool, input) });
}

/** An allow rule for the whole tool. */
function toolAllowed({ rules }: PlacedQuery, tool: string): Rule | undefined {
	return rules.allow.find((rule) => rule.specifier.kind === 'any' && coversTool(rule, tool));
}

export function askSecret(query: PlacedQuery, { real }: Place): Verdict {
	return ask(query, { code: 'secret', args: { path: real } }, { part: real, danger: 'secret' });
}

export function askProtected(query: PlacedQuery, { real }: Place): Verdict {
	return ask(query, { code: 'protected_path', args: { path: real } }, { part: real, danger: 'protected_path' });
}

export function askHook(query: PlacedQuery): Verdict {
	const reason = query.hook?.reason;
	return ask(query, { code: 'hook_asks', ...(reason === undefined ? {} : { args: { reason } }) });
}

export function outside(place: Place): Reason {
	return { code: 'outside_workspace', args: { path: place.real } };
}
