// The tools of the floors: as little as does the same work (files are really read and written, commands really run).
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';

const path = { file_path: { type: 'string' } };
export const tools = [
	{
		name: 'Read',
		description: 'Show a file.',
		input_schema: { type: /** @type {const} */ ('object'), properties: path },
	},
	{
		name: 'Write',
		description: 'Write a file.',
		input_schema: { type: /** @type {const} */ ('object'), properties: path },
	},
	{
		name: 'Bash',
		description: 'Run a command.',
		input_schema: { type: /** @type {const} */ ('object'), properties: {} },
	},
];

/**
 * The `tool_result` of a call.
 * @param {{ id: string, name: string, input: any }} call
 * @returns {Promise<{ type: 'tool_result', tool_use_id: string, content: { type: 'text', text: string }[] }>}
 */
export async function runTool({ id, name, input }) {
	const text =
		name === 'Read' ? await read(input.file_path) : name === 'Write' ? await write(input) : await bash(input);
	return { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: text || '(no output)' }] };
}

/** @param {string} file */
async function read(file) {
	const lines = (await readFile(file, 'utf8')).split('\n');
	return lines.map((line, index) => `${index + 1}\t${line}`).join('\n');
}

/** @param {{ file_path: string, content: string }} input */
async function write({ file_path: file, content }) {
	await writeFile(file, content);
	return 'Written.';
}

/** @param {{ command: string }} input @returns {Promise<string>} */
function bash({ command }) {
	return new Promise((resolve, reject) => {
		const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
		/** @type {Buffer[]} */
		const output = [];
		child.stdout.on('data', (chunk) => output.push(chunk));
		child.on('error', reject);
		child.on('close', () => resolve(Buffer.concat(output).toString('utf8')));
	});
}
