// Something that happened to the conversation itself, in one quiet line.
import { t } from '@vscode/l10n';
import type { NoticeCode, Row } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';

export function NoticeRow({ row }: { readonly row: Extract<Row, { kind: 'notice' }> }) {
	return (
		<p class="notice">
			<Icon name={row.code === 'transcript_damaged' ? 'warning' : 'info'} />
			<span>{noticeText(row.code, row.args)}</span>
		</p>
	);
}

function noticeText(code: NoticeCode, args: Readonly<Record<string, string>>): string {
	switch (code) {
		case 'interrupted':
			return t('Stopped by you.');
		case 'max_turns': {
			const limit = args['turns'] ?? args['limit'];
			return limit === undefined ? t('Stopped at the limit of turns.') : t('Stopped at the limit of {0} turns.', limit);
		}
		case 'resumed':
			return t('Conversation resumed.');
		case 'transcript_damaged':
			return t('A part of the stored conversation could not be read. It was left out; the rest is complete.');
		case 'host_restarted':
			return t('VS Code restarted its extensions here.');
	}
}
