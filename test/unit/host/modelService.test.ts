// Which service answers, looked at anew for each request; against the mock service and the real client.
import assert from 'node:assert/strict';
import type { ModelSignal } from '../../../src/core/model/client.ts';
import { demoModel } from '../../../src/core/model/models.ts';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import { ModelService } from '../../../src/host/provider/modelService.ts';
import { SessionModel } from '../../../src/host/provider/sessionModel.ts';
import { createAnthropicClient } from '../../../src/node/anthropic/client.ts';
import { startDemoServer } from '../../../src/node/demo/server.ts';
import { answer, startMockServer, type MockServer } from '../../support/mockServer.ts';

const request = {
	model: 'claude-sonnet-5',
	system: ['s'],
	messages: [{ role: 'user', content: 'hi' }],
	tools: [],
	maxTokens: 100,
	thinking: 'off',
} as const;

suite('model service', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer([], { keys: ['good'] });
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());

	function start(at: { key?: string; baseUrl?: string; provider?: string; model?: string }) {
		let demos = 0;
		const problems: unknown[] = [];
		const service = new ModelService({
			settings: () => ({
				provider: at.provider ?? 'auto',
				baseUrl: at.baseUrl ?? '',
				model: at.model ?? '',
				idleTimeoutMs: 5000,
			}),
			env: {},
			demoName: 'The demo',
			storedKey: () => Promise.resolve(at.key),
			connect: (target, facts) =>
				Promise.resolve(
					createAnthropicClient({
						baseUrl: target.baseUrl,
						idleTimeoutMs: 5000,
						byteTimeoutMs: 5000,
						version: 'test',
						facts,
						...(target.apiKey === undefined ? {} : { apiKey: target.apiKey }),
					}),
				),
			startDemo: () => {
				demos++;
				return startDemoServer({ pauseMs: 0 });
			},
			changed: () => {},
			failed: (what, error) => problems.push(what, error),
		});
		return { service, problems, demos: () => demos };
	}

	async function signals(service: ModelService, model: string = request.model): Promise<readonly ModelSignal[]> {
		const all: ModelSignal[] = [];
		for await (const signal of service.stream({ ...request, model }, new AbortController().signal)) all.push(signal);
		return all;
	}
	const failureOf = (all: readonly ModelSignal[]) => {
		const last = all.at(-1);
		return last?.kind === 'failed' ? last.failure.kind : undefined;
	};

	test('a new key holds from the next request on', async () => {
		const at = { key: 'bad', baseUrl: mock.url };
		const { service } = start(at);
		await service.refresh();
		assert.equal(failureOf(await signals(service)), 'authentication');
		at.key = 'good';
		await service.refresh();
		assert.deepEqual(service.secrets, ['good'], 'what is never written anywhere');
		mock.setScript([answer('hello')]);
		assert.equal(failureOf(await signals(service)), undefined);
	});

	test('a key is checked without being kept', async () => {
		const { service } = start({ baseUrl: mock.url });
		await service.refresh();
		const { signal } = new AbortController();
		assert.equal((await service.check('bad', signal))?.kind, 'authentication');
		assert.equal(await service.check('good', signal), undefined);
		assert.equal(failureOf(await signals(service)), 'authentication');
	});

	test('an address where nothing listens is unreachable', async () => {
		const { service } = start({ baseUrl: 'http://127.0.0.1:9' });
		await service.refresh();
		assert.equal((await service.check('good', new AbortController().signal))?.kind, 'unreachable');
	});

	test('without key and address the demo model answers; it starts with the first request', async () => {
		const { service, demos } = start({ model: 'claude-opus-5' });
		await service.refresh();
		assert.deepEqual([service.model, service.status().provider, demos()], [demoModel, 'demo', 0]);
		assert.equal(service.status().model.name, 'The demo');
		assert.equal(failureOf(await signals(service, demoModel)), undefined);
		await signals(service, demoModel);
		assert.equal(demos(), 1);
		await service.dispose();
	});

	test('a chosen provider without a key is a clear failure', async () => {
		const { service } = start({ provider: 'anthropic' });
		await service.refresh();
		assert.equal(failureOf(await signals(service)), 'not_configured');
		assert.equal(service.status().provider, 'anthropic');
	});

	test('the models of the service are offered, the chosen one first', async () => {
		const { service } = start({ key: 'good', baseUrl: mock.url, model: 'my-model' });
		await service.refresh();
		const listed = await service.listModels(new AbortController().signal);
		assert.ok(!('kind' in listed) && listed.length > 0);
		const { models, provider } = service.status();
		assert.equal(provider, 'compatible');
		assert.equal(models[0]?.id, 'my-model');
		assert.deepEqual(
			models.slice(1).map(({ id }) => id),
			listed.map(({ id }) => id),
		);
	});

	test('a stored conversation goes on with its own model, until the person chooses; one that is gone is told', async () => {
		const at = { key: 'good', baseUrl: mock.url, model: 'claude-sonnet-5' };
		const { service } = start(at);
		await service.refresh();
		const stored = (model: string): StoredEntry[] => [{ type: 'model', model, time: 1 }];
		const resumed = async (model: string) => {
			const own = new SessionModel(service);
			return { own, gone: await own.resume(stored(model)) };
		};
		const { own, gone } = await resumed('claude-opus-4-8');
		assert.deepEqual([gone, own.id, own.status.model.id], [undefined, 'claude-opus-4-8', 'claude-opus-4-8']);
		assert.equal(new SessionModel(service).id, 'claude-sonnet-5', 'a new one begins as the settings say');
		at.model = 'claude-haiku-4-5';
		assert.equal(own.id, 'claude-opus-4-8', 'what another conversation chooses changes nothing here');
		own.follow();
		assert.equal(own.id, 'claude-haiku-4-5');
		await own.resume(stored('claude-opus-4-8'));
		assert.equal(own.id, 'claude-haiku-4-5', 'also after a rewind');
		const lost = await resumed('claude-of-yesterday');
		assert.equal(lost.own.id, 'claude-haiku-4-5');
		assert.match(lost.gone?.from ?? '', /claude-of-yesterday/);
		assert.match(lost.gone?.to ?? '', /Haiku/);
		assert.equal((await resumed(demoModel)).own.id, 'claude-haiku-4-5');
		const demo = start({ model: 'claude-sonnet-5' });
		await demo.service.refresh();
		const inDemo = new SessionModel(demo.service);
		assert.deepEqual([await inDemo.resume(stored('claude-opus-4-8')), inDemo.id], [undefined, demoModel]);
	});

	test('without a list nothing speaks against a stored model', async () => {
		const { service } = start({ key: 'good', baseUrl: 'http://127.0.0.1:9', model: 'mine' });
		await service.refresh();
		const own = new SessionModel(service);
		assert.deepEqual([await own.resume([{ type: 'model', model: 'theirs', time: 1 }]), own.id], [undefined, 'theirs']);
	});
});
