// The permission engine with its real parser, for tests: one call in, one verdict out.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { judge } from '../../src/core/permissions/engine.ts';
import type { JudgeQuery } from '../../src/core/permissions/engine.ts';
import { rulesFrom } from '../../src/core/permissions/rule.ts';
import type { RuleTexts } from '../../src/core/permissions/rule.ts';
import { defaultExcludes, secretsPolicy } from '../../src/core/permissions/secretsPolicy.ts';
import type { SecretsPolicy } from '../../src/core/permissions/secretsPolicy.ts';
import { analyseCommand } from '../../src/core/permissions/shell/analyseCommand.ts';
import type { Verdict } from '../../src/core/permissions/verdict.ts';
import { TreeSitterShellParser } from '../../src/node/shellParser/treeSitterShellParser.ts';

const grammars = fileURLToPath(new URL('../../node_modules/@vscode/tree-sitter-wasm/wasm', import.meta.url));
export const shellParser = new TreeSitterShellParser(grammars);

export type Texts = Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

/** Rules of one origin, as the engine takes them. */
export function sourced({ allow = [], ask = [], deny = [] }: Texts): RuleTexts {
	const from = (texts: readonly string[]) => rulesFrom({ source: 'flag' }, texts);
	return { allow: from(allow), ask: from(ask), deny: from(deny) };
}

/** The built-in list, compiled once for each set of folders. */
const policies = new Map<string, SecretsPolicy>();
export function secretsFor(roots: readonly string[], home: string | undefined): SecretsPolicy {
	const key = JSON.stringify([roots, home]);
	const found =
		policies.get(key) ?? secretsPolicy({ exclude: defaultExcludes, roots, ...(home === undefined ? {} : { home }) });
	policies.set(key, found);
	return found;
}

export interface World extends Pick<JudgeQuery, 'realPath'>, Partial<Omit<JudgeQuery, 'rules' | 'need' | 'realPath'>> {
	readonly texts?: Texts;
}

function judged(need: JudgeQuery['need'], tool: string, world: World): Promise<Verdict> {
	const { texts, ...rest } = world;
	const roots = world.roots ?? ['/w'];
	return judge({
		tool,
		mode: 'default',
		need,
		rules: sourced(texts ?? {}),
		interactive: true,
		secrets: secretsFor(roots, world.home),
		...rest,
		roots,
	});
}

/** A command line, understood by the real parser. */
export async function judgeCommandLine(command: string, cwd: string, world: World): Promise<Verdict> {
	const { home, shell = 'bash' } = world;
	const analysis = await analyseCommand(command, {
		shell,
		cwd,
		parser: shellParser,
		...(home === undefined ? {} : { home }),
	});
	const understood = analysis.unclear.some(({ code }) => code === 'no_parser') ? {} : { analysis };
	const need = { access: { kind: 'command', command }, detail: { kind: 'command', command, cwd } } as const;
	return judged(need, 'Bash', { ...world, ...understood });
}

/** A tool that reads or writes one file. */
export function judgeFileCall(tool: string, file: string, world: World): Promise<Verdict> {
	const kind = tool === 'Read' || tool === 'Grep' || tool === 'Glob' ? 'read' : 'write';
	const target = path.resolve(file);
	return judged({ access: { kind, path: target }, detail: { kind: 'path', path: target } }, tool, world);
}

/** `allow`, or the verdict with its reason. */
export function codeOf(verdict: Verdict): string {
	return verdict.verdict === 'allow' ? 'allow' : `${verdict.verdict} ${verdict.reason.code}`;
}
