// A message that was said in several ways: which one this is, and the way to the others, each with what followed it.
import { t } from '@vscode/l10n';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

interface Props {
	readonly id: string;
	/** Ids, the oldest first. */
	readonly versions: readonly string[];
}

export function Versions({ id, versions }: Props) {
	const at = versions.indexOf(id);
	return (
		<div class="versions" role="group" aria-label={t('Versions of this message')}>
			<Step icon="chevron-left" name={t('Previous version')} to={versions[at - 1]} />
			<span>{t('{0} of {1}', at + 1, versions.length)}</span>
			<Step icon="chevron-right" name={t('Next version')} to={versions[at + 1]} />
		</div>
	);
}

function Step({ icon, name, to }: { readonly icon: string; readonly name: string; readonly to: string | undefined }) {
	const { bridge } = usePanel();
	return (
		<button
			type="button"
			class="quiet icon-button"
			aria-label={name}
			title={name}
			disabled={to === undefined}
			onClick={() => to !== undefined && bridge.send({ type: 'version_selected', promptId: to })}
		>
			<Icon name={icon} />
		</button>
	);
}
