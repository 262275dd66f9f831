// Syntax trees of command lines, by tree-sitter's grammars. The library and each grammar are loaded when they are first
// needed; a failed load is tried again at the next command.
import type { ParseSource, ShellLanguage, ShellParser } from '../../core/ports/shellParser.ts';

export class TreeSitterShellParser implements ShellParser {
	readonly #folder: string;
	readonly #loaded = new Map<ShellLanguage, Promise<ParseSource>>();

	/** @param folder where `tree-sitter.wasm`, `tree-sitter-bash.wasm` and `tree-sitter-powershell.wasm` lie */
	constructor(folder: string) {
		this.#folder = folder;
	}

	load(language: ShellLanguage): Promise<ParseSource> {
		const known = this.#loaded.get(language);
		if (known !== undefined) return known;
		const loading = import('./grammar.ts').then(({ loadGrammar }) => loadGrammar(this.#folder, language));
		this.#loaded.set(language, loading);
		loading.catch(() => this.#loaded.delete(language));
		return loading;
	}
}
