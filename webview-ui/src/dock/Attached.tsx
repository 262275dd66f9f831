// What went with a message besides its words, under it: pictures and PDFs open in an editor, the selection in its file.
import { t } from '@vscode/l10n';
import type { PromptAttachment } from '../../../src/shared/composer.ts';
import type { ToHost } from '../../../src/shared/protocol.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

export function Attached({ attachments }: { readonly attachments: readonly PromptAttachment[] }) {
	const { bridge } = usePanel();
	return (
		<ul class="chips attached" aria-label={t('Sent along')}>
			{attachments.map((attachment) => {
				const { icon, name, open } = shown(attachment);
				return (
					<li class="chip" key={name}>
						<button type="button" class="quiet chip-main" title={name} onClick={() => bridge.send(open)}>
							<Icon name={icon} />
							<span class="chip-name">{name}</span>
						</button>
					</li>
				);
			})}
		</ul>
	);
}

function shown(attachment: PromptAttachment): { readonly icon: string; readonly name: string; readonly open: ToHost } {
	if (attachment.kind !== 'selection') {
		const icon = attachment.kind === 'pdf' ? 'file-pdf' : 'file-media';
		return { icon, name: attachment.name, open: { type: 'media_opened', media: attachment } };
	}
	const { path, firstLine, lastLine } = attachment;
	const base = path.split(/[\\/]/).at(-1) ?? path;
	const name = firstLine === lastLine ? `${base}:${firstLine}` : `${base}:${firstLine}-${lastLine}`;
	return { icon: 'selection', name, open: { type: 'file_opened', path, line: firstLine } };
}
