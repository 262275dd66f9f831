// What the person sees in the terminal: each command as a dim line, its output as it comes, how it ended. A flood is
// thinned out here, and a terminal that does not read never holds up a command.

const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';
/** At most so much is shown per interval; of what is more only the end. */
const BUDGET = 1 << 18;
const INTERVAL_MS = 200;
const MAX_BACKLOG = 1 << 20;
const TAIL = 1 << 12;
const MAX_COMMAND = 2000;

/** Shows commands on a terminal's output stream. */
export class TerminalView {
	readonly #out: NodeJS.WriteStream;
	#budget = BUDGET;
	#intervalStart = 0;
	#hidden = 0;
	#tail: Buffer = Buffer.alloc(0);
	#atLineStart = true;

	constructor(out: NodeJS.WriteStream) {
		this.#out = out;
		out.on('error', () => undefined);
	}

	/** A command begins. */
	begin(command: string): void {
		const short = command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)}…` : command;
		this.#line(`$ ${printable(short.trimEnd()).replaceAll('\n', '\n  ')}`);
	}

	/** Output of a command. */
	write(bytes: Buffer): void {
		const now = Date.now();
		if (now - this.#intervalStart >= INTERVAL_MS) {
			this.#intervalStart = now;
			this.#budget = BUDGET;
			this.#showHidden();
		}
		if (this.#hidden > 0 || bytes.length > this.#budget || this.#out.writableLength > MAX_BACKLOG) {
			this.#hidden += bytes.length;
			this.#tail = bytes.length >= TAIL ? bytes.subarray(-TAIL) : Buffer.concat([this.#tail, bytes]).subarray(-TAIL);
			return;
		}
		this.#budget -= bytes.length;
		this.#emit(bytes);
	}

	/** How a command ended; nothing is shown for success. */
	end(status: string | undefined): void {
		this.#showHidden();
		this.#emit(Buffer.from(PLAIN));
		if (status !== undefined) this.#line(`[${status}]`);
		else if (!this.#atLineStart) this.#emit(Buffer.from('\r\n'));
	}

	#line(text: string): void {
		this.#emit(Buffer.from(`${this.#atLineStart ? '' : '\r\n'}${DIM}${text.replaceAll('\n', '\r\n')}${PLAIN}\r\n`));
	}

	#showHidden(): void {
		if (this.#hidden === 0) return;
		const left = this.#hidden - this.#tail.length;
		const tail = this.#tail;
		this.#hidden = 0;
		this.#tail = Buffer.alloc(0);
		if (left > 0) this.#line(`[… ${left} B …]`);
		this.#emit(tail);
	}

	#emit(bytes: Buffer): void {
		if (bytes.length === 0) return;
		if (!bytes.equals(RESET)) this.#atLineStart = bytes.at(-1) === 10;
		this.#out.write(bytes);
	}
}

const RESET = Buffer.from(PLAIN);

/** Control characters made visible, so that a command's text cannot steer the terminal. */
function printable(text: string): string {
	// eslint-disable-next-line no-control-regex
	return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (char) =>
		char === '\u007f' ? '^?' : `^${String.fromCharCode(char.charCodeAt(0) + 64)}`,
	);
}
