// A plan that waits: to be read here or changed as a document, approved (which chooses the mode to go on in) or sent back with
// comments. No key approves in passing: Enter in the comments sends them back, which changes nothing.
import { t } from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import type { PermissionAnswer, PermissionMode, RequestDetail } from '../../../src/shared/permission.ts';
import { Icon } from '../Icon.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { usePanel } from '../panelContext.ts';
import { CardHead } from './CardHead.tsx';
import type { CardProps } from './cardProps.ts';
import { isImeKey } from './composerKeys.ts';
import { useSettled } from './PermissionCard.tsx';
import { requestTitle } from './permissionWords.ts';
import { useRequestDraft } from './requestDraft.ts';

interface Props extends CardProps {
	readonly detail: Extract<RequestDetail, { kind: 'plan' }>;
}

export function PlanCard({ request, detail, position, count, replaces }: Props) {
	const { bridge } = usePanel();
	const [draft, changeDraft] = useRequestDraft(request.id);
	const [sent, setSent] = useState(false);
	const disabled = !useSettled(replaces) || sent;
	const titleId = useId();
	const comments = draft.reason.trim();
	const send = (answer: PermissionAnswer) => {
		if (disabled) return;
		setSent(true);
		bridge.send({ type: 'permission_answered', requestId: request.id, answer });
	};
	const approve = (mode?: PermissionMode) => {
		const input = comments === '' ? {} : { input: { comments } };
		send({ behavior: 'allow', ...input, ...(mode === undefined ? {} : { mode }) });
	};
	const keepPlanning = () => send({ behavior: 'deny', ...(comments === '' ? {} : { reason: comments }) });
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key === 'Escape' && !isImeKey(event)) event.preventDefault();
	};
	const empty = detail.plan.trim() === '';
	return (
		<div
			class="permission plan"
			role="group"
			tabIndex={-1}
			aria-label={t('Plan')}
			aria-describedby={titleId}
			onKeyDown={onKeyDown}
		>
			<CardHead id={titleId} icon="list-ordered" title={requestTitle(request).text} position={position} count={count} />
			{/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
			<div class="permission-scroll plan-text" tabIndex={0} role="region" aria-label={t('Text of the plan')}>
				<Markdown text={detail.plan} open={false} />
			</div>
			<Document request={request} detail={detail} disabled={disabled} />
			<div class="buttons">
				<button type="button" class="primary" disabled={disabled || empty} onClick={() => approve()}>
					{t('Approve')}
				</button>
				<button
					type="button"
					class="secondary"
					disabled={disabled || empty}
					title={t('Edits then apply at once and wait for your review; commands still ask')}
					onClick={() => approve('acceptEdits')}
				>
					{t('Approve and accept edits')}
				</button>
				<button type="button" class="secondary" disabled={disabled} onClick={keepPlanning}>
					{t('Keep planning')}
				</button>
			</div>
			<textarea
				class="input plan-comments"
				rows={1}
				aria-label={t('Comments')}
				placeholder={t('What should be different?')}
				title={t('Enter keeps planning, Shift+Enter begins a new line')}
				value={draft.reason}
				disabled={sent}
				onInput={(event) => changeDraft({ reason: event.currentTarget.value })}
				onKeyDown={(event) => {
					if (event.key !== 'Enter' || event.shiftKey) return;
					event.stopPropagation();
					if (isImeKey(event) || event.ctrlKey || event.metaKey || event.repeat) return;
					event.preventDefault();
					if (comments !== '') keepPlanning();
				}}
			/>
		</div>
	);
}

/** The plan as a file: what stands there is what is approved, and the card shows it. */
function Document({ request, detail, disabled }: Pick<Props, 'request' | 'detail'> & { readonly disabled: boolean }) {
	const { bridge } = usePanel();
	return (
		<div class="plan-document">
			<button
				type="button"
				class="quiet"
				disabled={disabled}
				title={t('Change it or comment on its lines in an editor')}
				onClick={() => bridge.send({ type: 'plan_opened', requestId: request.id })}
			>
				<Icon name="go-to-file" />
				{t('Open as document')}
			</button>
			{detail.document !== undefined && <span class="small">{t('What the document says is what you approve.')}</span>}
		</div>
	);
}
