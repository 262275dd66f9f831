// The floor without the SDK: node:http, one connection, each message serialised once.
import { Agent, request } from 'node:http';
import { runTool, tools } from './floorTools.mjs';

const [url = '', prompt = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const head = `{"model":"claude-sonnet-5-5","max_tokens":32000,"stream":true,"tools":${JSON.stringify(tools)},"messages":[`;
const messages = [JSON.stringify({ role: 'user', content: prompt })];

for (;;) {
	/** @type {any[]} */
	const blocks = [];
	/** @type {ReturnType<typeof runTool>[]} */
	const running = [];
	for await (const event of events(await post(`${head}${messages.join(',')}]}`))) {
		if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, parts: [] };
		else if (event.type === 'content_block_delta') {
			blocks[event.index].parts.push(event.delta.text ?? event.delta.partial_json);
		} else if (event.type === 'content_block_stop') {
			const { parts, ...block } = blocks[event.index];
			if (block.type === 'text') block.text = parts.join('');
			else block.input = JSON.parse(parts.join(''));
			blocks[event.index] = block;
			if (block.type === 'tool_use') running.push(runTool(block));
		}
	}
	const answer = JSON.stringify(blocks);
	process.stdout.write(`${answer}\n`);
	messages.push(`{"role":"assistant","content":${answer}}`);
	if (running.length === 0) break;
	messages.push(JSON.stringify({ role: 'user', content: await Promise.all(running) }));
}
process.stdout.write('', () => process.exit());

/** @param {string} body @returns {Promise<import('node:http').IncomingMessage>} */
function post(body) {
	return new Promise((resolve, reject) => {
		const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
		request(`${url}/v1/messages`, { agent, method: 'POST', headers }, resolve).on('error', reject).end(body);
	});
}

/** @param {import('node:http').IncomingMessage} response */
async function* events(response) {
	let rest = '';
	for await (const chunk of response.setEncoding('utf8')) {
		const records = (rest + chunk).split('\n\n');
		rest = records.pop() ?? '';
		for (const record of records) yield JSON.parse(record.slice(record.indexOf('\ndata: ') + 7));
	}
}
