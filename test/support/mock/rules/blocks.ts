// Rules on single content blocks: which types may stand where, their fields, blank text, tool calls and results, images.
import {
	blocksOf,
	extraInputs,
	invalid,
	isObject,
	objects,
	type BlockMemo,
	type Json,
	type Violation,
} from './types.ts';

const MAX_IMAGE_BYTES = 5_242_880;
const ID_PATTERN = /^[a-zA-Z0-9_-]+$/;
const NAME_PATTERN = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME = 200;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const fields: Readonly<Record<string, readonly string[]>> = {
	text: ['text', 'cache_control', 'citations'],
	image: ['source', 'cache_control', 'transformations'],
	document: ['source', 'title', 'context', 'citations', 'cache_control'],
	search_result: ['source', 'title', 'content', 'citations', 'cache_control'],
	tool_reference: ['tool_name', 'cache_control'],
	tool_use: ['id', 'name', 'input', 'caller', 'toolset_name', 'cache_control'],
	tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
	thinking: ['thinking', 'signature'],
	redacted_thinking: ['data'],
};
const serverTypes = /^(server_tool_use|container_upload|mcp_.+|.+_tool_result|compaction|fallback)$/;
const assistantOnly = ['tool_use', 'thinking', 'redacted_thinking'];
const userOnly = ['tool_result', 'image', 'document', 'search_result'];
const resultTypes = ['text', 'image', 'document', 'search_result', 'tool_reference'];

/** Every block of every message, and the images of the request as a whole. */
export function* checkBlocks(value: unknown, window: number, memo?: BlockMemo): Generator<Violation> {
	let images = 0;
	for (const [index, message] of objects(value).entries()) {
		for (const [place, block] of blocksOf(message).entries()) {
			const role = String(message['role']);
			if (memo === undefined || memo.sound.get(block) !== role) {
				const broken = [...checkBlock(block, role, `messages.${index}.content.${place}`)];
				yield* broken;
				if (broken.length === 0) memo?.sound.set(block, role);
			}
			if (block['type'] === 'image') images++;
			else if (Array.isArray(block['content'])) images += block['content'].filter(isImage).length;
		}
		if (Array.isArray(message['content']) && message['content'].some((block) => !isObject(block))) {
			yield invalid(`messages.${index}.content: Input should be a valid dictionary`);
		}
	}
	const most = window <= 200_000 ? 100 : 600;
	if (images > most) yield invalid(`messages: a maximum of ${most} images may be provided. Found ${images}.`);
}

function isImage(value: unknown): boolean {
	return isObject(value) && value['type'] === 'image';
}

function* checkBlock(block: Json, role: string, path: string): Generator<Violation> {
	const type = String(block['type']);
	const known = fields[type];
	if (!known) {
		if (!serverTypes.test(type)) {
			yield invalid(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
		}
		return;
	}
	if (role === 'user' && assistantOnly.includes(type)) {
		yield invalid(`${path}: \`${type}\` blocks can only be in \`assistant\` messages`);
	}
	if (role === 'assistant' && userOnly.includes(type)) {
		yield invalid(`${path}: \`${type}\` blocks can only be in \`user\` messages`);
	}
	yield* extraInputs(block, ['type', ...known], `${path}.${type}`);
	if (type === 'text') yield* checkText(block, role, path);
	if (type === 'tool_use') yield* checkToolUse(block, `${path}.tool_use`);
	if (type === 'tool_result') yield* checkToolResult(block, path);
	if (type === 'image') yield* checkImage(block, path);
}

function* checkText(block: Json, role: string, path: string): Generator<Violation> {
	const { text } = block;
	if (typeof text !== 'string') yield invalid(`${path}.text.text: Input should be a valid string`);
	else if (text === '') yield invalid('messages: text content blocks must be non-empty');
	else if (text.trim() === '') yield invalid('messages: text content blocks must contain non-whitespace text');
	if (role === 'user' && block['citations'] !== undefined) {
		yield invalid(`${path}.text.citations: Extra inputs are not permitted`);
	}
}

function* checkId(id: unknown, path: string): Generator<Violation> {
	if (typeof id !== 'string') yield invalid(`${path}: Field required`);
	else if (!ID_PATTERN.test(id)) yield invalid(`${path}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
}

function* checkToolUse(block: Json, path: string): Generator<Violation> {
	yield* checkId(block['id'], `${path}.id`);
	const { name, input } = block;
	if (typeof name !== 'string' || name === '') yield invalid(`${path}.name: Field required`);
	else if (name.length > MAX_NAME) yield invalid(`${path}.name: String should have at most ${MAX_NAME} characters`);
	else if (!NAME_PATTERN.test(name))
		yield invalid(`${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
	if (!isObject(input)) yield invalid(`${path}.input: Input should be a valid dictionary`);
}

function* checkToolResult(block: Json, path: string): Generator<Violation> {
	yield* checkId(block['tool_use_id'], `${path}.tool_result.tool_use_id`);
	const { content, is_error: isError } = block;
	if (isError !== undefined && typeof isError !== 'boolean') {
		yield invalid(`${path}.tool_result.is_error: Input should be a valid boolean`);
	}
	if (content === undefined || typeof content === 'string') return;
	if (!Array.isArray(content)) return void (yield invalid(`${path}.tool_result.content: Input should be a valid list`));
	for (const [place, inner] of content.entries()) {
		const innerPath = `${path}.tool_result.content.${place}`;
		if (!isObject(inner) || !resultTypes.includes(String(inner['type']))) {
			yield invalid(
				`${innerPath}: Input tag found using 'type' does not match any of the expected tags: ${resultTypes.join(', ')}`,
			);
			continue;
		}
		yield* checkBlock(inner, 'user', innerPath);
		if (isError === true && inner['type'] !== 'text') {
			yield invalid(`${path}: all content must be type "text" if \`is_error\` is true`);
		}
	}
}

function* checkImage(block: Json, path: string): Generator<Violation> {
	const { source } = block;
	if (!isObject(source)) return void (yield invalid(`${path}.image.source: Field required`));
	if (source['type'] === 'url' || source['type'] === 'file') return;
	const { data, media_type: mediaType } = source;
	if (source['type'] !== 'base64' || typeof data !== 'string') {
		return void (yield invalid(`${path}.image.source: Input should be 'base64', 'url' or 'file'`));
	}
	if (!IMAGE_TYPES.includes(String(mediaType))) {
		yield invalid(
			`${path}.image.source.base64.media_type: Input should be ${IMAGE_TYPES.map((t) => `'${t}'`).join(', ')}`,
		);
	}
	const bytes = data.length;
	if (bytes > MAX_IMAGE_BYTES) {
		yield invalid(`${path}.image.source.base64: image exceeds 5 MB maximum: ${bytes} bytes > ${MAX_IMAGE_BYTES} bytes`);
	}
	yield* checkImageBytes(data, String(mediaType), path);
}

function* checkImageBytes(data: string, mediaType: string, path: string): Generator<Violation> {
	if (data === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return void (yield invalid('Could not process image'));
	const head = Buffer.from(data.slice(0, 24), 'base64').toString('latin1');
	const actual = head.startsWith('\x89PNG')
		? 'image/png'
		: head.startsWith('\xff\xd8')
			? 'image/jpeg'
			: head.startsWith('GIF8')
				? 'image/gif'
				: head.startsWith('RIFF')
					? 'image/webp'
					: undefined;
	if (!actual) return void (yield invalid('Could not process image'));
	if (actual !== mediaType) {
		yield invalid(
			`${path}.image.source.base64: The image was specified using the ${mediaType} media type, but the image appears to be a ${actual} image`,
		);
	}
}
