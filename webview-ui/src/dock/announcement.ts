// What the live region says when something begins to wait for the person. Pure.
import { t } from '@vscode/l10n';
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import { requestSentence, warningOf } from './permissionWords.ts';

export function announcement(request: PermissionRequest): string {
	const { detail } = request;
	if (detail.kind === 'plan') return t('A plan waits for your approval: {0}', request.summary);
	if (detail.kind === 'questions') {
		return t('Loopwright asks: {0}', detail.questions.map(({ question }) => question).join(' '));
	}
	const warning = warningOf(request);
	const sentence = requestSentence(request);
	const asked =
		request.agent === undefined
			? t('Permission needed: {0}', sentence)
			: t('Permission needed for the subagent {0}: {1}', request.agent, sentence);
	return warning === undefined ? asked : `${asked} ${warning}`;
}
