// Transcripts for measuring, as large as wished for.
import { open } from 'node:fs/promises';

/**
 * A long conversation with a compaction each few megabytes. Gives its bytes.
 * @param {string} file @param {number} megabytes @param {string} [cwd]
 */
export async function writeLarge(file, megabytes, cwd) {
	const handle = await open(file, 'w');
	let size = 0;
	for (let part = 0; size < megabytes * 2 ** 20; part++) {
		const some = sessionLines(`part${part}`, 400, { resultChars: 6000, cwd });
		const change = {
			kind: 'compacted',
			at: `part${part}-u399`,
			upTo: `part${part}-u390`,
			summary: [],
			trigger: 'auto',
			before: 9,
			after: 1,
		};
		const text = some.join('') + `${JSON.stringify({ time: 1, type: 'projection', change })}\n`;
		size += Buffer.byteLength(text);
		await handle.write(text);
	}
	await handle.close();
	return size;
}

/** @param {string} id @param {number} exchanges @param {{ resultChars?: number, cwd?: string | undefined }} [options] */
export function sessionLines(id, exchanges, { resultChars = 300, cwd = '/w' } = {}) {
	const usage = { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 };
	/** @type {object[]} */
	const entries = [{ type: 'session', version: 1, sessionId: id, cwd, app: '0' }];
	for (let index = 0; index < exchanges; index++) {
		const [messageId, toolUseId] = [`${id}-a${index}`, `${id}-t${index}`];
		const content = [{ type: 'text', text: `prompt ${index}` }];
		const result = [{ type: 'text', text: 'const value = compute(input);\n'.repeat(resultChars / 30) }];
		entries.push(
			{ type: 'user', message: { role: 'user', id: `${id}-u${index}`, origin: 'prompt', content, time: 1 } },
			{ type: 'request', turn: 1, model: 'm', messageCount: 1 },
			{
				type: 'block',
				messageId,
				index: 0,
				model: 'm',
				block: { type: 'tool_use', id: toolUseId, name: 'Read', input: {} },
			},
			{ type: 'answer', messageId, stopReason: 'tool_use', usage, complete: true, costUsd: 0.01 },
			{ type: 'tool_start', toolUseId, name: 'Read', input: {} },
			{
				type: 'tool_result',
				toolUseId,
				result: { type: 'tool_result', tool_use_id: toolUseId, content: result },
				state: 'done',
				view: { kind: 'none' },
			},
			{ type: 'exchange_end', reason: 'completed', spent: { usage, costUsd: index } },
		);
	}
	return entries.map((entry) => `${JSON.stringify({ time: 1, ...entry })}\n`);
}
