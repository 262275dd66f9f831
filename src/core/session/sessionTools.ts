// What the tools of a conversation work with: its ports, what it knows of files, and the commands that run for it.
import { limits } from '../limits.ts';
import type { Journal, StoredEntry } from '../messages/journal.ts';
import type { FinishedWork } from '../ports/finishedWork.ts';
import { BackgroundTasks } from '../tasks/backgroundTasks.ts';
import type { ToolDeps } from '../tools/permitCall.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import { builtinToolsFor } from '../tools/builtin/builtinTools.ts';
import { earlierTasks } from './earlierTasks.ts';
import type { EngineOptions } from './options.ts';
import type { Asker, PermissionGate } from './permissionGate.ts';

/** In the order in which they are sent. */
export function sessionTools({ tools, ports }: EngineOptions): readonly Tool[] {
	return tools ?? builtinToolsFor(ports.shell.name);
}

/** The commands of a conversation; those of an earlier process are among them, as ended. */
export function sessionTasks({ ports, interactive }: EngineOptions, entries: readonly StoredEntry[]): BackgroundTasks {
	const { clock, uuid, outputFiles } = ports;
	return new BackgroundTasks({
		clock,
		newId: uuid,
		movesOnTimeout: interactive,
		...earlierTasks(entries),
		...(outputFiles ? { files: outputFiles } : {}),
	});
}

/** Everything in the background that can end: commands, and what the composition brings. */
export function allFinishedWork(tasks: BackgroundTasks, other: FinishedWork | undefined): FinishedWork {
	if (other === undefined) return tasks;
	return {
		get finished() {
			return [...tasks.finished, ...other.finished];
		},
		told(id) {
			tasks.told(id);
			other.told(id);
		},
	};
}

/** For one exchange. */
export function sessionContext(
	{ ports, settings }: EngineOptions,
	gate: PermissionGate,
	session: Pick<ToolContext, 'tasks' | 'fileState' | 'cwd' | 'todos' | 'mode' | 'planMode' | 'runSubagent'>,
): ToolContext {
	const { workspace, search, shell, clock } = ports;
	return {
		workspace,
		search,
		shell,
		clock,
		...session,
		mayRead: (path, base) => gate.mayRead(path, base),
		analyse: (command, cwd) => gate.analyse(command, cwd),
		commandTimeoutMs: () => settings().commandTimeoutMs ?? limits.bashTimeoutMs,
	};
}

/** How calls are decided and run; of a subagent's where there is an `asker`. */
export function sessionToolDeps(
	{ ports }: EngineOptions,
	parts: {
		readonly gate: PermissionGate;
		readonly journal: Journal;
		readonly asker?: Asker;
		readonly setMode?: (mode: PermissionMode) => Promise<void>;
	},
): ToolDeps {
	const { gate, journal, asker, setMode } = parts;
	return {
		decide: (question, signal) => gate.decide(question, signal, asker),
		journal,
		clock: ports.clock,
		...(setMode ? { setMode } : {}),
		...(ports.toolHooks ? { hooks: ports.toolHooks } : {}),
	};
}

/** The session ends: what is not kept ends now, and the shell goes once nothing is left in it. Never rejects. */
export async function endTasks(tasks: BackgroundTasks, { ports }: EngineOptions): Promise<void> {
	await tasks.end();
	const close = () => ports.shell.dispose();
	if (tasks.running.length > 0) void tasks.allGone().then(close);
	else await close();
}
