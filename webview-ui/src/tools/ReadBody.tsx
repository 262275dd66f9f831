// The first lines of what was read, with their numbers.
import { t } from '@vscode/l10n';
import type { ToolView } from '../../../src/shared/view.ts';
import { highlighted, languageOfFile } from '../markdown/highlight.ts';
import { sanitized } from '../markdown/sanitize.ts';
import { FileLink } from './FileLink.tsx';

const shownLines = 40;

export function ReadBody({ view }: { readonly view: Extract<ToolView, { kind: 'read' }> }) {
	const lines = view.text.replace(/\n$/, '').split('\n');
	const shown = lines.slice(0, shownLines);
	const code = shown.join('\n');
	const colours = highlighted(code, languageOfFile(view.path));
	const numbers = shown.map((_, index) => view.firstLine + index).join('\n');
	const hidden = view.lines - shown.length;
	return (
		<>
			<FileLink path={view.path} line={view.firstLine} />
			{view.text !== '' && (
				<div class="numbered" tabIndex={0} role="region" aria-label={view.path}>
					<pre class="numbers" aria-hidden="true">
						{numbers}
					</pre>
					<pre>
						{colours === undefined ? (
							<code>{code}</code>
						) : (
							<code dangerouslySetInnerHTML={{ __html: sanitized(colours) }} />
						)}
					</pre>
				</div>
			)}
			{hidden > 0 && <p class="small">{t('… and {0} more lines', String(hidden))}</p>}
			{view.partial && <p class="small">{t('Only a part of the file was read.')}</p>}
		</>
	);
}
