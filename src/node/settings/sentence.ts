// What is wrong with a setting, as a sentence for people. Its English text is the key of the l10n bundle, so that the editor
// shows it in the display language and the headless runner as it is. Pure.

export interface Sentence {
	/** With places `{0}`, `{1}` for the arguments. No full stop. */
	readonly text: string;
	readonly args: readonly string[];
}

export function say(text: string, ...args: readonly string[]): Sentence {
	return { text, args };
}

export function english({ text, args }: Sentence): string {
	return text.replace(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
}

/** Something wrong with a settings file, and what became of it. */
export interface SettingsProblem {
	/** Empty for a rule of the command line or the editor. */
	readonly file: string;
	/** 1-based. */
	readonly line: number;
	readonly column: number;
	readonly sentence: Sentence;
	/**
	 * `value`: what is named does not count. `rights`: of the whole file only deny and ask rules count. `unknown`: which
	 * deny and ask rules were meant cannot be known, so that everything has to be asked.
	 */
	readonly effect: 'value' | 'rights' | 'unknown';
}

/** One line; `translate` is the editor's localisation. */
export function problemText(problem: SettingsProblem, translate: (sentence: Sentence) => string = english): string {
	const { file, line, column, sentence, effect } = problem;
	const reason = `${file === '' ? '' : `${file}:${line}:${column}: `}${translate(sentence)}.`;
	switch (effect) {
		case 'value':
			return reason;
		case 'rights':
			return `${reason} ${translate(say('Of this file only deny and ask rules count until it is repaired.'))}`;
		case 'unknown':
			return `${reason} ${translate(say('Deny rules in it may be lost: everything is asked until it is repaired.'))}`;
	}
}
