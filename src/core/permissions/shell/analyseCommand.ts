// The one entrance to the analysis of command lines. Contract: never throws; what cannot be read is said to be unclear.
import { limits } from '../../limits.ts';
import type { ShellParser } from '../../ports/shellParser.ts';
import type { ShellAnalysis } from '../shellAnalysis.ts';
import { walkBash } from './bashWalk.ts';
import { Collector } from './collector.ts';
import { walkPowershell } from './powershellWalk.ts';
import { flavourOf } from './shells.ts';

export interface AnalysisQuery {
	/** The shell's name or path: bash, zsh, pwsh.exe, … */
	readonly shell: string;
	/** Absolute. */
	readonly cwd: string;
	readonly home?: string;
	readonly parser: ShellParser;
}

/** What the command line would do in a fresh shell that starts in `cwd`. */
export async function analyseCommand(command: string, query: AnalysisQuery): Promise<ShellAnalysis> {
	const collector = new Collector(query.home);
	const language = languageOf(query.shell);
	if (command.length > limits.commandChars) collector.problem('too_long', command);
	else if (strange.test(command.replaceAll(/[\t\n]/g, ''))) collector.problem('unsupported', command);
	else if (language === undefined) collector.problem('no_parser', command);
	else {
		const parse = await query.parser.load(language.name).catch(() => undefined);
		if (parse === undefined) collector.problem('no_parser', command);
		else if (language.name === 'bash') {
			const place = { folders: new Set([query.cwd]), start: query.cwd, wrappers: [], text: '', depth: 0 };
			const tainted = { all: false, names: new Set<string>() };
			walkBash(command, { collector, parse, flavour: flavourOf(language.shell), tainted, place });
		} else walkPowershell(command, parse(command), collector, query.cwd);
	}
	return collector.result();
}

/** Signs that are not seen, or that turn the direction of the text: nobody could tell what was asked about. */
const strange = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|\p{Cs}/u;

function languageOf(shell: string): { readonly name: 'bash' | 'powershell'; readonly shell: string } | undefined {
	const name = /([^/\\]*?)(?:\.exe)?$/i.exec(shell)?.[1]?.toLowerCase() ?? '';
	if (/^(?:bash|sh|dash|ash|ksh|mksh|zsh)$/.test(name)) return { name: 'bash', shell: name };
	return /^(?:pwsh|powershell)(?:-preview)?$/.test(name) ? { name: 'powershell', shell: name } : undefined;
}
