// Takes tokens of known shapes out of text that is going to be written somewhere. Pure. Contract: text without such a token comes
// back as it is, what was masked stays as it is when it is masked again, and text that is cut at white space outside of a
// private key gives the same in parts as in one.

/** What stands where a secret was. */
export const secretMark = '[secret masked]';

/** Model providers, code hosts, package registries, chat services, clouds, signed web tokens. Each begins at a word's edge. */
const tokens = [
	String.raw`(?:sk|rk)-(?:ant|proj|svcacct|or)-[\w-]{6,}`,
	String.raw`(?:sk|rk)[-_](?:live|test)?_?[A-Za-z0-9]{20,}`,
	String.raw`gh[pousr]_[A-Za-z0-9]{16,}`,
	String.raw`github_pat_\w{20,}`,
	String.raw`glpat-[\w-]{16,}`,
	String.raw`npm_[A-Za-z0-9]{20,}`,
	String.raw`hf_[A-Za-z0-9]{20,}`,
	String.raw`xox[abeoprs]-[\w-]{10,}`,
	String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
	String.raw`AIza[\w-]{30,}`,
	String.raw`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
];
const anyToken = new RegExp(String.raw`(?<![\w-])(?:${tokens.join('|')})`, 'g');
/** Up to the end of the text where the end of the key was cut off. */
const privateKey = /-----BEGIN ((?:[A-Z0-9]+ )*PRIVATE KEY)-----(?!\[)[\s\S]*?(?:-----END \1-----|$)/g;
/** The name of a header, its scheme, and what gives the right; in the ways in which they are written. */
const authorization = String.raw`(?:[Pp]roxy-|PROXY-)?(?:[Aa]uthorization|AUTHORIZATION)`;
const apiKey = String.raw`(?:[Xx]-[Aa]pi-[Kk]ey|X-API-KEY)`;
const equals = String.raw`["']?\s{0,4}[:=]\s{0,4}["']?`;
const scheme = String.raw`(?:[Bb]earer|BEARER|[Tt]oken|[Bb]asic|BASIC)\s{1,4}`;
const header = new RegExp(
	String.raw`(?<![\w-])(${authorization}${equals}${scheme}|${apiKey}${equals})(?!\[)[\w.~+/=-]{8,}`,
	'g',
);
/** What every one of them holds: a quick look that finds nothing is enough for nearly all text. Rare letters come first. */
const hint =
	/[-_](?<=(?:[sr]k|gh[pousr]|ub_pat|glpat|npm|hf|xox[abeoprs]).)|A[KS]IA|AIza|eyJ|PRIVATE KEY|uthorization|UTHORIZATION|pi-[Kk]ey|PI-KEY/;

/** False: there is nothing to mask in it. It may be said of text that is escaped, too. */
export function mayHoldSecret(text: string, known: readonly string[] = []): boolean {
	return hint.test(text) || known.some((secret) => text.includes(secret));
}

export function maskSecrets(text: string, known: readonly string[] = []): string {
	if (!mayHoldSecret(text, known)) return text;
	let masked = text;
	for (const secret of known) if (secret.length >= shortestKnown) masked = masked.replaceAll(secret, secretMark);
	return masked
		.replace(privateKey, `-----BEGIN $1-----${secretMark}`)
		.replace(header, `$1${secretMark}`)
		.replace(anyToken, secretMark);
}

const shortestKnown = 8;
