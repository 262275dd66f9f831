// Phase 1: the projection of the conversation that is sent for one turn.
import { limits } from '../limits.ts';
import { toRequestMessages } from '../messages/toRequest.ts';
import type { ModelRequest } from '../model/client.ts';
import { toolDefinitions } from '../tools/registry.ts';
import type { QueryParams } from './params.ts';
import type { State } from './state.ts';

export function prepareContext(state: State, params: QueryParams): ModelRequest {
	const { model, facts, maxOutputTokens, thinking } = params.settings();
	const cap = state.maxOutputTokensOverride ?? maxOutputTokens ?? limits.defaultMaxOutputTokens;
	return {
		model,
		system: params.system,
		messages: toRequestMessages(state.messages),
		tools: toolDefinitions(params.tools),
		maxTokens: Math.min(cap, facts.maxOutputTokens),
		thinking,
	};
}
