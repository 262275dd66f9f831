// Scenes of commands that take their time: one that waits for the person, and the list of those in the background.
import type { Row, TaskView, ToolView } from '../../../src/shared/view.ts';
import type { Scene } from './sceneParts.ts';
import { base, prompt, text } from './sceneParts.ts';

const started = Date.now() - 95_000;

function command(id: string, view: Partial<Extract<ToolView, { kind: 'command' }>>, state: 'running' | 'done'): Row {
	const shown = {
		kind: 'command',
		command: id,
		output: '',
		omitted: 0,
		outcome: 'running',
		durationMs: 0,
		...view,
	} as const;
	return { kind: 'tool', id, toolUseId: id, tool: 'Bash', summary: id, state, view: shown, startedAt: started };
}

function task(id: string, more: Partial<TaskView>): TaskView {
	return { id, command: id, description: '', state: 'running', lastLine: '', startedAt: started, kept: false, ...more };
}

export const taskScenes: Readonly<Record<string, Scene>> = {
	tasks: {
		state: {
			...base,
			status: 'waiting',
			tasks: [
				task('b1', {
					command: 'npm run dev -- --port 5173',
					description: 'Start the dev server',
					lastLine:
						'VITE ready in 312 ms: http://localhost:5173/ and also a very long line that does not fit into the panel',
					kept: true,
				}),
				task('b2', { command: 'npm run watch:everything', state: 'waiting', lastLine: 'Overwrite config? [y/N]' }),
				task('b3', { command: 'make -j8', state: 'ended', outcome: 'exited', exitCode: 2, endedAt: started + 40_000 }),
				task('b4', { command: 'npm test', state: 'ended', outcome: 'exited', exitCode: 0, endedAt: started + 9_000 }),
				task('b5', { command: 'server &', state: 'left' }),
				task('b6', { command: 'npm run old', state: 'ended', outcome: 'lost' }),
			],
		},
		rows: [
			prompt('p', 'Start the server, then log in'),
			command('npm run dev -- --port 5173', { outcome: 'background', taskId: 'b1', output: 'ready' }, 'done'),
			text('t', 'The server runs. I log in now.'),
			command('ssh deploy@example.org', { waiting: true, output: 'deploy@example.org’s password: ' }, 'running'),
		],
		earlier: 0,
	},
};
