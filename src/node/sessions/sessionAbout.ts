// What the person says about a session: its title, whether it is pinned or put away. In a small file of its own, so that a
// transcript only grows and a session that is open elsewhere can be renamed. A file that cannot be read counts as none.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { maskSecrets } from '../../core/util/secrets.ts';

export interface SessionAbout {
	readonly title?: string;
	/** A title of the model gives way to one of the person, never the other way round. */
	readonly titleBy?: 'person' | 'model';
	readonly pinned?: boolean;
	readonly archived?: boolean;
}

const longestTitle = 200;

/** `folder`: of the session's own files. */
export async function readAbout(folder: string): Promise<SessionAbout> {
	try {
		const value: unknown = JSON.parse(await readFile(aboutFile(folder), 'utf8'));
		if (typeof value !== 'object' || value === null) return {};
		const { title, titleBy, pinned, archived } = value as Record<keyof SessionAbout, unknown>;
		return {
			...(typeof title === 'string' && title !== '' ? { title } : {}),
			...(titleBy === 'person' || titleBy === 'model' ? { titleBy } : {}),
			...(pinned === true ? { pinned } : {}),
			...(archived === true ? { archived } : {}),
		};
	} catch {
		return {};
	}
}

/** Rejects when it cannot be written. */
export async function changeAbout(folder: string, change: SessionAbout): Promise<void> {
	const before = await readAbout(folder);
	if (change.titleBy === 'model' && before.titleBy === 'person') return;
	const title = change.title === undefined ? before.title : oneLine(change.title);
	const after = { ...before, ...change, ...(title === undefined ? {} : { title }) };
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const fresh = path.join(folder, `about-${randomUUID()}`);
	await writeFile(fresh, JSON.stringify(after), { mode: 0o600 });
	await rename(fresh, aboutFile(folder));
}

export function aboutFile(folder: string): string {
	return path.join(folder, 'about.json');
}

function oneLine(title: string): string {
	return maskSecrets(title).replace(/\s+/g, ' ').trim().slice(0, longestTitle);
}
