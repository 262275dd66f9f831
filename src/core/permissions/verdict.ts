// What the engine says about a call, and the words in which the model hears a denial.
import type { Explanation, PermissionMode, ReasonCode } from '../../shared/permission.ts';
import type { Rule } from './rule.ts';

/** Why a call is not simply allowed. `args`: `path` (the real one), `rule`, `mode`, and for `nobody_to_ask` the `reason` behind it. */
export interface Reason {
	readonly code: ReasonCode;
	readonly args?: Readonly<Record<string, string>>;
}
export type Verdict =
	/** `rule`: the allow rule that decided, if one did. */
	| { readonly verdict: 'allow'; readonly rule?: string; readonly explanation?: Explanation }
	| {
			readonly verdict: 'ask';
			readonly reason: Reason;
			readonly rule?: string;
			readonly explanation?: Explanation;
			/** What "always" may add; absent when no safe one can be offered. */
			readonly suggestedRule?: string;
			/** Where one rule is not enough: one for each sub-command that needs it, 2 to 5. */
			readonly suggestedRules?: readonly string[];
	  }
	/** `message` is written for the model. */
	| {
			readonly verdict: 'deny';
			readonly reason: Reason;
			readonly message: string;
			readonly rule?: string;
			readonly explanation?: Explanation;
	  };

/** How a call may be answered where it is not decided by a rule. */
export interface Asking {
	readonly mode: PermissionMode;
	/** False when nobody can answer: what would ask is denied. */
	readonly interactive: boolean;
}

/** What decided, besides the reason. */
export interface Because {
	readonly rule?: Rule;
	/** The sub-command or the real path. */
	readonly part?: string;
	readonly danger?: Explanation['danger'];
	readonly suggested?: readonly string[];
}

export function allow({ rule, part }: Because = {}): Verdict {
	if (rule === undefined) return { verdict: 'allow' };
	return { verdict: 'allow', rule: rule.text, explanation: explain({ rule, ...(part === undefined ? {} : { part }) }) };
}

export function ask({ mode, interactive }: Asking, reason: Reason, because: Because = {}): Verdict {
	const denied = mode === 'dontAsk' ? 'mode_denies' : interactive ? undefined : 'nobody_to_ask';
	if (denied !== undefined) {
		const args = { ...reason.args, ...(denied === 'mode_denies' ? { mode } : {}), reason: reason.code };
		return deny({ code: denied, args }, because);
	}
	const [first, ...more] = because.suggested ?? [];
	return {
		verdict: 'ask',
		reason,
		explanation: explain(because),
		...(because.rule === undefined ? {} : { rule: because.rule.text }),
		...(first === undefined || more.length > 0 ? {} : { suggestedRule: first }),
		...(first === undefined || more.length === 0 ? {} : { suggestedRules: [first, ...more] }),
	};
}

/** `message`: in place of the usual words for the reason. */
export function deny(reason: Reason, because: Because = {}, message = denialMessage(reason, because)): Verdict {
	const { rule } = because;
	return {
		verdict: 'deny',
		reason,
		message,
		explanation: explain(because),
		...(rule === undefined ? {} : { rule: rule.text }),
	};
}

function explain({ rule, part, danger }: Because): Explanation {
	return {
		...(rule === undefined ? {} : { rule: { text: rule.text, behavior: rule.behavior, origin: rule.origin } }),
		...(part === undefined ? {} : { part }),
		...(danger === undefined ? {} : { danger }),
	};
}

function denialMessage({ code, args }: Reason, { part, danger }: Because): string {
	const path = args?.['path'] === undefined ? '' : ` (${args['path']})`;
	if (danger === 'secret' && code !== 'deny_rule') {
		return `Not allowed${path}: this file holds secrets, which are kept from you (setting context.exclude). Work without it, or say what you need.`;
	}
	switch (code) {
		case 'deny_rule': {
			const where = part === undefined ? '' : ` (${part})`;
			return `Not allowed: the rule ${args?.['rule'] ?? ''} forbids it${where}. Do not try to reach the same in another way.`;
		}
		case 'untrusted':
			return 'Not allowed: this folder is not trusted, so nothing runs in it until the person trusts it. Reading, Grep and Glob work.';
		case 'mode_denies':
			return args?.['mode'] === 'plan'
				? 'Not allowed in plan mode: nothing may be changed now. Go on reading, and present your plan.'
				: `Not allowed${path}: in this mode only what was allowed beforehand runs. Find another way, or say what you need.`;
		default:
			return `This needs permission${path}, and nobody can be asked here. Find another way, or say what you need.`;
	}
}
