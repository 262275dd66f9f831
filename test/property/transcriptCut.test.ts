// Real transcripts, cut at any byte, with a line lost or garbled anywhere: they load, what is sent next keeps all rules of the
// service, and no call that had started is started again.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { StoredEntry } from '../../src/core/messages/journal.ts';
import { formatLine, parseTranscript } from '../../src/node/sessions/transcriptFile.ts';
import { finish, startConversation } from '../support/conversation.ts';
import { fakeTool, said } from '../support/fakeTools.ts';
import type { MockRequest, MockServer, Step } from '../support/mockServer.ts';
import { answer, messagesOf, startMockServer, text, thinking, toolUse, turn } from '../support/mockServer.ts';

type Damage = (bytes: Buffer, place: number) => Buffer;

const damages: Readonly<Record<string, Damage>> = {
	cut: (bytes, place) => bytes.subarray(0, place),
	'a line lost': (bytes, place) => {
		const { start, end } = lineAt(bytes, place);
		return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
	},
	'a line torn, the next one glued to it': (bytes, place) =>
		Buffer.concat([bytes.subarray(0, place), bytes.subarray(lineAt(bytes, place).end)]),
	'bytes garbled': (bytes, place) => {
		const garbled = Buffer.from(bytes);
		garbled.fill(0x22, place, Math.min(place + 3, bytes.length));
		return garbled;
	},
};

suite('transcripts that are damaged', function () {
	this.timeout(180_000);
	let mock: MockServer;
	const tools = () => [
		fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id} `.repeat(20))) }),
		fakeTool({ name: 'Do', asks: true, run: ({ id }) => Promise.resolve(said(`did ${id}`)) }),
	];
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());

	/** Thinking, calls side by side, a compaction, a rewind and the way back, a queued prompt. */
	async function whole(): Promise<Buffer> {
		mock.reset();
		mock.setScript(model);
		const first = startConversation({ url: mock.url, tools: tools() });
		await finish(first.conversation.submitMessage('do it'));
		first.conversation.enqueue('and the queued one');
		await finish(first.conversation.submitMessage('do more'));
		await first.conversation.compact(undefined, new AbortController().signal);
		await finish(first.conversation.submitMessage('again'));
		const prompts = first.entries.flatMap((entry) => (entry.type === 'user' ? [entry.message] : []));
		const again = prompts.findLast(({ origin }) => origin === 'prompt') ?? assert.fail();
		const rewound: StoredEntry[] = [...first.entries, { type: 'rewound', to: again.id, time: 0 }];
		const second = startConversation({ url: mock.url, tools: tools(), transcript: rewound });
		await finish(second.conversation.submitMessage('another way'));
		const back: StoredEntry[] = [...second.entries, { type: 'switched', to: again.id, time: 0 }];
		const third = startConversation({ url: mock.url, tools: tools(), transcript: back });
		await finish(third.conversation.submitMessage('the end'));
		assert.deepEqual(mock.violations, []);
		return Buffer.from(third.entries.map(({ time, ...entry }) => formatLine(entry, time)).join(''), 'utf8');
	}

	for (const [name, damage] of Object.entries(damages)) {
		test(`${name}: a valid conversation, valid requests, nothing runs twice`, async () => {
			const bytes = await whole();
			await fc.assert(
				fc.asyncProperty(fc.nat(bytes.length - 1), fc.boolean(), async (place, resumes) => {
					const { entries } = parseTranscript(damage(bytes, place).toString('utf8'));
					mock.reset();
					mock.setScript(model);
					const { conversation, entries: after } = startConversation({
						url: mock.url,
						tools: tools(),
						transcript: entries,
					});
					const goesOn = resumes && conversation.interrupted;
					const { terminal } = await finish(goesOn ? conversation.resume() : conversation.submitMessage('go on'));
					assert.equal(terminal.reason, 'completed', terminal.failure?.message);
					assert.deepEqual(mock.violations, []);
					const starts = after.flatMap((entry) => (entry.type === 'tool_start' ? [entry.toolUseId] : []));
					assert.equal(new Set(starts).size, starts.length, 'a call was started twice');
				}),
				{ numRuns: 200 },
			);
		});
	}
});

/** Calls tools once after each prompt of a person. */
function model(request: MockRequest): Step {
	const messages = messagesOf(request);
	const last = JSON.stringify(messages.at(-1));
	if (last.includes('tool_result')) return answer('Done.');
	if (messages.length > 1 && !last.includes('do ') && !last.includes('way')) return answer('Well.');
	const id = String(calls++);
	return turn(
		thinking('where to look'),
		text('I look.'),
		toolUse('Look', { id: `a${id}` }),
		toolUse('Look', { id: `b${id}` }),
		toolUse('Do', { id: `c${id}` }),
	);
}
let calls = 0;

function lineAt(bytes: Buffer, place: number): { readonly start: number; readonly end: number } {
	const start = place === 0 ? 0 : bytes.lastIndexOf(0x0a, place - 1) + 1;
	const end = bytes.indexOf(0x0a, place);
	return { start, end: end < 0 ? bytes.length : end + 1 };
}
