// A permission request in words: what will happen, why it asks, and what is dangerous about it. Pure.
import { t } from '@vscode/l10n';
import type { Explanation, PermissionRequest } from '../../../src/shared/permission.ts';
import { reasonWords } from '../../../src/shared/reasonWords.ts';
import { splitPath } from '../format.ts';

export interface RequestTitle {
	/** A sentence with `{0}` where the object stands, or without it when the object stands below. */
	readonly text: string;
	readonly object: string;
	/** The whole command is in the title, so that it need not be shown again. */
	readonly complete: boolean;
}

/** Characters of a command that fit into the first line. */
const shortCommand = 60;
/** Stands for the object while the sentence is translated. */
const slot = '{0}';

export function requestTitle({ tool, summary, detail }: PermissionRequest): RequestTitle {
	switch (detail.kind) {
		case 'command': {
			const { command } = detail;
			const short = command.length <= shortCommand && !command.includes('\n');
			return short
				? { text: t('Run {0}', slot), object: command, complete: true }
				: { text: t('Run this command'), object: '', complete: false };
		}
		case 'edit': {
			const { base } = splitPath(detail.path);
			const text = detail.created ? t('Create {0}', slot) : t('Change {0}', slot);
			return { text, object: base, complete: false };
		}
		case 'path':
			return {
				text: tool === 'Read' ? t('Read {0}', slot) : t('Look into {0}', slot),
				object: detail.path,
				complete: true,
			};
		case 'plan':
			return { text: t('Carry out this plan'), object: '', complete: false };
		case 'questions':
			return { text: t('Answer these questions'), object: '', complete: false };
		case 'generic':
			if (tool === 'EnterPlanMode') return { text: t('Switch to plan mode'), object: '', complete: true };
			return {
				text: t('Use the tool {0}', slot),
				object: summary === '' ? tool : `${tool}: ${summary}`,
				complete: false,
			};
	}
}

/** The same as one sentence. */
export function requestSentence(request: PermissionRequest): string {
	const { text, object } = requestTitle(request);
	return text.replace(slot, () => object);
}

export function reasonText(reason: PermissionRequest['reason']): string {
	const [sentence, argument] = reasonWords(reason);
	return argument === undefined ? t(sentence) : t(sentence, argument);
}

/** What to look out for, if anything. */
export function dangerOf({ explanation, reason }: PermissionRequest): Explanation['danger'] {
	if (explanation?.danger) return explanation.danger;
	switch (reason.code) {
		case 'protected_path':
		case 'critical_path':
		case 'secret':
		case 'outside_workspace':
			return reason.code;
		default:
			return undefined;
	}
}

/** The line that warns. */
export function warningOf(request: PermissionRequest): string | undefined {
	const danger = dangerOf(request);
	if (danger === undefined) return undefined;
	return danger === request.reason.code && danger === 'outside_workspace'
		? reasonText(request.reason)
		: dangerText(danger);
}

/** The line that says why it asks, unless the warning has said it. */
export function reasonBeside(request: PermissionRequest): string | undefined {
	const { code } = request.reason;
	const said = dangerOf(request) === code && (code === 'outside_workspace' || code === 'secret');
	return said ? undefined : reasonText(request.reason);
}

function dangerText(danger: NonNullable<Explanation['danger']>): string {
	switch (danger) {
		case 'protected_path':
			return t('Careful: this file decides what runs on your machine, or what is asked.');
		case 'critical_path':
			return t('Danger: this could destroy what cannot be brought back.');
		case 'secret':
			return t('Careful: this file may hold secrets, and the model would read them.');
		case 'outside_workspace':
			return t('This reaches outside of the open folder.');
	}
}

/** What `explanation.part` is: a sub-command, or the real path behind a name. */
export function partName({ detail }: PermissionRequest, part: string): string {
	const isPath = detail.kind !== 'command' || /^(?:[/~]|[A-Za-z]:[\\/]|\\\\)\S*$/.test(part);
	return isPath ? t('Real path') : t('Part of the command');
}

/** What "always" would add, one rule per line; undefined when nothing is safe to offer. */
export function suggestedRules({ suggestedRule, suggestedRules: several }: PermissionRequest): string | undefined {
	return several?.join('\n') ?? suggestedRule;
}

/** Why "always" is not offered. */
export function noRuleText(request: PermissionRequest): string {
	if (request.reason.code === 'ask_rule') return t('No rule can be saved here: the one that asks is stronger.');
	switch (dangerOf(request)) {
		case 'critical_path':
			return t('No rule can be saved here: such commands ask every time.');
		case 'protected_path':
			return t('No rule can be saved here: such files ask every time.');
		case 'secret':
			return t('No rule can be saved here: files with secrets ask every time.');
		default:
	}
	return request.detail.kind === 'command'
		? t('No rule of the right size can be offered for this command, so it asks each time.')
		: t('No rule of the right size can be offered for this, so it asks each time.');
}

/** Empty for none. */
export function moreWait(count: number): string {
	if (count < 1) return '';
	return count === 1 ? t('1 more waits') : t('{0} more wait', String(count));
}
