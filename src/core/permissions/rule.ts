// Permission rules as text and as data: `Tool`, `Tool(command *)`, `Tool(folder/**)`. Pure.
// Rule: a deny or ask rule that cannot be read is never dropped; it then holds for the whole tool.
import type { RuleOrigin } from '../../shared/permission.ts';
import { currentToolName } from '../util/toolNames.ts';

/** Where a path of a rule starts: the session's root, the home folder, or the file system's root. */
export type PathBase = 'root' | 'home' | 'filesystem';

export type Specifier =
	| { readonly kind: 'any' }
	/** `words`: the text, alone or before a space. `prefix`: any command that begins with the text. */
	| { readonly kind: 'command'; readonly text: string; readonly match: 'exact' | 'words' | 'prefix' }
	/** `below`: the folder and all in it. `name`: a file or folder of that name at any depth. */
	| {
			readonly kind: 'path';
			readonly base: PathBase;
			readonly segments: readonly string[];
			readonly match: 'exact' | 'below' | 'name';
	  };

export interface Rule {
	/** As it was written. */
	readonly text: string;
	/** The tool's name; in deny and ask rules it may end in `*`. */
	readonly tool: string;
	readonly specifier: Specifier;
}
export type ParsedRule =
	| { readonly kind: 'rule'; readonly rule: Rule }
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
	readonly problem: string;
	/** What became of it. */
	readonly effect: 'ignored' | 'whole_tool';
}

/** Rules of one origin. */
export function rulesFrom(origin: RuleOrigin, texts: readonly string[]): readonly SourcedRule[] {
	return texts.map((text) => ({ text, origin }));
}

/** Which kind of specifier a tool's rules take. */
export function specifierKind(tool: string): 'command' | 'path' | 'none' {
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
		case 'NotebookEdit':
			return 'path';
		default:
			return 'none';
	}
}

/** Reads one rule. Former tool names are taken as the current ones. */
export function parseRule(written: string): ParsedRule {
	const text = written.trim();
	const match = /^([A-Za-z_][\w-]*\*?|\*)(?:\(([\s\S]*)\))?$/.exec(text);
	if (match === null) {
		const tool = /[A-Za-z_][\w-]*/.exec(text)?.[0];
		const problem = 'It is not of the form Tool or Tool(specifier).';
		return { kind: 'invalid', text, tool: tool === undefined ? undefined : currentToolName(tool), problem };
	}
	const tool = currentToolName(match[1] ?? '');
	const inner = match[2]?.trim();
	if (inner === undefined || inner === '*') return { kind: 'rule', rule: { text, tool, specifier: { kind: 'any' } } };
	const specifier = parseSpecifier(specifierKind(tool), inner);
	if (typeof specifier === 'string') return { kind: 'invalid', text, tool, problem: specifier };
	return { kind: 'rule', rule: { text, tool, specifier } };
}

/** The specifier, or a sentence on why it cannot be read. */
function parseSpecifier(kind: 'command' | 'path' | 'none', inner: string): Specifier | string {
	if (inner === '') return 'The parentheses are empty.';
	switch (kind) {
		case 'none':
			return 'Rules for this tool take no specifier.';
		case 'command':
			return parseCommand(inner);
		case 'path':
			return parsePath(inner);
	}
}

function parseCommand(inner: string): Specifier | string {
	const [text, match] = inner.endsWith(':*')
		? ([inner.slice(0, -2), 'words'] as const)
		: inner.endsWith(' *')
			? ([inner.slice(0, -2), 'words'] as const)
			: inner.endsWith('*')
				? ([inner.slice(0, -1), 'prefix'] as const)
				: ([inner, 'exact'] as const);
	const command = text.trim();
	if (command === '') return 'Nothing stands before the *.';
	if (command.includes('*')) return 'A * is understood at the end only.';
	return { kind: 'command', text: command, match };
}

