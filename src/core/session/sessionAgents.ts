// The subagents of a conversation: each is a loop over the same ports, with a transcript, files, folder and commands of its own. The
// person is asked through the conversation's gate, and all that it costs counts there.
import { sessionFacts } from '../context/systemPrompt.ts';
import { limits } from '../limits.ts';
import type { QueryParams, StopReasonOfUser } from '../loop/params.ts';
import { PromptQueue } from '../loop/promptQueue.ts';
import { hiddenMessage, ownMessage } from '../loop/record.ts';
import type { AgentJournal } from '../messages/journal.ts';
import { transcriptVersion } from '../messages/journal.ts';
import type { Message } from '../messages/types.ts';
import { AgentLog } from '../subagents/agentLog.ts';
import { runSubagent } from '../subagents/runSubagent.ts';
import { hasTool } from '../tools/agentTypes.ts';
import { FileState } from '../tools/fileState.ts';
import { createRegistry } from '../tools/registry.ts';
import type { RunSubagent, SubagentOrder } from '../tools/subagent.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import { ChangedFiles } from './changedFiles.ts';
import { contextDeps, engineDeps, overheadTokens, turnSettings } from './enginePorts.ts';
import { exchangeLimits } from './exchangeLimits.ts';
import type { ModelCallParts } from './modelCalls.ts';
import type { EngineOptions } from './options.ts';
import type { PermissionGate } from './permissionGate.ts';
import type { SessionMode } from './sessionMode.ts';
import { sessionContext, sessionTasks, sessionToolDeps, sessionTools } from './sessionTools.ts';

export interface AgentParts {
	readonly options: EngineOptions;
	readonly gate: PermissionGate;
	/** Of the conversation: also what the person chooses on a card of a subagent. */
	readonly modes: Pick<SessionMode, 'current' | 'goOnIn'>;
	readonly spentUsd: () => number | null;
	/** How the conversation asks models beside its own exchange; what a subagent is answered counts like that. */
	readonly calls: ModelCallParts;
}

/** Runs subagents for the conversation. */
export function sessionAgents(parts: AgentParts): RunSubagent {
	return async (order) => {
		const { options } = parts;
		const agentId = options.ports.uuid();
		const journal = options.ports.agentJournal?.(agentId);
		const log = new AgentLog(journal === undefined ? undefined : agentId);
		const tasks = sessionTasks(options, []);
		try {
			const kept = journal ?? { append: () => Promise.resolve(), close: () => {} };
			const params = agentParams(order, { ...parts, journal: kept, log, tasks });
			const messages = await begin(order, agentId, { options, journal: kept, mode: parts.modes.current });
			const run = { params: { ...params, messages }, log, count: parts.calls.onUsage };
			return await runSubagent(order, run);
		} finally {
			await tasks.end();
			journal?.close();
		}
	};
}

interface OwnParts extends AgentParts {
	readonly journal: AgentJournal;
	readonly log: AgentLog;
	readonly tasks: ReturnType<typeof sessionTasks>;
}

/** The first entries of its transcript, and the messages that it begins with: the facts, and its task. */
async function begin(
	{ prompt }: SubagentOrder,
	agentId: string,
	{ options, journal, mode }: Pick<OwnParts, 'options' | 'journal'> & { readonly mode: PermissionMode },
): Promise<readonly Message[]> {
	const { ports, platform, app, settings } = options;
	const { workspace, shell, clock } = ports;
	const facts = sessionFacts({ time: clock.now(), platform, shell: shell.name, folders: workspace.roots });
	const messages = [hiddenMessage(facts, ports), ownMessage(prompt, 'prompt', ports)];
	const cwd = workspace.roots[0] ?? '/';
	await journal.append({ type: 'session', version: transcriptVersion, sessionId: agentId, cwd, app });
	await journal.append({ type: 'mode', mode });
	await journal.append({ type: 'model', model: settings().model });
	for (const message of messages) await journal.append({ type: 'user', message });
	return messages;
}

function agentParams(order: SubagentOrder, parts: OwnParts): Omit<QueryParams, 'messages'> {
	const { options, gate, journal, log, tasks, modes } = parts;
	const { ports, facts, settings } = options;
	const { workspace, clock } = ports;
	const { type, signal } = order;
	const offered = sessionTools(options).filter(({ name }) => hasTool(type, name));
	const tools = createRegistry(offered, (tool) => !gate.isDenied(tool));
	const system = [type.prompt];
	const deps = engineDeps(options, journal);
	const calls: ModelCallParts = { ...parts.calls, deps, tools, system };
	const fileState = new FileState([]);
	const changed = new ChangedFiles(fileState, workspace, clock);
	const { maxCostUsd } = exchangeLimits(settings(), undefined);
	const cwd = workspace.roots[0] ?? '/';
	const asker = { agent: type.name, journal, waits: (id: string, waiting: boolean) => log.waits(id, waiting) };
	return {
		subagent: true,
		changes: [],
		system,
		tools,
		toolContext: sessionContext(options, gate, { tasks, fileState, cwd, todos: [], mode: modes.current }),
		settings: () => turnSettings(settings()),
		facts,
		context: contextDeps(
			options,
			calls,
			() => ({ mode: modes.current, todos: [] }),
			(path) => gate.isSecret(path),
		),
		overheadTokens: overheadTokens(system, tools),
		spentUsd: parts.spentUsd,
		...(maxCostUsd === undefined ? {} : { maxCostUsd }),
		maxTurns: limits.agentTurns,
		queue: new PromptQueue(),
		signal: stopSignal(signal),
		deps,
		toolDeps: sessionToolDeps(options, { gate, journal, asker, setMode: (mode) => modes.goOnIn(mode) }),
		dueNotes: (messages, turnSignal) => changed.look(messages, turnSignal),
		finishedWork: tasks,
	};
}

/** Aborts with the call, for the reason that an exchange knows. */
function stopSignal(signal: AbortSignal): AbortSignal {
	const controller = new AbortController();
	const stop = () => controller.abort('stop' satisfies StopReasonOfUser);
	if (signal.aborted) stop();
	else signal.addEventListener('abort', stop, { once: true });
	return controller.signal;
}
