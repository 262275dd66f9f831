// Why a request is made again, in a short sentence. Pure.
import { t } from '@vscode/l10n';
import type { RetryView } from '../../../src/shared/view.ts';

export function retryText({ code, args, attempt }: RetryView): string {
	const service = args['host'] ?? t('The model service');
	return t('{0} Attempt {1} follows.', reason(code, service), String(attempt));
}

function reason(code: string, service: string): string {
	switch (code) {
		case 'overloaded':
			return t('{0} is overloaded.', service);
		case 'rate_limited':
			return t('{0} limits how much may be asked for now.', service);
		case 'unreachable':
			return t('{0} cannot be reached.', service);
		case 'dropped':
			return t('The connection broke.');
		case 'stalled':
			return t('{0} sent nothing for too long.', service);
		default:
			return t('{0} had an internal error.', service);
	}
}
