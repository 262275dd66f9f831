// The settings of this moment. Files are read again before each judgement and whenever a watcher tells: they are few and small,
// and nothing that a time stamp could hide is missed. Contract: never rejects, whatever the files are.
import type { RuleView } from '../../shared/permission.ts';
import {
	readRules,
	type RuleBehavior,
	type RuleProblem,
	type RuleTexts,
	type SourcedRule,
} from '../../core/permissions/rule.ts';
import { layerOfFile, layerOfValues, type SettingsLayer } from './layers.ts';
import { resolveSettings, type ResolvedSettings } from './resolve.ts';
import { say, type Sentence, type SettingsProblem } from './sentence.ts';
import { readSettings, readSettingsText, type FileText } from './settingsFile.ts';
import { managedPlaces, settingsPlaces, type ManagedFolders, type SettingsPlace } from './settingsPlaces.ts';
import type { SettingsFile, SettingValues } from './settingsReader.ts';

export interface LiveSettingsOptions {
	/** The folder of everything Loopwright keeps. */
	readonly home: string;
	/** Where Claude Code keeps the person's settings. */
	readonly claudeHome: string;
	readonly managed: ManagedFolders;
	/** Workspace folders, the session's root first; may change. */
	folders(): readonly string[];
	/** May change. */
	trusted(): boolean;
	readonly flags?: SettingValues;
	readonly environment: SettingValues;
	/** The editor's settings, those that are set; what a folder must not set is left out already. */
	readonly editor?: () => SettingValues;
	/** Tools that rules may name; others are a problem. */
	readonly tools: readonly string[];
}

/** A rule in a list for people. `waits`: it counts once the folder is trusted. */
export interface ListedRule extends RuleView {
	readonly waits: boolean;
}

interface Read {
	readonly text: string;
	readonly file: SettingsFile;
}

export class LiveSettings {
	private readonly options: LiveSettingsOptions;
	private readonly read = new Map<string, Read>();
	private readonly listeners = new Set<() => void>();
	private fileProblems: readonly SettingsProblem[] = [];
	private now: ResolvedSettings;
	private fingerprint = '';
	private running: Promise<void> = Promise.resolve();
	private next: Promise<void> | undefined;

	constructor(options: LiveSettingsOptions) {
		this.options = options;
		this.now = resolveSettings(this.layers([], []));
	}

	/** As of the last `refresh`. */
	get current(): ResolvedSettings {
		return this.now;
	}

	/** Every file that is looked at, without those of managed settings. */
	get places(): readonly SettingsPlace[] {
		const { home, claudeHome } = this.options;
		return settingsPlaces({ home, claudeHome, folders: this.options.folders() });
	}

	/** Files that are broken, values that do not count, and rules that are not understood. */
	get problems(): readonly SettingsProblem[] {
		return [...this.fileProblems, ...ruleProblems(this.now.rules, this.options.tools)];
	}

	/** All rules, also those that wait for trust: deny, ask, allow. */
	get list(): readonly ListedRule[] {
		const { rules, waiting } = this.now;
		const view = (behavior: RuleBehavior, listed: readonly SourcedRule[], waits: boolean) =>
			listed.map((rule) => ({ ...rule, behavior, waits }));
		return [
			...view('deny', rules.deny, false),
			...view('ask', rules.ask, false),
			...view('allow', rules.allow, false),
			...view('allow', waiting, true),
		];
	}

	/** Told after a `refresh` that found other settings, problems, or another trust. Gives back how to end it. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Reads what there is now. What was written before the call is known when it resolves. */
	refresh(): Promise<void> {
		// Calls of one turn of the event loop share a look: ten Reads at once ask ten times.
		this.next ??= new Promise((resolve) => {
			setImmediate(() => {
				this.next = undefined;
				// One after the other: an older look never comes last.
				this.running = this.running.then(() => this.readAll());
				resolve(this.running);
			});
		});
		return this.next;
	}

	private async readAll(): Promise<void> {
		const places = [...(await managedPlaces(this.options.managed)), ...this.places];
		this.take(places, await Promise.all(places.map((place) => this.readPlace(place))));
		const fingerprint = JSON.stringify([this.now, this.fileProblems, this.options.trusted()]);
		if (fingerprint === this.fingerprint) return;
		this.fingerprint = fingerprint;
		for (const listener of this.listeners) listener();
	}

	private take(places: readonly SettingsPlace[], files: readonly SettingsFile[]): void {
		this.now = resolveSettings(this.layers(places, files));
		this.fileProblems = files.flatMap(({ problems }) => problems);
	}

	/** A text that is the same as before is not parsed again. */
	private async readPlace({ file, dialect }: SettingsPlace): Promise<SettingsFile> {
		const found = await readSettingsText(file);
		const text = textKey(found);
		const known = this.read.get(file);
		if (known?.text === text) return known.file;
		const settings = readSettings(file, found, dialect);
		this.read.set(file, { text, file: settings });
		return settings;
	}

	private layers(places: readonly SettingsPlace[], files: readonly SettingsFile[]): readonly SettingsLayer[] {
		const { flags = new Map(), environment, editor } = this.options;
		const base = this.options.folders()[0] ?? this.options.home;
		const trusted = this.options.trusted();
		const fromFiles = places.flatMap((place, index): SettingsLayer[] => {
			const file = files[index];
			return file ? [layerOfFile(place, file, trusted)] : [];
		});
		const managed = fromFiles.filter(({ source }) => source === 'managed');
		const others = fromFiles.filter(({ source }) => source !== 'managed');
		return [
			...managed,
			layerOfValues('flag', flags, base),
			layerOfValues('environment', environment, base),
			...(editor ? [layerOfValues('vscode', editor(), base)] : []),
			...others,
		];
	}
}

function textKey(found: FileText): string {
	return found === undefined ? '' : 'text' in found ? `t${found.text}` : `p${JSON.stringify(found.problem)}`;
}

function ruleProblems(rules: RuleTexts, tools: readonly string[]): readonly SettingsProblem[] {
	return readRules(rules, tools).problems.map(({ text, origin, problem, effect }) => ({
		file: origin.file ?? '',
		line: origin.line ?? 1,
		column: 1,
		sentence: ruleSentence(effect, text, problem.replace(/\.$/, '')),
		effect: 'value',
	}));
}

function ruleSentence(effect: RuleProblem['effect'], rule: string, reason: string): Sentence {
	switch (effect) {
		case 'ignored':
			return say('the rule {0} has no effect: {1}', rule, reason);
		case 'whole_tool':
			return say('the rule {0} is not understood and holds for the whole tool: {1}', rule, reason);
		case 'kept':
			return say('the rule {0} may not do what was meant: {1}', rule, reason);
	}
}
