// Writes rules into our own settings files, and takes them out: everything else in the file keeps its bytes. Contract: a file that
// is broken, was changed meanwhile, cannot be written or leads out of its folder stays as it is, and the reason is told.
import { randomUUID } from 'node:crypto';
import { access, chmod, constants, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, findNodeAtLocation, modify, parseTree, type Node } from 'jsonc-parser';
import type { RuleBehavior } from '../../core/permissions/rule.ts';
import { isInside } from '../../core/util/paths.ts';
import { english, say, type Sentence } from './sentence.ts';
import { parseSettings, readSettingsText } from './settingsFile.ts';

export interface RuleFile {
	readonly file: string;
	/** The workspace folder whose file it is; absent: the person's own, which nobody else may read. */
	readonly folder?: string;
}

export interface RuleEdit {
	readonly change: 'add' | 'remove';
	readonly behavior: RuleBehavior;
	readonly text: string;
}

/** `unchanged`: the rule is there already, or is not there. */
export type RuleEditOutcome =
	| { readonly kind: 'saved' | 'unchanged'; readonly file: string }
	| { readonly kind: 'refused'; readonly problem: Sentence };

/** Changes one rule of a file; creates file and folders for a new one. Contract: never rejects. */
export async function editRuleFile(place: RuleFile, edit: RuleEdit): Promise<RuleEditOutcome> {
	try {
		return await edited(place, edit);
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
		return refused(say('{0} cannot be written ({1})', place.file, code));
	}
}

async function edited(place: RuleFile, edit: RuleEdit): Promise<RuleEditOutcome> {
	const target = await targetOf(place);
	if (target === undefined) return refused(say('{0} is a link that leads out of the folder', place.file));
	const before = await readSettingsText(target);
	if (before !== undefined && 'problem' in before) {
		return refused(say('{0} cannot be changed: {1}', place.file, english(before.problem)));
	}
	const text = before?.text ?? '';
	// A list that is none would be written over.
	const list = `permissions.${edit.behavior}`;
	const syntax = parseSettings(place.file, text, 'loopwright').problems.find(
		({ effect, sentence }) => effect !== 'value' || sentence.args[0] === list,
	);
	if (syntax) return refused(say('{0}, line {1} is broken. Repair it first', place.file, String(syntax.line)));
	const after = withRule(text, edit);
	if (after === undefined) return { kind: 'unchanged', file: place.file };
	if (before !== undefined) await access(target, constants.W_OK);
	const current = await readSettingsText(target);
	const now = current !== undefined && 'text' in current ? current.text : undefined;
	if (now !== before?.text) return refused(say('{0} was changed at the same moment. Try again', place.file));
	await replace(target, after, place.folder === undefined);
	return { kind: 'saved', file: place.file };
}

/** The real file; undefined when a folder's file is really somewhere else. */
async function targetOf({ file, folder }: RuleFile): Promise<string | undefined> {
	await mkdir(path.dirname(file), { recursive: true, ...(folder === undefined ? { mode: 0o700 } : {}) });
	const real = await realpath(file).catch(async () =>
		path.join(await realpath(path.dirname(file)), path.basename(file)),
	);
	if (folder === undefined) return real;
	return isInside(await realpath(folder), real) ? real : undefined;
}

/** Whole or not at all; the mode of a file that is there stays. */
async function replace(target: string, text: string, secret: boolean): Promise<void> {
	const mode = await stat(target).then(
		(found) => found.mode & 0o777,
		() => (secret ? 0o600 : 0o644),
	);
	const temporary = `${target}.${randomUUID()}.tmp`;
	try {
		await writeFile(temporary, text, { mode, flag: 'wx' });
		await chmod(temporary, mode);
		await rename(temporary, target);
	} catch (error) {
		await rm(temporary, { force: true });
		throw error;
	}
}

/** The text with the rule added or taken out; undefined when nothing has to be changed. */
function withRule(text: string, { change, behavior, text: rule }: RuleEdit): string | undefined {
	const root = parseTree(text);
	const list = listAt(root, behavior);
	const items = list?.node.children ?? [];
	const found = items.flatMap(({ value }, index) => (value === rule ? [index] : []));
	const at = list?.at ?? ['permissions', behavior];
	if (change === 'add') {
		if (found.length > 0) return undefined;
		const start = text.trim() === '' ? '{}\n' : text;
		return list ? changed(start, [...at, items.length], rule, true) : changed(start, at, [rule], false);
	}
	if (found.length === 0) return undefined;
	// From the end, so that the places before stay right.
	return found.toReversed().reduce((result, index) => withoutItem(result, at, index), text);
}

/** Takes an item out of a list, with one comma beside it. */
function withoutItem(text: string, at: Location, index: number): string {
	const root = parseTree(text);
	const items = (root && findNodeAtLocation(root, at)?.children) ?? [];
	const [before, item, next] = [items[index - 1], items[index], items[index + 1]];
	if (!item) return text;
	const end = item.offset + item.length;
	if (next) return text.slice(0, item.offset) + text.slice(next.offset);
	return text.slice(0, before ? before.offset + before.length : item.offset) + text.slice(end);
}

type Location = (string | number)[];

/** The list of a behaviour, whichever way its name is written. */
function listAt(root: Node | undefined, behavior: RuleBehavior): { at: Location; node: Node } | undefined {
	if (!root) return undefined;
	for (const at of [['permissions', behavior], [`permissions.${behavior}`]]) {
		const node = findNodeAtLocation(root, at);
		if (node?.type === 'array') return { at, node };
	}
	return undefined;
}

function changed(text: string, at: Location, value: unknown, insert: boolean): string {
	const tabs = !/^ +["}\]]/m.test(text);
	const width = /^( +)"/m.exec(text)?.[1]?.length ?? 2;
	const formattingOptions = {
		insertSpaces: !tabs,
		tabSize: tabs ? 4 : width,
		eol: text.includes('\r\n') ? '\r\n' : '\n',
	};
	return applyEdits(text, modify(text, at, value, { formattingOptions, isArrayInsertion: insert }));
}

function refused(problem: Sentence): RuleEditOutcome {
	return { kind: 'refused', problem };
}
