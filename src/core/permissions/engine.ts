// May this call run? Rules are data and the decision is pure: deny rules, plan mode, ask rules, mode, allow rules, then
// the person. Contract: a deny rule is never outvoted, and nothing outside the workspace is allowed by a mode but bypass.
import nodePath from 'node:path';
import type { PermissionMode, ReasonCode } from '../../shared/permission.ts';
import { isInside } from '../util/paths.ts';
import type { PermissionNeed } from './access.ts';
import type { Place, Places } from './places.ts';
import { isInWorkspace, resolvePlaces } from './places.ts';
import { criticalRemoval, isProtected } from './protectedPaths.ts';
import type { ReadOnlyCommand } from './readOnlyCommand.ts';
import { readOnlyCommand } from './readOnlyCommand.ts';
import type { Rules, RuleTexts, Specifier } from './rule.ts';
import { parseRule, printRule, readRules } from './rule.ts';
import { allowingRule, forbiddingRule, wordsOfCommand } from './ruleMatch.ts';
import { commandParts, plainWords } from './shellWords.ts';

/** Why a call is not simply allowed. `args`: `path` (the real one), `rule`, `mode`, and for `nobody_to_ask` the `reason` behind it. */
export interface Reason {
	readonly code: ReasonCode;
	readonly args?: Readonly<Record<string, string>>;
}
export type Verdict =
	/** `rule`: the allow rule that decided, if one did. */
	| { readonly verdict: 'allow'; readonly rule?: string }
	/** `suggestedRule`: what "always" may add; absent when no safe one can be offered. */
	| { readonly verdict: 'ask'; readonly reason: Reason; readonly rule?: string; readonly suggestedRule?: string }
	/** `message` is written for the model. */
	| { readonly verdict: 'deny'; readonly reason: Reason; readonly message: string; readonly rule?: string };

interface Call {
	readonly tool: string;
	readonly need: PermissionNeed;
	readonly mode: PermissionMode;
	/** False when nobody can answer: what would ask is denied. */
	readonly interactive: boolean;
	/** The shell's name; decides how commands are read. Default: bash. */
	readonly shell?: string;
}
export interface JudgeQuery extends Call {
	readonly rules: RuleTexts;
	/** Absolute paths of the workspace's folders, the session's root first. */
	readonly roots: readonly string[];
	/** The person's home folder, for rules that begin with `~/`. */
	readonly home?: string;
	realPath(path: string): Promise<string>;
}
/** The same with all paths resolved and all rules read. */
export interface PlacedQuery extends Call {
	readonly rules: Rules;
	readonly places: Places;
}

/** Resolves the paths of a call and judges it. */
export async function judge(query: JudgeQuery): Promise<Verdict> {
	const { access, detail } = query.need;
	const { rules } = readRules(query.rules);
	const root = query.roots[0] ?? nodePath.parse(nodePath.resolve('/')).root;
	const places = await resolvePlaces({
		roots: query.roots,
		cwd: detail.kind === 'command' ? detail.cwd : root,
		words: access.kind === 'command' ? pathWords(access.command, query, rules) : [],
		realPath: (path) => query.realPath(path),
		...(query.home === undefined ? {} : { home: query.home }),
		...(access.kind === 'read' || access.kind === 'write' ? { target: access.path } : {}),
	});
	return judgePlaced({ ...query, rules, places });
}

/** Words whose real paths matter: those of a read-only command, and all where path rules could forbid one. */
function pathWords(command: string, { shell }: JudgeQuery, rules: Rules): readonly string[] {
	const readOnly = readOnlyCommand(command, shell)?.paths ?? [];
	return hasPathRules(rules) ? [...readOnly, ...wordsOfCommand(command)] : readOnly;
}

function hasPathRules({ deny, ask }: Rules): boolean {
	return [...deny, ...ask].some((rule) => rule.specifier.kind === 'path');
}

