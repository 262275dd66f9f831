// Files that no mode but bypass writes without asking, because they can run code or change what is trusted. Pure.
// Source: ecosystem 2.3, and our own settings, MCP, hook, skill and agent files.
import { isInside } from '../util/paths.ts';
import type { Place, Places } from './places.ts';
import { plainSegment } from './secretsPolicy.ts';

const folders: readonly string[] =
	'.git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .loopwright .agents git~1 vscode~1 claude~1'.split(
		' ',
	);
const files: readonly string[] = [
	'.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv .zlogin',
	'.zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml',
	'.bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml',
	'gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc pyrightconfig.json .mcp.json',
	'.claude.json mcp.json',
].flatMap((line) => line.split(' '));

/** Judged by any segment below the workspace folder (or of the whole path outside one), whatever its case. */
export function isProtected(places: Places, place: Place): boolean {
	return [place.path, place.real].some((path) => isProtectedPath(path, places));
}

function isProtectedPath(path: string, { roots, api }: Places): boolean {
	const root = roots.flatMap((folder) => [folder.path, folder.real]).find((folder) => isInside(folder, path, api));
	const below = root === undefined ? path : api.relative(root, path);
	const segments = below.split(/[/\\]/).map((segment) => plainSegment(segment).toLowerCase());
	const name = segments.at(-1) ?? '';
	if (files.includes(name) || name.endsWith('.code-workspace')) return true;
	if (follows(segments, '.config', ['git'])) return true;
	if (follows(segments, '.github', ['hooks', 'agents', 'skills'])) return true;
	const worktrees = segments.indexOf('.claude');
	if (worktrees !== -1 && segments[worktrees + 1] === 'worktrees') {
		return segments.slice(worktrees + 2).some((segment) => folders.includes(segment));
	}
	return segments.some((segment) => folders.includes(segment));
}

function follows(segments: readonly string[], folder: string, next: readonly string[]): boolean {
	return segments.some((segment, index) => segment === folder && next.includes(segments[index + 1] ?? ''));
}

/** A command that writes `package.json` may change its scripts; what it writes is not known. */
export function isProtectedFromCommands({ path, real }: Place): boolean {
	return [path, real].some((at) => /(?:^|[/\\])package\.json$/i.test(at));
}

/** Does an edit of `package.json` change what `npm` runs? Other edits of it do not. */
export function changesScripts(path: string, oldText: string | undefined, newText: string): boolean {
	if (!/(?:^|[/\\])package\.json$/i.test(path)) return false;
	return scriptsOf(oldText ?? '{}') !== scriptsOf(newText);
}

/** The scripts as text; for JSON that cannot be read the whole text. */
function scriptsOf(text: string): string {
	try {
		const parsed: unknown = JSON.parse(text);
		const scripts = typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : {};
		return JSON.stringify(scripts ?? {});
	} catch {
		return text;
	}
}
