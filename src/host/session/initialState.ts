// What the panel shows before anything is known of a conversation. Pure.
import type { ViewState } from '../../shared/view.ts';
import type { ControllerDeps } from './controllerDeps.ts';

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
		...windowState(deps),
	};
}

export type WindowFacts = Pick<
	ControllerDeps,
	'modelStatus' | 'folder' | 'folders' | 'others' | 'rights' | 'composer' | 'updatedTo'
>;

/** What settings, keys, folders and the active editor say at this moment. */
export function windowState(deps: WindowFacts) {
	const { folder, folders, others, updatedTo } = deps;
	const place = { folder: folder(), folders: folders(), others: others() };
	return { ...deps.modelStatus(), ...place, updatedTo: updatedTo(), ...deps.rights(), ...deps.composer() };
}
