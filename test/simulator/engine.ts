// An engine of a run: the real one, on ports that are the world's. Also what may differ from run to run: models, window,
// limits, hooks.
import type { PromptParts } from '../../src/core/loop/promptParts.ts';
import type { QueuedPrompt } from '../../src/core/messages/journal.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/shared/permission.ts';
import type { ProposedEdit } from '../../src/core/ports/workspace.ts';
import type { StopHooks } from '../../src/core/loop/params.ts';
import type { ModelFacts } from '../../src/core/model/client.ts';
import { modelFacts } from '../../src/core/model/models.ts';
import { rulesFrom } from '../../src/core/permissions/rule.ts';
import type { Interaction } from '../../src/core/ports/interaction.ts';
import type { HookVerdict, ToolHooks } from '../../src/core/tools/permitCall.ts';
import type { Conversation } from '../../src/core/session/engineApi.ts';
import type { SessionSettings } from '../../src/core/session/options.ts';
import type { MemoryStore } from '../../src/core/memory/memoryStore.ts';
import { createConversation } from '../../src/core/session/queryEngine.ts';
import type { MockModel } from '../support/mock/rules/models.ts';
import { findModel, mockModels } from '../support/mock/rules/models.ts';
import type { ApiModel } from './apiModel.ts';
import { fileTools, newImage, searchOf, shellOf, SimWorkspace, tools, toolsWithAgents } from './tools.ts';
import type { Life, World } from './world.ts';
import { never } from './world.ts';

export const models = ['claude-sonnet-5', 'claude-haiku-5-5', 'claude-opus-4-5', 'claude-sonnet-5-5'] as const;

/** What holds for a whole run, or until the person changes it. */
export interface Setup {
	settings: SessionSettings;
	/** Tokens; a small window makes the pipeline work. */
	readonly window: number;
	readonly stopHooks: boolean;
	readonly toolHooks: boolean;
	/** Something is attached to turns. */
	readonly notes: boolean;
	/** Memory, suggestions and labels are on. */
	readonly background: boolean;
}

/** What every run is to be, whatever its seed would choose. */
export interface Kinds {
	/** A long conversation. */
	readonly long: boolean;
	/** Work on files, with the built-in tools. */
	readonly files: boolean;
	/** With subagents. */
	readonly agents: boolean;
}

export function randomSetup(world: World, { long, files, agents }: Kinds): Setup {
	const { decisions } = world;
	const model = decisions.pick(models);
	const fallbackModels = decisions.pick<readonly string[]>([
		[],
		['claude-haiku-5-5'],
		['claude-sonnet-5', 'claude-haiku-5-5'],
	]);
	world.long = decisions.oneIn(50) || long;
	const window = world.long
		? decisions.pick([24_000, 60_000, 40_000])
		: decisions.weighted([
				[60, 1_000_000],
				[8, 6000],
				[8, 12_000],
			]);
	world.charsPerToken = world.long ? 1.5 : 4;
	world.talk = world.long ? 2 : window < 100_000 ? 1 : 0;
	const maxTurns = decisions.weighted([
		[6, undefined],
		[1, 1 + decisions.below(3)],
	]);
	const tokenTarget = decisions.oneIn(12) ? 500 : undefined;
	const background = decisions.oneIn(10);
	if (decisions.oneIn(5) || files) world.openFiles();
	world.agents = (decisions.oneIn(8) || agents) && !world.files && !world.long;
	return {
		window,
		stopHooks: decisions.oneIn(8),
		toolHooks: decisions.oneIn(8),
		notes: decisions.oneIn(8),
		background,
		settings: {
			smallModel: 'claude-haiku-5-5',
			background: { memory: background, suggestions: background, labels: background },
			model,
			fallbackModels,
			thinking: decisions.pick(['auto', 'off']),
			maxRetries: decisions.pick([2, 0, 5, 10]),
			maxConcurrency: decisions.pick([10, 2, 1]),
			bashErrorCancelsSiblings: decisions.below(3) < 2,
			streamingTools: decisions.below(5) < 4,
			compaction: { enabled: decisions.below(8) < 7 },
			allow: rulesFrom({ source: 'session' }, decisions.pick<readonly string[]>([['Bash', 'Do'], []])),
			ask: [],
			deny: [],
			...(maxTurns === undefined ? {} : { maxTurns }),
			...(tokenTarget === undefined ? {} : { tokenTarget }),
			...(decisions.oneIn(6) ? { maxOutputTokens: 1000 } : {}),
		},
	};
}

