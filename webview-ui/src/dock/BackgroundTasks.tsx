// The commands in the background above the composer: one line with how many run, the list on demand. It opens by itself when
// one waits for the person.
import { t } from '@vscode/l10n';
import type { TaskView } from '../../../src/shared/view.ts';
import { duration } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { useNow } from '../useNow.ts';
import { taskFailed, taskWords } from './taskWords.ts';

export function BackgroundTasks({ tasks }: { readonly tasks: readonly TaskView[] }) {
	const running = tasks.filter(({ state }) => state !== 'ended');
	const now = useNow(running.length > 0 ? 1000 : undefined);
	if (tasks.length === 0) return null;
	const waiting = running.some(({ state }) => state === 'waiting');
	const newest = running.at(-1) ?? tasks.at(-1);
	return (
		<details class="tasks" aria-label={t('Background commands')} open={waiting || undefined}>
			<summary>
				<Icon name="chevron-right" />
				<Icon name="server-process" />
				<span class="tasks-now">{headWords(running.length, waiting)}</span>
				{newest && <span class="tasks-newest">{nameOf(newest)}</span>}
			</summary>
			<ul class="task-list">
				{tasks.map((task) => (
					<Task key={task.id} task={task} now={now} />
				))}
			</ul>
		</details>
	);
}

function headWords(running: number, waiting: boolean): string {
	if (waiting) return t('A background command waits for your input');
	if (running === 0) return t('Background commands have ended');
	return running === 1 ? t('1 command in the background') : t('{0} commands in the background', String(running));
}

function nameOf({ description, command }: TaskView): string {
	return (description || command).replaceAll(/\s+/g, ' ').trim();
}

function Task({ task, now }: { readonly task: TaskView; readonly now: number }) {
	const ended = task.state === 'ended';
	const time = Math.max(0, (task.endedAt ?? now) - task.startedAt);
	const name = nameOf(task);
	return (
		<li>
			<div class="task" role="group" aria-label={name} data-state={task.state}>
				<Icon name={iconOf(task)} spin={task.state === 'running'} />
				<div class="task-words">
					<span class={task.description === '' ? 'task-name mono' : 'task-name'} title={task.command}>
						{name}
					</span>
					<span class={taskFailed(task) ? 'task-state failed' : 'task-state'}>
						{taskWords(task)}
						{task.outcome !== 'lost' && ` · ${duration(time)}`}
						{task.kept && !ended && ` · ${t('keeps running')}`}
					</span>
					{task.lastLine !== '' && <span class="task-line mono">{task.lastLine}</span>}
				</div>
				{ended ? <EndedActions task={task} /> : <RunningActions task={task} />}
			</div>
		</li>
	);
}

function iconOf(task: TaskView): string {
	if (task.state === 'waiting') return 'question';
	if (task.state === 'running') return 'loading';
	if (task.state === 'left') return 'server-process';
	if (task.outcome === 'stopped' || task.outcome === 'lost') return 'debug-stop';
	return taskFailed(task) ? 'error' : 'pass';
}

function RunningActions({ task: { id, kept } }: { readonly task: TaskView }) {
	const { bridge } = usePanel();
	const keep = t('Keep running when the conversation ends');
	return (
		<div class="task-actions">
			<Action
				icon={kept ? 'pinned' : 'pin'}
				label={keep}
				pressed={kept}
				onClick={() => bridge.send({ type: 'task_kept', id, kept: !kept })}
			/>
			<Action icon="terminal" label={t('Show terminal')} onClick={() => bridge.send({ type: 'task_shown', id })} />
			<Action icon="debug-stop" label={t('Stop command')} onClick={() => bridge.send({ type: 'task_stopped', id })} />
		</div>
	);
}

function EndedActions({ task: { id } }: { readonly task: TaskView }) {
	const { bridge } = usePanel();
	return (
		<div class="task-actions">
			<Action
				icon="close"
				label={t('Remove from the list')}
				onClick={() => bridge.send({ type: 'task_removed', id })}
			/>
		</div>
	);
}

interface ActionProps {
	readonly icon: string;
	readonly label: string;
	/** Of one that stays pressed. */
	readonly pressed?: boolean;
	readonly onClick: () => void;
}

function Action({ icon, label, pressed, onClick }: ActionProps) {
	return (
		<button
			type="button"
			class="quiet icon-button"
			aria-label={label}
			aria-pressed={pressed}
			title={label}
			onClick={onClick}
		>
			<Icon name={icon} />
		</button>
	);
}
