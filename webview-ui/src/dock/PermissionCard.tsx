// One request: what will happen, why it asks, and the answers. It never takes the focus by itself, and no key that one
// presses in passing allows anything: Enter in the reason box denies, as that is the answer that changes nothing.
import { t } from '@vscode/l10n';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PermissionAnswer, PermissionRequest, RuleScope } from '../../../src/shared/permission.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import type { RequestDraft } from '../vscodeApi.ts';
import { allowKey, isAllowKey, isImeKey } from './composerKeys.ts';
import { editOutcome } from './EditBody.tsx';
import { PermissionReason } from './PermissionReason.tsx';
import { dangerOf, requestTitle, suggestedRules, warningOf } from './permissionWords.ts';
import { RequestBody } from './RequestBody.tsx';
import { useRequestDraft } from './requestDraft.ts';
import { RuleForm } from './RuleForm.tsx';

/** Milliseconds in which a card that took another one's place takes no answer: a double click is meant for the first. */
const settling = 400;

interface Props {
	readonly request: PermissionRequest;
	/** 1-based, among those that wait. */
	readonly position: number;
	/** How many requests wait, this one included. */
	readonly count: number;
	/** It stands where another one was a moment ago. */
	readonly replaces: boolean;
}

export function PermissionCard({ request, position, count, replaces }: Props) {
	const { bridge, store } = usePanel();
	const modes = store.state.value?.modes ?? [];
	const [draft, changeDraft] = useRequestDraft(request.id);
	const [sent, setSent] = useState(false);
	const [unfolded, setUnfolded] = useState(false);
	const settled = useSettled(replaces);
	const always = useRef<HTMLButtonElement>(null);
	const id = useId();
	const disabled = sent || !settled;
	const changed = changedCommand(request, draft);
	const suggested = suggestedRules(request);
	const blocked = changed?.trim() === '';
	const send = (answer: PermissionAnswer) => {
		if (disabled) return;
		setSent(true);
		bridge.send({ type: 'permission_answered', requestId: request.id, answer });
	};
	const allow = () => {
		if (blocked) return;
		send(allowed(request, draft));
	};
	const deny = () => {
		const reason = draft.reason.trim();
		send({ behavior: 'deny', ...(reason === '' ? {} : { reason }) });
	};
	const fold = () => {
		setUnfolded(false);
		always.current?.focus();
	};
	const quickly = dangerOf(request) === undefined && !unfolded;
	const onKeyDown = (event: KeyboardEvent) => {
		if (isImeKey(event)) return;
		if (isAllowKey(event) && quickly) allow();
		else if (event.key !== 'Escape') return;
		else if (unfolded) fold();
		event.preventDefault();
	};
	return (
		<div
			class="permission"
			role="group"
			tabIndex={-1}
			aria-label={t('Permission: {0}', request.tool)}
			aria-describedby={`${id}-title ${id}-danger`}
			onKeyDown={onKeyDown}
		>
			<Heading id={id} request={request} position={position} count={count} editing={draft.command !== undefined} />
			<div class="permission-scroll">
				<Danger id={`${id}-danger`} request={request} />
				<RequestBody request={request} draft={draft} disabled={sent} onDraft={changeDraft} />
				<PermissionReason request={request} />
				{suggested !== undefined && unfolded && changed === undefined && (
					<RuleForm
						id={`${id}-rule`}
						request={request}
						suggested={suggested}
						disabled={disabled}
						onSave={(text, scope: RuleScope) => send({ behavior: 'allow', rule: { text, scope } })}
						onAcceptEdits={
							request.detail.kind === 'edit' && modes.includes('acceptEdits')
								? () => send({ behavior: 'allow', mode: 'acceptEdits' })
								: undefined
						}
					/>
				)}
			</div>
			<Answers
				request={request}
				state={{ disabled, blocked, quickly, unfolded, changed: changed !== undefined, ruleId: `${id}-rule`, always }}
				onAllow={allow}
				onAlways={() => setUnfolded(!unfolded)}
				onDeny={deny}
			/>
			<ReasonBox draft={draft} disabled={sent} onDraft={changeDraft} onDeny={deny} />
		</div>
	);
}

/** Just this call, with what the person changed in it. */
function allowed(request: PermissionRequest, draft: RequestDraft): PermissionAnswer {
	const command = changedCommand(request, draft);
	const { detail } = request;
	const hunks = detail.kind === 'edit' ? editOutcome(detail, draft.reason.trim()) : undefined;
	return {
		behavior: 'allow',
		...(command === undefined ? {} : { input: { command } }),
		...(hunks === undefined ? {} : { edit: { hunks } }),
	};
}

