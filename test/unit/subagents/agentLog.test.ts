// The log of a subagent's card: what waits for the person is told at once, as nothing else happens until they answer.
import assert from 'node:assert/strict';
import { AgentLog } from '../../../src/core/subagents/agentLog.ts';

suite('the log of a subagent', () => {
	test('tells when a call waits, and when it does not any more', () => {
		const log = new AgentLog(undefined);
		log.note({ type: 'tool_queued', toolUseId: 't1', tool: 'Bash', summary: 'make' }, 1);
		const states: string[] = [];
		log.onWaits(() => {
			const [row] = log.view().log;
			states.push(row?.kind === 'tool' ? row.state : '');
		});
		log.waits('t1', true);
		log.waits('t1', false);
		assert.deepEqual(states, ['waiting', 'queued']);
	});
});
