// The floor with the SDK: a loop over its raw events, calls started as their blocks close, nothing else.
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages';
import { runTool, tools } from './floorTools.mjs';

const [url = '', prompt = ''] = process.argv.slice(2);
const api = new Messages(new BaseAnthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 }));
/** @type {import('@anthropic-ai/sdk/resources/messages/messages').MessageParam[]} */
const messages = [{ role: 'user', content: prompt }];

for (;;) {
	const stream = await api.create({ model: 'claude-sonnet-5-5', max_tokens: 32_000, stream: true, tools, messages });
	/** @type {any[]} */
	const blocks = [];
	/** @type {ReturnType<typeof runTool>[]} */
	const running = [];
	for await (const event of stream) {
		if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block, parts: [] };
		else if (event.type === 'content_block_delta') {
			const { delta } = event;
			blocks[event.index].parts.push('text' in delta ? delta.text : 'partial_json' in delta ? delta.partial_json : '');
		} else if (event.type === 'content_block_stop') {
			const { parts, ...block } = blocks[event.index];
			if (block.type === 'text') block.text = parts.join('');
			else block.input = JSON.parse(parts.join(''));
			blocks[event.index] = block;
			if (block.type === 'tool_use') running.push(runTool(block));
		}
	}
	process.stdout.write(`${JSON.stringify(blocks)}\n`);
	messages.push({ role: 'assistant', content: blocks });
	if (running.length === 0) break;
	messages.push({ role: 'user', content: await Promise.all(running) });
}
process.stdout.write('', () => process.exit());