/** The command as the person changed it; undefined when it is as the model wrote it. */
function changedCommand({ detail }: PermissionRequest, { command }: RequestDraft): string | undefined {
	return detail.kind === 'command' && command !== undefined && command !== detail.command ? command : undefined;
}

export function useSettled(replaces: boolean): boolean {
	const [settled, setSettled] = useState(!replaces);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(true), settling);
		return () => clearTimeout(timer);
	}, []);
	return settled;
}

interface HeadingProps extends Omit<Props, 'replaces'> {
	readonly id: string;
	readonly editing: boolean;
}

function Heading({ id, request, position, count, editing }: HeadingProps) {
	const { text, object } = editing ? { text: t('Run this command'), object: '' } : requestTitle(request);
	const [before, after] = text.split('{0}');
	return (
		<div class="permission-head">
			<Icon name="shield" />
			<p class="permission-title" id={`${id}-title`}>
				{before}
				{object !== '' && <code>{object}</code>}
				{after}
				{request.agent !== undefined && (
					<span class="permission-agent small">{t('for the subagent {0}', request.agent)}</span>
				)}
			</p>
			{count > 1 && <span class="permission-count">{t('{0} of {1}', String(position), String(count))}</span>}
		</div>
	);
}

function Danger({ id, request }: { readonly id: string; readonly request: PermissionRequest }) {
	const danger = dangerOf(request);
	if (danger === undefined) return null;
	return (
		<p class={danger === 'outside_workspace' ? 'danger mild' : 'danger'} id={id}>
			<Icon name={danger === 'secret' ? 'lock' : 'warning'} />
			<span>{warningOf(request)}</span>
		</p>
	);
}

interface AnswersProps {
	readonly request: PermissionRequest;
	readonly state: {
		readonly disabled: boolean;
		/** The command is empty. */
		readonly blocked: boolean;
		/** The key that allows works. */
		readonly quickly: boolean;
		readonly unfolded: boolean;
		readonly changed: boolean;
		readonly ruleId: string;
		readonly always: RefObject<HTMLButtonElement | null>;
	};
	readonly onAllow: () => void;
	readonly onAlways: () => void;
	readonly onDeny: () => void;
}

function Answers({ request, state, onAllow, onAlways, onDeny }: AnswersProps) {
	const careful = dangerOf(request) !== undefined;
	const { disabled, blocked, quickly, unfolded, changed, ruleId, always } = state;
	return (
		<div class="buttons">
			<button
				type="button"
				class={careful ? 'secondary' : 'primary'}
				disabled={disabled || blocked}
				title={quickly ? t('Allow this call only ({0})', allowKey()) : t('Allow this call only')}
				onClick={onAllow}
			>
				{t('Allow once')}
			</button>
			{suggestedRules(request) !== undefined && (
				<button
					ref={always}
					type="button"
					class="secondary"
					disabled={disabled || changed}
					title={
						changed
							? t('Not for a changed command: a rule is for what the agent asked')
							: t('See the rule and where it will hold, then allow (Esc folds it)')
					}
					aria-expanded={unfolded && !changed}
					aria-controls={unfolded && !changed ? ruleId : undefined}
					onClick={onAlways}
				>
					{t('Always allow…')}
				</button>
			)}
			<button
				type="button"
				class={careful ? 'primary' : 'secondary'}
				disabled={disabled}
				title={t('Deny; the agent goes on and reads your reason (Enter in the reason)')}
				onClick={onDeny}
			>
				{t('Deny')}
			</button>
		</div>
	);
}

interface ReasonProps {
	readonly draft: RequestDraft;
	readonly disabled: boolean;
	readonly onDraft: (change: Partial<RequestDraft>) => void;
	readonly onDeny: () => void;
	/** Localised. */
	readonly hint?: string;
}

export function ReasonBox({ draft, disabled, onDraft, onDeny, hint }: ReasonProps) {
	return (
		<input
			type="text"
			class="input"
			aria-label={t('Reason (optional)')}
			placeholder={hint ?? t('Reason for denying (optional)')}
			value={draft.reason}
			disabled={disabled}
			onInput={(event) => onDraft({ reason: event.currentTarget.value })}
			onKeyDown={(event) => {
				if (event.key !== 'Enter') return;
				// Whoever writes a reason for denying does not mean to allow, with whatever other key.
				event.stopPropagation();
				if (isImeKey(event) || event.ctrlKey || event.metaKey || event.repeat) return;
				event.preventDefault();
				onDeny();
			}}
		/>
	);
}
