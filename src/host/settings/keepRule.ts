// "Always allow": keeps the rule in the file of its scope, and says where it could not.
import * as vscode from 'vscode';
import { english } from '../../node/settings/sentence.ts';
import type { StoredScope } from '../../node/settings/ruleStore.ts';
import type { HostSettings } from './hostSettings.ts';
import { translated } from './problemNotice.ts';

/** Where a rule is kept; `root`: of the session. */
export interface KeptRule {
	readonly scope: StoredScope;
	readonly root: string;
}

/** Rejects when the rule cannot be kept; the person has been told, and the session has it all the same. */
export async function keepRule(settings: HostSettings, rule: string, { scope, root }: KeptRule): Promise<void> {
	const outcome = await settings.saveRule(rule, 'allow', scope, root);
	if (outcome.kind !== 'refused') return;
	const reason = translated(outcome.problem);
	void vscode.window.showWarningMessage(vscode.l10n.t('The rule {0} holds for this session only: {1}.', rule, reason));
	throw new Error(english(outcome.problem));
}
