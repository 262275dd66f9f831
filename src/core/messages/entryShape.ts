// Whether an entry has the fields that its type promises. A transcript may be damaged in a way that is still JSON, or be written by
// a later version: what has not the shape that this version reads is no entry for it. Kinds that it does not know are not judged.
import { permissionModes } from '../../shared/permission.ts';
import type { Entry } from './journal.ts';
import type { ProjectionChange } from './projection.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: Fields) => boolean;

/** True for a known type with all that is read of it, and for every unknown type. */
export function hasShape(entry: Fields & { readonly type: string }): boolean {
	const check = Object.hasOwn(shapes, entry.type) ? shapes[entry.type as Entry['type']] : undefined;
	return check?.(entry) ?? true;
}

const shapes: Readonly<Record<Entry['type'], Check>> = {
	session: (entry) => texts(entry, 'sessionId', 'cwd') && isNumber(entry['version']),
	user: ({ message }) => isUserMessage(message),
	request: (entry) => texts(entry, 'model'),
	block: (entry) => texts(entry, 'messageId', 'model') && isNumber(entry['index']) && isAssistantBlock(entry['block']),
	answer: (entry) =>
		texts(entry, 'messageId') &&
		(entry['stopReason'] === null || isText(entry['stopReason'])) &&
		(entry['apiId'] === undefined || isText(entry['apiId'])) &&
		typeof entry['complete'] === 'boolean' &&
		isSpent(entry),
	side_call: (entry) => texts(entry, 'model') && isSpent(entry),
	tools_labelled: (entry) => texts(entry, 'label') && isTexts(entry['toolUseIds']),
	tombstone: (entry) => texts(entry, 'messageId'),
	permission: (entry) => texts(entry, 'requestId', 'toolUseId'),
	tool_start: (entry) => texts(entry, 'toolUseId', 'name') && isFields(entry['input']),
	tool_result: (entry) =>
		texts(entry, 'toolUseId', 'state') &&
		isResult(entry['result']) &&
		isFields(entry['view']) &&
		isText(entry['view']['kind']) &&
		(entry['view']['kind'] !== 'todos' || Array.isArray(entry['view']['todos'])) &&
		(entry['files'] === undefined || isList(entry['files'], (file) => texts(file, 'path', 'hash'))),
	projection: ({ change }) => isFields(change) && isChange(change),
	mode: ({ mode }) => permissionModes.some((known) => known === mode),
	model: (entry) => texts(entry, 'model'),
	exchange_end: (entry) => texts(entry, 'reason') && (entry['spent'] === undefined || isSpent(entry['spent'])),
	queued: (entry) =>
		texts(entry, 'id', 'text') &&
		(entry['attachments'] === undefined || isList(entry['attachments'], ({ kind }) => isText(kind))),
	unqueued: (entry) => texts(entry, 'id'),
	queue_ordered: (entry) => isTexts(entry['ids']),
	rewound: (entry) => texts(entry, 'to'),
	rewind_undone: () => true,
	switched: (entry) => texts(entry, 'to'),
};

const changes: Readonly<Record<ProjectionChange['kind'], Check>> = {
	compacted: (change) => texts(change, 'upTo') && isList(change['summary'], isUserMessage),
	collapsed: (change) => texts(change, 'from', 'to', 'summary'),
	snipped: (change) => isTexts(change['messageIds']),
	results_cleared: (change) => isTexts(change['toolUseIds']),
	results_stored: (change) => isList(change['results'], (result) => texts(result, 'toolUseId', 'replacement')),
	results_kept: (change) => isTexts(change['toolUseIds']),
	thinking_dropped: (change) => texts(change, 'upTo'),
	media_dropped: (change) => texts(change, 'upTo'),
	media_limited: (change) => isList(change['media'], (place) => texts(place, 'messageId') && isNumber(place['block'])),
	media_refused: (change) => isList(change['media'], (place) => texts(place, 'messageId') && isNumber(place['block'])),
};

/** Unlike an unknown entry, an unknown change is of no use: it would have to be followed. It is left out in `planOf`. */
function isChange(change: Fields): boolean {
	const { kind } = change;
	if (!isText(kind) || !isText(change['at'])) return false;
	return Object.hasOwn(changes, kind) ? changes[kind as ProjectionChange['kind']](change) : true;
}

function isUserMessage(value: unknown): boolean {
	if (!isFields(value) || value['role'] !== 'user' || !texts(value, 'id', 'origin')) return false;
	if (value['attachments'] !== undefined && !isList(value['attachments'], ({ kind }) => isText(kind))) return false;
	return isList(value['content'], (block) => {
		if (block['type'] === 'document') return isFields(block['source']) && isNumber(block['pages']);
		return block['type'] === 'tool_result' ? isResult(block) : isContent(block);
	});
}

function isResult(value: unknown): value is Fields {
	return isFields(value) && texts(value, 'tool_use_id') && isList(value['content'], isContent);
}

function isContent(block: Fields): boolean {
	if (block['type'] === 'text') return isText(block['text']);
	if (block['type'] === 'document') return isFields(block['source']) && isNumber(block['pages']);
	return block['type'] === 'image' && isFields(block['source']);
}

function isAssistantBlock(block: unknown): boolean {
	if (!isFields(block)) return false;
	switch (block['type']) {
		case 'text':
			return isText(block['text']);
		case 'thinking':
			return isText(block['thinking']) && (block['signature'] === undefined || isText(block['signature']));
		case 'redacted_thinking':
			return isText(block['data']);
		case 'tool_use':
			return texts(block, 'id', 'name') && isFields(block['input']);
		case 'opaque':
			return isFields(block['value']);
		default:
			return false;
	}
}

function isSpent(value: unknown): boolean {
	if (!isFields(value) || !isFields(value['usage'])) return false;
	const { costUsd } = value;
	const usage: Fields = value['usage'];
	const counts = ['inputTokens', 'cacheCreationTokens', 'cacheReadTokens', 'outputTokens'];
	return (costUsd === null || isNumber(costUsd)) && counts.every((name) => isNumber(usage[name]));
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown, check: Check): boolean {
	return Array.isArray(value) && value.every((item) => isFields(item) && check(item));
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number';
}

function isTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every(isText);
}

function texts(fields: Fields, ...names: readonly string[]): boolean {
	return names.every((name) => isText(fields[name]));
}
