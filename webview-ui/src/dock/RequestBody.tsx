// The details of a request by kind: the whole command, the hunks of an edit, the path, or the raw input.
import { t } from '@vscode/l10n';
import type { PermissionRequest, RequestDetail } from '../../../src/shared/permission.ts';
import { splitPath } from '../format.ts';
import { Diff } from '../tools/Diff.tsx';
import { FileLink } from '../tools/FileLink.tsx';
import { Changes } from '../tools/ToolCard.tsx';
import { requestTitle } from './permissionWords.ts';

export function RequestBody({ request }: { readonly request: PermissionRequest }) {
	const { detail } = request;
	switch (detail.kind) {
		case 'command':
			return <Command detail={detail} complete={requestTitle(request).complete} />;
		case 'edit':
			return <Edit detail={detail} />;
		case 'path':
		case 'plan':
		case 'questions':
			return null;
		case 'generic':
			return (
				<pre class="request-code" tabIndex={0} aria-label={t('Input')}>
					{detail.input}
				</pre>
			);
	}
}

interface CommandProps {
	readonly detail: Extract<RequestDetail, { kind: 'command' }>;
	readonly complete: boolean;
}

function Command({ detail, complete }: CommandProps) {
	return (
		<>
			{!complete && (
				<pre class="request-code" tabIndex={0} aria-label={t('Command')}>
					{detail.command}
				</pre>
			)}
			<p class="small request-meta" title={detail.cwd}>
				{detail.description && <span>{detail.description} · </span>}
				<span>{t('in {0}', splitPath(detail.cwd).base)}</span>
			</p>
		</>
	);
}

function Edit({ detail }: { readonly detail: Extract<RequestDetail, { kind: 'edit' }> }) {
	return (
		<>
			<div class="request-file">
				<FileLink path={detail.path} line={detail.hunks[0]?.newStart} />
				<Changes added={detail.added} removed={detail.removed} />
			</div>
			<Diff hunks={detail.hunks} path={detail.path} />
			{detail.unsaved && (
				<p class="small">{t('The file has unsaved changes. They stay, and are saved with this edit.')}</p>
			)}
		</>
	);
}
