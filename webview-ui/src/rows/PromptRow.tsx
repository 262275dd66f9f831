// What the person wrote, as they wrote it. Long prompts are cut to a few lines, as they stay at the top while reading.
import { t } from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon.tsx';
import { CopyButton } from '../markdown/CopyButton.tsx';
import { useRevealed } from '../reading/useRevealed.ts';
import { usePanel } from '../panelContext.ts';
import { Versions } from './Versions.tsx';

interface Props {
	readonly id: string;
	readonly text: string;
	/** Ids of all that was said in its place. */
	readonly versions: readonly string[] | undefined;
}

export function PromptRow({ id, text, versions }: Props) {
	const { bridge } = usePanel();
	const box = useRef<HTMLDivElement>(null);
	const [whole, setWhole] = useState(false);
	const [cut, setCut] = useState(false);
	const goal = useRevealed(id);
	useEffect(() => {
		if (goal?.place !== undefined && box.current && isCut(box.current)) setWhole(true);
	}, [goal]);
	useLayoutEffect(() => {
		const { current } = box;
		if (!current) return;
		const measure = () => setCut(isCut(current));
		const observer = new ResizeObserver(measure);
		observer.observe(current);
		return () => observer.disconnect();
	}, []);
	return (
		<div class="prompt-block">
			<div ref={box} class={whole ? 'prompt-text' : 'prompt-text clamped'} dir="auto">
				{text}
			</div>
			{(cut || whole) && (
				<button type="button" class="quiet more" aria-expanded={whole} onClick={() => setWhole(!whole)}>
					{whole ? t('Show less') : t('Show all')}
				</button>
			)}
			{versions && <Versions id={id} versions={versions} />}
			<div class="prompt-actions">
				<CopyButton text={text} name={t('Copy message')} />
				<button
					type="button"
					class="quiet icon-button"
					aria-label={t('Edit and send again')}
					title={t('Edit and send again; what follows stays as another version')}
					onClick={() => bridge.send({ type: 'edit_requested', promptId: id })}
				>
					<Icon name="edit" />
				</button>
				<button
					type="button"
					class="quiet icon-button restore"
					aria-label={t('Restore…')}
					title={t('Restore files or the conversation to before this message')}
					onClick={() => bridge.send({ type: 'restore_requested', promptId: id })}
				>
					<Icon name="discard" />
				</button>
			</div>
		</div>
	);
}

function isCut({ scrollHeight, clientHeight }: Element): boolean {
	return scrollHeight > clientHeight + 1;
}
