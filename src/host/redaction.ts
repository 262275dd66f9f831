// Takes keys out of text that is going to the log. Pure. Stricter than what is taken out of a transcript: here nothing of the
// text is needed again. What has no known shape cannot be found: the model client takes its own keys out of every failure by
// their value.
import { maskSecrets } from '../core/util/secrets.ts';

/** Shorter and rarer keys than a conversation would be searched for. */
const keys = /\b(?:(?:sk|pk|rk)[-_][\w-]{6,}|(?:gh[pousr]|glpat|npm|hf|xox[abeoprs])[-_][\w-]{10,})/g;
const headers =
	/\b(authorization|x-api-key|proxy-authorization)(["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',;}]+/gi;
const variables = /\b(\w*(?:API_KEY|AUTH_TOKEN|ACCESS_TOKEN|SECRET|PASSWORD))(["']?\s*[:=]\s*["']?)[^\s"',;}]+/gi;
const credentials = /(\w:\/\/)[^\s/@]+@/g;

export function redacted(text: string): string {
	return maskSecrets(
		text.replace(headers, '$1$2•••').replace(variables, '$1$2•••').replace(keys, '•••').replace(credentials, '$1•••@'),
	);
}
