// May this call run? Rules are data and the decision is pure: a hook's denial, deny rules, plan mode, ask rules, what no mode
// may approve, mode, allow rules, then the person. Contract: a deny rule is never outvoted, and nothing outside of the
// workspace is allowed by a mode but bypass.
import type { PlatformPath } from 'node:path';
import nodePath from 'node:path';
import type { RequestDetail } from '../../shared/permission.ts';
import type { CommandFacts } from './commandFacts.ts';
import { mentionsOf, plainAnalysis } from './commandFacts.ts';
import { placeOf, readsUnnamed, usedPaths } from './commandPlaces.ts';
import { forbiddenPart } from './commandRules.ts';
import { changesNothing, judgeCommand } from './judgeCommand.ts';
import { judgeRead, judgeUse, judgeWrite } from './judgeFile.ts';
import type { Place, Places } from './places.ts';
import { resolvePlaces } from './places.ts';
import type { Call, PlacedQuery } from './query.ts';
import { coversInput, coversPath, coversTool } from './ruleMatch.ts';
import type { Rule, Rules, RuleTexts } from './rule.ts';
import { readRules } from './rule.ts';
import { defaultExcludes, secretsPolicy } from './secretsPolicy.ts';
import type { SecretsPolicy } from './secretsPolicy.ts';
import type { ShellAnalysis } from './shellAnalysis.ts';
import type { Verdict } from './verdict.ts';
import { ask, deny } from './verdict.ts';

export interface JudgeQuery extends Call {
	readonly rules: RuleTexts | Rules;
	/** Absolute paths of the workspace's folders and additional ones, the session's root first. */
	readonly roots: readonly string[];
	/** The person's home folder, for rules that begin with `~/`. */
	readonly home?: string;
	/** Default: the built-in list of files that hold secrets. */
	readonly secrets?: SecretsPolicy;
	/** The shell's name; decides how commands are read. Default: bash. */
	readonly shell?: string;
	/** How the command was understood; absent: only simple commands are. */
	readonly analysis?: ShellAnalysis;
	readonly api?: PlatformPath;
	realPath(path: string): Promise<string>;
	/** Names in a folder, to see what a glob may mean. */
	readonly list?: (path: string) => Promise<readonly string[]>;
	/** Files that may hold secrets in a folder; for commands that read whole folders. */
	readonly secretsIn?: (folder: string) => Promise<readonly string[]>;
}

/** Resolves the paths of a call and judges it. */
export async function judge(query: JudgeQuery): Promise<Verdict> {
	const { need, roots, home, api = nodePath } = query;
	const { access, detail } = need;
	const root = roots[0] ?? api.parse(api.resolve('/')).root;
	const cwd = detail.kind === 'command' ? detail.cwd : root;
	const secrets =
		query.secrets ?? secretsPolicy({ exclude: defaultExcludes, roots, api, ...(home === undefined ? {} : { home }) });
	const known = access.kind === 'command' ? await commandFacts(query, access.command, detail) : undefined;
	const found = await resolvePlaces({
		roots,
		cwd,
		paths: known === undefined ? [] : [...known.mentions.map(({ path }) => path), ...usedPaths(known.analysis, cwd)],
		realPath: (path) => query.realPath(path),
		api,
		...(home === undefined ? {} : { home }),
		...(access.kind === 'read' || access.kind === 'write' ? { target: access.path } : {}),
	});
	// Judged is what was prepared, and only that is written: a link that turns in between changes nothing.
	const prepared = access.kind === 'write' ? access.realPath : undefined;
	const places =
		prepared === undefined ? found : { ...found, target: { path: prepared, ...found.target, real: prepared } };
	const secretsBelow = known === undefined ? [] : await hiddenSecrets(query, { known, places, secrets });
	return judgePlaced({
		...query,
		rules: compiledRules(query.rules),
		places,
		secrets,
		...(known === undefined ? {} : { command: { ...known, secretsBelow } }),
	});
}

function compiledRules(rules: JudgeQuery['rules']): Rules {
	return isCompiled(rules) ? rules : readRules(rules).rules;
}

function isCompiled(rules: JudgeQuery['rules']): rules is Rules {
	return [...rules.deny, ...rules.ask, ...rules.allow].every((rule) => 'specifier' in rule);
}

async function commandFacts(query: JudgeQuery, text: string, detail: RequestDetail): Promise<CommandFacts> {
	const { shell = 'bash', home, api = nodePath, list } = query;
	const cwd = detail.kind === 'command' ? detail.cwd : (query.roots[0] ?? '/');
	const analysis = query.analysis ?? plainAnalysis(text, shell, cwd);
	const { mentions, parts } = await mentionsOf({
		text,
		analysis,
		cwd,
		api,
		...(home === undefined ? {} : { home }),
		...(list === undefined ? {} : { list: (folder: string) => list(folder) }),
	});
	return { text, shell, analysis, parts, mentions, secretsBelow: [] };
}

/** Secrets in folders whose files the command reads, as far as the search finds them. */
async function hiddenSecrets(
	{ secretsIn }: JudgeQuery,
	{
		known,
		places,
		secrets,
	}: { readonly known: CommandFacts; readonly places: Places; readonly secrets: SecretsPolicy },
): Promise<readonly Place[]> {
	if (secretsIn === undefined) return [];
	const folders = known.analysis.reads.flatMap((use) =>
		use.path !== undefined && readsUnnamed(use) ? [placeOf(places, use.path).real] : [],
	);
	const found = await Promise.all([...new Set(folders)].map((folder) => secretsIn(folder)));
	return found
		.flat()
		.filter((path) => secrets.isSecret(path) && !skipped(known.analysis, path))
		.map((path) => ({ path, real: path }));
}

