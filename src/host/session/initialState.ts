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
		canContinue: false,
		...windowState(deps),
	};
}

type WindowFacts = Pick<ControllerDeps, 'modelStatus' | 'folder' | 'rights' | 'composer'>;

/** What settings, keys, folders and the active editor say at this moment. */
export function windowState(deps: WindowFacts) {
	return { ...deps.modelStatus(), folder: deps.folder(), ...deps.rights(), ...deps.composer() };
}
