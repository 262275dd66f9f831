// Questions that a person may have about permissions: what would a rule do, what would be decided about a call? Nothing is
// asked, kept or run by them.
import type { ReasonCode, RuleCheck } from '../../shared/permission.ts';
import type { PermissionNeed } from '../permissions/access.ts';
import type { ParsedRule, SourcedRule } from '../permissions/rule.ts';
import { parseRule, readRules, rulesFrom } from '../permissions/rule.ts';
import type { Verdict } from '../permissions/verdict.ts';

/** A call that need not exist. */
export interface SupposedCall {
	readonly tool: string;
	readonly need: PermissionNeed;
}

export interface PermissionInquiry {
	/** What an allow rule would do for a request that is open; undefined when none is open under this id. */
	checkRule(requestId: string, rule: string): Promise<RuleCheck | undefined>;
	/** Files with secrets: not told to the model unless it asks and the person allows it. Absolute path. */
	isSecret(path: string): boolean;
	/** What would be decided now, in this mode and with the rules of the session. */
	test(call: SupposedCall): Promise<Verdict>;
	/** Allow rules of the session only, as written, in the order in which they were added. */
	readonly sessionRules: readonly string[];
	/** Takes a rule of the session back; what it allowed before stays done. */
	forget(rule: string): void;
}

/** `text`: one rule per line. `judgeWith`: the verdict on the call if these allow rules came to the others. */
export async function checkRule(
	text: string,
	judgeWith: (rules: readonly SourcedRule[]) => Promise<Verdict>,
): Promise<RuleCheck> {
	const written = ruleLines(text);
	const parsed = (written.length === 0 ? [''] : written).map((line) => parseRule(line));
	const invalid = parsed.find((rule) => rule.kind === 'invalid');
	if (invalid) return { kind: 'invalid', problem: invalid.problem };
	const rules = rulesFrom({ source: 'session' }, written);
	const [problem] = readRules({ allow: rules, ask: [], deny: [] }).problems;
	if (problem) return { kind: 'invalid', problem: problem.problem };
	const verdict = await judgeWith(rules);
	if (verdict.verdict === 'allow') return { kind: 'covers', breadth: widest(parsed) };
	return verdict.reason.code in outweighing
		? { kind: 'outweighed', ...(verdict.rule === undefined ? {} : { rule: verdict.rule }) }
		: { kind: 'not_covering' };
}

/** An answer may have several rules, one per line. */
export function ruleLines(text: string): readonly string[] {
	return text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
}

/** Reasons that no allow rule changes. */
const outweighing: Partial<Record<ReasonCode, true>> = {
	ask_rule: true,
	deny_rule: true,
	protected_path: true,
	critical_path: true,
	secret: true,
	untrusted: true,
};

function widest(parsed: readonly ParsedRule[]): Extract<RuleCheck, { kind: 'covers' }>['breadth'] {
	const matches = parsed.map((rule) =>
		rule.kind === 'rule' && rule.rule.specifier.kind !== 'any' ? rule.rule.specifier.match : 'any',
	);
	if (matches.includes('any')) return 'whole_tool';
	return matches.every((match) => match === 'exact') ? 'exact' : 'some';
}
