// Run a shell command and give back its output and how it ended; what takes too long goes on in the background. The tool is
// called as its shell: Bash, or PowerShell.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import type { ShellAnalysis } from '../../permissions/shellAnalysis.ts';
import type { ShellResult } from '../../ports/shell.ts';
import type { CommandTask } from '../../tasks/commandTask.ts';
import { inForeground } from '../../tasks/foreground.ts';
import { howTo } from '../../tasks/taskWords.ts';
import { clip, headAndTail } from '../../util/text.ts';
import { isBenignExit } from '../benignExit.ts';
import { CommandCard, commandView } from '../commandCard.ts';
import { folderAfter, startFolder } from '../commandFolder.ts';
import { boundedOutput, endLines } from '../commandWords.ts';
import { flag, wholeNumber } from '../inputs.ts';
import { defineTool } from '../tool.ts';
import type { Tool, ToolContext, ToolOutput, ToolRun } from '../tool.ts';

const schema = z.object({
	command: z.string().min(1).describe('The command, in the syntax of the shell.'),
	timeout: wholeNumber(1)
		.optional()
		.describe(
			`Milliseconds to wait: ${limits.bashTimeoutMs} by default, ${limits.bashTimeoutMaxMs} at most. Longer ones go on in the background.`,
		),
	description: z.string().optional().describe('What it does, in five to ten words, for the person.'),
	run_in_background: flag()
		.optional()
		.describe('true: answer at once with an id (servers, watchers). false: never, end it at the timeout.'),
});
type Input = z.output<typeof schema>;

export const bashTool = commandTool('Bash', 'Join commands that depend on each other with &&.');
export const powershellTool = commandTool(
	'PowerShell',
	'Join commands that depend on each other with ; and check $? (&& is not in every version).',
);

function commandTool(name: string, joining: string): Tool {
	return defineTool({
		name,
		description: `Run a command in the person's shell, in a terminal that the person sees. Which shell it is stands at the start of the conversation.
- Each command gets a new shell: variables and aliases are gone afterwards. The working folder stays where cd led to, inside the workspace.
- You cannot type into a running command; use options that need no answer.
- Output over ${limits.bashOutputChars} characters is cut in the middle; a file has all of it.
- To find, read and change files use Glob, Grep, Read, Edit and Write, not commands.
- Put quotes around paths with spaces. ${joining}`,
		schema,
		async isConcurrencySafe(input, context) {
			const analysis = await context.analyse?.(input.command, context.cwd);
			return analysis?.readOnly === true && !changesFolder(analysis);
		},
		interrupt: 'block',
		maxResultChars: limits.bashOutputChars + 4_000,
		summary: (input) => clip(input.command.trim().replace(/\s*\n\s*/g, ' ⏎ '), 200),
		prepare(input) {
			const blank = input.command.trim() === '' || input.command.includes('\0');
			return Promise.resolve(
				blank
					? { kind: 'refused' as const, message: 'The command is empty or contains a NUL character.' }
					: { kind: 'ready' as const, value: undefined },
			);
		},
		permission: (input, context) => ({
			access: { kind: 'command', command: input.command },
			detail: {
				kind: 'command',
				command: input.command,
				cwd: context.cwd,
				...(input.description === undefined ? {} : { description: input.description }),
			},
		}),
		run: execute,
	});
}

function changesFolder({ commands }: ShellAnalysis): boolean {
	return commands.some(({ words }) => /^(?:cd|pushd|popd|chdir|set-location|sl)$/i.test(words[0]?.value ?? 'cd'));
}

async function execute(input: Input, context: ToolContext, run: ToolRun): Promise<ToolOutput> {
	const { tasks, clock } = context;
	const folder = await startFolder(context);
	const card = new CommandCard(input.command, run, clock);
	const task = await tasks.start(
		{
			toolUseId: run.toolUseId,
			command: input.command,
			cwd: folder.cwd,
			...(input.description === undefined ? {} : { description: input.description }),
			onOutput: (text) => card.output(text),
			onWaiting: (waiting) => card.wait(waiting),
		},
		context.shell,
	);
	const timeoutMs = Math.min(
		input.timeout ?? context.commandTimeoutMs?.() ?? limits.bashTimeoutMs,
		limits.bashTimeoutMaxMs,
	);
	const mayMove = tasks.movesOnTimeout && input.run_in_background !== false && !onlyWaits(input.command);
	const end =
		input.run_in_background === true && !run.signal.aborted
			? ({ kind: 'moved' } as const)
			: await inForeground(task, { timeoutMs, mayMove, signal: run.signal, clock });
	card.close();
	if (end.kind === 'moved')
		return moved(task, { timeoutMs, atOnce: input.run_in_background === true, folder, context });
	return await ended(task, { result: end.result, timeoutMs, folder, context });
}

/** `sleep 300`: nobody needs it in the background. */
function onlyWaits(command: string): boolean {
	return /^\s*(?:sleep|start-sleep|timeout \/t)\b/i.test(command);
}

interface Around {
	readonly timeoutMs: number;
	readonly folder: { readonly cwd: string; readonly notice: string };
	readonly context: ToolContext;
}

function moved(
	task: CommandTask,
	{ timeoutMs, atOnce, folder, context }: Around & { readonly atOnce: boolean },
): ToolOutput {
	context.tasks.toBackground(task);
	const { text, omitted } = task.newest();
	const soFar = headAndTail(text, limits.bashOutputChars);
	const said = atOnce
		? `The command runs in the background with the id ${task.id}.`
		: `The command takes longer than ${timeoutMs} ms and goes on in the background with the id ${task.id}.`;
	const before = atOnce || soFar.text === '' ? [] : ['Output so far:', soFar.text];
	const lines = [`${said} ${howTo(task)}`, folder.notice, ...before].filter((line) => line !== '');
	const durationMs = context.clock.now() - task.startedAt;
	const view = commandView(task.order.command, { outcome: 'background', durationMs }, soFar.text, omitted);
	return {
		content: lines.join('\n'),
		view: { ...view, taskId: task.id, ...(task.file === undefined ? {} : { file: task.file }) },
		context: { cwd: folder.cwd },
	};
}

async function ended(
	task: CommandTask,
	{ result, timeoutMs, folder, context }: Around & { readonly result: ShellResult },
): Promise<ToolOutput> {
	const { command } = task.order;
	const benign = isBenignExit(
		command,
		result,
		result.exitCode === 1 ? await context.analyse?.(command, folder.cwd) : undefined,
	);
	const output = boundedOutput(result, task.file);
	const named = output.omitted > 0 && result.saved !== undefined;
	await context.tasks.answered(task, named);
	const next = await folderAfter(result, folder.cwd, context);
	const lines = [
		output.text,
		output.notice,
		...endLines({ result, task, timeoutMs, benign }),
		folder.notice,
		next.notice,
	].filter((line) => line !== '');
	const shown = headAndTail(output.text, limits.bashViewChars);
	const view = commandView(command, result, shown.text, output.omitted);
	const base = {
		content: lines.length === 0 ? '(no output)' : lines.join('\n'),
		view: named && task.file !== undefined ? { ...view, file: task.file } : view,
		context: { cwd: next.cwd },
	};
	const ok = result.outcome === 'exited' && (result.exitCode === 0 || benign);
	return ok ? base : { ...base, isError: true };
}
