// Where a command's output goes inside the runner: whole to its file, bounded to the model, thinned out to the host's live
// view and to the terminal. All the work of a flood is done here, in the runner's process.
import { LineDecoder } from './decode.ts';
import { LiveOutput } from './liveOutput.ts';
import { OutputCollector } from './output.ts';
import { OutputFile } from './outputFile.ts';
import type { TerminalView } from './terminalView.ts';

/** Characters of output kept of one command, head and tail together. */
const MAX_OUTPUT = 1_000_000;

/** What the output of one command needs. */
export interface CommandOutputSetup {
	readonly view: TerminalView | undefined;
	/** Absolute path. */
	readonly file: string | undefined;
	/** Encodings of lines that are not UTF-8. */
	readonly encodings: readonly string[];
	/** Takes the live output. */
	live(bytes: Buffer): void;
}

/** What is known of the output when the command is over. */
export interface OutputEnd {
	readonly text: string;
	readonly omitted: number;
	readonly saved?: { readonly bytes: number; readonly complete: boolean };
}

/** The output of one command. */
export class CommandOutput {
	readonly #view: TerminalView | undefined;
	readonly #file: OutputFile | undefined;
	readonly #live: LiveOutput;
	readonly #collector: OutputCollector;
	#lastLine: Buffer = Buffer.alloc(0);

	constructor(setup: CommandOutputSetup) {
		this.#view = setup.view;
		this.#file = setup.file === undefined ? undefined : new OutputFile(setup.file);
		this.#live = new LiveOutput((bytes) => setup.live(bytes));
		this.#collector = new OutputCollector(MAX_OUTPUT, new LineDecoder(setup.encodings));
	}

	/** The end of what came last, as text: what a question looks like. */
	get lastLine(): string {
		const text = this.#lastLine.toString('utf8');
		return text.slice(text.lastIndexOf('\n') + 1);
	}

	/** Takes the next bytes of the running command. */
	push(bytes: Buffer): void {
		this.late(bytes);
		this.#live.push(bytes);
		this.#collector.push(bytes);
		this.#lastLine = bytes.subarray(-256);
	}

	/** Takes what processes in the background print after the end. */
	late(bytes: Buffer): void {
		this.#view?.write(bytes);
		this.#file?.write(bytes);
	}

	/** The command is over. */
	end(): OutputEnd {
		this.#live.flush();
		const saved = this.#file?.saved;
		return { ...this.#collector.end(), ...(saved === undefined ? {} : { saved }) };
	}

	/** Nothing more will come. */
	close(): void {
		this.#file?.close();
	}
}