export function factsOf(setup: Setup): (model: string) => ModelFacts {
	return (model) => ({ ...modelFacts(model), contextWindow: setup.window });
}

/** The same models as the service knows them. */
export function servedModels({ window }: Setup): readonly MockModel[] {
	return models.map((id) => {
		const known = findModel(mockModels, id);
		if (!known) throw new Error(`The mock does not know ${id}.`);
		return { ...known, id, window };
	});
}

/** An engine on what the transcript says. */
export function startEngine(world: World, life: Life, api: ApiModel, setup: Setup): Conversation {
	const workspace = new SimWorkspace(world, life);
	return createConversation({
		sessionId: 'session',
		ports: {
			client: api.clientOf(life),
			workspace,
			search: searchOf(world, life),
			shell: shellOf(world, life),
			results: { store: (id) => storeResult(world, life, id) },
			interaction: interactionOf(world, life),
			readPrompt: (prompt) => readPrompt(prompt, world, life),
			journal: world.journalOf(life),
			agentJournal: () => world.agentJournalOf(life),
			clock: {
				now: () => world.scheduler.now(),
				sleep: (ms, signal) => (life.dead ? never() : world.scheduler.sleep(ms, signal)),
			},
			uuid: world.uuid,
			random: () => 0.5,
			...(setup.stopHooks ? { stopHooks: stopHooksOf(world, life) } : {}),
			...(setup.toolHooks ? { toolHooks: toolHooksOf(world, life) } : {}),
			...(setup.background ? { memory: memoryOf(world, life) } : {}),
			finishedWork: {
				get finished() {
					return world.finished;
				},
				told: (id) => {
					if (!life.dead) world.finished = world.finished.filter((task) => task.id !== id);
				},
			},
			...(setup.notes ? { attachmentSources: [() => noteOf(world, life)] } : {}),
		},
		settings: () => setup.settings,
		facts: factsOf(setup),
		mode: 'default',
		interactive: true,
		app: 'test',
		platform: 'linux',
		tools: world.files ? fileTools : world.agents ? toolsWithAgents : tools,
		...(world.entries.length > 0 ? { transcript: [...world.entries] } : {}),
	});
}

/** What a prompt brings besides its words; a picture may be gone, which a note says. */
async function readPrompt({ attachments = [] }: QueuedPrompt, world: World, life: Life): Promise<PromptParts> {
	if (life.dead) return never();
	if (attachments.length === 0) return { media: [], notes: [] };
	if (!world.peace) await world.scheduler.turn('a picture is read');
	world.count('picture in a prompt');
	return world.decisions.below(4) === 3
		? { media: [], notes: ['a.png is gone.'] }
		: { media: [newImage(world)], notes: [] };
}

async function storeResult(world: World, life: Life, id: string): Promise<string> {
	if (life.dead) return never();
	if (!world.peace && world.decisions.oneIn(6)) throw new Error('The disk is full.');
	return `/results/${id}`;
}

function stopHooksOf(world: World, life: Life): StopHooks {
	return async () => {
		if (life.dead) return never();
		if (world.peace) return { kind: 'pass' };
		await world.scheduler.turn('a stop hook answers');
		const kind = world.decisions.weighted<'pass' | 'block' | 'prevent'>([
			[3, 'pass'],
			[2, 'block'],
			[1, 'prevent'],
		]);
		return kind === 'pass' ? { kind } : { kind, reason: 'the hook says so' };
	};
}

function toolHooksOf(world: World, life: Life): ToolHooks {
	const answer = async (): Promise<HookVerdict> => {
		if (life.dead) return never();
		if (world.peace) return { kind: 'pass' };
		await world.scheduler.turn('a tool hook answers');
		const kind = world.decisions.weighted<HookVerdict['kind']>([
			[6, 'pass'],
			[1, 'block'],
			[1, 'stop'],
		]);
		return kind === 'pass' ? { kind } : { kind, reason: 'the hook says so' };
	};
	return { beforeTool: answer, afterTool: answer };
}

