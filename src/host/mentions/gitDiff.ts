// Takes files out of git's diff. Pure. Contract: of a file that is not kept nothing is left but its name.

/** `keep`: by path from the repository's root, old and new name of each file. */
export function diffWithout(diff: string, keep: (file: string) => boolean): string {
	return diff
		.split(/^(?=diff --git )/m)
		.map((part) => {
			const names = namesOf(part);
			if (part.startsWith('diff --git ') && names.length === 0)
				return '[a file whose name cannot be read is left out]\n';
			const kept = names.every(keep);
			return kept ? part : `[${names.at(-1)} may hold secrets and is left out]\n`;
		})
		.join('');
}

/** From the lines that name a file each, else from the first line, where blanks make it unclear where a name ends. */
function namesOf(part: string): readonly string[] {
	const head = part.split(/^@@ /m, 1)[0] ?? '';
	const lines = head.matchAll(/^(?:---|\+\+\+|rename from|rename to|copy from|copy to) (.+)$/gm);
	const named = [...lines].flatMap(([, name = '']) => (name === '/dev/null' ? [] : [plainName(name)]));
	if (named.length > 0) return named;
	const [line = ''] = part.split('\n', 1);
	const rest = line.slice('diff --git '.length);
	const half = (rest.length - 1) / 2;
	const [one, other] = [rest.slice(0, half), rest.slice(half + 1)].map(plainName);
	return Number.isInteger(half) && one !== undefined && other !== undefined ? [one, other] : [];
}

/** Without quotes and the `a/` or `b/` before it. */
function plainName(text: string): string {
	const trimmed = text.replace(/\t$/, '');
	const bare = trimmed.startsWith('"') ? unquoted(trimmed) : trimmed;
	return bare.replace(/^[ab]\//, '');
}

/** Git writes bytes that are not ASCII as octal escapes. */
function unquoted(text: string): string {
	const bytes: number[] = [];
	const inside = text.slice(1, -1);
	for (let at = 0; at < inside.length; at++) {
		const octal = /^\\([0-7]{3})/.exec(inside.slice(at, at + 4));
		if (octal) {
			bytes.push(Number.parseInt(octal[1] ?? '0', 8));
			at += 3;
		} else {
			if (inside.charAt(at) === '\\') at++;
			bytes.push(...Buffer.from(inside.charAt(at), 'utf8'));
		}
	}
	return Buffer.from(bytes).toString('utf8');
}
