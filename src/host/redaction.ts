// Takes keys out of text that is going to be written somewhere. Pure.

const keys = /\bsk-[\w-]{6,}/g;
const headers =
	/\b(authorization|x-api-key|proxy-authorization)(["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',;}]+/gi;
const credentials = /(\w:\/\/)[^\s/@]+@/g;

export function redacted(text: string): string {
	return text.replace(headers, '$1$2•••').replace(keys, 'sk-•••').replace(credentials, '$1•••@');
}
