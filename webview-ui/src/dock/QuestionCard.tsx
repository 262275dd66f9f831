// Questions of the agent, all on one card: options to choose, own words instead, or no answer at all. Nothing is chosen
// beforehand, and no key answers in passing.
import { t } from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import type { PermissionAnswer, QuestionView } from '../../../src/shared/permission.ts';
import { usePanel } from '../panelContext.ts';
import type { AnswerDraft } from '../vscodeApi.ts';
import { CardHead } from './CardHead.tsx';
import type { CardProps } from './cardProps.ts';
import { allowKey, isAllowKey, isImeKey } from './composerKeys.ts';
import { ReasonBox, useSettled } from './PermissionCard.tsx';
import { requestTitle } from './permissionWords.ts';
import { answersOf, chosen, noAnswer, written } from './questionAnswers.ts';
import { useRequestDraft } from './requestDraft.ts';

interface Props extends CardProps {
	readonly questions: readonly QuestionView[];
}

export function QuestionCard({ request, questions, position, count, replaces }: Props) {
	const { bridge } = usePanel();
	const [draft, changeDraft] = useRequestDraft(request.id);
	const [sent, setSent] = useState(false);
	const disabled = !useSettled(replaces) || sent;
	const id = useId();
	const drafts = draft.answers ?? {};
	const answers = answersOf(questions, drafts);
	const send = (given: PermissionAnswer) => {
		if (disabled) return;
		setSent(true);
		bridge.send({ type: 'permission_answered', requestId: request.id, answer: given });
	};
	const answer = () => {
		if (answers) send({ behavior: 'allow', input: { answers } });
	};
	const skip = () => {
		const reason = draft.reason.trim();
		send({ behavior: 'deny', ...(reason === '' ? {} : { reason }) });
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (isImeKey(event)) return;
		if (isAllowKey(event)) answer();
		else if (event.key !== 'Escape') return;
		event.preventDefault();
	};
	return (
		<div
			class="permission question"
			role="group"
			tabIndex={-1}
			aria-label={t('Question')}
			aria-describedby={`${id}-title`}
			onKeyDown={onKeyDown}
		>
			<CardHead
				id={`${id}-title`}
				icon="question"
				title={requestTitle(request).text}
				position={position}
				count={count}
			/>
			<div class="permission-scroll">
				{questions.map((one, index) => (
					<Question
						key={one.question}
						id={`${id}-${index}`}
						question={one}
						draft={drafts[one.question] ?? noAnswer}
						disabled={sent}
						onChange={(change) => changeDraft({ answers: { ...drafts, [one.question]: change } })}
					/>
				))}
			</div>
			<Answers disabled={disabled} complete={answers !== undefined} onAnswer={answer} onSkip={skip} />
			<ReasonBox
				draft={draft}
				disabled={sent}
				onDraft={changeDraft}
				onDeny={skip}
				hint={t('Reason for skipping (optional)')}
			/>
		</div>
	);
}

interface AnswersProps {
	readonly disabled: boolean;
	/** Each question has an answer. */
	readonly complete: boolean;
	readonly onAnswer: () => void;
	readonly onSkip: () => void;
}

function Answers({ disabled, complete, onAnswer, onSkip }: AnswersProps) {
	return (
		<div class="buttons">
			<button
				type="button"
				class="primary"
				disabled={disabled || !complete}
				title={complete ? t('Send the answer ({0})', allowKey()) : t('Each question needs an answer, or skip them')}
				onClick={onAnswer}
			>
				{t('Answer')}
			</button>
			<button
				type="button"
				class="secondary"
				disabled={disabled}
				title={t('No answer; the agent goes on and reads your reason')}
				onClick={onSkip}
			>
				{t('Skip')}
			</button>
		</div>
	);
}

interface QuestionProps {
	readonly id: string;
	readonly question: QuestionView;
	readonly draft: AnswerDraft;
	readonly disabled: boolean;
	readonly onChange: (draft: AnswerDraft) => void;
}

function Question({ id, question, draft, disabled, onChange }: QuestionProps) {
	const type = question.multiSelect ? 'checkbox' : 'radio';
	const choice = { type, name: id, disabled } as const;
	return (
		<fieldset class="question-one">
			<legend>
				<span class="small question-header">{question.header}</span> {question.question}
			</legend>
			{question.options.map(({ label, description, preview }, index) => (
				<div class="option" key={label}>
					<input
						{...choice}
						id={`${id}-${index}`}
						checked={draft.chosen.includes(label)}
						aria-describedby={`${id}-${index}-text`}
						onChange={() => onChange(chosen(draft, label, question))}
					/>
					<div class="option-words">
						<label for={`${id}-${index}`}>{label}</label>
						<p class="small" id={`${id}-${index}-text`}>
							{description}
						</p>
						{preview !== undefined && (
							<pre class="request-code" tabIndex={0} aria-label={t('Preview of {0}', label)}>
								{preview}
							</pre>
						)}
					</div>
				</div>
			))}
			<div class="option">
				<input
					{...choice}
					checked={draft.chosen.includes(null)}
					aria-label={t('Something else')}
					onChange={() => onChange(chosen(draft, null, question))}
				/>
				<input
					type="text"
					class="input"
					aria-label={t('Other')}
					placeholder={t('Other')}
					value={draft.other}
					disabled={disabled}
					onInput={(event) => onChange(written(draft, event.currentTarget.value, question))}
				/>
			</div>
		</fieldset>
	);
}
