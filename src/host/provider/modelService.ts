// The model client of all conversations: looks at each request which service is chosen now, so that a new key or address holds
// from the next request on. Also knows the models to offer. No `vscode`.
import type { ModelClient, ModelFacts, ModelRequest, ModelSignal, RemoteModel } from '../../core/model/client.ts';
import type { ModelFailure } from '../../core/model/failure.ts';
import { defaultModel, demoModel, knownModels, modelFacts } from '../../core/model/models.ts';
import type { ModelStatus } from '../session/controllerDeps.ts';
import { chooseProvider, type ProviderChoice } from './choice.ts';

export interface ServiceSettings {
	readonly provider: string;
	readonly baseUrl: string;
	/** As set; empty for the default. */
	readonly model: string;
	readonly idleTimeoutMs: number;
}

/** Where a client connects to. */
export interface Target {
	readonly baseUrl: string;
	readonly apiKey?: string;
	readonly authToken?: string;
	readonly idleTimeoutMs: number;
}

export interface ModelServiceDeps {
	settings(): ServiceSettings;
	readonly env: Readonly<Record<string, string | undefined>>;
	storedKey(): PromiseLike<string | undefined>;
	connect(target: Target, facts: (model: string) => ModelFacts): Promise<ModelClient>;
	/** What people read of the demo model. */
	readonly demoName: string;
	/** The demo model; started at the first use, kept until the end. */
	startDemo(): Promise<{ readonly url: string; readonly token: string; close(): Promise<void> }>;
	/** The models or the provider are others now. */
	changed(): void;
	readonly failed: (what: string, error: unknown) => void;
}

export type ServiceStatus = Omit<ModelStatus, 'maxCostUsd'>;

/** Milliseconds. */
const listPatience = 10_000;
/** A conversation that is opened waits for it. */
const offerPatience = 1500;

export class ModelService implements ModelClient {
	private readonly deps: ModelServiceDeps;
	private choice: ProviderChoice = { kind: 'demo' };
	private client: { readonly key: string; readonly client: Promise<ModelClient> } | undefined;
	private demo: ReturnType<ModelServiceDeps['startDemo']> | undefined;
	/** What the service said of its models, by id. */
	private remote: ReadonlyMap<string, RemoteModel> = new Map();
	private remoteOf = '';

	constructor(deps: ModelServiceDeps) {
		this.deps = deps;
	}

	/** Looks at key and settings again. Contract: never rejects. */
	async refresh(): Promise<void> {
		const { provider, baseUrl } = this.deps.settings();
		let storedKey: string | undefined;
		try {
			storedKey = await this.deps.storedKey();
		} catch (error) {
			this.deps.failed('reading the key', error);
		}
		const before = this.remoteKey();
		this.choice = chooseProvider({ provider, baseUrl, storedKey, env: this.deps.env });
		this.deps.changed();
		if (before !== this.remoteKey()) this.learnModels();
	}

	async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelSignal> {
		const client = await this.current();
		if ('kind' in client) yield { kind: 'failed', failure: client };
		else yield* client.stream(request, signal);
	}

	/** Asks the service, and keeps what it says for `facts` and `status`. */
	async listModels(signal: AbortSignal): Promise<readonly RemoteModel[] | ModelFailure> {
		const target = this.remoteKey();
		const client = await this.current();
		if ('kind' in client) return client;
		const models = await client.listModels(signal);
		if (!('kind' in models) && target === this.remoteKey()) {
			this.remote = new Map(models.map((model) => [model.id, model]));
			this.remoteOf = target;
			this.deps.changed();
		}
		return models;
	}

	/** Asks for the service's models in the background; the demo model has no others, and is not started for it. */
	private learnModels(): void {
		if (this.choice.kind !== 'service' || this.known().size > 0) return;
		this.listModels(AbortSignal.timeout(listPatience)).catch((error: unknown) =>
			this.deps.failed('listing models', error),
		);
	}

	/** Tries a key at the service that is chosen now, without keeping it. */
	async check(apiKey: string, signal: AbortSignal): Promise<ModelFailure | undefined> {
		const { provider, baseUrl, idleTimeoutMs } = this.deps.settings();
		const choice = chooseProvider({
			provider: provider === 'demo' ? 'auto' : provider,
			baseUrl,
			storedKey: apiKey,
			env: this.deps.env,
		});
		if (choice.kind !== 'service') {
			return { kind: 'not_configured', message: choice.kind === 'demo' ? 'There is no API key.' : choice.message };
		}
		const client = await this.deps.connect({ ...choice, idleTimeoutMs }, this.facts);
		const models = await client.listModels(signal);
		return 'kind' in models ? models : undefined;
	}

