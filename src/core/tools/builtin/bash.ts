// Run a shell command and give back its output and how it ended. The shell itself is a port.
import nodePath from 'node:path';
import * as z from 'zod';
import type { ToolView } from '../../../shared/view.ts';
import { limits } from '../../limits.ts';
import { readOnlyCommand } from '../../permissions/readOnlyCommand.ts';
import type { ShellResult } from '../../ports/shell.ts';
import { displayPath, isInsideAny } from '../../util/paths.ts';
import { runCommand } from '../../ports/runCommand.ts';
import { clip, EscapeFilter, headAndTail, readableOutput } from '../../util/text.ts';
import { isBenignExit } from '../benignExit.ts';
import { rootOf } from '../fileAccess.ts';
import { wholeNumber } from '../inputs.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext, ToolOutput, ToolRun } from '../tool.ts';

const schema = z.object({
	command: z.string().min(1).describe('The command, in the syntax of the shell.'),
	timeout: wholeNumber(1)
		.optional()
		.describe(
			`Milliseconds until it is ended: ${limits.bashTimeoutMs} by default, ${limits.bashTimeoutMaxMs} at most.`,
		),
	description: z.string().optional().describe('What it does, in five to ten words, for the person.'),
});
type Input = z.output<typeof schema>;

export const bashTool = defineTool({
	name: 'Bash',
	description: `Run a command in the person's shell, in a terminal that the person sees. Which shell it is stands at the start of the conversation.
- Each command gets a new shell: variables and aliases are gone afterwards. The working folder stays where cd led to, inside the workspace.
- Nothing can be typed into a running command; use options that need no answer.
- Output over ${limits.bashOutputChars} characters is cut in the middle. What takes longer than the timeout is ended.
- To find, read and change files use Glob, Grep, Read, Edit and Write, not commands.
- Put quotes around paths with spaces. Join commands that depend on each other with &&.`,
	schema,
	isConcurrencySafe(input) {
		const readOnly = readOnlyCommand(input.command);
		return readOnly !== undefined && !readOnly.changesFolder;
	},
	interrupt: 'block',
	maxResultChars: limits.bashOutputChars + 2_000,
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
	run: (input, context, run) => execute(input, context, run),
});

async function execute(input: Input, context: ToolContext, run: ToolRun): Promise<ToolOutput> {
	const timeoutMs = Math.min(input.timeout ?? limits.bashTimeoutMs, limits.bashTimeoutMaxMs);
	const cwd = await startFolder(context);
	run.progress({ kind: 'view', view: commandView(input.command, { outcome: 'running', durationMs: 0 }, '', 0) });
	const result = await runCommand(
		context.shell,
		{ command: input.command, cwd, timeoutMs, onOutput: progressOf(run) },
		run.signal,
	);
	const output = headAndTail(readableOutput(result.output).trimEnd(), limits.bashOutputChars);
	const shown = headAndTail(output.text, limits.bashViewChars);
	const omitted = result.omitted + output.omitted;
	const benign = isBenignExit(input.command, result);
	const folder = await folderAfter(result, cwd, context);
	const lines = [
		output.text,
		result.omitted > 0 ? `[${result.omitted} characters of output were not kept.]` : '',
		endOf(result, timeoutMs, benign),
		folder.notice,
	].filter((line) => line !== '');
	const base = {
		content: lines.length === 0 ? '(no output)' : lines.join('\n'),
		view: commandView(input.command, result, shown.text, omitted),
		context: { cwd: folder.cwd },
	};
	const ok = result.outcome === 'exited' && (result.exitCode === 0 || benign);
	return ok ? base : { ...base, isError: true };
}

/** The folder to start in; the root when the one of the last command is gone. */
async function startFolder(context: ToolContext): Promise<string> {
	const stat = await context.workspace.stat(context.cwd);
	return stat?.kind === 'folder' ? context.cwd : rootOf(context);
}

/** Output as it comes, without escape codes, up to what the card keeps. */
function progressOf(run: ToolRun): (text: string) => void {
	const filter = new EscapeFilter();
	let room: number = limits.bashViewChars;
	return (text) => {
		if (room <= 0) return;
		const readable = filter.push(text).slice(0, room);
		room -= readable.length;
		if (readable !== '') run.progress({ kind: 'output', text: readable });
	};
}

function commandView(
	command: string,
	{
		outcome,
		exitCode,
		durationMs,
	}: Pick<Extract<ToolView, { kind: 'command' }>, 'outcome' | 'exitCode' | 'durationMs'>,
	output: string,
	omitted: number,
): ToolView {
	const view = { kind: 'command' as const, command, output, omitted, outcome, durationMs };
	return exitCode === undefined ? view : { ...view, exitCode };
}

/** How it ended, as one line for the model; nothing for exit 0. */
function endOf(result: ShellResult, timeoutMs: number, benign: boolean): string {
	switch (result.outcome) {
		case 'exited':
			if (result.exitCode === 0) return '';
			return benign
				? 'Exit code 1 (nothing found, or a difference; not a failure)'
				: `Exit code ${result.exitCode ?? '?'}`;
		case 'killed_by_signal':
			return `Ended by the signal ${result.signal ?? '(unknown)'}`;
		case 'timed_out':
			return `Ended after ${timeoutMs} ms, its time limit. Give a longer timeout (at most ${limits.bashTimeoutMaxMs}), or do it in smaller steps.`;
		case 'stopped':
			return 'Stopped by the user before it had finished.';
		case 'not_started':
			return `The command could not be started: ${result.message ?? 'no reason given'}`;
	}
}

interface FolderAfter {
	readonly cwd: string;
	readonly notice: string;
}

/** The folder for the next command: where this one ended, if that lies in the workspace. */
async function folderAfter(result: ShellResult, cwd: string, context: ToolContext): Promise<FolderAfter> {
	const root = rootOf(context);
	if (result.cwd === undefined || nodePath.relative(cwd, result.cwd) === '') return { cwd, notice: '' };
	const real = await context.workspace.realPath(result.cwd);
	const roots = await Promise.all(context.workspace.roots.map((folder) => context.workspace.realPath(folder)));
	if (isInsideAny(roots, real)) {
		return { cwd: result.cwd, notice: `[The working folder is now ${displayPath(root, result.cwd)}.]` };
	}
	return { cwd: root, notice: `[The working folder was reset to ${root}: ${result.cwd} is outside the workspace.]` };
}
