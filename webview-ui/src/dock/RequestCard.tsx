// One request, by its kind: a plan, questions, or a permission.
import type { CardProps } from './cardProps.ts';
import { PermissionCard } from './PermissionCard.tsx';
import { PlanCard } from './PlanCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

export function RequestCard(props: CardProps) {
	const { detail } = props.request;
	if (detail.kind === 'plan') return <PlanCard {...props} detail={detail} />;
	if (detail.kind === 'questions') return <QuestionCard {...props} questions={detail.questions} />;
	return <PermissionCard {...props} />;
}
