// Which model service a run talks to: Anthropic's or another by its address, or the demo model, started for this run.
// The client and the demo model are files of their own, loaded when they are used.
import type { ModelClient, ModelFacts } from '../core/model/client.ts';
import { demoModel, isKnownModel, modelFacts } from '../core/model/models.ts';
import type { Setup } from './setup.ts';

export interface Provider {
	readonly client: ModelClient;
	readonly model: string;
	readonly facts: (model: string) => ModelFacts;
	/** As `system/init` names it. */
	readonly apiKeySource: 'ANTHROPIC_API_KEY' | 'ANTHROPIC_AUTH_TOKEN' | 'none';
	close(): Promise<void>;
}
export type ProviderOutcome =
	{ readonly kind: 'ready'; readonly provider: Provider } | { readonly kind: 'failed'; readonly message: string };

const byteTimeoutMs = 180_000;
/** Milliseconds to wait for the limits of a model that is in no table. */
const factsTimeoutMs = 5000;
const anthropic = 'https://api.anthropic.com';

const noKey =
	'There is no API key. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), ' +
	'or try the built-in demo model, which is no AI, with --setting provider=demo.';

/** Opens the service that the settings say. `model`: the one to use, unless it is the demo model's turn. */
export async function openProvider(setup: Setup, model: string, version: string): Promise<ProviderOutcome> {
	if (setup.settings.provider === 'demo') return { kind: 'ready', provider: await openDemo(setup, version) };
	const { apiKey, authToken, baseUrl = anthropic } = setup;
	if (!apiKey && !authToken && isAnthropicHost(baseUrl)) return { kind: 'failed', message: noKey };
	const client = await connect(setup, version, {
		baseUrl,
		...(apiKey === undefined ? {} : { apiKey }),
		...(authToken === undefined ? {} : { authToken }),
	});
	const { fallbackModels, smallModel } = setup.settings;
	const used = [model, ...fallbackModels, ...(smallModel === undefined ? [] : [smallModel])];
	const facts = await factsOf(client, used);
	const apiKeySource = authToken ? 'ANTHROPIC_AUTH_TOKEN' : apiKey ? 'ANTHROPIC_API_KEY' : 'none';
	return { kind: 'ready', provider: { client, model, facts, apiKeySource, close: () => Promise.resolve() } };
}

async function openDemo(setup: Setup, version: string): Promise<Provider> {
	const { startDemoServer } = await import('../node/demo/server.ts');
	const server = await startDemoServer();
	const client = await connect(setup, version, { baseUrl: server.url, apiKey: server.token });
	return { client, model: demoModel, facts: modelFacts, apiKeySource: 'none', close: () => server.close() };
}

async function connect(
	setup: Setup,
	version: string,
	where: { readonly baseUrl: string; readonly apiKey?: string; readonly authToken?: string },
): Promise<ModelClient> {
	const { createAnthropicClient } = await import('../node/anthropic/client.ts');
	return createAnthropicClient({ ...where, idleTimeoutMs: setup.settings.idleTimeoutMs, byteTimeoutMs, version });
}

/** The table's facts; for models that it does not know, what the service says of them. */
async function factsOf(client: ModelClient, models: readonly string[]): Promise<(id: string) => ModelFacts> {
	if (models.every(isKnownModel)) return modelFacts;
	const listed = await client.listModels(AbortSignal.timeout(factsTimeoutMs));
	const remote = 'kind' in listed ? [] : listed;
	return (id) =>
		modelFacts(
			id,
			remote.find((entry) => entry.id === id),
		);
}

function isAnthropicHost(baseUrl: string): boolean {
	return /^(https?:\/\/)?api\.anthropic\.com(\/|:|$)/i.test(baseUrl);
}
