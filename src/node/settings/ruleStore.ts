// Keeps rules and takes them out again, each in the file of its scope (product.md "Own settings and rules"). The settings are read
// anew before the answer comes, so that the rule holds from then on.
import path from 'node:path';
import type { RuleScope, RuleView } from '../../shared/permission.ts';
import { parseRule, readRules, type RuleBehavior } from '../../core/permissions/rule.ts';
import { editRuleFile, type RuleEdit, type RuleEditOutcome, type RuleFile } from './ruleFile.ts';
import { say, type Sentence } from './sentence.ts';
import { everywhereFile, mineFile, sharedFile } from './settingsPlaces.ts';

/** Scopes that lie in files; rules of a session are its own. */
export type StoredScope = Exclude<RuleScope, 'session'>;

export interface RuleStoreOptions {
	readonly home: string;
	/** Workspace folders, the session's root first. */
	folders(): readonly string[];
	/** Reads the settings anew. */
	refresh(): Promise<void>;
	/** True where an editor holds other text than the disk. */
	isUnsaved?(file: string): boolean;
}

export class RuleStore {
	private readonly options: RuleStoreOptions;
	/** One write at a time. */
	private last: Promise<unknown> = Promise.resolve();

	constructor(options: RuleStoreOptions) {
		this.options = options;
	}

	/** `root`: of the session; else the first folder. Contract: never rejects; a rule that would not be understood is refused. */
	save(text: string, behavior: RuleBehavior, scope: StoredScope, root?: string): Promise<RuleEditOutcome> {
		const place = this.placeOf(scope, root);
		if (!place) return refusal(say('No folder is open'));
		const problem = problemOf(text, behavior) ?? (scope === 'everywhere' ? misplaced(text, place.file) : undefined);
		if (problem) return refusal(problem);
		return this.edit(place, { change: 'add', behavior, text: text.trim() });
	}

	/** Only from our own files; others are never rewritten. */
	remove({ text, behavior, origin }: RuleView): Promise<RuleEditOutcome> {
		const { source, file } = origin;
		if (source !== 'mine' && source !== 'shared' && source !== 'everywhere') {
			return refusal(file === undefined ? say('This rule lies in no file') : say('Take it out of {0} yourself', file));
		}
		const { home } = this.options;
		const fileOf = (root: string) => (source === 'mine' ? mineFile(home, root) : sharedFile(root));
		const folder = this.options.folders().find((root) => fileOf(root) === file);
		const place = source !== 'everywhere' && folder === undefined ? undefined : this.placeOf(source, folder);
		if (!place) return refusal(say('No folder is open'));
		return this.edit(place, { change: 'remove', behavior, text });
	}

	private placeOf(scope: StoredScope, wanted: string | undefined): RuleFile | undefined {
		const { home } = this.options;
		const folders = this.options.folders();
		const root = folders.find((folder) => folder === wanted) ?? folders[0];
		if (scope === 'everywhere') return { file: everywhereFile(home) };
		if (root === undefined) return undefined;
		return scope === 'mine' ? { file: mineFile(home, root) } : { file: sharedFile(root), folder: root };
	}

	private async edit(place: RuleFile, edit: RuleEdit): Promise<RuleEditOutcome> {
		if (this.options.isUnsaved?.(place.file)) return refusal(say('{0} has unsaved changes. Save it first', place.file));
		const done = this.last.then(() => editRuleFile(place, edit));
		this.last = done;
		const outcome = await done;
		await this.options.refresh();
		return outcome;
	}
}

function problemOf(text: string, behavior: RuleBehavior): Sentence | undefined {
	const alone = { deny: [], ask: [], allow: [], [behavior]: [{ text, origin: { source: 'session' as const } }] };
	const [problem] = readRules(alone).problems;
	if (problem) return say('the rule {0} is not understood: {1}', text, problem.problem.replace(/\.$/, ''));
	return text.trim() === '' ? say('The rule is empty') : undefined;
}

/** A `/` at the beginning means the folder of the settings file: of the person's own it is hardly ever meant. */
function misplaced(text: string, file: string): Sentence | undefined {
	const parsed = parseRule(text);
	if (parsed.kind !== 'rule' || parsed.rule.specifier.kind !== 'path') return undefined;
	if (parsed.rule.specifier.base !== 'source') return undefined;
	const folder = path.dirname(file);
	return say('a path that begins with / would start at {0}. Leave the / out, or write // and the whole path', folder);
}

function refusal(problem: Sentence): Promise<RuleEditOutcome> {
	return Promise.resolve({ kind: 'refused', problem });
}
