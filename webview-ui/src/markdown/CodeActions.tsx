// What can be done with a block of code; the host does it, and shows a change before it is made.
import { t } from '@vscode/l10n';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { CopyButton } from './CopyButton.tsx';

interface Props {
	readonly code: string;
	readonly language: string;
	readonly path: string | undefined;
}

export function CodeActions({ code, language, path }: Props) {
	const { bridge } = usePanel();
	const target = path === undefined ? {} : { path };
	const apply = path === undefined ? t('Propose as a change of the open file') : t('Propose as a change of {0}', path);
	return (
		<>
			<Action
				icon="diff"
				name={t('Apply…')}
				title={apply}
				onClick={() => bridge.send({ type: 'code_applied', text: code, ...target })}
			/>
			<Action
				icon="insert"
				name={t('Insert at cursor')}
				onClick={() => bridge.send({ type: 'code_inserted', text: code })}
			/>
			<Action
				icon="new-file"
				name={t('Open as file')}
				onClick={() => bridge.send({ type: 'code_opened', text: code, language, ...target })}
			/>
			<CopyButton text={code} />
		</>
	);
}

interface ActionProps {
	readonly icon: string;
	readonly name: string;
	readonly title?: string;
	readonly onClick: () => void;
}

function Action({ icon, name, title = name, onClick }: ActionProps) {
	return (
		<button type="button" class="quiet code-action" aria-label={name} title={title} onClick={onClick}>
			<Icon name={icon} />
		</button>
	);
}
