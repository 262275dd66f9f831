// What the panel shows before anything is known of a conversation, or only the end of its transcript. Pure.
import type { StoredEntry } from '../../core/messages/journal.ts';
import { resumedMode, totals } from '../../core/session/resume.ts';
import type { ViewState } from '../../shared/view.ts';
import type { ControllerDeps } from './controllerDeps.ts';
import { tokenSums } from './stateChanges.ts';

export function initialState(deps: WindowFacts): ViewState {
	return {
		status: 'ready',
		sessionId: '',
		mode: 'default',
		queued: [],
		todos: [],
		tasks: [],
		requests: [],
		retry: null,
		wait: null,
		suggestion: null,
		contextTokens: 0,
		costUsd: 0,
		usage: { input: 0, output: 0 },
		rateLimit: null,
		canContinue: false,
		wentBack: false,
		...windowState(deps),
	};
}

export type WindowFacts = Pick<
	ControllerDeps,
	'modelStatus' | 'folder' | 'folders' | 'others' | 'rights' | 'composer' | 'updatedTo'
>;

/** Of a large session, before it is open: what its newest page says of it. Each exchange ends with the sums of the whole session. */
export function earlyState(sessionId: string, page: readonly StoredEntry[]): Partial<ViewState> {
	const { usage, costUsd } = totals(page);
	const mode = page.findLast((entry) => entry.type === 'mode')?.mode;
	const known = mode === undefined ? {} : { mode: resumedMode({ mode }, 'default') };
	return { sessionId, usage: tokenSums(usage), costUsd, ...known };
}

/** What settings, keys, folders and the active editor say at this moment. */
export function windowState(deps: WindowFacts) {
	const { folder, folders, others, updatedTo } = deps;
	const place = { folder: folder(), folders: folders(), others: others() };
	return { ...deps.modelStatus(), ...place, updatedTo: updatedTo(), ...deps.rights(), ...deps.composer() };
}
