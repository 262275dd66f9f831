// Todos with their state as icon and words for screen readers.
import { t } from '@vscode/l10n';
import type { Todo } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
	return (
		<ul class="todo-list">
			{todos.map((todo, index) => (
				<li key={index} class={`todo ${todo.status}`}>
					<Icon name={iconOf(todo.status)} />
					<span class="hidden">{wordOf(todo.status)}</span>
					<span>{todo.status === 'in_progress' ? todo.activeForm || todo.content : todo.content}</span>
				</li>
			))}
		</ul>
	);
}

function iconOf(status: Todo['status']): string {
	if (status === 'completed') return 'pass';
	return status === 'in_progress' ? 'circle-filled' : 'circle-large-outline';
}

function wordOf(status: Todo['status']): string {
	if (status === 'completed') return t('Done');
	return status === 'in_progress' ? t('In progress') : t('Not done');
}