/** The decision. Pure: the same query has the same verdict. */
export function judgePlaced(query: PlacedQuery): Verdict {
	const { tool, need, mode, rules, places } = query;
	const call = { tool, need, places, shell: query.shell ?? 'bash' };
	const denied = forbiddingRule(rules.deny, call, true);
	if (denied !== undefined) return deny({ code: 'deny_rule', args: { rule: denied.text } }, denied.text);
	const { access } = need;
	if (access.kind === 'none') return forbiddenByAsk(query, call) ?? { verdict: 'allow' };
	if (access.kind === 'person') return askPerson(query, access.unanswered);
	const readOnly = access.kind === 'command' ? readOnlyCommand(access.command, call.shell) : undefined;
	if (mode === 'plan' && (access.kind === 'write' || (access.kind === 'command' && readOnly === undefined))) {
		return deny({ code: 'mode_denies', args: { mode } });
	}
	const asked = forbiddenByAsk(query, call);
	if (asked !== undefined) return asked;
	if (access.kind === 'command') {
		const critical = criticalRemoval(commandParts(access.command).parts, places);
		if (critical !== undefined) return ask(query, { code: 'protected_path', args: { path: critical } });
	}
	if (mode === 'bypassPermissions') return { verdict: 'allow' };
	switch (access.kind) {
		case 'read':
			return judgeRead(query, call);
		case 'write':
			return judgeWrite(query, call);
		case 'command':
			return judgeCommand(query, call, readOnly);
	}
}

/**
 * Which files may be shown in a listing or a search over a folder: false where a deny rule on reading holds. Compares
 * names only; the folder itself was judged with its links resolved.
 */
export function readFilter(texts: RuleTexts, roots: readonly string[], home?: string): (path: string) => boolean {
	const deny = readRules(texts).rules.deny.filter(
		({ tool, specifier }) => specifier.kind === 'path' && tool === 'Read',
	);
	const plain = roots.map((path) => ({ path, real: path }));
	const cwd = plain[0] ?? { path: nodePath.resolve('/'), real: nodePath.resolve('/') };
	return (path) => {
		const base = { roots: plain, cwd, target: { path, real: path }, words: new Map<string, Place>() };
		const places: Places = home === undefined ? base : { ...base, home: { path: home, real: home } };
		const need: PermissionNeed = { access: { kind: 'read', path }, detail: { kind: 'path', path } };
		return forbiddingRule(deny, { tool: 'Read', need, places, shell: 'bash' }, false) === undefined;
	};
}

type Matching = Parameters<typeof allowingRule>[1];

function forbiddenByAsk(query: PlacedQuery, call: Matching): Verdict | undefined {
	const rule = forbiddingRule(query.rules.ask, call, false);
	if (rule === undefined) return undefined;
	return ask(query, { code: 'ask_rule', args: { rule: rule.text } }, { rule: rule.text });
}

function allowedByRule(query: PlacedQuery, call: Matching): Verdict | undefined {
	const rule = allowingRule(query.rules.allow, call);
	return rule === undefined ? undefined : { verdict: 'allow', rule: rule.text };
}

function judgeRead(query: PlacedQuery, call: Matching): Verdict {
	const { target } = query.places;
	if (target !== undefined && isInWorkspace(query.places, target)) return { verdict: 'allow' };
	return allowedByRule(query, call) ?? ask(query, outside(target), suggestPath('Read', target, query.places));
}

function judgeWrite(query: PlacedQuery, call: Matching): Verdict {
	const { mode, places } = query;
	const { target } = places;
	if (target === undefined) return ask(query, { code: 'mode_asks' });
	// Allow rules do not reach protected paths, and none is offered for them.
	if (isProtected(places, target)) return ask(query, { code: 'protected_path', args: { path: target.real } });
	const inside = isInWorkspace(places, target);
	if (inside && mode === 'acceptEdits') return { verdict: 'allow' };
	const reason: Reason = inside ? { code: 'mode_asks', args: { mode } } : outside(target);
	return allowedByRule(query, call) ?? ask(query, reason, suggestPath('Edit', target, places));
}

function judgeCommand(query: PlacedQuery, call: Matching, readOnly: ReadOnlyCommand | undefined): Verdict {
	const { places, rules } = query;
	const away = readOnly === undefined ? undefined : firstOutside(readOnly, places);
	// A command that reads whole folders could show what a path rule forbids.
	const hidden = readOnly?.recursive === true && hasPathRules(rules);
	if (readOnly !== undefined && away === undefined && !hidden) return { verdict: 'allow' };
	const reason: Reason = away === undefined ? { code: 'not_read_only' } : outside(away);
	return allowedByRule(query, call) ?? ask(query, reason, suggestCommand(call));
}

