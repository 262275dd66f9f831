// Gathers what one settings file says: values, permission rules with their lines, and what is wrong with them.
// Contract: what stands in a deny or ask list and is no text makes the file's denials unknown; it is not passed over.
import { getNodeValue, type Node } from 'jsonc-parser';
import type { RuleBehavior } from '../../core/permissions/rule.ts';
import { checkValue, type SettingName, type SettingValue } from './definitions.ts';
import { say, type Sentence, type SettingsProblem } from './sentence.ts';

export type SettingValues = ReadonlyMap<SettingName, SettingValue>;

export interface FileRule {
	readonly text: string;
	/** 1-based. */
	readonly line: number;
}

export interface SettingsFile {
	readonly path: string;
	/** All but the permission rules. Of a broken file only what keeps files back. */
	readonly values: SettingValues;
	readonly rules: Readonly<Record<RuleBehavior, readonly FileRule[]>>;
	/** It says that nobody may bypass permissions. */
	readonly forbidsBypass: boolean;
	readonly problems: readonly SettingsProblem[];
	/** Deny or ask rules may be lost: everything has to be asked. */
	readonly denialsUnknown: boolean;
}

/** Gathers what is in one file. */
export class SettingsReader {
	forbidsBypass = false;
	private readonly path: string;
	private readonly text: string;
	private readonly values = new Map<SettingName, SettingValue>();
	private readonly rules: Record<RuleBehavior, FileRule[]> = { allow: [], ask: [], deny: [] };
	private readonly problems: SettingsProblem[] = [];

	constructor(path: string, text: string) {
		this.path = path;
		this.text = text;
	}

	/** A value under one of our names. */
	take(name: SettingName, node: Node): void {
		const behavior = behaviorOf(name);
		if (behavior) return this.takeRules(behavior, name, node);
		this.put(name, getNodeValue(node), node);
	}

	put(name: SettingName, value: unknown, node: Node): void {
		const checked = checkValue(name, value);
		if (checked.ok) this.values.set(name, checked.value);
		else this.note(checked.problem, node.offset);
	}

	note(sentence: Sentence, offset: number, effect: SettingsProblem['effect'] = 'value'): void {
		this.problems.push(this.problem(sentence, offset, effect));
	}

	problem(sentence: Sentence, offset: number, effect: SettingsProblem['effect']): SettingsProblem {
		const before = this.text.slice(0, offset).split('\n');
		return { file: this.path, line: before.length, column: (before.at(-1) ?? '').length + 1, sentence, effect };
	}

	/** `syntax`: what is wrong with the file as a whole; it then gives no rights and sets nothing. */
	file(syntax: SettingsProblem | undefined): SettingsFile {
		const problems = syntax ? [syntax, ...this.problems] : this.problems;
		return {
			path: this.path,
			values: syntax ? protecting(this.values) : this.values,
			rules: syntax ? { ...this.rules, allow: [] } : this.rules,
			forbidsBypass: this.forbidsBypass,
			problems,
			denialsUnknown: problems.some(({ effect }) => effect === 'unknown'),
		};
	}

	/** The same list twice: both count where they forbid. */
	private takeRules(behavior: RuleBehavior, name: SettingName, node: Node): void {
		const lost = behavior === 'allow' ? 'value' : 'unknown';
		const wrong = say('{0} must be a list of texts', name);
		const items = node.type === 'array' ? (node.children ?? []) : [node];
		const rules = this.rules[behavior];
		if (rules.length > 0) this.note(say('{0} is there twice', name), node.offset);
		if (behavior === 'allow') rules.length = 0;
		for (const item of items) {
			if (typeof item.value === 'string') rules.push({ text: item.value, line: this.lineOf(item.offset) });
			else if (node.type !== 'null') this.note(wrong, item.offset, lost);
		}
		if (node.type === 'string' || node.type === 'null') this.note(wrong, node.offset);
	}

	private lineOf(offset: number): number {
		return this.text.slice(0, offset).split('\n').length;
	}
}

/** What takes rights away without being a rule: files with secrets are kept back, and none is given free. */
function protecting(values: SettingValues): SettingValues {
	const excludes = values.get('context.exclude');
	if (typeof excludes !== 'object') return new Map();
	return new Map([['context.exclude', excludes.filter((text) => !text.trimStart().startsWith('!'))]]);
}

function behaviorOf(name: SettingName): RuleBehavior | undefined {
	switch (name) {
		case 'permissions.allow':
			return 'allow';
		case 'permissions.ask':
			return 'ask';
		case 'permissions.deny':
			return 'deny';
		default:
			return undefined;
	}
}
