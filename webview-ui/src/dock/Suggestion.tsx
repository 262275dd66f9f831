// What the person may want to say next, under the empty composer; using it only writes it there.
import { t } from '@vscode/l10n';
import { Icon } from '../Icon.tsx';

interface Props {
	readonly text: string | null;
	readonly onUse: (text: string) => void;
}

export function Suggestion({ text, onUse }: Props) {
	if (text === null) return null;
	const label = t('Use the suggestion: {0}', text);
	return (
		<button type="button" class="quiet suggestion" aria-label={label} title={label} onClick={() => onUse(text)}>
			<Icon name="lightbulb" />
			<span>{text}</span>
		</button>
	);
}
