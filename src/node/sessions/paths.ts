// Where sessions lie: `<home>/projects/<slug>/<id>.jsonl` (product.md, ecosystem.md 8.1).
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';

const longestSlug = 200;

/** The folder of everything Loopwright keeps: LOOPWRIGHT_HOME, else `~/.loopwright`. */
export function loopwrightHome(env: Readonly<Record<string, string | undefined>> = process.env): string {
	const moved = env['LOOPWRIGHT_HOME'];
	return moved ? path.resolve(moved) : path.join(homedir(), '.loopwright');
}

/** A folder's name for its sessions: whatever is no ASCII letter or digit becomes `-`; long ones end in a hash. */
export function projectSlug(cwd: string): string {
	const slug = cwd.replace(/[^a-zA-Z0-9]/g, '-');
	if (slug.length <= longestSlug) return slug;
	return `${slug.slice(0, longestSlug)}-${createHash('sha256').update(cwd).digest('hex').slice(0, 12)}`;
}

/** The folder of a project's sessions and of its settings "for me". */
export function projectFolder(home: string, cwd: string): string {
	return path.join(home, 'projects', projectSlug(cwd));
}

/** The folder of a session's own files, beside its transcript. */
export function sessionFolder(cwd: string, sessionId: string, home = loopwrightHome()): string {
	return path.join(projectFolder(home, cwd), sessionId);
}

/** Session ids become file names: nothing in them may leave the folder. */
export function isSessionId(id: string): boolean {
	return /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$/.test(id);
}
