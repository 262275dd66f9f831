// Scenes of what goes wrong and mostly comes right again: ends, notices, compactions, waits.
import type { Scene } from './sceneParts.ts';
import { stateScenes } from './stateScenes.ts';
import { base, error, prompt, text } from './sceneParts.ts';

const summary = `## Intent
The login module is to lock accounts after **five** failures.

- \`src/auth/login.ts\` is read and changed
- the tests are still missing`;

export const recoveryScenes: Readonly<Record<string, Scene>> = {
	...stateScenes,
	ends: {
		state: {
			...base,
			suggestion: 'Run the tests and fix what fails',
			queued: [{ id: 'q', text: 'And then write the tests, please, for each of the five failures' }],
		},
		rows: [
			prompt('p', 'Check the login module'),
			error('blocking_limit', {}, 'The context is full.', ['compact', 'open_settings']),
			error('rapid_refill_breaker', {}, '', ['retry', 'open_settings']),
			error('malformed_tool_use_exhausted', {}, '', ['retry']),
			{ kind: 'notice', id: 'n1', code: 'budget_exhausted', args: {} },
			{ kind: 'notice', id: 'n2', code: 'stop_hook_prevented', args: {} },
			{ kind: 'notice', id: 'n3', code: 'compact_failed', args: {} },
		],
		earlier: 0,
	},
	recovery: {
		state: {
			...base,
			status: 'waiting',
			wait: { id: 'w', delayMs: 5_400_000 },
			retry: { code: 'rate_limited', args: { host: 'api.anthropic.com' }, attempt: 3 },
		},
		rows: [
			prompt('p', 'Check the login module'),
			{
				kind: 'notice',
				id: 'n1',
				code: 'model_fallback',
				args: { from: 'Claude Opus 5', to: 'Claude Sonnet 5' },
			},
			text('t', summary),
			{ kind: 'compacted', id: 'c', before: 182_400, after: 23_900, summary },
			{ kind: 'compacted', id: 'c2', before: 90_000, after: 80_000, summary: '' },
		],
		earlier: 0,
	},
};
