// An exchange to the letter, for golden tests: every event in order, and every request as it was sent.
import type { LoopEvent } from '../../src/core/loop/events.ts';
import type { ExchangeRecord } from './exchange.ts';
import type { MockRequest } from './mockServer.ts';
import { messagesOf } from './mockServer.ts';

/** Every event in one line; deltas of a block that follow each other count as one, transitions and ends with their reasons. */
export function wholeStory({ events }: Pick<ExchangeRecord, 'events'>): string {
	const words = events.map(word);
	return words.filter((text, index) => text !== '~' || words[index - 1] !== '~').join(' ');
}

function word(event: LoopEvent): string {
	switch (event.type) {
		case 'turn_start':
			return `${event.turn}:${event.model.replace('claude-', '')}`;
		case 'block_start':
			return `<${event.block}`;
		case 'block_delta':
			return '~';
		case 'block_end':
			return event.block ? '>' : '>cut';
		case 'transition': {
			const { reason, ...rest } = event.transition;
			const [detail] = Object.values(rest);
			return detail === undefined ? `⟳${reason}` : `⟳${reason}(${detail})`;
		}
		case 'tool_queued':
		case 'tool_start':
		case 'tool_progress':
			return `${event.type}(${event.toolUseId})`;
		case 'tool_end':
			return `tool_end(${event.toolUseId} ${event.state})`;
		case 'projection_changed':
			return `changed(${event.change.kind})`;
		case 'context_prepared':
			return `prepared(${event.reports.map(({ stage }) => stage).join()})`;
		case 'model_error':
			return `model_error(${event.failure.kind})`;
		case 'exchange_end':
			return `■${event.terminal.reason}`;
		default:
			return event.type;
	}
}

/**
 * Each request in one line: model and output cap, then its messages. `=`: the very messages of the request before; `+`: those
 * and more, and only what is new is shown; without a sign: other ones, all of them shown.
 */
export function sentLines({ requests }: Pick<ExchangeRecord, 'requests'>): readonly string[] {
	return requests.map((request, index) => {
		const head = `${String(request.body['model']).replace('claude-', '')} ${String(request.body['max_tokens'])}`;
		const [before, now] = [index > 0 ? blocksOf(requests[index - 1]) : [], blocksOf(request)];
		const same = before.every((block, at) => block === now[at]);
		if (index === 0 || !same) return `${head} ${now.map(short).join(' ')}`;
		return now.length === before.length ? `${head} =` : `${head} + ${now.slice(before.length).map(short).join(' ')}`;
	});
}

/** Role and block, cache marks left out. */
function blocksOf(request: MockRequest | undefined): readonly string[] {
	if (!request) return [];
	return messagesOf(request).flatMap(({ role, content }) =>
		content.map(({ cache_control: _mark, ...block }) => JSON.stringify([role, block])),
	);
}

interface SentBlock {
	readonly type: string;
	readonly text?: string;
	readonly thinking?: string;
	readonly content?: readonly { readonly text?: string }[];
	readonly id?: string;
	readonly tool_use_id?: string;
	readonly is_error?: boolean;
}

function short(json: string): string {
	const [role, block] = JSON.parse(json) as [string, SentBlock];
	const result = (block.content ?? []).map((part) => part.text ?? '(image)').join();
	const text = block.text ?? block.thinking ?? result;
	const id = block.tool_use_id ?? block.id;
	const words = text.length > 44 ? `${text.slice(0, 44)}…` : text;
	const what = `${block.type.replace('tool_', '')}${id === undefined ? '' : ` ${id}`}${block.is_error ? '!' : ''}`;
	return `${role === 'user' ? 'U' : 'A'}:${what}${words === '' ? '' : `«${words}»`}`;
}