function parsePath(inner: string): Specifier | string {
	const [base, rest] = pathBase(inner.replaceAll('\\', '/'));
	const below = /^(.*?)\/?\*\*$/.exec(rest);
	const path = below?.[1] ?? rest;
	if (/[*?[\]{}!]/.test(path)) return 'Of patterns only /** at the end is understood.';
	const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
	if (segments.includes('..')) return 'A path of a rule must not contain "..".';
	if (below !== null || rest.endsWith('/')) return { kind: 'path', base, segments, match: 'below' };
	if (segments.length === 0) return 'The path is empty.';
	const anywhere = base === 'root' && segments.length === 1 && !/^\.?\//.test(inner);
	return { kind: 'path', base, segments, match: anywhere ? 'name' : 'exact' };
}

function pathBase(text: string): [PathBase, string] {
	if (text.startsWith('//')) return ['filesystem', text.slice(2)];
	if (text.startsWith('~/')) return ['home', text.slice(2)];
	return ['root', text];
}

/** A rule as text, in the form that `parseRule` reads. */
export function printRule({ tool, specifier }: Pick<Rule, 'tool' | 'specifier'>): string {
	switch (specifier.kind) {
		case 'any':
			return tool;
		case 'command': {
			const end = { exact: '', words: ' *', prefix: '*' }[specifier.match];
			return `${tool}(${specifier.text}${end})`;
		}
		case 'path': {
			const start = { root: '/', home: '~/', filesystem: '//' }[specifier.base];
			const path = specifier.segments.join('/');
			if (specifier.match === 'name') return `${tool}(${path})`;
			const end = specifier.match === 'below' ? (path === '' ? '**' : '/**') : '';
			return `${tool}(${start}${path}${end})`;
		}
	}
}

/**
 * Reads rules of all behaviours. `problems` names every rule that is not understood, or that names a tool which is not in
 * `knownTools` (MCP tools excepted).
 */
export function readRules(
	texts: RuleTexts,
	knownTools?: readonly string[],
): { readonly rules: Rules; readonly problems: readonly RuleProblem[] } {
	const problems: RuleProblem[] = [];
	const read = (behavior: RuleBehavior): readonly Rule[] =>
		texts[behavior].flatMap(({ text }) => {
			const parsed = parseRule(text);
			if (parsed.kind === 'rule') {
				const problem = ruleProblem(parsed.rule, behavior, knownTools);
				if (problem !== undefined) problems.push({ behavior, text, ...problem });
				return problem?.effect === 'ignored' && behavior === 'allow' ? [] : [parsed.rule];
			}
			const kept = behavior !== 'allow' && parsed.text !== '';
			problems.push({ behavior, text, problem: parsed.problem, effect: kept ? 'whole_tool' : 'ignored' });
			return kept ? [{ text: parsed.text, tool: parsed.tool ?? '*', specifier: { kind: 'any' as const } }] : [];
		});
	return { rules: { deny: read('deny'), ask: read('ask'), allow: read('allow') }, problems };
}

/** What is wrong with a rule that can be read. */
function ruleProblem(
	{ tool, specifier }: Rule,
	behavior: RuleBehavior,
	knownTools: readonly string[] | undefined,
): Pick<RuleProblem, 'problem' | 'effect'> | undefined {
	if (behavior === 'allow' && tool.includes('*')) {
		return { problem: 'An allow rule must name one tool.', effect: 'ignored' };
	}
	if (behavior === 'allow' && specifier.kind === 'path' && tool !== 'Read' && tool !== 'Edit') {
		const family = tool === 'Grep' || tool === 'Glob' ? 'Read' : 'Edit';
		return { problem: `Paths are allowed with ${family}(…), which holds for ${tool} too.`, effect: 'ignored' };
	}
	if (knownTools !== undefined && !tool.includes('*') && !tool.startsWith('mcp__') && !knownTools.includes(tool)) {
		return { problem: `There is no tool named ${tool}.`, effect: 'ignored' };
	}
	return undefined;
}
