// A command in the background in a few words. Pure.
import { t } from '@vscode/l10n';
import type { TaskView } from '../../../src/shared/view.ts';

/** Its state; of an ended one, how it ended. */
export function taskWords({ state, outcome, exitCode }: TaskView): string {
	switch (state) {
		case 'running':
			return t('running');
		case 'waiting':
			return t('waits for your input');
		case 'left':
			return t('left running');
		case 'ended':
			return endWords(outcome, exitCode);
	}
}

function endWords(outcome: TaskView['outcome'], exitCode: number | undefined): string {
	switch (outcome) {
		case 'exited':
			return exitCode === 0 ? t('succeeded') : t('failed ({0})', String(exitCode ?? '?'));
		case 'killed_by_signal':
			return t('killed');
		case 'timed_out':
			return t('timed out');
		case 'not_started':
			return t('did not start');
		case 'lost':
			return t('ended with the window');
		case 'stopped':
			return t('stopped');
		case undefined:
			return t('ended');
	}
}

export function taskFailed({ state, outcome, exitCode }: TaskView): boolean {
	if (state !== 'ended') return false;
	return outcome === 'exited' ? exitCode !== 0 : outcome !== 'stopped' && outcome !== 'lost';
}
