// What must hold for every request that leaves (invariants 1, 2, 3 and 7): the API's own rules; results are the ones that
// were written down; each of the person's messages is there once, in order; what was sent before stands unchanged in front.
import type { ModelRequest } from '../../src/core/model/client.ts';
import type { JsonObject } from '../../src/core/messages/types.ts';
import type { WireBlock } from '../../src/node/wire/events.ts';
import type { MockModel } from '../support/mock/rules/models.ts';
import { plainJson, prefixHash } from '../support/mock/rules/thinking.ts';
import { checkRequest } from '../support/requestRules.ts';
import type { World } from './world.ts';
import { marksIn, nonceOf } from './world.ts';

const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'k', 'content-type': 'application/json' };

/** What stands in the place of an image. */
const mediaNotes = /^\[An image (or a document )?(was here[;.]|came with this error;) /;

/** A block of a request without its cache mark, as bytes. */
interface SentBlock {
	readonly block: Block;
	readonly role: string;
	readonly json: string;
	/** Characters that count as tokens: image bytes do not. */
	readonly chars: number;
	/** Of the person's prompts in it. */
	readonly marks: readonly string[];
}
type Block = Readonly<Record<string, unknown>>;

/** An answer while it is sent. */
export interface AnswerSent {
	readonly body: JsonObject;
	readonly signatures: string[];
	/** Hash of what it answers, once somebody needs it. */
	prefix?: string;
}

export class RequestChecks {
	/** A signature was refused: thinking may be missing from now on. */
	mayBeStripped = false;
	private readonly world: World;
	private readonly models: readonly MockModel[];
	private readonly blocks = new Map<string, { readonly thinking: string; readonly prefix?: string }>();
	private readonly turns = new Map<string, string[]>();
	/** Ids of the calls that were sent back, the client's own among them. */
	private readonly returned = new Set<string>();
	/** Blocks that were read before: the engine keeps what it has made of a conversation. None may be changed, see `atTheEnd`. */
	private readonly known = new Map<Block, SentBlock>();
	/** Results that were compared with the transcript since the last change. */
	private compared = new WeakSet<Block>();
	private readonly blockMemo = {
		sound: new WeakMap<Block, string>(),
		plainJson: (block: Block) => this.known.get(block)?.json ?? plainJson(block),
		headOf: (body: Block) => this.headsOf.get(body),
	};
	private readonly headsOf = new WeakMap<Block, string>();
	private heads: { readonly parts: readonly unknown[]; readonly json: string } | undefined;
	private readonly signers = new Map<string, string>();
	/** Characters of the last request of the conversation. */
	chars = 0;
	private before: { readonly head: string; readonly sent: readonly SentBlock[]; readonly boundary: number } | undefined;

	constructor(world: World, models: readonly MockModel[]) {
		this.world = world;
		this.models = models;
	}

	/** Checks a request; gives back the tokens of one that is too long. */
	check(request: ModelRequest, body: JsonObject): number | undefined {
		const head = this.headOf(request, body);
		this.headsOf.set(body, head);
		const sent = this.read(request);
		const chars = sent.reduce((sum, block) => sum + block.chars, head.length);
		const { blocks, turns, mayBeStripped, blockMemo } = this;
		const memory = { blocks, turns, mayBeStripped, blockMemo };
		const tokens = Math.ceil(chars / 4);
		const violations = checkRequest({ body, headers }, { models: this.models, memory, tokens });
		const long = violations.find(({ message }) => message.startsWith('prompt is too long'));
		const [broken] = violations.filter((violation) => violation !== long);
		if (broken) this.world.fail(`1: ${broken.message}`);
		const main = request.tools.length > 0 && request.toolChoice !== 'none';
		if (main && !isOfAgent(request)) this.checkConversation(request, head, sent);
		if (main) this.chars = chars;
		return long ? tokens : undefined;
	}

	/** What was taken as read is still what was sent: no block was changed in place. */
	atTheEnd(): void {
		for (const { block, role, json } of this.known.values()) {
			const now = readBlock(block, role);
			if (now.json !== json) this.world.fail(`7: a block that was sent was changed: ${json.slice(0, 200)}`);
		}
	}

	/** Remembers a block that was sent whole, for the requests that bring it back. */
	remember(block: WireBlock, model: string, answer: AnswerSent): void {
		if (block.type === 'thinking') {
			answer.signatures.push(block.signature);
			this.signers.set(block.signature, model);
			const bound = this.models.find(({ id }) => id === model)?.prefixBound === true;
			if (bound) answer.prefix ??= prefixHash(answer.body, lengthBefore(answer.body), this.blockMemo);
			const { prefix } = answer;
			this.blocks.set(block.signature, { thinking: block.thinking, ...(prefix === undefined ? {} : { prefix }) });
		}
		// An id that comes again, or is one that the client has made up, is given another one by the client: nothing is known of
		// it then. Thinking that comes after the call may be lost with a process that dies.
		if (block.type === 'tool_use' && !this.turns.has(block.id) && !this.returned.has(block.id)) {
			this.turns.set(block.id, [...answer.signatures]);
		}
	}

	/** System prompt and tools as bytes. */
	private headOf(request: ModelRequest, body: JsonObject): string {
		const parts = [
			...request.system,
			...request.tools.flatMap((tool) => [tool.name, tool.description, tool.inputSchema]),
		];
		const { heads } = this;
		if (heads?.parts.length === parts.length && heads.parts.every((part, index) => part === parts[index]))
			return heads.json;
		const json = JSON.stringify([body['system'], body['tools']]);
		this.heads = { parts, json };
		return json;
	}

	private read(request: ModelRequest): readonly SentBlock[] {
		const sent: SentBlock[] = [];
		for (const message of request.messages) {
			const role = message['role'] === 'user' ? 'user' : 'assistant';
			for (const block of (message['content'] ?? []) as readonly Block[]) {
				const known = this.known.get(block);
				const read = known?.role === role ? known : readBlock(block, role);
				if (!known) this.known.set(block, read);
				sent.push(read);
			}
		}
		return sent;
	}

	private checkConversation(request: ModelRequest, head: string, sent: readonly SentBlock[]): void {
		const { world } = this;
		const marks: string[] = [];
		// After a change everything is looked at anew.
		const changed = this.before?.boundary !== world.boundaries;
		if (changed) this.compared = new WeakSet();
		const calls = new Map<string, string>();
		for (const { block, marks: said } of sent) {
			marks.push(...said);
			if (block['type'] === 'tool_use') {
				calls.set(String(block['id']), nonceOf(block['input']));
				this.returned.add(String(block['id']));
			}
			if (block['type'] === 'thinking') this.checkSigner(block, request.model);
			if (block['type'] !== 'tool_result' || this.compared.has(block)) continue;
			this.checkResult(block, calls);
			this.compared.add(block);
		}
		if (marks.join() !== world.prompts.join()) {
			world.fail(`3: the person said ${world.prompts.join(' ')}, and sent is ${marks.join(' ') || 'nothing of it'}`);
		}
		if (changed) this.checkCalls([...calls.keys()]);
		this.checkPrefix(head, sent);
		this.before = { head, sent, boundary: world.boundaries };
	}

	private checkPrefix(head: string, sent: readonly SentBlock[]): void {
		const { before, world } = this;
		if (!before) return;
		if (before.head !== head) world.fail('7: the system prompt or the tools changed');
		if (before.boundary !== world.boundaries) return;
		const at = before.sent.findIndex(
			({ role, json }, index) => sent[index]?.role !== role || sent[index].json !== json,
		);
		if (at >= 0) {
			world.fail(`7: block ${at} was ${before.sent[at]?.json.slice(0, 200)} and is ${sent[at]?.json.slice(0, 200)}`);
		}
	}

	private checkResult(block: Block, calls: ReadonlyMap<string, string>): void {
		const { world } = this;
		const id = String(block['tool_use_id']);
		const parts = (block['content'] as readonly Block[]).flatMap(({ text }) =>
			typeof text === 'string' ? [text] : [],
		);
		const text = parts.filter((part) => !mediaNotes.test(part)).join('\n');
		const did = /^did ([nf]\d+)/m.exec(text)?.[1];
		const asked = calls.get(id) ?? '';
		if (did !== undefined && did !== (world.startedAs.get(asked) ?? asked))
			world.fail(`2: the call ${id} (${calls.get(id)}) got "${text}"`);
		if (did !== undefined && !world.ran.has(did)) world.fail(`2: the call ${did} has a result and never ran`);
		const written = world.results.get(id);
		if (written === undefined) return;
		const due = world.pipeline.sentResult(id, written);
		if (text !== due && !(due === '' && text === '(no output)')) {
			world.fail(`2: the result of ${id} is "${due.slice(0, 100)}", and sent is "${text.slice(0, 100)}"`);
		}
	}

	/** Neither more nor fewer calls than the changes leave; ids that the API would not take are sent in another form. */
	private checkCalls(sent: readonly string[]): void {
		const plain = (ids: readonly string[]) => ids.filter((id) => /^toolu_\d+_\d+$/.test(id)).join(' ');
		const due = plain(this.world.pipeline.sentCalls());
		if (plain(sent) !== due) this.world.fail(`7: the calls ${due} are left, and sent are ${plain(sent)}`);
	}

	private checkSigner(block: Block, model: string): void {
		const signer = this.signers.get(String(block['signature']));
		if (signer !== undefined && signer !== model) {
			this.world.fail(`1: thinking of ${signer} was sent to ${model}`);
		}
	}
}

function readBlock(block: Block, role: string): SentBlock {
	const { cache_control: _mark, ...plain } = block;
	const marks = block['type'] === 'text' && role === 'user' ? marksIn(String(block['text'])) : [];
	const json = JSON.stringify(plain);
	const counted = json.includes('"data":')
		? JSON.stringify(plain, (key, value: unknown) => (key === 'data' ? '' : value))
		: json;
	return { block, role, json, chars: counted.length, marks };
}

/** The place of the answer to a request; an answer that goes on where the server paused belongs to the last message. */
function lengthBefore(body: JsonObject): number {
	const messages = body['messages'] as readonly Block[];
	return messages.at(-1)?.['role'] === 'assistant' ? messages.length - 1 : messages.length;
}

/** Of a subagent, which has a system prompt of its own. */
export function isOfAgent({ system }: ModelRequest): boolean {
	return system[0]?.startsWith('You are a subagent') === true;
}
