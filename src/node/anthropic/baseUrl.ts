// The address of the model service as people paste it, brought into the form that the client needs.

export const anthropicUrl = 'https://api.anthropic.com';

/**
 * An address without what the client appends itself: `/v1`, `/v1/messages`, slashes at the end, query and fragment. A name
 * without a scheme gets `https:` (`http:` for this machine). Undefined when it is no address of HTTP.
 */
export function normaliseBaseUrl(text: string): string | undefined {
	const typed = text.trim();
	if (typed === '') return undefined;
	const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/i.test(typed);
	const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `${local ? 'http' : 'https'}://${typed}`;
	let url: URL;
	try {
		url = new URL(whole);
	} catch {
		return undefined;
	}
	if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined;
	const path = url.pathname.replace(/\/+$/, '').replace(/\/v1(\/messages(\/count_tokens)?|\/models)?$/i, '');
	return `${url.origin}${path.replace(/\/+$/, '')}`;
}

/** For messages: without a password that stands in it. */
export function shownAddress(text: string): string {
	return text.replace(/[^/\s]*@/, '•••@').slice(0, 100);
}

/** Host name with port, for messages; the text itself when it is no address. */
export function hostOf(baseUrl: string): string {
	try {
		return new URL(baseUrl).host;
	} catch {
		return shownAddress(baseUrl);
	}
}

/** True for the service of Anthropic itself. */
export function isAnthropic(baseUrl: string): boolean {
	return hostOf(baseUrl) === 'api.anthropic.com';
}
