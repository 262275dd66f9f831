// The details of a request by kind: the whole command (which the person may change), the hunks of an edit, the path, or the
// raw input.
import { t } from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PermissionRequest, RequestDetail } from '../../../src/shared/permission.ts';
import { splitPath } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { useGrowing } from '../useGrowing.ts';
import type { RequestDraft } from '../vscodeApi.ts';
import { isImeKey } from './composerKeys.ts';
import { EditBody } from './EditBody.tsx';
import { requestTitle } from './permissionWords.ts';

interface Props {
	readonly request: PermissionRequest;
	readonly draft: RequestDraft;
	readonly disabled: boolean;
	readonly onDraft: (change: Partial<RequestDraft>) => void;
}

export function RequestBody({ request, draft, disabled, onDraft }: Props) {
	const { detail } = request;
	switch (detail.kind) {
		case 'command':
			return (
				<Command
					detail={detail}
					complete={requestTitle(request).complete}
					edited={draft.command}
					disabled={disabled}
					onEdit={(command) => onDraft({ command })}
				/>
			);
		case 'edit':
			return <EditBody requestId={request.id} detail={detail} disabled={disabled} />;
		case 'path':
		case 'plan':
		case 'questions':
			return null;
		case 'generic':
			if (detail.input === '') return null;
			return (
				<pre class="request-code" tabIndex={0} aria-label={t('Input')}>
					{detail.input}
				</pre>
			);
	}
}

interface CommandProps {
	readonly detail: Extract<RequestDetail, { kind: 'command' }>;
	/** The title has all of it. */
	readonly complete: boolean;
	/** Undefined while it is not being changed. */
	readonly edited: string | undefined;
	readonly disabled: boolean;
	readonly onEdit: (command: string | undefined) => void;
}

function Command({ detail, complete, edited, disabled, onEdit }: CommandProps) {
	const button = useRef<HTMLButtonElement>(null);
	const editing = edited !== undefined;
	const wasEditing = useRef(editing);
	// At once: a later moment would take the focus from where somebody writes already.
	useLayoutEffect(() => {
		if (wasEditing.current && !editing) button.current?.focus();
		wasEditing.current = editing;
	}, [editing]);
	return (
		<>
			{editing && <CommandBox command={edited} disabled={disabled} onEdit={onEdit} />}
			{!editing && !complete && (
				<pre class="request-code" tabIndex={0} aria-label={t('Command')}>
					{detail.command}
				</pre>
			)}
			<div class="request-meta">
				<p class="small" title={detail.cwd}>
					{detail.description && <span>{detail.description} · </span>}
					<span>{t('in {0}', splitPath(detail.cwd).base)}</span>
				</p>
				<button
					ref={button}
					type="button"
					class="quiet request-edit"
					disabled={disabled}
					title={editing ? t('Back to the command of the agent (Esc)') : t('Change the command before it runs')}
					onClick={() => onEdit(editing ? undefined : detail.command)}
				>
					<Icon name={editing ? 'discard' : 'edit'} />
					{editing ? t('Undo changes') : t('Edit')}
				</button>
			</div>
		</>
	);
}

function CommandBox({ command, disabled, onEdit }: Pick<CommandProps, 'disabled' | 'onEdit'> & { command: string }) {
	const box = useRef<HTMLTextAreaElement>(null);
	useLayoutEffect(() => {
		const { current } = box;
		current?.focus({ preventScroll: true });
		current?.setSelectionRange(current.value.length, current.value.length);
	}, []);
	useGrowing(box, command);
	return (
		<textarea
			ref={box}
			class="input mono request-box"
			rows={1}
			spellcheck={false}
			aria-label={t('Command')}
			value={command}
			disabled={disabled}
			onInput={(event) => onEdit(event.currentTarget.value)}
			onKeyDown={(event) => {
				if (event.key !== 'Escape' || isImeKey(event)) return;
				event.preventDefault();
				event.stopPropagation();
				onEdit(undefined);
			}}
		/>
	);
}
