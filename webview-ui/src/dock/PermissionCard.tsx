// One request: what will happen, why it asks, and the answers. It never takes the focus, and Enter never allows: in the
// reason box it denies, as that is the answer that changes nothing.
import { t } from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import type { PermissionAnswer, PermissionRequest } from '../../../src/shared/permission.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { isImeKey } from './composerKeys.ts';
import { reasonText, requestTitle } from './permissionWords.ts';
import { RequestBody } from './RequestBody.tsx';
import { RuleForm } from './RuleForm.tsx';

interface Props {
	readonly request: PermissionRequest;
	/** How many requests wait, this one included. */
	readonly count: number;
}

export function PermissionCard({ request, count }: Props) {
	const { bridge } = usePanel();
	const [sent, setSent] = useState(false);
	const [unfolded, setUnfolded] = useState(false);
	const [reason, setReason] = useState('');
	const ruleId = useId();
	const answer = (given: PermissionAnswer) => {
		if (sent) return;
		setSent(true);
		bridge.send({ type: 'permission_answered', requestId: request.id, answer: given });
	};
	const deny = () => {
		const text = reason.trim();
		answer(text === '' ? { behavior: 'deny' } : { behavior: 'deny', reason: text });
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key !== 'Escape' || isImeKey(event)) return;
		event.preventDefault();
		setUnfolded(false);
	};
	return (
		<div class="permission" role="group" aria-label={t('Permission: {0}', request.tool)} onKeyDown={onKeyDown}>
			<Heading request={request} count={count} />
			<RequestBody request={request} />
			{request.suggestedRule !== undefined && unfolded && (
				<RuleForm
					id={ruleId}
					suggested={request.suggestedRule}
					disabled={sent}
					onSave={(text) => answer({ behavior: 'allow', rule: { text, scope: 'session' } })}
				/>
			)}
			<div class="buttons">
				<button type="button" class="primary" disabled={sent} onClick={() => answer({ behavior: 'allow' })}>
					{t('Allow once')}
				</button>
				{request.suggestedRule !== undefined && (
					<button
						type="button"
						class="secondary"
						disabled={sent}
						aria-expanded={unfolded}
						aria-controls={unfolded ? ruleId : undefined}
						onClick={() => setUnfolded(!unfolded)}
					>
						{t('Always allow…')}
					</button>
				)}
				<button type="button" class="secondary" disabled={sent} onClick={deny}>
					{t('Deny')}
				</button>
			</div>
			<input
				type="text"
				class="input"
				aria-label={t('Reason (optional)')}
				placeholder={t('Reason for denying (optional)')}
				value={reason}
				disabled={sent}
				onInput={(event) => setReason(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key !== 'Enter' || isImeKey(event)) return;
					event.preventDefault();
					deny();
				}}
			/>
		</div>
	);
}

function Heading({ request, count }: Props) {
	const { text, object } = requestTitle(request);
	const [before, after] = text.split('{0}');
	return (
		<>
			<div class="permission-head">
				<Icon name="shield" />
				<p class="permission-title">
					{before}
					{object !== '' && <code>{object}</code>}
					{after}
				</p>
				{count > 1 && <span class="permission-count">{t('1 of {0}', String(count))}</span>}
			</div>
			<p class="small permission-reason">{reasonText(request.reason)}</p>
		</>
	);
}
