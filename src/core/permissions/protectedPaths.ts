// Paths that no mode but bypass writes without asking (they can run code or change what is trusted), and the targets of
// `rm` that always ask. Source: the common practice of such agents, kept compatible by name.
import nodePath from 'node:path';
import { isInside, resolvePath } from '../util/paths.ts';
import type { Place, Places } from './places.ts';
import type { CommandPart } from './shellWords.ts';
import { commandName } from './shellWords.ts';

const folders: readonly string[] =
	'.git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .loopwright'.split(' ');
const files: readonly string[] = [
	'.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv .zlogin',
	'.zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml',
	'.bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml',
	'gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc pyrightconfig.json .mcp.json',
	'.claude.json',
].flatMap((line) => line.split(' '));

/** Judged by any segment below the workspace folder (or of the whole path outside one), whatever its case. */
export function isProtected(places: Places, place: Place): boolean {
	return [place.path, place.real].some((path) => {
		const root = places.roots.flatMap((folder) => [folder.path, folder.real]).find((folder) => isInside(folder, path));
		const below = root === undefined ? path : nodePath.relative(root, path);
		const segments = below.toLowerCase().split(/[/\\]/);
		const name = segments.at(-1) ?? '';
		if (files.includes(name)) return true;
		if (segments.some((segment, index) => segment === '.config' && segments[index + 1] === 'git')) return true;
		const worktrees = segments.indexOf('.claude');
		if (worktrees !== -1 && segments[worktrees + 1] === 'worktrees') {
			return segments.slice(worktrees + 2).some((segment) => folders.includes(segment));
		}
		return segments.some((segment) => folders.includes(segment));
	});
}

/**
 * The first target of an `rm` or `rmdir` among the parts that no mode may delete unasked: the root and its children, the
 * home folder, the working folder, workspace folders and all above them, globs in these, and anything under a variable.
 */
export function criticalRemoval(parts: readonly CommandPart[], places: Places): string | undefined {
	for (const { words } of parts) {
		const at = words.findIndex((word) => ['rm', 'rmdir'].includes(commandName(word)));
		if (at === -1) continue;
		const critical = words.slice(at + 1).find((word) => !word.startsWith('-') && isCritical(word, places));
		if (critical !== undefined) return critical;
	}
	return undefined;
}

function isCritical(word: string, places: Places): boolean {
	if (/^~[^/]*\/?\*?$/.test(word)) return true;
	// `$DIR`, `$DIR/`, `$DIR/*`: empty, it would mean the root.
	if (/^\$\{?\w*\}?(?:\/\*?)?$/.test(word)) return true;
	if (/^[A-Za-z]:(?:[/\\][^/\\]*)?[/\\]?\*?$/.test(word)) return true;
	const folder = word.replace(/\/\*+$/, '') || '/';
	if (word === '*' || word === '.*') return true;
	const resolved = resolvePath(places.cwd.path, folder);
	if (resolved.kind !== 'path') return false;
	const { path } = resolved;
	const root = nodePath.parse(path).root;
	if (path === root || nodePath.dirname(path) === root) return true;
	const kept = [places.cwd, ...places.roots, ...(places.home === undefined ? [] : [places.home])];
	return kept.some((place) => isInside(path, place.path) || isInside(path, place.real));
}
