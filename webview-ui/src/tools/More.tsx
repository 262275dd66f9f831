// Says how much of a bounded list is not shown.
import { t } from '@vscode/l10n';
import { number } from '../format.ts';

export function More({ shown, total }: { readonly shown: number; readonly total: number }) {
	return total > shown ? <p class="small">{t('… and {0} more', number(total - shown))}</p> : null;
}
