// What "always" would mean: the rule, to be changed before it is saved, and how far it reaches.
import { t } from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import { isImeKey } from './composerKeys.ts';

interface Props {
	readonly id: string;
	readonly suggested: string;
	readonly disabled: boolean;
	readonly onSave: (rule: string) => void;
}

export function RuleForm({ id, suggested, disabled, onSave }: Props) {
	const [rule, setRule] = useState(suggested);
	const fieldId = useId();
	const save = () => {
		if (rule.trim() !== '') onSave(rule.trim());
	};
	return (
		<div class="rule" id={id}>
			<label class="small" for={fieldId}>
				{t('Rule')}
			</label>
			<input
				id={fieldId}
				type="text"
				class="input mono"
				value={rule}
				disabled={disabled}
				onInput={(event) => setRule(event.currentTarget.value)}
				onKeyDown={(event) => {
					// Enter must not allow anything; the button does.
					if (event.key === 'Enter' && !isImeKey(event)) event.preventDefault();
				}}
			/>
			<div role="radiogroup" aria-label={t('Scope')} class="scope">
				<span class="small" aria-hidden="true">
					{t('Scope')}
				</span>
				<label>
					<input type="radio" name={`${id}-scope`} checked disabled={disabled} />
					{t('This session')}
				</label>
			</div>
			<button type="button" class="secondary" disabled={disabled || rule.trim() === ''} onClick={save}>
				{t('Save rule and allow')}
			</button>
		</div>
	);
}