	/** The model of the next request. */
	get model(): string {
		if (this.choice.kind === 'demo') return demoModel;
		const set = this.deps.settings().model.trim();
		if (set !== '') return set;
		const first = this.known().keys().next().value;
		return this.known().size === 0 || this.known().has(defaultModel) ? defaultModel : (first ?? defaultModel);
	}

	/** What gives the right at the chosen service; must not be written anywhere. */
	get secrets(): readonly string[] {
		if (this.choice.kind !== 'service') return [];
		return [this.choice.apiKey, this.choice.authToken].flatMap((secret) => secret ?? []);
	}

	readonly facts = (model: string): ModelFacts => modelFacts(model, this.known().get(model));

	/** Whether the service has it. Waits a moment for its list; without one nothing speaks against it. Contract: never rejects. */
	async offers(model: string): Promise<boolean> {
		if (this.choice.kind === 'demo') return model === demoModel;
		if (this.known().size === 0) await this.listModels(AbortSignal.timeout(offerPatience)).catch(() => undefined);
		return this.known().size === 0 || this.known().has(model);
	}

	/** `id`: the model of a conversation that has its own. */
	status(id = this.model): ServiceStatus {
		const { contextWindow } = this.facts(id);
		const named = (model: string) => (model === demoModel ? this.deps.demoName : this.facts(model).name);
		const provider =
			this.choice.kind === 'service' ? (this.choice.official ? 'anthropic' : 'compatible') : this.choice.kind;
		return {
			provider: provider === 'not_configured' ? 'anthropic' : provider,
			model: { id, name: named(id) },
			models: this.offered(id).map((model) => ({ id: model.id, name: named(model.id) })),
			contextWindow,
			setup: this.choice.kind === 'not_configured' ? this.choice.problem : 'ready',
		};
	}

	async dispose(): Promise<void> {
		const demo = await this.demo?.catch(() => undefined);
		await demo?.close();
	}

	/** The service's own list wins; Anthropic's table helps until it is known. */
	private offered(chosen: string): readonly ModelFacts[] {
		if (this.choice.kind === 'demo') return [this.facts(demoModel)];
		const ids =
			this.known().size > 0 ? [...this.known().keys()] : this.official ? knownModels().map(({ id }) => id) : [];
		return [...new Set([chosen, ...ids])].map(this.facts);
	}

	private get official(): boolean {
		return this.choice.kind !== 'service' || this.choice.official;
	}

	private known(): ReadonlyMap<string, RemoteModel> {
		return this.remoteOf === this.remoteKey() ? this.remote : new Map();
	}

	private remoteKey(): string {
		return JSON.stringify(this.choice);
	}

	/** Contract: never rejects; what keeps a client from being made is a failure. */
	private async current(): Promise<ModelClient | ModelFailure> {
		const { choice } = this;
		if (choice.kind === 'not_configured') return { kind: 'not_configured', message: choice.message };
		const { idleTimeoutMs } = this.deps.settings();
		const key = `${this.remoteKey()} ${idleTimeoutMs}`;
		try {
			if (this.client?.key !== key) this.client = { key, client: this.connect(choice, idleTimeoutMs) };
			return await this.client.client;
		} catch (error) {
			this.client = undefined;
			this.deps.failed('connecting to the model', error);
			return { kind: 'unknown', message: 'The model client could not be loaded.' };
		}
	}

	private async connect(
		choice: Exclude<ProviderChoice, { kind: 'not_configured' }>,
		idleTimeoutMs: number,
	): Promise<ModelClient> {
		if (choice.kind === 'service') return await this.deps.connect({ ...choice, idleTimeoutMs }, this.facts);
		this.demo ??= this.deps.startDemo();
		try {
			const { url, token } = await this.demo;
			return await this.deps.connect({ baseUrl: url, apiKey: token, idleTimeoutMs }, this.facts);
		} catch (error) {
			this.demo = undefined;
			throw error;
		}
	}
}
