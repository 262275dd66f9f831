// "Why am I asked?": the reason in words, the rule that decided and where it was written, the part that it was about, and
// whether a rule could end the asking.
import { t } from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { PermissionRequest, RuleView } from '../../../src/shared/permission.ts';
import { originNames } from '../../../src/shared/ruleWords.ts';
import { shownPath } from '../format.ts';
import { usePanel } from '../panelContext.ts';
import { isImeKey } from './composerKeys.ts';
import { noRuleText, partName, reasonBeside, reasonText, suggestedRules } from './permissionWords.ts';

export function PermissionReason({ request }: { readonly request: PermissionRequest }) {
	const [open, setOpen] = useState(false);
	const id = useId();
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key !== 'Escape' || !open || isImeKey(event)) return;
		event.preventDefault();
		event.stopPropagation();
		setOpen(false);
	};
	return (
		<div class="why" onKeyDown={onKeyDown}>
			<p class="small">
				{reasonBeside(request)}{' '}
				<button
					type="button"
					class="why-button"
					aria-expanded={open}
					aria-controls={open ? id : undefined}
					onClick={() => setOpen(!open)}
				>
					{t('Why am I asked?')}
				</button>
			</p>
			{open && <Facts id={id} request={request} />}
		</div>
	);
}

function Facts({ id, request }: { readonly id: string; readonly request: PermissionRequest }) {
	const { explanation } = request;
	return (
		<dl class="why-facts small" id={id}>
			{reasonBeside(request) === undefined && <Fact name={t('Reason')}>{reasonText(request.reason)}</Fact>}
			<Fact name={t('Rule')}>
				{explanation?.rule ? <Rule rule={explanation.rule} /> : t('None that allows or denies this.')}
			</Fact>
			{explanation?.part !== undefined && (
				<Fact name={partName(request, explanation.part)}>
					<code>{explanation.part}</code>
				</Fact>
			)}
			<Fact name={t('To be asked less')}>
				{suggestedRules(request) === undefined
					? noRuleText(request)
					: t('“Always allow…” shows the rule that would do it.')}
			</Fact>
		</dl>
	);
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	);
}

function Rule({ rule }: { readonly rule: RuleView }) {
	const { source, file, line } = rule.origin;
	return (
		<>
			<code>{rule.text}</code> {behaviorText(rule.behavior)} <span>{t(originNames[source])}</span>
			{file !== undefined && (
				<>
					{' · '}
					<OriginLink file={file} line={line} />
				</>
			)}
		</>
	);
}

function behaviorText(behavior: RuleView['behavior']): string {
	switch (behavior) {
		case 'allow':
			return t('(allows)');
		case 'ask':
			return t('(asks)');
		case 'deny':
			return t('(denies)');
	}
}

function OriginLink({ file, line }: { readonly file: string; readonly line: number | undefined }) {
	const { bridge, store } = usePanel();
	const shown = shownPath(file, store.state.peek());
	return (
		<button
			type="button"
			class="why-button"
			title={t('Open {0}', file)}
			onClick={() => bridge.send({ type: 'file_opened', path: file, ...(line === undefined ? {} : { line }) })}
		>
			{line === undefined ? shown : `${shown}:${line}`}
		</button>
	);
}
