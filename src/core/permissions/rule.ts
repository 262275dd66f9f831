// Permission rules as text and as data: `Tool`, `Tool(command *)`, `Tool(folder/**)`, `Tool(parameter:value)`. Pure.
// Rule: a deny or ask rule that cannot be read is never dropped; it then holds for the whole tool.
import type { RuleOrigin } from '../../shared/permission.ts';
import { currentToolName } from '../util/toolNames.ts';
import type { PathPattern } from './pathPattern.ts';
import { compilePath, parsePathSpecifier, printPath } from './pathSpecifier.ts';
import type { PathSpecifier } from './pathSpecifier.ts';

export type Specifier =
	| { readonly kind: 'any' }
	/** `pattern`: `*` stands for any text; at the end, ` *` also for nothing. */
	| { readonly kind: 'command'; readonly text: string; readonly match: 'exact' | 'pattern' }
	| PathSpecifier
	/** A host, or `*.host` for all below it. */
	| { readonly kind: 'domain'; readonly text: string; readonly match: 'exact' | 'pattern' }
	/** The name of a skill or of a type of agent. */
	| { readonly kind: 'name'; readonly text: string; readonly match: 'exact' | 'pattern' }
	/** A parameter of the call with this value; in deny and ask rules only. */
	| { readonly kind: 'parameter'; readonly name: string; readonly text: string; readonly match: 'exact' | 'pattern' };

export interface RuleBody {
	/** As it was written. */
	readonly text: string;
	/** The tool's name; `*` in it stands for any text. */
	readonly tool: string;
	readonly specifier: Specifier;
	/** For path specifiers: how their paths are matched, for rules that allow and for rules that forbid. */
	readonly paths?: { readonly allow: PathPattern; readonly forbid: PathPattern };
}
export interface Rule extends RuleBody {
	readonly origin: RuleOrigin;
	readonly behavior: RuleBehavior;
}
export type ParsedRule =
	| { readonly kind: 'rule'; readonly rule: RuleBody }
	/** `tool` is what can be made out of its name; `problem` is a sentence for people (English). */
	| { readonly kind: 'invalid'; readonly text: string; readonly tool: string | undefined; readonly problem: string };

export type RuleBehavior = 'allow' | 'ask' | 'deny';
/** A rule as it is written, and where. The origin also says which folder a path that begins with `/` starts at. */
export interface SourcedRule {
	readonly text: string;
	readonly origin: RuleOrigin;
}
/** The rules of all sources, as they arrive at the engine. */
export type RuleTexts = Readonly<Record<RuleBehavior, readonly SourcedRule[]>>;
export type Rules = Readonly<Record<RuleBehavior, readonly Rule[]>>;
export interface RuleProblem {
	readonly behavior: RuleBehavior;
	readonly text: string;
	readonly origin: RuleOrigin;
	readonly problem: string;
	/** What became of it. `kept`: it holds as it reads, but may not do what was meant. */
	readonly effect: 'ignored' | 'whole_tool' | 'kept';
}

/** Rules of one origin. */
export function rulesFrom(origin: RuleOrigin, texts: readonly string[]): readonly SourcedRule[] {
	return texts.map((text) => ({ text, origin }));
}

type SpecifierKind = 'command' | 'path' | 'domain' | 'name' | 'parameter';

/** Which kind of specifier a tool's rules take. */
function specifierKind(tool: string): SpecifierKind {
	switch (tool) {
		case 'Bash':
		case 'PowerShell':
		case 'Monitor':
			return 'command';
		case 'Read':
		case 'Edit':
		case 'Write':
		case 'Grep':
		case 'Glob':
		case 'LSP':
		case 'NotebookEdit':
			return 'path';
		case 'WebFetch':
			return 'domain';
		case 'Skill':
		case 'Agent':
			return 'name';
		default:
			return 'parameter';
	}
}

/** Reads one rule. Former tool names are taken as the current ones. */
export function parseRule(written: string): ParsedRule {
	const text = written.trim();
	const match = /^([A-Za-z_*][\w*-]*)(?:\(([\s\S]*)\))?$/.exec(text);
	if (match === null) {
		const tool = /[A-Za-z_][\w-]*/.exec(text)?.[0];
		const problem = 'It is not of the form Tool or Tool(specifier).';
		return { kind: 'invalid', text, tool: tool === undefined ? undefined : currentToolName(tool), problem };
	}
	const tool = currentToolName(match[1] ?? '');
	const inner = match[2]?.trim();
	if (inner === undefined || inner === '*') return { kind: 'rule', rule: { text, tool, specifier: { kind: 'any' } } };
	const specifier = inner === '' ? 'The parentheses are empty.' : parseSpecifier(tool, inner);
	if (typeof specifier === 'string') return { kind: 'invalid', text, tool, problem: specifier };
	if (specifier.kind !== 'path') return { kind: 'rule', rule: { text, tool, specifier } };
	return { kind: 'rule', rule: { text, tool, specifier, paths: compilePath(specifier) } };
}

/** The specifier, or a sentence on why it cannot be read. */
function parseSpecifier(tool: string, inner: string): Specifier | string {
	switch (specifierKind(tool)) {
		case 'command':
			return parseCommand(inner);
		case 'path':
			return parsePathSpecifier(inner);
		case 'domain':
			return parseDomain(inner);
		case 'name':
			return parseParameter(inner) ?? parseName(inner);
		case 'parameter':
			return parseParameter(inner) ?? 'Rules for this tool take no specifier, or parameter:value.';
	}
}

