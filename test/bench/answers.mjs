// What the bench's model answers. A part is a list of events to send at once, or a number of milliseconds to wait.
import path from 'node:path';

export const readTurns = 20;
export const longTurns = 100;
export const readsAtOnce = 10;
/** Characters. */
export const inputSize = 100_000;
export const deltaSize = 40;
/** Megabytes of text that the streaming scenario sends (with its events about four times as much). */
export const streamedMegabytes = 2;

/** @typedef {number | readonly string[]} Part */
/** @typedef {{ readonly name: string, readonly input: object }} Call */

const event = (/** @type {{ readonly type: string } & Readonly<Record<string, unknown>>} */ data) =>
	`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const words = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. ';

/**
 * The events of the answer to request `index` of a scenario; the last answer asks for no tool.
 * @param {string} scenario @param {number} index @param {{ folder: string, promptBytes: number }} about @returns {Iterable<Part>}
 */
export function answerFor(scenario, index, { folder, promptBytes }) {
	const file = (/** @type {string} */ name) => path.join(folder, name);
	const read = (/** @type {string} */ name) => ({ name: 'Read', input: { file_path: file(name) } });
	const begin = start(index, promptBytes);
	const done = [[begin, ...text(0, 'Done.'), ...end('end_turn')]];
	const toolTurn = (/** @type {readonly Call[]} */ calls) => [
		[begin, ...calls.flatMap((call, at) => tool(at, index, call)), ...end('tool_use')],
	];
	switch (scenario) {
		case 'start':
			return done;
		case 'reads':
			return index < readTurns ? toolTurn([read(`small${index % 10}.txt`)]) : done;
		case 'long':
			return index < longTurns ? toolTurn([read(`large${index % 10}.txt`)]) : done;
		case 'tenReads':
			return index === 0 ? toolTurn(Array.from({ length: readsAtOnce }, (_, at) => read(`small${at}.txt`))) : done;
		case 'command': {
			const call = tool(0, index, { name: 'Bash', input: { command: 'sleep 1', description: 'Waits' } });
			return index === 0 ? [[begin, ...call], ...slowText(1, 2000), end('tool_use')] : done;
		}
		case 'stream':
			return [[begin, blockStart(0, { type: 'text', text: '' })], ...bulk(), [blockStop(0), ...end('end_turn')]];
		case 'input': {
			const content = words.repeat(Math.ceil(inputSize / words.length)).slice(0, inputSize);
			return index === 0 ? toolTurn([{ name: 'Write', input: { file_path: file('written.txt'), content } }]) : done;
		}
		default:
			throw new Error(`There is no scenario ${scenario}.`);
	}
}

/** About 4 bytes of request are a token. @param {number} index @param {number} promptBytes */
function start(index, promptBytes) {
	const usage = { input_tokens: Math.ceil(promptBytes / 4), output_tokens: 1 };
	const message = { id: `msg_${index}`, type: 'message', role: 'assistant', model: 'claude-sonnet-5-5', content: [] };
	return event({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } });
}

/** @param {string} reason */
function end(reason) {
	const delta = { stop_reason: reason, stop_sequence: null };
	return [event({ type: 'message_delta', delta, usage: { output_tokens: 50 } }), event({ type: 'message_stop' })];
}

const blockStart = (/** @type {number} */ index, /** @type {object} */ content_block) =>
	event({ type: 'content_block_start', index, content_block });
const blockDelta = (/** @type {number} */ index, /** @type {object} */ delta) =>
	event({ type: 'content_block_delta', index, delta });
const blockStop = (/** @type {number} */ index) => event({ type: 'content_block_stop', index });

/** @param {number} index @param {string} whole */
function text(index, whole) {
	return [
		blockStart(index, { type: 'text', text: '' }),
		...pieces(whole).map((piece) => blockDelta(index, { type: 'text_delta', text: piece })),
		blockStop(index),
	];
}

/** @param {number} index @param {number} turn @param {Call} call */
function tool(index, turn, { name, input }) {
	return [
		blockStart(index, { type: 'tool_use', id: `toolu_${turn}_${index}`, name, input: {} }),
		...pieces(JSON.stringify(input)).map((piece) =>
			blockDelta(index, { type: 'input_json_delta', partial_json: piece }),
		),
		blockStop(index),
	];
}

/** @param {string} whole */
function pieces(whole) {
	/** @type {string[]} */
	const found = [];
	for (let at = 0; at < whole.length; at += deltaSize) found.push(whole.slice(at, at + deltaSize));
	return found;
}

/** Text in 40 deltas spread over some milliseconds. @param {number} index @param {number} ms @returns {Part[]} */
function slowText(index, ms) {
	const steps = 40;
	const delta = blockDelta(index, { type: 'text_delta', text: words.slice(0, deltaSize) });
	const parts = Array.from({ length: steps }, () => [ms / steps, [delta]]).flat();
	return [[blockStart(index, { type: 'text', text: '' })], ...parts, [blockStop(index)]];
}

function* bulk() {
	const delta = blockDelta(0, { type: 'text_delta', text: words.slice(0, deltaSize) });
	const batch = Array.from({ length: 100 }, () => delta);
	const batches = (streamedMegabytes * 1_000_000) / (deltaSize * batch.length);
	for (let sent = 0; sent < batches; sent++) yield batch;
}
