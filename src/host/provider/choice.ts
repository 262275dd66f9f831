// Which service answers: from the key, the base URL and the setting. Pure. Folders have no say: the settings that come in here
// have application scope, and the rest is the person's own environment.
import { anthropicUrl, isAnthropic, normaliseBaseUrl, shownAddress } from '../../node/anthropic/baseUrl.ts';

export interface ProviderInput {
	readonly provider: string;
	/** As typed; empty when unset. */
	readonly baseUrl: string;
	/** From the secret storage. */
	readonly storedKey: string | undefined;
	readonly env: Readonly<Record<string, string | undefined>>;
}

export type ProviderChoice =
	| {
			readonly kind: 'service';
			readonly baseUrl: string;
			readonly apiKey?: string;
			readonly authToken?: string;
			/** Anthropic itself, not another server of the same API. */
			readonly official: boolean;
	  }
	| { readonly kind: 'demo' }
	/** `message`: English, for the detail under the localised sentence. */
	| {
			readonly kind: 'not_configured';
			readonly problem: 'no_key' | 'bad_address';
			readonly message: string;
	  };

export function chooseProvider({ provider, baseUrl, storedKey, env }: ProviderInput): ProviderChoice {
	const apiKey = clean(storedKey) ?? clean(env['ANTHROPIC_API_KEY']);
	const authToken = clean(storedKey) === undefined ? clean(env['ANTHROPIC_AUTH_TOKEN']) : undefined;
	const typed = clean(baseUrl) ?? clean(env['ANTHROPIC_BASE_URL']);
	if (provider === 'demo') return { kind: 'demo' };
	if (provider !== 'anthropic' && !apiKey && !authToken && !typed) return { kind: 'demo' };
	const url = normaliseBaseUrl(typed ?? anthropicUrl);
	if (url === undefined) {
		const message = `The base URL is no web address: ${shownAddress(typed ?? '')}`;
		return { kind: 'not_configured', problem: 'bad_address', message };
	}
	const official = isAnthropic(url);
	if (official && !apiKey && !authToken)
		return { kind: 'not_configured', problem: 'no_key', message: 'There is no API key.' };
	return {
		kind: 'service',
		baseUrl: url,
		official,
		...(apiKey === undefined ? {} : { apiKey }),
		...(authToken === undefined ? {} : { authToken }),
	};
}

function clean(text: string | undefined): string | undefined {
	return text?.trim() || undefined;
}