function parseCommand(inner: string): Specifier | string {
	const text = inner.endsWith(':*') ? `${inner.slice(0, -2).trimEnd()} *` : inner;
	if (/^[\s*]*$/.test(text)) return 'Nothing stands before the *.';
	return { kind: 'command', text, match: text.includes('*') ? 'pattern' : 'exact' };
}

function parseDomain(inner: string): Specifier | string {
	const host = /^domain:\s*(.+)$/.exec(inner)?.[1]?.trim().toLowerCase();
	if (host === undefined) return 'It is not of the form WebFetch(domain:host).';
	if (!/^(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?(?::\d+)?$|^\[[0-9a-f:.]+\]$/u.test(host)) {
		return 'This is no host name. A * may stand for the first part only, as in *.example.com.';
	}
	return { kind: 'domain', text: host, match: host.startsWith('*') ? 'pattern' : 'exact' };
}

function parseName(inner: string): Specifier {
	return { kind: 'name', text: inner, match: inner.includes('*') ? 'pattern' : 'exact' };
}

function parseParameter(inner: string): Specifier | undefined {
	const [, name, text] = /^([A-Za-z_]\w*):(?!\*$)([\s\S]+)$/.exec(inner) ?? [];
	if (name === undefined || text === undefined) return undefined;
	return { kind: 'parameter', name, text: text.trim(), match: text.includes('*') ? 'pattern' : 'exact' };
}

/** A rule as text, in the form that `parseRule` reads. */
export function printRule({ tool, specifier }: Pick<RuleBody, 'tool' | 'specifier'>): string {
	switch (specifier.kind) {
		case 'any':
			return tool;
		case 'command':
		case 'name':
			return `${tool}(${specifier.text})`;
		case 'domain':
			return `${tool}(domain:${specifier.text})`;
		case 'parameter':
			return `${tool}(${specifier.name}:${specifier.text})`;
		case 'path':
			return `${tool}(${printPath(specifier)})`;
	}
}

/**
 * Reads rules of all behaviours. `problems` names every rule that is not understood, that is not consulted, or that names a
 * tool which is not in `knownTools` (MCP tools excepted).
 */
export function readRules(
	texts: RuleTexts,
	knownTools?: readonly string[],
): { readonly rules: Rules; readonly problems: readonly RuleProblem[] } {
	const problems: RuleProblem[] = [];
	const read = (behavior: RuleBehavior): readonly Rule[] =>
		texts[behavior].flatMap(({ text, origin }) => {
			const parsed = parseRule(text);
			if (parsed.kind === 'rule') {
				const found = ruleProblem(parsed.rule, behavior, knownTools);
				if (found !== undefined) problems.push({ behavior, text, origin, ...found });
				return found?.effect === 'ignored' ? [] : [{ ...parsed.rule, origin, behavior }];
			}
			const kept = behavior !== 'allow' && parsed.text !== '';
			problems.push({ behavior, text, origin, problem: parsed.problem, effect: kept ? 'whole_tool' : 'ignored' });
			if (!kept) return [];
			return [{ text: parsed.text, tool: parsed.tool ?? '*', specifier: { kind: 'any' as const }, origin, behavior }];
		});
	return { rules: { deny: read('deny'), ask: read('ask'), allow: read('allow') }, problems };
}

/** What is wrong with a rule that can be read. */
function ruleProblem(
	{ tool, specifier }: RuleBody,
	behavior: RuleBehavior,
	knownTools: readonly string[] | undefined,
): Pick<RuleProblem, 'problem' | 'effect'> | undefined {
	const effect = behavior === 'allow' ? 'ignored' : 'kept';
	if (behavior === 'allow' && tool.includes('*') && !/^mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__/.test(tool)) {
		return { problem: 'An allow rule must name one tool, or one MCP server.', effect };
	}
	if (behavior === 'allow' && specifier.kind === 'parameter') {
		return { problem: 'A rule on a parameter can ask or deny, not allow.', effect };
	}
	if (specifier.kind === 'path' && tool !== 'Read' && tool !== 'Edit') {
		const family = tool === 'Write' || tool === 'NotebookEdit' ? 'Edit' : 'Read';
		return {
			problem:
				behavior === 'allow'
					? `Paths are allowed with ${family}(…), which holds for ${tool} too.`
					: `This holds for ${tool} only, not for commands and other tools; ${family}(…) holds for all of them.`,
			effect,
		};
	}
	if (knownTools !== undefined && !tool.includes('*') && !tool.startsWith('mcp__') && !knownTools.includes(tool)) {
		return { problem: `There is no tool named ${tool}.`, effect };
	}
	return undefined;
}

/** Is this tool forbidden whatever its input? Then the model is not offered it. */
export function isToolDenied(rules: Rules, tool: string): boolean {
	return rules.deny.some((rule) => rule.specifier.kind === 'any' && namesExactly(rule.tool, tool));
}

/** `mcp__server` names all tools of the server. */
export function namesExactly(named: string, tool: string): boolean {
	if (named === tool) return true;
	if (named.startsWith('mcp__') && !named.slice(5).includes('__')) {
		const server = named.replace(/\*$/, '');
		return named.endsWith('*') ? tool.startsWith(server) : tool.startsWith(`${named}__`);
	}
	return named.includes('*') && wildcard(named, tool);
}

/** `*` stands for any text. Takes time in proportion to the text. */
export function wildcard(pattern: string, text: string): boolean {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return text === pattern;
	if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
	let at = first.length;
	const end = text.length - last.length;
	for (const piece of rest) {
		const found = text.indexOf(piece, at);
		if (found === -1 || found + piece.length > end) return false;
		at = found + piece.length;
	}
	return at <= end;
}
