// What "always" would mean: the exact rule, to be changed before it is saved, what it would allow (the host says so while one
// types), and how far it reaches. Enter saves nothing; only the button does.
import { t } from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PermissionRequest, RuleCheck, RuleScope } from '../../../src/shared/permission.ts';
import { ruleScopes } from '../../../src/shared/permission.ts';
import { scopeNames, scopePlaces } from '../../../src/shared/ruleWords.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { useEveryChange } from '../useEveryChange.ts';
import { useGrowing } from '../useGrowing.ts';
import { isImeKey } from './composerKeys.ts';

interface Props {
	readonly id: string;
	readonly request: PermissionRequest;
	readonly suggested: string;
	readonly disabled: boolean;
	readonly onSave: (rule: string, scope: RuleScope) => void;
	/** Edits need no rule where the mode accepts them; undefined where that is no way out. */
	readonly onAcceptEdits: (() => void) | undefined;
}

export function RuleForm({ id, request, suggested, disabled, onSave, onAcceptEdits }: Props) {
	const [rule, setRule] = useState(suggested);
	const [scope, setScope] = useState<RuleScope>('session');
	const check = useRuleCheck(request.id, rule);
	const field = useRef<HTMLTextAreaElement>(null);
	useGrowing(field, rule);
	// At once: a later moment would take the focus from where somebody writes already.
	useLayoutEffect(() => field.current?.focus(), []);
	return (
		<div class="rule" id={id}>
			<label class="small" for={`${id}-field`}>
				{t('Rule')}
			</label>
			<textarea
				ref={field}
				id={`${id}-field`}
				class="input mono rule-box"
				rows={1}
				spellcheck={false}
				value={rule}
				disabled={disabled}
				aria-invalid={check !== undefined && check.kind !== 'covers'}
				aria-describedby={`${id}-check`}
				onInput={(event) => setRule(event.currentTarget.value)}
				onKeyDown={(event) => {
					// A compound command has a rule for each of its parts, one per line.
					if (event.key === 'Enter' && !isImeKey(event) && !suggested.includes('\n')) event.preventDefault();
				}}
			/>
			<Check id={`${id}-check`} check={check} tool={request.tool} />
			<Scopes id={id} scope={scope} disabled={disabled} onChange={setScope} />
			<div class="buttons rule-buttons">
				<button
					type="button"
					class="secondary"
					disabled={disabled || check?.kind !== 'covers'}
					onClick={() => onSave(rule.trim(), scope)}
				>
					{t('Save rule and allow')}
				</button>
				{onAcceptEdits && (
					<button
						type="button"
						class="secondary"
						disabled={disabled}
						title={t('Without a rule: edits apply at once in this session, commands still ask')}
						onClick={onAcceptEdits}
					>
						{t('Accept edits from now on')}
					</button>
				)}
			</div>
		</div>
	);
}

/**
 * The host's word on the rule as it is now; undefined until it has come. What it says about a rule that was typed before may come
 * later, and counts for nothing.
 */
function useRuleCheck(requestId: string, rule: string): RuleCheck | undefined {
	const { bridge, store } = usePanel();
	const typed = useRef(rule);
	typed.current = rule;
	const latest = useSignal(store.ruleCheck.peek());
	const fits = (checked: typeof latest.value) => checked?.requestId === requestId && checked.rule === typed.current;
	useEveryChange(() => {
		if (fits(store.ruleCheck.value)) latest.value = store.ruleCheck.value;
	});
	useEffect(() => bridge.send({ type: 'rule_typed', requestId, rule }), [requestId, rule]);
	return fits(latest.value) ? latest.value?.check : undefined;
}

interface CheckProps {
	readonly id: string;
	readonly check: RuleCheck | undefined;
	readonly tool: string;
}

function Check({ id, check, tool }: CheckProps) {
	const good = check === undefined || (check.kind === 'covers' && check.breadth !== 'whole_tool');
	return (
		<p class={good ? 'rule-check small' : 'rule-check small bad'} id={id} aria-live="polite">
			{check && (
				<>
					<Icon name={check.kind === 'covers' ? (good ? 'check' : 'warning') : 'error'} />
					<span>{checkText(check, tool)}</span>
				</>
			)}
		</p>
	);
}

function checkText(check: RuleCheck, tool: string): string {
	switch (check.kind) {
		case 'covers':
			if (check.breadth === 'exact') return t('Allows exactly this, each time it comes.');
			return check.breadth === 'some'
				? t('Allows this, and all else that fits the rule.')
				: t('Allows everything that {0} can do.', tool);
		case 'not_covering':
			return t('This rule does not cover the call, so it would ask again.');
		case 'outweighed':
			return check.rule === undefined
				? t('Whatever rule there is, this asks each time.')
				: t('The rule {0} is stronger, so it would ask again.', check.rule);
		case 'invalid':
			return t(check.problem);
	}
}

interface ScopesProps {
	readonly id: string;
	readonly scope: RuleScope;
	readonly disabled: boolean;
	readonly onChange: (scope: RuleScope) => void;
}

function Scopes({ id, scope, disabled, onChange }: ScopesProps) {
	const { store } = usePanel();
	const heading = useId();
	// Without a folder there is no workspace to save a rule for.
	const inFolder = (store.state.value?.folder ?? '') !== '';
	return (
		<div role="radiogroup" aria-labelledby={heading} class="scope">
			<span class="small scope-heading" id={heading}>
				{t('Scope')}
			</span>
			<div class="scope-choices">
				{ruleScopes
					.filter((offered) => inFolder || offered === 'session' || offered === 'everywhere')
					.map((offered) => (
						<div class="scope-choice" key={offered}>
							<input
								type="radio"
								id={`${id}-${offered}`}
								name={`${id}-scope`}
								checked={scope === offered}
								disabled={disabled}
								aria-describedby={`${id}-${offered}-place`}
								onChange={() => onChange(offered)}
							/>
							<div class="scope-words">
								<label for={`${id}-${offered}`}>{t(scopeNames[offered])}</label>
								<span class="small" id={`${id}-${offered}-place`}>
									{t(scopePlaces[offered])}
								</span>
							</div>
						</div>
					))}
			</div>
		</div>
	);
}
