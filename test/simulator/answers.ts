// Random answers of the model as raw stream events: text, signed thinking, calls of tools that are safe, unsafe, unknown,
// called with bad input or with broken JSON, the same call twice, the same id twice.
import type { WireBlock, WireEvent } from '../../src/node/wire/events.ts';
import {
	blockDelta,
	blockDeltas,
	blockStart,
	blockStartOf,
	blockStop,
	messageDelta,
	messageStart,
	messageStop,
} from '../../src/node/wire/events.ts';
import type { Decisions } from './decisions.ts';
import type { SimFiles } from './files.ts';
import type { World } from './world.ts';

export interface SimBlock {
	readonly wire: WireBlock;
	/** Of a tool call: arguments that are no JSON object. */
	readonly json?: string;
	/** Of a type that the client does not know. */
	readonly opaque?: Readonly<Record<string, unknown>>;
}

export interface SimAnswer {
	readonly serial: number;
	readonly model: string;
	readonly blocks: readonly SimBlock[];
	readonly stopReason: string | null;
	readonly inputTokens: number;
	/** A call that is cut before its end, after the blocks. */
	readonly cut?: SimBlock;
}

/** An event, and the block that is whole with it. */
export interface SentEvent {
	readonly event: WireEvent;
	readonly finishes?: WireBlock;
	/** One can stop here without cutting a block. */
	readonly between: boolean;
}

export function textBlock(text: string): SimBlock {
	return { wire: { type: 'text', text } };
}

/** Steps of a long conversation: the same few files again and again, searches, commands, much text. */
export function longBlocks(world: World, serial: number, calls: boolean): readonly SimBlock[] {
	const { decisions } = world;
	const words = textBlock(`I go on. ${'What I found and why it matters. '.repeat(decisions.below(calls ? 10 : 80))}`);
	if (!calls) return [words];
	const blocks: SimBlock[] = decisions.below(3) === 0 ? [thinkingBlock(serial, 0), words] : [];
	const count = 1 + decisions.below(3);
	for (let place = 2; place < 2 + count; place++) {
		const what = decisions.weighted([
			[6, 'Read'],
			[2, 'Grep'],
			[3, 'Look'],
			[2, 'Do'],
			[1, 'Bash'],
			[1, 'TodoWrite'],
			[1, 'any'],
		]);
		const call = (name: string, input: Readonly<Record<string, unknown>>): SimBlock => ({
			wire: { type: 'tool_use', id: `toolu_${serial}_${place}`, name, input },
		});
		if (what === 'any') blocks.push(callBlock(world, serial, place, blocks));
		else if (what === 'TodoWrite') blocks.push(call(what, { todos: steps(world.nonce()) }));
		else if (what === 'Read' || what === 'Grep') blocks.push(call(what, { id: `f${decisions.below(5)}` }));
		else blocks.push(call(what, { id: world.nonce() }));
	}
	return blocks;
}

/** Work on files: read, search, edit, some of it on top of the other, in one answer. */
export function fileBlocks(world: World, files: SimFiles, serial: number, calls: boolean): readonly SimBlock[] {
	const { decisions } = world;
	if (!calls) return [textBlock('I have read it.')];
	files.newAnswer();
	if (files.begin()) {
		return ['a.txt', 'b.txt'].map((file, place) => ({
			wire: { type: 'tool_use', id: `toolu_${serial}_${place}`, name: 'Read', input: { file_path: file } },
		}));
	}
	const blocks: SimBlock[] = decisions.below(3) === 2 ? [thinkingBlock(serial, 0)] : [];
	for (let left = 1 + decisions.below(4), place = 1; left > 0; left--, place++) {
		const nonce = world.nonce();
		const [name, input] = decisions.weighted<readonly [string, () => Readonly<Record<string, unknown>>]>([
			[4, ['Read', () => ({ file_path: decisions.pick(['a.txt', 'b.txt']) })]],
			[5, ['Edit', () => files.askEdit(nonce)]],
			[3, ['Write', () => files.askWrite(nonce)]],
			[1, ['Grep', () => ({ pattern: 'f1' })]],
			[1, ['Glob', () => ({ pattern: '*.txt' })]],
			[2, ['Bash', () => ({ command: `do ${nonce}`, ...(decisions.oneIn(4) ? { run_in_background: true } : {}) })]],
			[1, ['Look', () => ({ id: nonce })]],
			[1, ['Do', () => ({ id: nonce })]],
			[1, ['TodoWrite', () => ({ todos: steps(nonce) })]],
		]);
		blocks.push({ wire: { type: 'tool_use', id: `toolu_${serial}_${place}`, name, input: input() } });
	}
	return blocks;
}

function steps(nonce: string): readonly unknown[] {
	return ['in_progress', 'pending'].map((status) => ({
		content: `Step ${status} ${nonce}`,
		activeForm: 'Doing it',
		status,
	}));
}

/** What a subagent does: some calls, or its last words. `starter`: the nonce of the call that started it. */
export function agentBlocks(world: World, serial: number, starter: string): readonly SimBlock[] {
	const { decisions } = world;
	const words = textBlock(decisions.pick(['I look.', ' ', 'I have it.']));
	const blocks: SimBlock[] = decisions.oneIn(4) ? [thinkingBlock(serial, 0), words] : [words];
	for (let left = decisions.below(4), place = 2; left > 0; left--, place++) {
		const name = decisions.pick(['Look', 'Do', 'Set', 'Read', 'Agent']);
		const id = world.agentNonce(starter);
		const input = name === 'Agent' ? { description: 'more', prompt: id } : { id };
		blocks.push({ wire: { type: 'tool_use', id: `toolu_${serial}_${place}`, name, input } });
	}
	return blocks;
}

