// Copies through the host (the page may lack the right to) and says for a moment that it did.
import { t } from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

export function CopyButton({ text }: { readonly text: string }) {
	const { bridge } = usePanel();
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 1500);
		return () => clearTimeout(timer);
	}, [copied]);
	const copy = () => {
		bridge.send({ type: 'text_copied', text });
		setCopied(true);
	};
	return (
		<button type="button" class="quiet copy" aria-label={t('Copy')} title={t('Copy')} onClick={copy}>
			<Icon name={copied ? 'check' : 'copy'} />
		</button>
	);
}
