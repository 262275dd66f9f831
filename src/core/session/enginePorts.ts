// What the engine hands to loop and pipeline, made of its options: settings of a turn, retry policy, the pipeline's ports.
import nodePath from 'node:path';
import type { ContextUse } from '../../shared/contextUse.ts';
import type { BreakdownInput } from '../context/breakdown.ts';
import { contextBreakdown } from '../context/breakdown.ts';
import type { ContextDeps } from '../context/contextTypes.ts';
import { CollapseArea } from '../context/collapseArea.ts';
import { ContextCache } from '../context/contextCache.ts';
import { systemPrompt } from '../context/systemPrompt.ts';
import { roughTokens } from '../util/text.ts';
import { limits } from '../limits.ts';
import type { QueryDeps } from '../loop/deps.ts';
import { productionDeps } from '../loop/deps.ts';
import type { TurnSettings } from '../loop/params.ts';
import type { Journal, StoredEntry } from '../messages/journal.ts';
import type { RetryPolicy } from '../model/retry.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { Todo } from '../../shared/view.ts';
import { knownForm } from '../tools/notebookFile.ts';
import type { Registry } from '../tools/registry.ts';
import { toolDefinitions } from '../tools/registry.ts';
import type { ModelCallParts } from './modelCalls.ts';
import { summariser } from './modelCalls.ts';
import type { EngineOptions, SessionSettings } from './options.ts';
import { projectMemory } from './projectMemory.ts';
import { loadSession } from './resume.ts';

export function turnSettings(settings: SessionSettings): TurnSettings {
	const { model, fallbackModels, maxOutputTokens, thinking, maxConcurrency, bashErrorCancelsSiblings } = settings;
	return {
		models: [model, ...(fallbackModels ?? []).filter((other) => other !== model)],
		thinking,
		maxConcurrency,
		bashErrorCancelsSiblings,
		streamingTools: settings.streamingTools,
		compaction: settings.compaction ?? { enabled: true },
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
	};
}

/** The number of retries is read at each failure, so that a changed setting holds at once. */
function retryPolicy({ settings, ports }: EngineOptions): RetryPolicy {
	return {
		get maxRetries() {
			return settings().maxRetries ?? limits.maxRetries;
		},
		random: () => ports.random(),
		confirmWait: async (_failure, delayMs, signal) => (await ports.interaction.confirmWait?.(delayMs, signal)) ?? false,
	};
}

/** Tokens of what stands before the messages. */
export function overheadTokens(system: readonly string[], tools: Registry): number {
	const parts = overheadParts(system, tools);
	return parts.system + parts.tools;
}

/** The same, apart. */
export function overheadParts(system: readonly string[], tools: Registry) {
	return {
		system: Math.ceil(roughTokens(system.join('\n'))),
		tools: Math.ceil(roughTokens(JSON.stringify(toolDefinitions(tools)))),
	};
}

/** What the loop needs from outside. */
export function engineDeps(options: EngineOptions, journal: Journal): QueryDeps {
	return productionDeps({ ...options.ports, journal, facts: options.facts, retry: retryPolicy(options) });
}

/** A conversation at this moment. `written`: entries of the exchange that runs; its messages are not in the list yet. */
interface ContextNow extends Pick<BreakdownInput, 'messages' | 'changes'> {
	readonly tools: Registry;
	readonly written: readonly StoredEntry[];
}

/** What fills the context now, for people. */
export function contextUse(options: EngineOptions, now: ContextNow, cache: ContextCache): ContextUse {
	const { model, appendSystemPrompt, compaction } = options.settings();
	const window = Math.min(compaction?.window ?? Infinity, options.facts(model).contextWindow);
	const running = now.written.length > 0 ? loadSession(now.written) : { messages: [], changes: [] };
	const messages = [...now.messages, ...running.messages];
	const changes = [...now.changes, ...running.changes];
	const overhead = overheadParts(systemPrompt(appendSystemPrompt), now.tools);
	return contextBreakdown({ messages, changes, window, ...overhead }, cache);
}

export function contextDeps(
	options: EngineOptions,
	calls: ModelCallParts,
	session: () => { readonly mode: PermissionMode; readonly todos: readonly Todo[]; readonly plan?: string },
	isSecret: (path: string) => boolean,
): ContextDeps {
	const { ports } = options;
	return {
		storeResult: (toolUseId, text) =>
			ports.results?.store(toolUseId, text) ?? Promise.reject(new Error('There is no place for large results.')),
		summarise: summariser(calls),
		async reattach(paths) {
			const shown = paths.filter((path) => !isSecret(nodePath.resolve(ports.workspace.roots[0] ?? '', path)));
			const files = await Promise.all(
				shown.map(async (path) => ({ path, text: await knownForm(ports.workspace, path) })),
			);
			const found = files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
			const memory = await projectMemory(options);
			const state = { ...session(), ...(memory === '' ? {} : { memory }) };
			return { ...(await ports.reattach?.()), files: found, ...state };
		},
		uuid: ports.uuid,
		clock: ports.clock,
		cache: new ContextCache(),
		staged: new CollapseArea(),
	};
}
