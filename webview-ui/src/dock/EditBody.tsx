// A proposed edit on its card: the file, the hunks, and the word on each where there are several. What is said here is kept by
// the host, so that the editor and the card always show the same.
import { t } from '@vscode/l10n';
import type { HunkOutcome, RequestDetail } from '../../../src/shared/permission.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { Diff } from '../tools/Diff.tsx';
import { FileLink } from '../tools/FileLink.tsx';
import { Changes } from '../tools/ToolCard.tsx';

export type EditDetail = Extract<RequestDetail, { kind: 'edit' }>;

interface Props {
	readonly requestId: string;
	readonly detail: EditDetail;
	readonly disabled: boolean;
}

export function EditBody({ requestId, detail, disabled }: Props) {
	const { bridge } = usePanel();
	const { hunks, outcomes = [] } = detail;
	const several = hunks.length > 1 && !detail.whole;
	const left = hunks.filter((_, index) => outcomes[index]?.kind !== 'denied').length;
	const decide = (hunk: number, outcome: HunkOutcome['kind'] | null) =>
		bridge.send({ type: 'hunk_decided', requestId, hunk, outcome });
	return (
		<>
			<div class="request-file">
				<FileLink path={detail.path} line={detail.cell === undefined ? hunks[0]?.newStart : undefined} />
				{detail.cell !== undefined && <span class="small">{t('cell {0}', detail.cell)}</span>}
				<Changes added={detail.added} removed={detail.removed} />
				{!detail.whole && (
					<button
						type="button"
						class="quiet request-diff"
						disabled={disabled}
						title={
							detail.created
								? t('See the whole file, and change the proposed text')
								: t('See it beside the file, and change the proposed text')
						}
						onClick={() => bridge.send({ type: 'proposal_opened', requestId })}
					>
						<Icon name={detail.created ? 'go-to-file' : 'diff'} />
						{detail.created ? t('Open in the editor') : t('Open as diff')}
					</button>
				)}
			</div>
			{detail.askedAgain && (
				<p class="small request-again">
					<Icon name="warning" />
					{t('The file was changed in the same place while you were asked. These are the changes to it as it is now.')}
				</p>
			)}
			<Diff
				hunks={hunks}
				path={detail.path}
				leftOut={(index) => outcomes[index]?.kind === 'denied'}
				head={
					several
						? (index) => (
								<HunkHead
									position={index + 1}
									count={hunks.length}
									outcome={outcomes[index] ?? null}
									disabled={disabled}
									onDecide={(outcome) => decide(index, outcome)}
								/>
							)
						: undefined
				}
			/>
			{left < hunks.length && (
				<p class="small">{t('{0} of {1} changes will be applied', String(left), String(hunks.length))}</p>
			)}
			{detail.rewritten && <p class="small">{t('You changed the proposed text. What you wrote will be applied.')}</p>}
			{detail.unsaved && (
				<p class="small">{t('The file has unsaved changes. They stay, and are saved with this edit.')}</p>
			)}
		</>
	);
}

/** With the person's reason for what they leave out, where they gave one. */
export function editOutcome({ hunks, outcomes = [] }: EditDetail, reason: string): readonly HunkOutcome[] | undefined {
	if (!outcomes.some((outcome) => outcome?.kind === 'denied')) return undefined;
	return hunks.map((_, index) => {
		const outcome = outcomes[index];
		if (outcome?.kind !== 'denied') return { kind: 'accepted' };
		return reason === '' ? outcome : { reason, ...outcome };
	});
}

interface HeadProps {
	/** 1-based. */
	readonly position: number;
	readonly count: number;
	readonly outcome: HunkOutcome | null;
	readonly disabled: boolean;
	readonly onDecide: (outcome: HunkOutcome['kind'] | null) => void;
}

function HunkHead({ position, count, outcome, disabled, onDecide }: HeadProps) {
	const toggle = (kind: HunkOutcome['kind'], icon: string, name: string) => {
		const pressed = outcome?.kind === kind;
		return (
			<button
				type="button"
				class="quiet icon-button"
				aria-pressed={pressed}
				aria-label={name}
				title={name}
				disabled={disabled}
				onClick={() => onDecide(pressed ? null : kind)}
			>
				<Icon name={icon} />
			</button>
		);
	};
	return (
		<div class="hunk-head" role="group" aria-label={t('Change {0} of {1}', String(position), String(count))}>
			<span>{t('Change {0} of {1}', String(position), String(count))}</span>
			{outcome !== null && <span>{outcome.kind === 'accepted' ? t('accepted') : t('left out')}</span>}
			{toggle('accepted', 'check', t('Accept change {0}', String(position)))}
			{toggle('denied', 'close', t('Leave out change {0}', String(position)))}
		</div>
	);
}
