// Where settings files lie, and what each of them may say (ecosystem.md 2.6, product.md "Own settings and rules").
// Rule: the files of a folder never set a key, an address or the right to bypass, and give rights only when it is trusted.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { RuleOrigin } from '../../shared/permission.ts';
import { projectFolder } from '../sessions/paths.ts';
import type { Dialect } from './dialects.ts';

export interface SettingsPlace {
	readonly source: RuleOrigin['source'];
	readonly file: string;
	readonly dialect: Dialect;
	/** The folder that relative folders in it start at. */
	readonly base: string;
	/** The workspace folder whose file it is: it may do only what a folder may. Absent: the person's or the machine's own. */
	readonly folder?: string;
}

/** Folders of managed settings of ours and of Claude Code's, strongest first. */
export type ManagedFolders = readonly { readonly folder: string; readonly dialect: Dialect }[];

export interface PlacesOptions {
	/** The folder of everything Loopwright keeps. */
	readonly home: string;
	/** `~/.claude`, or where CLAUDE_CONFIG_DIR moved it. */
	readonly claudeHome: string;
	/** Workspace folders, the session's root first. */
	readonly folders: readonly string[];
}

/** What an administrator may set, by operating system. */
export function managedFolders(platform: NodeJS.Platform): ManagedFolders {
	const place = (ours: string, claude: string): ManagedFolders => [
		{ folder: ours, dialect: 'loopwright' },
		{ folder: claude, dialect: 'claude' },
	];
	switch (platform) {
		case 'darwin':
			return place('/Library/Application Support/Loopwright', '/Library/Application Support/ClaudeCode');
		case 'win32':
			return place('C:\\Program Files\\Loopwright', 'C:\\Program Files\\ClaudeCode');
		default:
			return place('/etc/loopwright', '/etc/claude-code');
	}
}

/** Where Claude Code keeps a person's settings. */
export function claudeHome(env: Readonly<Record<string, string | undefined>>): string {
	const moved = env['CLAUDE_CONFIG_DIR'];
	return moved ? path.resolve(moved) : path.join(homedir(), '.claude');
}

/** Files of the managed folders, strongest first: a drop-in is stronger than the main file and than those before it. */
export async function managedPlaces(folders: ManagedFolders): Promise<readonly SettingsPlace[]> {
	const found = await Promise.all(
		folders.map(async ({ folder, dialect }) => {
			const dropIns = path.join(folder, 'managed-settings.d');
			const names = statSync(dropIns, { throwIfNoEntry: false }) ? await readdir(dropIns).catch(() => []) : [];
			const more = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
			const files = [
				...more.toReversed().map((name) => path.join(dropIns, name)),
				path.join(folder, 'managed-settings.json'),
			];
			return files.map((file) => ({ source: 'managed', file, dialect, base: folder }) as const);
		}),
	);
	return found.flat();
}

/** Files of the person and of the folders, strongest first. */
export function settingsPlaces({ home, claudeHome: claude, folders }: PlacesOptions): readonly SettingsPlace[] {
	const root = folders[0];
	const inFolders = (source: RuleOrigin['source'], dialect: Dialect, ...name: string[]): readonly SettingsPlace[] =>
		folders.map((folder) => ({ source, dialect, file: path.join(folder, ...name), base: folder, folder }));
	const own = (source: RuleOrigin['source'], dialect: Dialect, file: string, base = root ?? home): SettingsPlace => ({
		source,
		dialect,
		file,
		base,
	});
	return [
		...folders.map((folder) => own('mine', 'loopwright', mineFile(home, folder), folder)),
		...inFolders('shared', 'loopwright', '.loopwright', 'settings.json'),
		own('everywhere', 'loopwright', everywhereFile(home)),
		...inFolders('claudeMine', 'claude', '.claude', 'settings.local.json'),
		...inFolders('claudeShared', 'claude', '.claude', 'settings.json'),
		own('claudeEverywhere', 'claude', path.join(claude, 'settings.json')),
	];
}

/** The person's own settings for a folder. */
export function mineFile(home: string, root: string): string {
	return path.join(projectFolder(home, root), 'settings.json');
}

/** The settings that a folder's people share. */
export function sharedFile(root: string): string {
	return path.join(root, '.loopwright', 'settings.json');
}

export function everywhereFile(home: string): string {
	return path.join(home, 'settings.json');
}
