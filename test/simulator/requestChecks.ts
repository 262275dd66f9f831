// What must hold for every request that leaves (invariants 1, 2, 3 and 7): the API's own rules; results are the ones that
// were written down; each of the person's messages is there once, in order; what was sent before stands unchanged in front.
import type { ModelRequest } from '../../src/core/model/client.ts';
import type { JsonObject } from '../../src/core/messages/types.ts';
import type { WireBlock } from '../../src/node/wire/events.ts';
import type { MockModel } from '../support/mock/rules/models.ts';
import { prefixHash } from '../support/mock/rules/thinking.ts';
import { checkRequest } from '../support/requestRules.ts';
import type { World } from './world.ts';
import { marksIn, nonceOf } from './world.ts';

const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'k', 'content-type': 'application/json' };

/** What stands in the place of an image. */
const mediaNotes = /^\[An image (was here|came with this error); it is (not sent any more|left out)\.\]$/;

/** A block of a request without its cache mark, as bytes. */
interface SentBlock {
	readonly role: string;
	readonly json: string;
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
	/** Blocks that were read before: the engine keeps what it has made of a conversation. */
	private readonly known = new WeakMap<Block, SentBlock>();
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
		const memory = { blocks: this.blocks, turns: this.turns, mayBeStripped: this.mayBeStripped };
		const violations = checkRequest({ body, headers }, { models: this.models, memory });
		const long = violations.find(({ message }) => message.startsWith('prompt is too long'));
		const [broken] = violations.filter((violation) => violation !== long);
		if (broken) this.world.fail(`1: ${broken.message}`);
		const main = request.tools.length > 0 && request.toolChoice !== 'none';
		if (main) this.checkConversation(request, body);
		return long ? Number(/(\d+) tokens/.exec(long.message)?.[1]) : undefined;
	}

	/** Remembers a block that was sent whole, for the requests that bring it back. */
	remember(block: WireBlock, model: string, answer: AnswerSent): void {
		if (block.type === 'thinking') {
			answer.signatures.push(block.signature);
			this.signers.set(block.signature, model);
			const bound = this.models.find(({ id }) => id === model)?.prefixBound === true;
			if (bound) answer.prefix ??= prefixHash(answer.body, lengthBefore(answer.body));
			const { prefix } = answer;
			this.blocks.set(block.signature, { thinking: block.thinking, ...(prefix === undefined ? {} : { prefix }) });
		}
		// An id that comes again, or is one that the client has made up, is given another one by the client: nothing is known of
		// it then. Thinking that comes after the call may be lost with a process that dies.
		if (block.type === 'tool_use' && !this.turns.has(block.id) && !this.returned.has(block.id)) {
			this.turns.set(block.id, [...answer.signatures]);
		}
	}

	private checkConversation(request: ModelRequest, body: JsonObject): void {
		const { world } = this;
		const head = JSON.stringify([body['system'], body['tools']]);
		const sent: SentBlock[] = [];
		const marks: string[] = [];
		// After a change everything is looked at anew.
		const changed = this.before?.boundary !== world.boundaries;
		const calls = new Map<string, string>();
		for (const message of request.messages) {
			const role = message['role'] === 'user' ? 'user' : 'assistant';
			for (const block of (message['content'] ?? []) as readonly Block[]) {
				const known = this.known.get(block);
				const read = known ?? readBlock(block, role);
				sent.push(read);
				marks.push(...read.marks);
				if (block['type'] === 'tool_use') {
					calls.set(String(block['id']), nonceOf(block['input']));
					this.returned.add(String(block['id']));
				}
				if (block['type'] === 'thinking') this.checkSigner(block, request.model);
				if (known && !changed) continue;
				if (block['type'] === 'tool_result') this.checkResult(block, calls);
				this.known.set(block, read);
			}
		}
		if (marks.join() !== world.prompts.join()) {
			world.fail(`3: the person said ${world.prompts.join(' ')}, and sent is ${marks.join(' ') || 'nothing of it'}`);
		}
		if (changed) this.checkCalls([...calls.keys()]);
		this.checkPrefix(head, sent);
		this.chars = sent.reduce((sum, { json }) => sum + json.length, head.length);
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
		const did = /^did ([nf]\d+)/.exec(text)?.[1];
		if (did !== undefined && did !== calls.get(id)) world.fail(`2: the call ${id} (${calls.get(id)}) got "${text}"`);
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
	return { role, json: JSON.stringify(plain), marks };
}

/** The place of the answer to a request; an answer that goes on where the server paused belongs to the last message. */
function lengthBefore(body: JsonObject): number {
	const messages = body['messages'] as readonly Block[];
	return messages.at(-1)?.['role'] === 'assistant' ? messages.length - 1 : messages.length;
}
