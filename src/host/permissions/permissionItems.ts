// The lines of the permission manager: verdicts on what is typed, rules, and what is wrong. Words only; nothing is decided here.
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PermissionInquiry, SupposedCall } from '../../core/session/permissionInquiry.ts';
import { problemText, type SettingsProblem } from '../../node/settings/sentence.ts';
import type { RuleOrigin } from '../../shared/permission.ts';
import { reasonWords } from '../../shared/reasonWords.ts';
import { originNames } from '../../shared/ruleWords.ts';
import { translated } from '../settings/problemNotice.ts';
import type { BookRule, RuleBookContents } from './ruleBook.ts';

type Verdict = Awaited<ReturnType<PermissionInquiry['test']>>;

export interface PermissionItem extends vscode.QuickPickItem {
	readonly rule?: BookRule;
	/** Where Enter leads. */
	readonly place?: { readonly file: string; readonly line: number };
	readonly add?: true;
}

export const removeButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('trash'),
	tooltip: vscode.l10n.t('Remove this rule'),
};

export function verdictItem(call: SupposedCall, verdict: Verdict, folder: string): PermissionItem {
	const { access } = call.need;
	const object = access.kind === 'command' ? access.command : 'path' in access ? shown(access.path, folder) : '';
	const rule = verdict.explanation?.rule;
	const place = rule && placeOf(rule.origin);
	return {
		label: verdictLabel(verdict),
		description: `${call.tool}: ${object}`,
		detail: verdictDetail(verdict, folder),
		alwaysShow: true,
		...(place ? { place } : {}),
	};
}

function verdictLabel({ verdict }: Verdict): string {
	switch (verdict) {
		case 'allow':
			return `$(pass) ${vscode.l10n.t('Allowed')}`;
		case 'ask':
			return `$(question) ${vscode.l10n.t('Asks first')}`;
		case 'deny':
			return `$(circle-slash) ${vscode.l10n.t('Denied')}`;
	}
}

function verdictDetail(verdict: Verdict, folder: string): string {
	const { explanation, rule } = verdict;
	const named = explanation?.rule?.text ?? rule;
	const reason =
		verdict.verdict !== 'allow'
			? sentence(reasonWords(verdict.reason))
			: named === undefined
				? vscode.l10n.t('It needs no rule.')
				: vscode.l10n.t('The rule {0} allows it.', named);
	const part = explanation?.part === undefined ? '' : vscode.l10n.t('Because of: {0}', explanation.part);
	const origin = explanation?.rule ? originText(explanation.rule.origin, folder) : '';
	return [reason, part, origin].filter((text) => text !== '').join(' · ');
}

function sentence([text, argument]: ReturnType<typeof reasonWords>): string {
	return argument === undefined ? vscode.l10n.t(text) : vscode.l10n.t(text, argument);
}

/** What is wrong first, then the rules by what they do. `add`: the line that adds a rule. */
export function listItems({ rules, problems }: RuleBookContents, folder: string): readonly PermissionItem[] {
	const group = (behavior: BookRule['behavior'], title: string): readonly PermissionItem[] => {
		const found = rules.filter((rule) => rule.behavior === behavior);
		return found.length === 0 ? [] : [separator(title), ...found.map((rule) => ruleItem(rule, folder))];
	};
	return [
		...(problems.length === 0 ? [] : [separator(vscode.l10n.t('Problems')), ...problems.map(problemItem)]),
		...group('deny', vscode.l10n.t('Denies')),
		...group('ask', vscode.l10n.t('Asks first')),
		...group('allow', vscode.l10n.t('Allows')),
		separator(''),
		{ label: `$(add) ${vscode.l10n.t('Add a rule…')}`, add: true, alwaysShow: true },
	];
}

function separator(label: string): PermissionItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

function ruleItem(rule: BookRule, folder: string): PermissionItem {
	const place = placeOf(rule.origin);
	const trouble = rule.problem
		? `$(warning) ${translated(rule.problem)}`
		: rule.waits
			? `$(lock) ${vscode.l10n.t('Counts once you trust this folder')}`
			: undefined;
	return {
		label: rule.text,
		description: originText(rule.origin, folder),
		rule,
		buttons: rule.removable ? [removeButton] : [],
		...(trouble === undefined ? {} : { detail: trouble }),
		...(place ? { place } : {}),
	};
}

function problemItem(problem: SettingsProblem): PermissionItem {
	return {
		label: `$(warning) ${problemText(problem, translated)}`,
		...(problem.file === '' ? {} : { place: { file: problem.file, line: problem.line } }),
	};
}

function originText({ source, file, line }: RuleOrigin, folder: string): string {
	const name = vscode.l10n.t(originNames[source]);
	return file === undefined ? name : `${name} · ${shown(file, folder)}${line === undefined ? '' : `:${line}`}`;
}

function placeOf({ file, line = 1 }: RuleOrigin): PermissionItem['place'] {
	return file === undefined ? undefined : { file, line };
}

/** Relative to the folder, or to the person's home, where it lies below it. */
function shown(file: string, folder: string): string {
	const inFolder = folder === '' ? undefined : below(folder, file);
	const inHome = below(homedir(), file);
	return inFolder ?? (inHome === undefined ? file : path.join('~', inHome));
}

function below(folder: string, file: string): string | undefined {
	const relative = path.relative(folder, file);
	return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? undefined : relative;
}