/** One to twelve blocks; with calls if `calls`. */
export function randomBlocks(world: World, serial: number, calls: boolean): readonly SimBlock[] {
	const { decisions } = world;
	const count =
		1 +
		decisions.weighted([
			[6, decisions.below(4)],
			[1, decisions.below(12)],
		]);
	const blocks: SimBlock[] = [];
	for (let place = 0; place < count; place++) {
		const kind = decisions.weighted([
			[calls ? 1 : 4, 'text'],
			[1, 'thinking'],
			[calls ? 5 : 0, 'call'],
		]);
		if (kind === 'text') blocks.push(textBlock(decisions.pick(['I do it.', '\n\n', 'Text, 文字 and 🙂.'])));
		else if (kind === 'thinking') blocks.push(thinkingBlock(serial, place));
		else blocks.push(callBlock(world, serial, place, blocks));
	}
	return blocks;
}

export function thinkingBlock(serial: number, place: number): SimBlock {
	return { wire: { type: 'thinking', thinking: `thought ${serial}.${place}`, signature: `sig-${serial}-${place}` } };
}

export function callBlock(world: World, serial: number, place: number, before: readonly SimBlock[]): SimBlock {
	const { decisions } = world;
	const fresh = (name: string, input: Readonly<Record<string, unknown>> = { id: world.nonce() }) => {
		const wire = { type: 'tool_use', id: `toolu_${serial}_${place}`, name, input } as const;
		return { wire };
	};
	const twin = before.findLast(
		({ wire, json }) => wire.type === 'tool_use' && wire.id !== '' && json === undefined,
	)?.wire;
	const what = decisions.weighted([
		[6, 'Look'],
		[5, 'Do'],
		[2, 'Set'],
		[3, 'Read'],
		[1, 'Grep'],
		[1, 'Wait'],
		[1, 'Bash'],
		[world.agents ? 4 : 0, 'Agent'],
		[1, 'unknown'],
		[1, 'bad input'],
		[1, 'bad json'],
		[1, 'twin'],
		[1, 'same id'],
		[1, 'old id'],
		[1, 'odd id'],
	]);
	switch (what) {
		case 'Agent': {
			const prompt = `Task ${world.nonce()}`;
			const type = decisions.pick(['general-purpose', 'Explore', 'Nobody']);
			return fresh('Agent', { description: 'a task', prompt, ...(type === 'Nobody' ? {} : { subagent_type: type }) });
		}
		case 'unknown':
			return fresh('No such tool');
		case 'bad input':
			return fresh('Look', { nothing: true });
		case 'bad json':
			return { ...fresh('Look'), json: decisions.pick(['{"id": ', '[1]', 'null']) };
		case 'twin':
			return twin ? { wire: twin } : fresh('Look');
		case 'same id': {
			const block = fresh('Set');
			return twin?.type === 'tool_use' ? { wire: { ...block.wire, id: twin.id } } : block;
		}
		case 'old id': {
			const id = world.lastCallId;
			const block = fresh('Look');
			return id === undefined ? block : { wire: { ...block.wire, id } };
		}
		case 'odd id': {
			const block = fresh('Do');
			return { wire: { ...block.wire, id: decisions.pick(['', `call:${serial}/${place}`]) } };
		}
		default:
			return fresh(what);
	}
}

/** The events of a whole answer. */
export function eventsOfAnswer(answer: SimAnswer, decisions: Decisions): readonly SentEvent[] {
	const pieceChars = decisions.pick([1000, 7]);
	const usage = { input_tokens: answer.inputTokens, output_tokens: 20 * (answer.blocks.length + 1) };
	const described = {
		id: `msg_${answer.serial}`,
		model: answer.model,
		blocks: answer.blocks.map(({ wire }) => wire),
		stopReason: answer.stopReason,
		usage,
	};
	const events: SentEvent[] = [{ event: messageStart(described), between: true }];
	answer.blocks.forEach((block, index) => events.push(...eventsOfBlock(block, index, pieceChars)));
	if (answer.cut) {
		const index = answer.blocks.length;
		const cut = eventsOfBlock(answer.cut, index, 5).slice(0, -1);
		events.push(...cut.slice(0, Math.max(2, cut.length - 1)));
	}
	events.push({ event: messageDelta(described), between: true }, { event: messageStop(), between: true });
	return events;
}

function eventsOfBlock(block: SimBlock, index: number, pieceChars: number): readonly SentEvent[] {
	const { wire, json, opaque } = block;
	if (opaque) {
		return [
			{ event: blockStartOf(index, opaque), between: false },
			{ event: blockStop(index), between: true },
		];
	}
	const deltas =
		json === undefined
			? blockDeltas(index, wire, pieceChars)
			: [blockDelta(index, { type: 'input_json_delta', partial_json: json })];
	return [
		{ event: blockStart(index, wire), between: false },
		...deltas.map((event) => ({ event, between: false })),
		{ event: blockStop(index), finishes: wire, between: true },
	];
}
