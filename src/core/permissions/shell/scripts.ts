// Small languages in a program's words that can write files or start programs: sed scripts, and options of package
// managers and of programs that run others' code.
import type { Collector, Place } from './collector.ts';
import type { ReadWord } from './words.ts';

export function checkScript(name: string, words: readonly ReadWord[], place: Place, collector: Collector): void {
	const texts = words.map(({ value }) => value ?? '');
	if (name === 'sed') checkSed(words, place, collector);
	else if (/^(?:npm|npx|pnpm|yarn|bun)$/.test(name)) {
		if (
			texts.some((text) =>
				/^--(?:script-shell|shell|node-options|prefix-shell|scripts-prepend|userconfig|globalconfig)/.test(text),
			)
		) {
			collector.problem('environment', place.text);
		}
	} else if (/^(?:make|gmake)$/.test(name)) {
		if (texts.some((text) => /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|PATH)\s*[:?+]?=|^--eval/.test(text)))
			collector.problem('environment', place.text);
	} else if (/^(?:ssh|sftp)$/.test(name)) {
		if (
			texts.some(
				(text) =>
					/^-o?.*(?:proxycommand|localcommand|knownhostscommand)/i.test(text) ||
					/(?:proxycommand|localcommand)\s*=?/i.test(text),
			)
		) {
			collector.problem('dynamic_code', place.text);
		}
	} else if (name === 'man' && texts.some((text) => /^(?:-P|-H|--pager|--html|-C|--config-file)/.test(text))) {
		collector.problem('dynamic_code', place.text);
	} else if (/^(?:fd|fdfind)$/.test(name) && texts.some((text) => /^-[^-]*[xX]|^--exec/.test(text))) {
		collector.problem('dynamic_code', place.text);
	}
}

/** A sed script that only prints and changes what passes: no `w`, `e`, `r`, `F`. Contract: one pass over the text. */
export function isHarmlessSed(script: string): boolean {
	let at = 0;
	const skip = (pattern: RegExp): void => {
		while (at < script.length && pattern.test(script.charAt(at))) at++;
	};
	/** Behind the next `end`; -1 when it does not come, or stands in brackets, where programs differ. */
	const delimited = (end: string): boolean => {
		let bracket = false;
		for (; at < script.length; at++) {
			const char = script.charAt(at);
			if (char === '\\') at++;
			else if (char === end && !bracket) {
				at++;
				return true;
			} else if (char === end || char === '\n') return false;
			else if (char === '[') bracket = true;
			else if (char === ']') bracket = false;
		}
		return false;
	};
	const address = (): boolean => {
		const char = script.charAt(at);
		if (char === '/' || char === '\\') {
			at += char === '/' ? 1 : 2;
			if (!delimited(char === '/' ? '/' : script.charAt(at - 1))) return false;
			skip(/[IM]/);
		} else skip(/[0-9$~+]/);
		return true;
	};
	while (at < script.length) {
		skip(/[\s;}]/);
		if (at >= script.length) return true;
		if (!address()) return false;
		skip(/\s/);
		if (script.charAt(at) === ',') {
			at++;
			skip(/\s/);
			if (!address()) return false;
		}
		skip(/[\s!]/);
		const command = script.charAt(at++);
		if (command === 's' || command === 'y') {
			const end = script.charAt(at++);
			if (/[\s\\\w]/.test(end) || !delimited(end) || !delimited(end)) return false;
			if (command === 's') skip(/[gpiImM0-9]/);
		} else if (/[qQlL]/.test(command)) skip(/[\s0-9]/);
		else if (/[btT:]/.test(command)) skip(/[^\n;}]/);
		else if (command === '#') skip(/[^\n]/);
		else if (/[aic]/.test(command)) {
			// The text goes to the end of the script; what else may follow is not looked for.
			return !script.slice(at).includes('\n') || /^\s*\\\n[^\n]*$/.test(script.slice(at));
		} else if (!/[{pdPDnNgGhHxz=]/.test(command)) return false;
		skip(/[ \t]/);
		if (at < script.length && command !== '{' && !/[\n;}]/.test(script.charAt(at))) return false;
	}
	return true;
}

function checkSed(words: readonly ReadWord[], place: Place, collector: Collector): void {
	const scripts: ReadWord[] = [];
	let given = false;
	for (const [at, word] of words.entries()) {
		const text = word.value ?? '';
		const [, glued] = /^(?:-[nErsuz]*e|--expression=)(.*)$/s.exec(text) ?? [];
		if (glued !== undefined) {
			given = true;
			const next = words[at + 1];
			if (glued !== '') scripts.push({ ...word, value: glued });
			else if (next !== undefined) scripts.push(next);
		} else if (/^(?:-[nErsuz]*f|--file)/.test(text)) {
			given = true;
			collector.problem('dynamic_code', place.text);
		}
	}
	const first = words.find(({ value }) => value === undefined || !value.startsWith('-'));
	if (!given && first !== undefined) scripts.push(first);
	for (const { value, several } of scripts) {
		if (value === undefined || several === true || !isHarmlessSed(value)) collector.problem('dynamic_code', place.text);
	}
}