/** The first path of the command that is not in the workspace; one that could not be resolved counts as outside. */
function firstOutside({ paths }: ReadOnlyCommand, places: Places): Place | undefined {
	if (!isInWorkspace(places, places.cwd)) return places.cwd;
	for (const word of paths) {
		const place = places.words.get(word);
		if (place === undefined || !isInWorkspace(places, place)) return place ?? { path: word, real: word };
	}
	return undefined;
}

function outside(place: Place | undefined): Reason {
	return { code: 'outside_workspace', args: { path: place?.real ?? '' } };
}

function deny(reason: Reason, rule?: string): Verdict {
	const verdict = { verdict: 'deny' as const, reason, message: denialMessage(reason) };
	return rule === undefined ? verdict : { ...verdict, rule };
}

function ask(
	{ mode, interactive }: Call,
	reason: Reason,
	extra: { readonly rule?: string; readonly suggestedRule?: string } = {},
): Verdict {
	if (mode === 'dontAsk') return deny({ code: 'mode_denies', args: { ...reason.args, mode, reason: reason.code } });
	if (!interactive) return deny({ code: 'nobody_to_ask', args: { ...reason.args, reason: reason.code } });
	return { verdict: 'ask', reason, ...extra };
}

function denialMessage({ code, args }: Reason): string {
	const path = args?.['path'] === undefined ? '' : ` (${args['path']})`;
	switch (code) {
		case 'deny_rule':
			return `Not allowed: the rule ${args?.['rule'] ?? ''} forbids it. Do not try to reach the same in another way.`;
		case 'mode_denies':
			return args?.['mode'] === 'plan'
				? 'Not allowed in plan mode: nothing may be changed now. Go on reading, and present your plan.'
				: `Not allowed${path}: in this mode only what was allowed beforehand runs. Find another way, or say what you need.`;
		default:
			return `This needs permission${path}, and nobody can be asked here. Find another way, or say what you need.`;
	}
}

/** No mode and no rule answers in the person's place. */
function askPerson({ mode, interactive }: Call, message: string): Verdict {
	if (mode === 'dontAsk') return { verdict: 'deny', reason: { code: 'mode_denies', args: { mode } }, message };
	if (!interactive) return { verdict: 'deny', reason: { code: 'nobody_to_ask' }, message };
	return { verdict: 'ask', reason: { code: 'person_decides' } };
}

/** The exact file, when a rule can name it. */
function suggestPath(
	tool: 'Read' | 'Edit',
	target: Place | undefined,
	places: Places,
): { readonly suggestedRule?: string } {
	const root = places.roots[0];
	if (target === undefined) return {};
	const inside = root !== undefined && isInside(root.real, target.real) && isInside(root.path, target.path);
	const path = inside ? nodePath.relative(root.path, target.path) : nodePath.resolve(target.path);
	const segments = path.split(/[/\\]/).filter((segment) => segment !== '');
	if (segments.length === 0 || (!inside && target.path !== target.real)) return {};
	const specifier: Specifier = { kind: 'path', base: inside ? 'root' : 'filesystem', segments, match: 'exact' };
	return offered(printRule({ tool, specifier }), specifier);
}

// "Always" for these would be too much, even for one exact command.
const neverOffered = new Set('rm rmdir sudo doas su chmod chown dd mkfs kill killall pkill shutdown reboot'.split(' '));

/** The exact command, when it is a simple one. */
function suggestCommand({ need, tool }: Matching): { readonly suggestedRule?: string } {
	if (need.access.kind !== 'command') return {};
	const text = need.access.command.trim();
	const words = plainWords(text);
	if (words === undefined || neverOffered.has(words[0] ?? '')) return {};
	const specifier: Specifier = { kind: 'command', text, match: 'exact' };
	return offered(printRule({ tool, specifier }), specifier);
}

/** Only a rule that reads back as what was meant is offered. */
function offered(text: string, specifier: Specifier): { readonly suggestedRule?: string } {
	const parsed = parseRule(text);
	const same = parsed.kind === 'rule' && JSON.stringify(parsed.rule.specifier) === JSON.stringify(specifier);
	return same ? { suggestedRule: text } : {};
}
