// Questions that a person may have about permissions: what would a rule do, what would be decided about a call? Nothing is
// asked, kept or run by them.
import type { RuleCheck } from '../../shared/permission.ts';
import type { PermissionNeed } from '../permissions/access.ts';
import type { Verdict } from '../permissions/engine.ts';
import type { SourcedRule } from '../permissions/rule.ts';
import { parseRule, readRules, rulesFrom } from '../permissions/rule.ts';

/** A call that need not exist. */
export interface SupposedCall {
	readonly tool: string;
	readonly need: PermissionNeed;
}

export interface PermissionInquiry {
	/** What an allow rule would do for a request that is open; undefined when none is open under this id. */
	checkRule(requestId: string, rule: string): Promise<RuleCheck | undefined>;
	/** What would be decided now, in this mode and with the rules of the session. */
	test(call: SupposedCall): Promise<Verdict>;
	/** Allow rules of the session only, as written, in the order in which they were added. */
	readonly sessionRules: readonly string[];
	/** Takes a rule of the session back; what it allowed before stays done. */
	forget(rule: string): void;
}

/** `judgeWith`: the verdict on the call if these allow rules came to the others. */
export async function checkRule(
	text: string,
	judgeWith: (rules: readonly SourcedRule[]) => Promise<Verdict>,
): Promise<RuleCheck> {
	const rules = rulesFrom({ source: 'session' }, [text.trim()]);
	const [problem] = readRules({ allow: rules, ask: [], deny: [] }).problems;
	const parsed = parseRule(text);
	if (parsed.kind === 'invalid') return { kind: 'invalid', problem: parsed.problem };
	if (problem) return { kind: 'invalid', problem: problem.problem };
	const verdict = await judgeWith(rules);
	if (verdict.verdict === 'allow') return { kind: 'covers', breadth: breadthOf(parsed.rule) };
	switch (verdict.reason.code) {
		case 'ask_rule':
		case 'deny_rule':
			return { kind: 'outweighed', ...(verdict.rule === undefined ? {} : { rule: verdict.rule }) };
		case 'protected_path':
			return { kind: 'outweighed' };
		default:
			return { kind: 'not_covering' };
	}
}

type Parsed = Extract<ReturnType<typeof parseRule>, { kind: 'rule' }>['rule'];

function breadthOf({ specifier }: Parsed): Extract<RuleCheck, { kind: 'covers' }>['breadth'] {
	if (specifier.kind === 'any') return 'whole_tool';
	return specifier.match === 'exact' ? 'exact' : 'some';
}
