// Which headers a request carries. Contract: only what is decided here and what the SDK says of itself; nothing that the
// user's environment holds for other programs (ANTHROPIC_CUSTOM_HEADERS, keys, profiles) goes to the configured server.
import { hostOf, isAnthropic } from './baseUrl.ts';

export interface Credentials {
	/** A key of the service's console. */
	readonly apiKey?: string | undefined;
	/** A bearer token, as gateways give them. Wins over the key. */
	readonly authToken?: string | undefined;
}

/** Sent to servers that need no key, so that the SDK does not look for one elsewhere. */
const noKey = 'none';

/** Servers of others that want the key as `x-api-key` only (anthropic-api 9); the rest takes it as Bearer. */
const wantsApiKeyHeader: ReadonlySet<string> = new Set(['api.deepseek.com']);

/**
 * Authentication and version. One credential per request, never two headers (servers refuse both together): tokens and
 * keys go as `Authorization: Bearer`, which Anthropic and all but a few servers accept; those few get `x-api-key`. Servers
 * of others get the version that they know, the SDK's own goes to Anthropic only.
 */
export function ownHeaders(baseUrl: string, { apiKey, authToken }: Credentials): Readonly<Record<string, string>> {
	const version = isAnthropic(baseUrl) ? {} : { 'anthropic-version': '2023-06-01' };
	if (!authToken && apiKey && wantsApiKeyHeader.has(hostOf(baseUrl))) return { ...version, 'x-api-key': apiKey };
	return { ...version, authorization: `Bearer ${authToken ?? apiKey ?? noKey}` };
}

/** Names of the headers in ANTHROPIC_CUSTOM_HEADERS, which the SDK adds by itself. Lower case. */
export function customHeaderNames(value: string | undefined): readonly string[] {
	return (value ?? '')
		.split('\n')
		.map((line) =>
			line
				.slice(0, Math.max(0, line.indexOf(':')))
				.trim()
				.toLowerCase(),
		)
		.filter(Boolean);
}

/** The SDK's headers with the foreign ones taken out and ours put in; changed in place when they come as `Headers`. */
export function cleanHeaders(
	sent: ConstructorParameters<typeof Headers>[0],
	own: Readonly<Record<string, string>>,
	foreign: readonly string[],
	userAgent: string,
): Headers {
	const headers = sent instanceof Headers ? sent : new Headers(sent);
	for (const name of [...foreign, 'authorization', 'x-api-key']) {
		if (name !== 'content-type' && name !== 'anthropic-version') headers.delete(name);
	}
	if (foreign.includes('content-type')) headers.set('content-type', 'application/json');
	if (foreign.includes('anthropic-version')) headers.set('anthropic-version', '2026-10-21');
	headers.set('user-agent', userAgent);
	for (const [name, value] of Object.entries(own)) headers.set(name, value);
	return headers;
}
