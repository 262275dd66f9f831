// The unfinished plan above the composer: one line with what is going on, the list on demand.
import { t } from '@vscode/l10n';
import type { Todo } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';
import { TodoList } from './TodoList.tsx';

export function Todos({ todos }: { readonly todos: readonly Todo[] }) {
	const done = todos.filter((todo) => todo.status === 'completed').length;
	if (done === todos.length) return null;
	const current = todos.find((todo) => todo.status === 'in_progress');
	const next = current?.activeForm ?? todos.find((todo) => todo.status === 'pending')?.content ?? '';
	return (
		<details class="todos" aria-label={t('Todos')}>
			<summary>
				<Icon name="chevron-right" />
				<Icon name="checklist" />
				<span class="todos-now">{next}</span>
				<span class="todos-count" aria-label={t('{0} of {1} done', String(done), String(todos.length))}>
					{done}/{todos.length}
				</span>
			</summary>
			<TodoList todos={todos} />
		</details>
	);
}