/** ripgrep by itself passes over what begins with a dot. */
function skipped({ commands, reads }: ShellAnalysis, path: string): boolean {
	const hidden = path.split(/[/\\]/).some((segment) => segment.startsWith('.'));
	const searches = reads.filter(readsUnnamed);
	const all = commands.some(({ words }) =>
		words.some(({ text }) => /^(?:-[A-Za-z]*[.u]|--hidden|--unrestricted)/.test(text)),
	);
	return hidden && !all && searches.every((use) => use.by === 'rg');
}

/** The decision. Pure: the same query has the same verdict. */
export function judgePlaced(query: PlacedQuery): Verdict {
	const { need, mode, rules, hook, command } = query;
	const { access } = need;
	if (hook?.behavior === 'deny') return deny({ code: 'hook_denies' }, {}, hook.reason ?? 'A hook denied this call.');
	const denied = forbidding(rules.deny, query);
	if (denied !== undefined) {
		return deny({ code: 'deny_rule', args: { rule: denied.rule.text } }, denied);
	}
	if (mode === 'plan' && changesSomething(query)) return deny({ code: 'mode_denies', args: { mode } });
	if (query.trusted === false && access.kind === 'use') return deny({ code: 'untrusted' });
	const asked = forbidding(rules.ask, query);
	if (asked !== undefined && access.kind !== 'person') {
		return ask(query, { code: 'ask_rule', args: { rule: asked.rule.text } }, asked);
	}
	switch (access.kind) {
		case 'none':
			return { verdict: 'allow' };
		case 'person':
			return askPerson(query, access.unanswered);
		case 'read':
			return judgeRead(query);
		case 'write':
			return judgeWrite(query);
		case 'use':
			return judgeUse(query);
		case 'command':
			return command === undefined ? ask(query, { code: 'unclear' }) : judgeCommand(query, command);
	}
}

function changesSomething({ need: { access }, command }: PlacedQuery): boolean {
	if (access.kind === 'use') return !access.readOnly;
	if (access.kind === 'command') return command === undefined || !changesNothing(command);
	return access.kind === 'write';
}

/** No mode and no rule answers in the person's place. */
function askPerson(query: PlacedQuery, message: string): Verdict {
	const { mode } = query;
	if (mode === 'dontAsk') return deny({ code: 'mode_denies', args: { mode } }, {}, message);
	if (!query.interactive) return deny({ code: 'nobody_to_ask' }, {}, message);
	return ask(query, { code: 'person_decides' });
}

/** The first rule that forbids the call, and by which part of it. */
function forbidding(
	rules: readonly Rule[],
	query: PlacedQuery,
): { readonly rule: Rule; readonly part?: string } | undefined {
	for (const rule of rules) {
		const part = forbids(rule, query);
		if (part !== undefined) return part === '' ? { rule } : { rule, part };
	}
	return undefined;
}

/** The part of the call that the rule forbids; '' for the call itself. */
function forbids(rule: Rule, query: PlacedQuery): string | undefined {
	const { tool, need, places, command, input = {} } = query;
	if (need.access.kind === 'command' && command !== undefined) {
		const place = forbiddenFile(rule, command, places);
		if (place !== undefined) return place.real;
		if (!coversTool(rule, tool) && !(rule.tool === 'Bash' && tool === 'Monitor')) return undefined;
		return rule.specifier.kind === 'path' ? undefined : forbiddenPart(rule, command, input);
	}
	if (!coversTool(rule, tool)) return undefined;
	if (rule.specifier.kind !== 'path') return coversInput(rule, input) ? '' : undefined;
	return places.target !== undefined && coversPath(rule, places.target, places) ? places.target.real : undefined;
}

/** `Read` and `Edit` rules hold for the files that commands touch. */
function forbiddenFile(rule: Rule, { mentions, analysis }: CommandFacts, places: Places): Place | undefined {
	if (rule.tool !== 'Read' && rule.tool !== 'Edit') return undefined;
	if (rule.specifier.kind === 'any') {
		const [use] = rule.tool === 'Edit' ? analysis.writes : analysis.reads;
		return use === undefined ? undefined : placeOf(places, use.path ?? use.text);
	}
	return mentions
		.filter((mention) => rule.tool === 'Read' || mention.written)
		.map(({ path }) => placeOf(places, path))
		.find((place) => coversPath(rule, place, places));
}

/**
 * Which files may be shown in a listing or a search over a folder: false where a deny rule on reading holds. Compares
 * names only; the folder itself was judged with its links resolved.
 */
export function readFilter(rules: Rules, roots: readonly string[], home?: string): (path: string) => boolean {
	const deny = rules.deny.filter(
		({ tool, paths }) => paths !== undefined && (tool === 'Read' || tool === 'Grep' || tool === 'Glob'),
	);
	const plain = roots.map((path) => ({ path, real: path }));
	const cwd = plain[0] ?? { path: nodePath.resolve('/'), real: nodePath.resolve('/') };
	const base: Places = { roots: plain, cwd, known: new Map(), api: nodePath };
	const places: Places = home === undefined ? base : { ...base, home: { path: home, real: home } };
	return (path) => !deny.some((rule) => coversPath(rule, { path, real: path }, places));
}
