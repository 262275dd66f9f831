// What goes with the message besides its words: the selection, pictures and PDFs, large pasted texts. Each can be taken away.
import { t } from '@vscode/l10n';
import type { SelectionView } from '../../../src/shared/composer.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import type { DraftMedia } from './media.ts';
import type { Draft } from './useDraft.ts';

interface Props {
	readonly draft: Draft;
	readonly selection: SelectionView | null;
	readonly onRemoveMedia: (id: string) => void;
	readonly onUnfold: (mark: string) => void;
	readonly onRemovePaste: (mark: string) => void;
}

export function Chips({ draft, selection, onRemoveMedia, onUnfold, onRemovePaste }: Props) {
	const pastes = Object.keys(draft.pastes);
	if (!selection && draft.media.length === 0 && pastes.length === 0) return null;
	return (
		<ul class="chips" aria-label={t('Goes with the message')}>
			{selection && <SelectionChip selection={selection} />}
			{draft.media.map((media) => (
				<MediaChip key={media.media.id} draft={media} onRemove={() => onRemoveMedia(media.media.id)} />
			))}
			{pastes.map((mark) => (
				<li class="chip" key={mark}>
					<button
						type="button"
						class="quiet chip-main"
						aria-label={t('Unfold {0}', mark)}
						title={t('Put the whole text into the message, to change it there')}
						onClick={() => onUnfold(mark)}
					>
						<Icon name="unfold" />
						<span class="chip-name">{mark.slice(1, -1)}</span>
					</button>
					<Remove name={mark} onRemove={() => onRemovePaste(mark)} />
				</li>
			))}
		</ul>
	);
}

function selectionWords({ name, firstLine, lastLine }: SelectionView): string {
	const lines = lastLine - firstLine + 1;
	return lines === 1 ? t('Line {0} of {1}', firstLine, name) : t('{0} lines of {1}', lines, name);
}

/** A toggle that stays as the person set it. */
function SelectionChip({ selection }: { readonly selection: SelectionView }) {
	const { bridge } = usePanel();
	const { shared, withheld, name } = selection;
	const words = selectionWords(selection);
	if (withheld) {
		const why = t('{0} may hold secrets: the selection is kept from the agent', name);
		return (
			<li class="chip off" title={why}>
				<span class="chip-main">
					<Icon name="lock" />
					<span class="chip-name">{words}</span>
					<span class="hidden">{why}</span>
				</span>
			</li>
		);
	}
	const hint = shared ? t('Goes with the message; click to keep it back') : t('Is kept back; click to send it along');
	return (
		<li class={shared ? 'chip' : 'chip off'}>
			<button
				type="button"
				class="quiet chip-main"
				aria-pressed={shared}
				aria-label={words}
				title={hint}
				onClick={() => bridge.send({ type: 'selection_shared', shared: !shared })}
			>
				<Icon name={shared ? 'eye' : 'eye-closed'} />
				<span class="chip-name">{words}</span>
			</button>
		</li>
	);
}

function MediaChip({ draft, onRemove }: { readonly draft: DraftMedia; readonly onRemove: () => void }) {
	const { bridge } = usePanel();
	const { media, thumb } = draft;
	const size = media.kind === 'image' ? `${media.width} × ${media.height}` : pagesCount(media.pages);
	return (
		<li class="chip">
			<button
				type="button"
				class="quiet chip-main"
				aria-label={t('Open {0}, {1}', media.name, size)}
				title={`${media.name}, ${size}`}
				onClick={() => bridge.send({ type: 'media_opened', media })}
			>
				{thumb === '' ? <Icon name={media.kind === 'pdf' ? 'file-pdf' : 'file-media'} /> : <img src={thumb} alt="" />}
				<span class="chip-name">{media.name}</span>
			</button>
			<Remove name={media.name} onRemove={onRemove} />
		</li>
	);
}

function pagesCount(count: number): string {
	return count === 1 ? t('1 page') : t('{0} pages', count);
}

function Remove({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
	const label = t('Remove {0}', name);
	return (
		<button type="button" class="quiet icon-button chip-remove" aria-label={label} title={label} onClick={onRemove}>
			<Icon name="close" />
		</button>
	);
}
