// What the service can read from its cache (loop.md 5 and 11): between projection boundaries each request begins with the whole
// request before it, byte for byte; marks aside, of which there are four at most, and one stays where the last request ended.
import assert from 'node:assert/strict';
import type { LoopEvent } from '../../../src/core/loop/events.ts';
import { startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockRequest, MockServer, Step } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, text, thinking, toolUse, turn } from '../../support/mockServer.ts';

/** Blocks before a mark in which the service looks for an earlier one (anthropic-api 5). */
const lookBack = 20;

type Block = Readonly<Record<string, unknown>>;

/** The blocks of tools, system and messages in the order of the prefix, each with its role; marks taken out. */
function blocksOf({ body }: MockRequest): readonly { text: string; marked: boolean }[] {
	const fixed = [...(body['tools'] as Block[]), ...(body['system'] as Block[])].map((block) => ['', block] as const);
	const said = (body['messages'] as { role: string; content: Block[] }[]).flatMap(({ role, content }) =>
		content.map((block) => [role, block] as const),
	);
	return [...fixed, ...said].map(([role, { cache_control: mark, ...block }]) => ({
		text: `${role} ${JSON.stringify(block)}`,
		marked: mark !== undefined,
	}));
}

function marksOf(request: MockRequest): readonly number[] {
	return blocksOf(request).flatMap(({ marked }, index) => (marked ? [index] : []));
}

/** What else decides over the cache. */
function settingsOf({ body }: MockRequest): string {
	const { messages: _messages, tools: _tools, system: _system, max_tokens: _max, ...rest } = body;
	return JSON.stringify(rest);
}

function assertExtends(before: MockRequest, after: MockRequest, which: string): void {
	assert.equal(settingsOf(after), settingsOf(before), which);
	const [old, now] = [before, after].map((request) => blocksOf(request).map((block) => block.text));
	assert.ok(old && now && now.length >= old.length, which);
	const differs = old.findIndex((block, index) => block !== now[index]);
	assert.equal(differs, -1, `${which}: block ${differs} is\n${now[differs]}\nand was\n${old[differs]}`);
}

/** The place where the last request was written to the cache is found from one of the marks of the next. */
function assertFound(before: MockRequest, after: MockRequest, which: string): void {
	const written = marksOf(before).at(-1) ?? assert.fail(which);
	const found = marksOf(after).some((mark) => mark >= written && mark - written < lookBack);
	assert.ok(found, `${which}: written at ${written}, marks at ${marksOf(after).join()}`);
}

const look = fakeTool({
	name: 'Look',
	safe: true,
	run: ({ id }) => Promise.resolve(said(id.startsWith('blank') ? '' : `saw ${id} `.repeat(20))),
});

/** A turn as wide as its number says, with everything that answers are made of. */
function turnOf(index: number): Step {
	const calls = index % 10 === 7 ? 18 : (index % 3) + 1;
	return turn(
		...(index % 4 === 0 ? [thinking(`thought ${index}`)] : []),
		...(index % 5 === 0 ? [text('\n\n')] : [text(`turn ${index}`)]),
		...Array.from({ length: calls }, (_, call) =>
			toolUse('Look', { id: call === 0 && index % 6 === 0 ? 'blank' : `${index}-${call}` }),
		),
	);
}

suite('prompt cache', function () {
	this.timeout(60_000);
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());

	/** Runs exchanges until so many requests were made; returns for each boundary the number of requests before it. */
	async function run(settings: Parameters<typeof startConversation>[0]['settings'], turns: number): Promise<number[]> {
		const count = { made: 0 };
		server.setScript(({ body }) => {
			const isSummary = JSON.stringify(body['tool_choice'] ?? null).includes('none') || body['tools'] === undefined;
			if (isSummary) return answer('A summary of what was said.');
			count.made++;
			return count.made % 25 === 0 ? answer(`Done with ${count.made}.`) : turnOf(count.made);
		});
		const { conversation } = startConversation({
			url: server.url,
			tools: [look],
			...(settings ? { settings } : {}),
			ports: {
				attachmentSources: [({ turn: number }) => Promise.resolve(number % 9 === 0 ? [`note of turn ${number}`] : [])],
			},
		});
		const boundaries: number[] = [];
		const note = (event: LoopEvent) => {
			if (event.type === 'projection_changed' && event.change.kind !== 'results_kept')
				boundaries.push(server.requests.length);
			if (event.type === 'turn_start' && event.turn % 8 === 0) conversation.enqueue(`typed at ${event.turn}`);
		};
		while (count.made < turns) {
			const exchange = conversation.submitMessage(`prompt after ${count.made}`);
			for (let step = await exchange.next(); !step.done; step = await exchange.next()) note(step.value);
		}
		await conversation.dispose();
		return boundaries;
	}

	const isTurn = ({ body }: MockRequest) => body['tools'] !== undefined && body['tool_choice'] === undefined;

	test('over a hundred turns every request begins with the one before it', async () => {
		const boundaries = await run(undefined, 104);
		assert.deepEqual(boundaries, []);
		assert.ok(server.requests.length >= 100);
		server.requests.forEach((request, index) => {
			const marks = marksOf(request).length;
			assert.ok(marks >= 3 && marks <= 4, `request ${index} has ${marks} marks`);
			const before = server.requests[index - 1];
			if (!before) return;
			assertExtends(before, request, `request ${index}`);
			assertFound(before, request, `request ${index}`);
		});
		const wide = server.requests.filter((request, index) => {
			const before = server.requests[index - 1];
			return before && blocksOf(request).length - blocksOf(before).length > lookBack;
		});
		assert.ok(wide.length >= 8, 'turns wider than the look-back were there');
		assert.deepEqual(server.violations, []);
	});

	test('with compaction: the prefix changes at projection boundaries only, and tools and system never', async () => {
		const boundaries = await run({ compaction: { enabled: true, window: 40_000 } }, 120);
		assert.ok(boundaries.length > 0, 'there were boundaries');
		let pairs = 0;
		const turns = server.requests.flatMap((request, index) => (isTurn(request) ? [{ request, index }] : []));
		turns.forEach(({ request, index }, at) => {
			assert.ok(marksOf(request).length <= 4);
			const before = turns[at - 1];
			if (!before) return;
			assert.equal(JSON.stringify(request.body['system']), JSON.stringify(before.request.body['system']));
			assert.equal(JSON.stringify(request.body['tools']), JSON.stringify(before.request.body['tools']));
			if (boundaries.some((boundary) => boundary > before.index && boundary <= index)) return;
			pairs++;
			assertExtends(before.request, request, `request ${index}`);
			assertFound(before.request, request, `request ${index}`);
		});
		assert.ok(pairs > 60, `${pairs} pairs were compared`);
		assert.deepEqual(server.violations, []);
	});

	test('a summary of the conversation is asked for with the prefix of the conversation', async () => {
		await run({ compaction: { enabled: true, window: 40_000 } }, 120);
		const at = server.requests.findIndex(({ body }) => JSON.stringify(body['tool_choice'] ?? null).includes('none'));
		const [before, summary] = [server.requests[at - 1], server.requests[at]];
		assert.ok(before && summary);
		const [old, now] = [before, summary].map(({ body }) => JSON.stringify([body['tools'], body['system']]));
		assert.equal(now, old);
		assert.ok(messagesOf(summary).length > 0);
	});
});
