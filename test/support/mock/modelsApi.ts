// A model as `GET /v1/models` describes it.
import type { MockModel } from './rules/models.ts';

/** The entry of one model: limits, lifecycle and capabilities; no prices, as the API gives none. */
export function describeModel(model: MockModel): Record<string, unknown> {
	const supported = (yes: boolean) => ({ supported: yes });
	const line = /claude-([a-z]+)/.exec(model.id)?.[1];
	return {
		type: 'model',
		id: model.id,
		display_name: model.displayName,
		created_at: '2026-09-22T00:00:00Z',
		lifecycle: 'active',
		deprecated_at: null,
		retires_at: null,
		line: line ?? null,
		max_input_tokens: model.window,
		max_tokens: model.maxOutput,
		capabilities: {
			effort: supported(model.effort),
			image_input: supported(true),
			thinking: {
				supported: true,
				types: Object.fromEntries(model.thinking.map((type) => [type, supported(true)])),
			},
		},
	};
}
