// Command lines analysed with the real grammars, and their parts as short texts.
import path from 'node:path';
import { analyseCommand } from '../../src/core/permissions/shell/analyseCommand.ts';
import type { ShellAnalysis } from '../../src/core/permissions/shellAnalysis.ts';
import { TreeSitterShellParser } from '../../src/node/shellParser/treeSitterShellParser.ts';

export const grammars = path.resolve(import.meta.dirname, '../../node_modules/@vscode/tree-sitter-wasm/wasm');

const parser = new TreeSitterShellParser(grammars);

/** With `/home/u` as home. */
export function analysed(command: string, shell = 'bash', cwd = '/w'): Promise<ShellAnalysis> {
	return analyseCommand(command, { shell, cwd, home: '/home/u', parser });
}

/** Each command as its words, `?` for what is known only when it runs, with its wrappers before it. */
export function commandsOf({ commands }: ShellAnalysis): string[] {
	return commands.map(({ wrappers, words }) =>
		[...wrappers.map((wrapper) => `[${wrapper}]`), ...words.map(({ value }) => value ?? '?')].join(' '),
	);
}

export function writesOf({ writes }: ShellAnalysis): string[] {
	return writes.map(
		({ path: file, recursive, removed }) => `${file ?? '?'}${recursive ? '/**' : ''}${removed ? ' removed' : ''}`,
	);
}

export function codesOf({ unclear }: ShellAnalysis): string[] {
	return [...new Set(unclear.map(({ code }) => code))];
}
