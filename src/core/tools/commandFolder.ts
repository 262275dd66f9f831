// Where commands start, and where the next one does. Contract: each agent has its own folder, inside the workspace and its
// additional folders; what a person does in a terminal does not change it.
import nodePath from 'node:path';
import type { ShellResult } from '../ports/shell.ts';
import { displayPath, isInsideAny } from '../util/paths.ts';
import { rootOf } from './fileAccess.ts';
import type { ToolContext } from './tool.ts';

export interface CommandFolder {
	/** Absolute. */
	readonly cwd: string;
	/** For the model; empty when nothing changed. */
	readonly notice: string;
}

/** The folder to start in; the root when the one of the last command is gone or lies outside by now. */
export async function startFolder(context: ToolContext): Promise<CommandFolder> {
	const { cwd, workspace } = context;
	const root = rootOf(context);
	if (nodePath.relative(root, cwd) === '') return { cwd: root, notice: '' };
	const stat = await workspace.stat(cwd);
	if (stat?.kind !== 'folder')
		return { cwd: root, notice: `[The working folder was reset to ${root}: ${cwd} is gone.]` };
	return (await isInside(cwd, context)) ? { cwd, notice: '' } : { cwd: root, notice: resetNotice(root, cwd) };
}

/** The folder for the next command: where this one ended, if that lies in the workspace. */
export async function folderAfter(result: ShellResult, cwd: string, context: ToolContext): Promise<CommandFolder> {
	const root = rootOf(context);
	if (result.cwd === undefined || nodePath.relative(cwd, result.cwd) === '') return { cwd, notice: '' };
	if (!(await isInside(result.cwd, context))) return { cwd: root, notice: resetNotice(root, result.cwd) };
	return { cwd: result.cwd, notice: `[The working folder is now ${displayPath(root, result.cwd)}.]` };
}

async function isInside(path: string, { workspace }: ToolContext): Promise<boolean> {
	const [real, ...roots] = await Promise.all([path, ...workspace.roots].map((folder) => workspace.realPath(folder)));
	return real !== undefined && isInsideAny(roots, real);
}

function resetNotice(root: string, path: string): string {
	return `[The working folder was reset to ${root}: ${path} is outside the workspace.]`;
}
