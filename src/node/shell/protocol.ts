// What the shell runner and its host say to each other over the local socket. A frame is two big-endian 32-bit lengths
// (header, body), a JSON header and raw bytes. Pure: any split of the byte stream gives the same frames.

/** From the host to the runner. `run` has the command's text (UTF-8) as its body. */
export type ToRunner =
	| {
			readonly type: 'run';
			readonly id: number;
			readonly cwd: string;
			readonly shell: string;
			readonly outputFile?: string;
	  }
	/** Ends the command, or what it left in the background. */
	| { readonly type: 'kill'; readonly id: number }
	| { readonly type: 'shutdown' };

/** From the runner to the host. */
export type FromRunner =
	| { readonly type: 'hello'; readonly token: string; readonly pid: number }
	| { readonly type: 'started'; readonly id: number; readonly pid: number }
	/** Output as it comes, thinned out in a flood: the bytes are the body. */
	| { readonly type: 'output'; readonly id: number }
	| { readonly type: 'waiting'; readonly id: number; readonly waiting: boolean }
	/** The command is over: its whole output for the model (UTF-8, bounded) is the body. */
	| {
			readonly type: 'exit';
			readonly id: number;
			readonly end: CommandEnd;
			readonly omitted: number;
			readonly saved?: { readonly bytes: number; readonly complete: boolean };
	  }
	/** Nothing of it runs any more. */
	| { readonly type: 'gone'; readonly id: number }
	| { readonly type: 'failed'; readonly id: number; readonly message: string };

/** How a command ended. */
export interface CommandEnd {
	readonly code?: number;
	readonly signal?: string;
	readonly cwd?: string;
	readonly left?: readonly { readonly pid: number; readonly command: string }[];
}

/** One decoded frame. */
export interface Frame<Header> {
	readonly header: Header;
	readonly body: Buffer;
}

/** Environment variables by which the host hands over to the runner; taken out before any command is started. */
export const HANDOVER = {
	socket: 'LOOPWRIGHT_RUNNER_SOCKET',
	token: 'LOOPWRIGHT_RUNNER_TOKEN',
	/** A folder of the runner's own; it removes it when it ends. */
	folder: 'LOOPWRIGHT_RUNNER_FOLDER',
	/** Names of variables that commands inherit although they hold keys, separated by commas. */
	keep: 'LOOPWRIGHT_RUNNER_KEEP',
} as const;

/** Marks every process of a command, `<runner>.<n>`, so that it is found again when it has left the process tree. */
export const MARK = 'LOOPWRIGHT_COMMAND';

const PREFIX = 8;
const MAX_HEADER = 1 << 20;
const MAX_BODY = 1 << 26;
const NOTHING = Buffer.alloc(0);

/** The bytes of a frame, as pieces to be written one after the other (the body is not copied). */
export function encodeFrame(header: ToRunner | FromRunner, body: Uint8Array = NOTHING): Uint8Array[] {
	const json = Buffer.from(JSON.stringify(header), 'utf8');
	const head = Buffer.allocUnsafe(PREFIX + json.length);
	head.writeUInt32BE(json.length, 0);
	head.writeUInt32BE(body.length, 4);
	json.copy(head, PREFIX);
	return body.length > 0 ? [head, body] : [head];
}

/** Puts a byte stream together into frames. Throws when the stream cannot be one of ours. */
export class FrameDecoder<Header extends ToRunner | FromRunner> {
	#pieces: Buffer[] = [];
	#length = 0;
	/** Bytes needed before anything can be done. */
	#wanted = PREFIX;

	/** Takes the next bytes and returns the frames that they complete. */
	push(bytes: Buffer): Frame<Header>[] {
		this.#pieces.push(bytes);
		this.#length += bytes.length;
		if (this.#length < this.#wanted) return [];
		let rest = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces, this.#length);
		const frames: Frame<Header>[] = [];
		for (;;) {
			this.#wanted = frameLength(rest);
			if (rest.length < this.#wanted || rest.length < PREFIX) break;
			frames.push(readFrame<Header>(rest, this.#wanted));
			rest = rest.subarray(this.#wanted);
		}
		this.#pieces = rest.length > 0 ? [rest] : [];
		this.#length = rest.length;
		return frames;
	}
}

function frameLength(bytes: Buffer): number {
	if (bytes.length < PREFIX) return PREFIX;
	const header = bytes.readUInt32BE(0);
	const body = bytes.readUInt32BE(4);
	if (header > MAX_HEADER || body > MAX_BODY) throw new Error('not a frame of the shell runner');
	return PREFIX + header + body;
}

function readFrame<Header extends ToRunner | FromRunner>(bytes: Buffer, length: number): Frame<Header> {
	const bodyStart = PREFIX + bytes.readUInt32BE(0);
	const header: unknown = JSON.parse(bytes.toString('utf8', PREFIX, bodyStart));
	if (typeof header !== 'object' || header === null || !('type' in header)) {
		throw new Error('not a frame of the shell runner');
	}
	return { header: header as Header, body: bytes.subarray(bodyStart, length) };
}
