// `bash -c '…'` and its like: code in a string is walked; code from a script, the input or a variable is not known.
import type { Flavour } from './collector.ts';
import type { Invocation, Launching } from './invocation.ts';
import { leaf } from './leaf.ts';
import type { ReadWord } from './words.ts';

interface ShellWords {
	readonly code?: ReadWord;
	readonly script?: ReadWord;
	readonly unclear: boolean;
	/** It only tells about itself. */
	readonly idle: boolean;
}

export function runShell(name: string, invocation: Invocation, launching: Launching): void {
	const { collector } = launching;
	const { code, script, unclear, idle } = readShellWords(invocation.words.slice(1));
	const { place } = invocation;
	if (unclear) collector.problem('dynamic_code', place.text);
	if (code !== undefined) {
		if (code.value === undefined || code.several === true) {
			collector.problem('dynamic_code', place.text);
			leaf(invocation, launching, name);
			return;
		}
		const wrapper = `${name} -c`;
		launching.nested(code.value, { ...place, wrappers: [...place.wrappers, wrapper] }, flavourOf(name));
		return;
	}
	leaf(invocation, launching, name);
	if (script !== undefined) collector.read(script, place, { by: name });
	else if (!idle) collector.problem('dynamic_code', place.text);
}

/** How a shell of this name reads; ksh is close enough to sh for what both understand. */
export function flavourOf(name: string): Flavour {
	if (name === 'bash' || name === 'rbash') return 'bash';
	return name === 'zsh' ? 'zsh' : 'posix';
}

function readShellWords(words: readonly ReadWord[]): ShellWords {
	let coded = false;
	let unclear = false;
	let idle = false;
	for (let at = 0; at < words.length; at++) {
		const word = words[at];
		const value = word?.value;
		if (word === undefined) break;
		if (value === undefined || word.several === true) {
			return coded ? { code: word, unclear, idle } : { script: word, unclear: true, idle };
		}
		if (value === '--' || value === '-') {
			const operand = words[at + 1];
			if (operand === undefined) break;
			return coded ? { code: operand, unclear, idle } : { script: operand, unclear, idle };
		}
		if (!/^[-+]/.test(value)) return coded ? { code: word, unclear, idle } : { script: word, unclear, idle };
		if (value.startsWith('--')) {
			if (value === '--version' || value === '--help') idle = true;
			else if (!/^--(?:login|norc|noprofile|posix|verbose|noediting|restricted)$/.test(value)) unclear = true;
			continue;
		}
		const letters = value.slice(1);
		if (/[^abcefhlmnuvxBCEHPTtpDroO]/.test(letters) || /[oO].*[oO]/.test(letters)) unclear = true;
		if (letters.includes('c') && value.startsWith('-')) coded = true;
		if (/[oO]/.test(letters)) {
			at++;
			if (!/^(?:errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber)$/.test(words[at]?.value ?? ''))
				unclear = true;
		}
	}
	return { unclear, idle: idle && !coded };
}