async function noteOf(world: World, life: Life): Promise<readonly string[]> {
	if (life.dead) return never();
	if (world.peace) return [];
	await world.scheduler.turn('a note is ready');
	return world.decisions.pick<readonly string[]>([['A file has changed.'], [], [' ']]);
}

function memoryOf(world: World, life: Life): MemoryStore {
	const { memory, scheduler, decisions } = world;
	const ready = async (what: string) => {
		if (life.dead) await never();
		if (world.peace) return;
		await scheduler.turn(what);
		if (decisions.oneIn(8)) throw new Error('no disk');
	};
	return {
		list: async () => {
			await ready('the memory is read');
			return [...memory].map(([name, text]) => ({ name, text }));
		},
		change: async (name, expected, text) => {
			await ready('the memory is written');
			if (memory.get(name) !== expected) return false;
			if (text === undefined) memory.delete(name);
			else memory.set(name, text);
			return true;
		},
	};
}

function interactionOf(world: World, life: Life): Interaction {
	const { scheduler, decisions } = world;
	return {
		requestPermission: (request, signal, proposed) => {
			if (life.dead) return never();
			return new Promise((resolve) => {
				const done = (answer: PermissionAnswer) => {
					signal.removeEventListener('abort', stopped);
					resolve(answer);
				};
				const takeBack = scheduler.add(`the person is asked about ${request.toolUseId}`, () => {
					const answer = world.peace ? ({ behavior: 'allow' } as const) : randomAnswer(request, proposed);
					if (isDenial(answer, request)) world.declined.add(request.toolUseId);
					// A denial that could not be written is forgotten: the person is asked again, and the new word counts.
					else if (!world.results.has(request.toolUseId)) world.declined.delete(request.toolUseId);
					world.note(`    ${answer.behavior}`);
					done(answer);
				});
				const stopped = () => {
					takeBack();
					done({ behavior: 'deny', stopped: true });
				};
				if (signal.aborted) stopped();
				else signal.addEventListener('abort', stopped);
			});
		},
		confirmWait: async (_delayMs, signal) => {
			if (life.dead) return never();
			await scheduler.turn('the person is asked about a long wait');
			return !signal.aborted && (world.peace || decisions.below(2) === 0);
		},
	};

	function randomAnswer(request: PermissionRequest, proposed: ProposedEdit | undefined): PermissionAnswer {
		const { tool, toolUseId, detail } = request;
		const looks = proposed !== undefined && world.files?.mayTrust === false;
		const how = decisions.weighted([
			[6, 'allow'],
			[2, 'deny'],
			[2, 'deny for a reason'],
			[looks ? 0 : 2, 'allow by a rule'],
			[looks ? 0 : 1, 'allow in another mode'],
			[2, 'allow a change of it'],
		]);
		world.changed.delete(toolUseId);
		const edit =
			proposed &&
			world.files?.decide(toolUseId, detail, { proposed, whole: how.includes('rule') || how.includes('mode') });
		if (how === 'deny') return { behavior: 'deny' };
		if (how === 'deny for a reason') return { behavior: 'deny', reason: 'not that' };
		if (how === 'allow by a rule') return { behavior: 'allow', rule: { text: tool, scope: 'session' } };
		if (how === 'allow in another mode') return { behavior: 'allow', mode: decisions.pick(['acceptEdits', 'default']) };
		if (edit) return { behavior: 'allow', edit };
		if (how === 'allow' || request.agent !== undefined || (tool !== 'Do' && tool !== 'Bash'))
			return { behavior: 'allow' };
		const nonce = world.nonce();
		world.changed.set(toolUseId, nonce);
		world.count('call changed by the person');
		world.note(`    changed to ${nonce}`);
		return { behavior: 'allow', input: tool === 'Do' || !world.files ? { id: nonce } : { command: `do ${nonce}` } };
	}
}

function isDenial(answer: PermissionAnswer, { detail }: PermissionRequest): boolean {
	if (answer.behavior === 'deny') return true;
	const { edit } = answer;
	if (!edit || edit.text !== undefined || detail.kind !== 'edit') return false;
	return edit.hunks.every(({ kind }) => kind === 'denied');
}
