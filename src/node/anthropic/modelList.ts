// The list of models as servers give it: the Models API's shape, or OpenAI's, which has ids only (anthropic-api 6.7, 9).
import type { RemoteModel } from '../../core/model/client.ts';

/** The models of a list that can be used; undefined when it is no list. Retired ones are left out. */
export function remoteModels(body: unknown): readonly RemoteModel[] | undefined {
	const list = Array.isArray(body) ? body : isObject(body) ? (body['data'] ?? body['models']) : undefined;
	if (!Array.isArray(list)) return undefined;
	const models = list.flatMap((entry: unknown) => {
		if (!isObject(entry) || entry['lifecycle'] === 'retired') return [];
		const id = entry['id'] ?? entry['name'];
		if (typeof id !== 'string' || id === '') return [];
		const name = entry['display_name'];
		return [
			{
				id,
				displayName: typeof name === 'string' && name !== '' ? name : id,
				maxInputTokens: count(entry['max_input_tokens']),
				maxTokens: count(entry['max_tokens']),
			},
		];
	});
	const seen = new Set<string>();
	return models.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function count(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
