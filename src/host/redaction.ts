// Takes keys out of text that is going to be written somewhere. Pure. What has no known shape cannot be found here: the model
// client takes its own keys out of every failure by their value.

/** Keys by their shape: model providers, code hosts, package registries, chat services, clouds. */
const keys = new RegExp(
	[
		String.raw`\b(?:sk|pk|rk)[-_][\w-]{6,}`,
		String.raw`\b(?:gh[pousr]|glpat|npm|hf|xox[abeoprs])[-_][\w-]{10,}`,
		String.raw`\bgithub_pat_\w{20,}`,
		String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
		String.raw`\bAIza[\w-]{30,}`,
		String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
	].join('|'),
	'g',
);
const privateKeys = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g;
const headers =
	/\b(authorization|x-api-key|proxy-authorization)(["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',;}]+/gi;
const variables = /\b(\w*(?:API_KEY|AUTH_TOKEN|ACCESS_TOKEN|SECRET|PASSWORD))(["']?\s*[:=]\s*["']?)[^\s"',;}]+/gi;
const credentials = /(\w:\/\/)[^\s/@]+@/g;

export function redacted(text: string): string {
	return text
		.replace(privateKeys, '-----BEGIN $1-----•••')
		.replace(headers, '$1$2•••')
		.replace(variables, '$1$2•••')
		.replace(keys, '•••')
		.replace(credentials, '$1•••@');
}
