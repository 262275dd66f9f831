// The first line of a card that waits: what it is about, and its place among those that wait.
import { t } from '@vscode/l10n';
import { Icon } from '../Icon.tsx';

interface Props {
	readonly id: string;
	readonly icon: string;
	readonly title: string;
	/** 1-based. */
	readonly position: number;
	readonly count: number;
}

export function CardHead({ id, icon, title, position, count }: Props) {
	return (
		<div class="permission-head">
			<Icon name={icon} />
			<p class="permission-title" id={id}>
				{title}
			</p>
			{count > 1 && <span class="permission-count">{t('{0} of {1}', String(position), String(count))}</span>}
		</div>
	);
}
