// A state of the whole panel in one line with what can be done about it. Quiet: it takes no focus, and is a note, not an alert.
import { t } from '@vscode/l10n';
import { Icon } from '../Icon.tsx';

export interface StateAction {
	readonly label: string;
	readonly run: () => void;
}

interface Props {
	readonly icon: string;
	readonly text: string;
	readonly tone?: 'warning' | 'info';
	/** The first one is the one to take. */
	readonly actions: readonly StateAction[];
	readonly onDismiss?: () => void;
}

export function StateBar({ icon, text, tone = 'info', actions, onDismiss }: Props) {
	return (
		<div class={`state-bar ${tone}`} role="note">
			<Icon name={icon} />
			<div class="state-words">
				<p>{text}</p>
				{actions.length > 0 && (
					<div class="state-actions">
						{actions.map(({ label, run }) => (
							<button key={label} type="button" class="link-button" onClick={run}>
								{label}
							</button>
						))}
					</div>
				)}
			</div>
			{onDismiss && (
				<button
					type="button"
					class="quiet icon-button"
					aria-label={t('Dismiss')}
					title={t('Dismiss')}
					onClick={onDismiss}
				>
					<Icon name="close" />
				</button>
			)}
		</div>
	);
}
