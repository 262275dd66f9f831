// A home, a folder and managed settings on the disk, and the settings that come of them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RuleTexts } from '../../../src/core/permissions/rule.ts';
import { LiveSettings } from '../../../src/node/settings/liveSettings.ts';
import { settingsOfEnvironment, settingsOfFlags, type ResolvedSettings } from '../../../src/node/settings/resolve.ts';
import { ruleTools } from '../../../src/node/settings/ruleTools.ts';
import { RuleStore } from '../../../src/node/settings/ruleStore.ts';
import { claudeHome } from '../../../src/node/settings/settingsPlaces.ts';
import type { SettingValues } from '../../../src/node/settings/settingsReader.ts';
import { loopwrightHome, projectSlug } from '../../../src/node/sessions/paths.ts';

export interface WorldOptions {
	readonly flags?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly editor?: () => SettingValues;
	readonly isUnsaved?: (file: string) => boolean;
}

export class SettingsWorld {
	readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), 'lw-settings-')));
	readonly folder = path.join(this.base, 'ws');
	readonly second = path.join(this.base, 'other');
	folders: readonly string[] = [this.folder];
	trusted = false;
	readonly live: LiveSettings;
	readonly store: RuleStore;
	/** Short names of files. */
	readonly places: Readonly<Record<string, string>>;

	constructor({ flags = [], environment = {}, editor, isUnsaved }: WorldOptions = {}) {
		const env = { LOOPWRIGHT_HOME: path.join(this.base, 'lw'), CLAUDE_CONFIG_DIR: path.join(this.base, 'claude') };
		const home = loopwrightHome(env);
		const managed = [
			{ folder: path.join(this.base, 'etc/loopwright'), dialect: 'loopwright' },
			{ folder: path.join(this.base, 'etc/claude-code'), dialect: 'claude' },
		] as const;
		mkdirSync(this.folder);
		mkdirSync(this.second);
		this.places = {
			managed: path.join(managed[0].folder, 'managed-settings.json'),
			claudeManaged: path.join(managed[1].folder, 'managed-settings.json'),
			dropIn1: path.join(managed[1].folder, 'managed-settings.d/10-a.json'),
			dropIn2: path.join(managed[1].folder, 'managed-settings.d/20-b.json'),
			mine: path.join(home, 'projects', projectSlug(this.folder), 'settings.json'),
			secondMine: path.join(home, 'projects', projectSlug(this.second), 'settings.json'),
			shared: path.join(this.folder, '.loopwright/settings.json'),
			secondShared: path.join(this.second, '.loopwright/settings.json'),
			everywhere: path.join(home, 'settings.json'),
			claudeMine: path.join(this.folder, '.claude/settings.local.json'),
			claudeShared: path.join(this.folder, '.claude/settings.json'),
			claudeEverywhere: path.join(this.base, 'claude/settings.json'),
		};
		const folders = () => this.folders;
		this.live = new LiveSettings({
			home,
			claudeHome: claudeHome(env),
			managed,
			folders,
			trusted: () => this.trusted,
			flags: settingsOfFlags(flags).values,
			environment: settingsOfEnvironment(environment).values,
			...(editor ? { editor } : {}),
			tools: ruleTools,
		});
		const refresh = () => this.live.refresh();
		this.store = new RuleStore({ home, folders, refresh, ...(isUnsaved ? { isUnsaved } : {}) });
	}

	file(name: string): string {
		const file = this.places[name];
		if (file === undefined) throw new Error(`There is no place ${name}.`);
		return file;
	}

	/** A text as it is, anything else as JSON. */
	write(name: string, content: unknown): void {
		const file = this.file(name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
	}

	remove(name: string): void {
		rmSync(this.file(name));
	}

	async now(): Promise<ResolvedSettings> {
		await this.live.refresh();
		return this.live.current;
	}

	/** What is wrong, one line each, with the base folder cut off. */
	get problems(): readonly string[] {
		return this.live.problems.map(({ file, line, effect }) => `${path.relative(this.base, file)}:${line} ${effect}`);
	}

	dispose(): void {
		rmSync(this.base, { recursive: true, force: true });
	}
}

/** The texts of rules. */
export function texts(rules: RuleTexts): Readonly<Record<keyof RuleTexts, readonly string[]>> {
	const of = (list: RuleTexts['allow']) => list.map(({ text }) => text);
	return { allow: of(rules.allow), ask: of(rules.ask), deny: of(rules.deny) };
}
