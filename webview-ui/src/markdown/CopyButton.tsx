// Copies through the host (the page may lack the right to) and says for a moment that it did.
import { t } from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

interface Props {
	/** A function where it costs something to know. */
	readonly text: string | (() => string);
	readonly name?: string;
}

export function CopyButton({ text, name = t('Copy') }: Props) {
	const { bridge } = usePanel();
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 1500);
		return () => clearTimeout(timer);
	}, [copied]);
	const copy = () => {
		bridge.send({ type: 'text_copied', text: typeof text === 'string' ? text : text() });
		setCopied(true);
	};
	return (
		<button type="button" class="quiet copy" aria-label={name} title={name} onClick={copy}>
			<Icon name={copied ? 'check' : 'copy'} />
		</button>
	);
}
