// One request, by its kind: a plan, questions, or a permission.
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import { PermissionCard } from './PermissionCard.tsx';
import { PlanCard } from './PlanCard.tsx';
import { QuestionCard } from './QuestionCard.tsx';

export interface CardProps {
	readonly request: PermissionRequest;
	/** 1-based, among those that wait. */
	readonly position: number;
	/** How many requests wait, this one included. */
	readonly count: number;
	/** It stands where another one was a moment ago. */
	readonly replaces: boolean;
}

export function RequestCard(props: CardProps) {
	const { detail } = props.request;
	if (detail.kind === 'plan') return <PlanCard {...props} detail={detail} />;
	if (detail.kind === 'questions') return <QuestionCard {...props} questions={detail.questions} />;
	return <PermissionCard {...props} />;
}
