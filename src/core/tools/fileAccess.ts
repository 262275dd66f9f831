// What the file tools share: the path an argument means, the permission to read, and sentences about paths that fail.
import nodePath from 'node:path';
import { limits } from '../limits.ts';
import type { FileContent } from '../ports/workspace.ts';
import { displayPath, isInsideAny, resolvePath } from '../util/paths.ts';
import type { ResolvedPath } from '../util/paths.ts';
import { similarNames } from '../util/text.ts';
import type { PermissionNeed, ToolContext } from './tool.ts';

/** The session's root: where relative paths of the model start. */
export function rootOf(context: ToolContext): string {
	return context.workspace.roots[0] ?? context.cwd;
}

/** The absolute path of a tool's argument; relative ones start at the session's root. */
export function toolPath(context: ToolContext, text: string): ResolvedPath {
	return resolvePath(rootOf(context), text);
}

/** The path as the card and the model see it. */
export function shownPath(context: ToolContext, text: string): string {
	const resolved = toolPath(context, text);
	return resolved.kind === 'path' ? displayPath(rootOf(context), resolved.path) : text;
}

export function readNeed(path: string): PermissionNeed {
	return { access: { kind: 'read', path }, detail: { kind: 'path', path } };
}

/** Of what a search below `base` found, what neither a deny rule nor the secrets policy keeps back, by the path as written and by the real one. */
export async function readable<T>(
	context: ToolContext,
	base: string,
	found: readonly T[],
	pathOf: (item: T) => string,
): Promise<readonly T[]> {
	const { mayRead } = context;
	if (mayRead === undefined) return found;
	const real = await context.workspace.realPath(base);
	return found.filter((item) => {
		const path = pathOf(item);
		return mayRead(path, base) && mayRead(nodePath.resolve(real, nodePath.relative(base, path)), real);
	});
}

/** Said with what a search without a path found: it ends at the session's root, whatever else is open. */
export function otherRootsNote({ workspace }: ToolContext, path: string | undefined): readonly string[] {
	const [root, ...others] = workspace.roots;
	if (path !== undefined || root === undefined || others.length === 0) return [];
	return [`[Only ${root} was searched. To search another workspace folder, give it as path: ${others.join(', ')}]`];
}

/** Where the same relative path is there in another folder of the workspace. */
async function inOtherRoots({ workspace }: ToolContext, path: string): Promise<readonly string[]> {
	const [root = '', ...others] = workspace.roots;
	const relative = nodePath.relative(root, path);
	const found: string[] = [];
	for (const other of others) {
		const there = nodePath.join(other, relative);
		if (isInsideAny([other], there) && (await workspace.stat(there)) !== undefined) found.push(there);
	}
	return found;
}

/** "…does not exist", with names that are alike. Outside the workspace it names nothing. */
export async function missingMessage(context: ToolContext, path: string, what = 'File'): Promise<string> {
	const root = rootOf(context);
	const message = `${what} does not exist: ${displayPath(root, path)}`;
	if (!isInsideAny(context.workspace.roots, path)) return message;
	const folder = nodePath.dirname(path);
	const near = similarNames(nodePath.basename(path), await context.workspace.list(folder), limits.suggestions);
	const candidates = near.map((name) => displayPath(root, nodePath.join(folder, name)));
	const fromCwd = nodePath.resolve(context.cwd, nodePath.relative(root, path));
	if (context.cwd !== root && (await context.workspace.stat(fromCwd)) !== undefined) {
		candidates.unshift(displayPath(root, fromCwd));
	}
	candidates.push(...(await inOtherRoots(context, path)));
	if (candidates.length > 0) return `${message}\nDid you mean ${candidates.join(' or ')}?`;
	const parent = await context.workspace.stat(folder);
	if (parent !== undefined) return `${message}\nUse Glob to find it.`;
	return `${message}\nIts folder ${displayPath(root, folder)} does not exist either. Use Glob to find it.`;
}

/** Why content that is no text cannot be used; written for the model. */
export function notTextMessage(content: Exclude<FileContent, { kind: 'text' | 'missing' }>, shown: string): string {
	switch (content.kind) {
		case 'folder':
			return `${shown} is a folder, not a file. Use Glob to list what is in it.`;
		case 'undecodable':
			return content.reason === 'binary'
				? `${shown} is a binary file (${content.size} bytes). This tool works on text only.`
				: `${shown} (${content.size} bytes) is text in an encoding that could not be determined, so it is left alone. ` +
						'Ask the person to set the encoding of the file (files.encoding), or to convert it to UTF-8.';
		case 'too_large':
			return (
				`${shown} has ${content.size} bytes; text tools load at most ${content.limit}. ` +
				'Use Grep to find the part you need, or a command that prints a range of lines.'
			);
		case 'failed':
			return `${shown} could not be read: ${content.message}`;
	}
}
