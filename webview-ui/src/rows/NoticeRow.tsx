// Something that happened to the conversation itself, in one quiet line.
import { t } from '@vscode/l10n';
import type { NoticeCode, Row } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

export function NoticeRow({ row }: { readonly row: Extract<Row, { kind: 'notice' }> }) {
	return (
		<p class="notice">
			<Icon name={iconOf(row.code)} />
			<span>
				{noticeText(row.code, row.args)}
				<NoticeAction code={row.code} />
			</span>
		</p>
	);
}

/** What helps, where something does. */
function NoticeAction({ code }: { readonly code: NoticeCode }) {
	const { bridge } = usePanel();
	const action = actionOf(code);
	if (!action) return null;
	const { label, command } = action;
	return (
		<>
			{' '}
			<button type="button" class="link-button" onClick={() => bridge.send({ type: 'command_requested', command })}>
				{label}
			</button>
		</>
	);
}

function actionOf(code: NoticeCode) {
	switch (code) {
		case 'model_fallback':
		case 'model_gone':
			return { label: t('Choose another model'), command: 'selectModel' } as const;
		case 'budget_exhausted':
		case 'max_turns':
			return { label: t('Open settings'), command: 'openSettings' } as const;
		case 'transcript_damaged':
		case 'compact_failed':
		case 'storage_failed':
			return { label: t('Show log'), command: 'showLog' } as const;
		default:
			return undefined;
	}
}

const warnings: ReadonlySet<NoticeCode> = new Set([
	'transcript_damaged',
	'compact_failed',
	'storage_full',
	'storage_read_only',
	'storage_failed',
]);

function iconOf(code: NoticeCode): string {
	if (warnings.has(code)) return 'warning';
	return code === 'model_fallback' || code === 'model_gone' ? 'arrow-swap' : 'info';
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
		case 'open_elsewhere':
			return t('Nothing was sent: the conversation is open in another window.');
		case 'model_fallback':
			return t('{0} is overloaded or declined. {1} goes on.', args['from'] ?? '', args['to'] ?? '');
		case 'model_gone':
			return t(
				'{0} is not offered any more. This conversation goes on with {1}.',
				args['from'] ?? '',
				args['to'] ?? '',
			);
		case 'budget_exhausted':
			return t('Stopped at the limit of cost. Raise it in the settings to go on.');
		case 'stop_hook_prevented':
			return t('A stop hook ended this here.');
		case 'hook_stopped':
			return t('A hook stopped this here.');
		case 'compact_failed':
			return t('The conversation could not be summarised. It stays as it was.');
		case 'compact_nothing':
			return t('There is nothing to compact yet.');
		case 'compact_no_growth':
			return t('Nothing was added since the last compaction.');
		case 'compact_stopped':
			return t('Compaction stopped. The conversation stays as it was.');
		case 'storage_full':
			return t('The conversation is not stored any more: the disk is full. It goes on in memory.');
		case 'storage_read_only':
			return t('The conversation is not stored: its folder cannot be written. It goes on in memory.');
		case 'storage_failed':
			return t('The conversation is not stored any more: the disk fails. It goes on in memory.');
		case 'storage_stored':
			return t('All of the conversation is stored again.');
		case 'compact_busy':
			return t('Compacting has to wait until what runs has finished. Then ask for it again.');
	}
}
