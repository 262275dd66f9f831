// A page of the web: its address, which opens in the browser, its title, and what the model read of it.
import type { ToolView } from '../../../src/shared/view.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { usePanel } from '../panelContext.ts';

export function WebBody({ view }: { readonly view: Extract<ToolView, { kind: 'web' }> }) {
	const { bridge } = usePanel();
	const { url, title, text } = view;
	return (
		<>
			<button type="button" class="file-link" title={url} onClick={() => bridge.send({ type: 'link_opened', url })}>
				<span class="file-name">{title === '' ? url : title}</span>
				{title !== '' && <span class="file-folder">{url}</span>}
			</button>
			{text !== '' && (
				<div class="web-text" tabIndex={0} role="region" aria-label={title === '' ? url : title}>
					<Markdown text={text} open={false} />
				</div>
			)}
		</>
	);
}
