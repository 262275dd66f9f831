// Adds a rule step by step: what it does, its text (checked while one types), and where it is kept.
import * as vscode from 'vscode';
import { readRules, rulesFrom, type RuleBehavior } from '../../core/permissions/rule.ts';
import { ruleScopes, type RuleScope } from '../../shared/permission.ts';
import { scopeNames, scopePlaces } from '../../shared/ruleWords.ts';
import { translated } from '../settings/problemNotice.ts';
import type { RuleBook } from './ruleBook.ts';

export interface RuleStart {
	readonly inFolder: boolean;
	/** What the person typed before; a rule in it is taken over. */
	readonly typed: string;
}

export async function addRule(book: RuleBook, { inFolder, typed }: RuleStart): Promise<void> {
	const behavior = await pickBehavior();
	if (!behavior) return;
	const text = await vscode.window.showInputBox({
		title: vscode.l10n.t('Add a rule'),
		prompt: vscode.l10n.t('For example {0} or {1}', 'Bash(npm test *)', 'Edit(docs/**)'),
		value: /^\w+\(/.test(typed.trim()) ? typed.trim() : '',
		ignoreFocusOut: true,
		validateInput: (value) => problemOf(value, behavior),
	});
	if (text === undefined) return;
	const scope = await pickScope(behavior, inFolder);
	if (!scope) return;
	const problem = await book.add(text, behavior, scope);
	if (problem) void vscode.window.showErrorMessage(`${translated(problem)}.`);
	else void vscode.window.showInformationMessage(vscode.l10n.t('The rule {0} holds from now on.', text.trim()));
}

function problemOf(value: string, behavior: RuleBehavior): string | undefined {
	const rules = { allow: [], ask: [], deny: [], [behavior]: rulesFrom({ source: 'session' }, [value]) };
	const [problem] = readRules(rules).problems;
	return problem && vscode.l10n.t(problem.problem);
}

async function pickBehavior(): Promise<RuleBehavior | undefined> {
	const items: readonly (vscode.QuickPickItem & { readonly behavior: RuleBehavior })[] = [
		{ label: vscode.l10n.t('Allow'), description: vscode.l10n.t('Runs without asking'), behavior: 'allow' },
		{ label: vscode.l10n.t('Ask'), description: vscode.l10n.t('Asks each time'), behavior: 'ask' },
		{ label: vscode.l10n.t('Deny'), description: vscode.l10n.t('Never runs'), behavior: 'deny' },
	];
	const title = vscode.l10n.t('What should the rule do?');
	return (await vscode.window.showQuickPick(items, { title, placeHolder: title }))?.behavior;
}

/** Only allow rules can be kept for the session alone. */
async function pickScope(behavior: RuleBehavior, inFolder: boolean): Promise<RuleScope | undefined> {
	const offered = ruleScopes.filter(
		(scope) =>
			(scope !== 'session' || behavior === 'allow') && (inFolder || scope === 'session' || scope === 'everywhere'),
	);
	const items = offered.map((scope) => ({
		label: vscode.l10n.t(scopeNames[scope]),
		description: vscode.l10n.t(scopePlaces[scope]),
		scope,
	}));
	const title = vscode.l10n.t('Where should the rule hold?');
	return (await vscode.window.showQuickPick(items, { title, placeHolder: title }))?.scope;
}
