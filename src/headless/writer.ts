// Puts a run on stdout in the format asked for. Rule: stdout carries the output only; everything else goes to stderr.
import type { LoopEvent } from '../core/loop/events.ts';
import type { OutputFormat } from './args.ts';
import type { WireMessage } from './output.ts';

export interface Streams {
	/** In order. What is given as a function is made when it is written. */
	out(text: string | (() => string)): void;
	err(text: string): void;
}

export class Writer {
	readonly #format: OutputFormat;
	readonly #verbose: boolean;
	readonly #streams: Streams;
	readonly #messages: WireMessage[] = [];

	constructor(format: OutputFormat, verbose: boolean, streams: Streams) {
		this.#format = format;
		this.#verbose = verbose;
		this.#streams = streams;
	}

	messages(messages: readonly WireMessage[]): void {
		if (this.#format === 'stream-json') for (const message of messages) this.#line(message);
		else if (this.#format === 'json' && this.#verbose) this.#messages.push(...messages);
	}

	/** For people who watch: with `--verbose` and text. */
	event(event: LoopEvent): void {
		if (!this.#verbose || this.#format !== 'text') return;
		if (event.type === 'turn_start') this.#streams.err(`turn ${event.turn} (${event.model})\n`);
		if (event.type === 'tool_queued') this.#streams.err(`  ${event.tool} ${event.summary}\n`);
		if (event.type === 'tool_end' && event.state !== 'done') this.#streams.err(`  ${event.tool}: ${event.state}\n`);
	}

	warning(message: WireMessage, text: string): void {
		this.messages([message]);
		if (this.#format !== 'stream-json') this.#streams.err(`loopwright: ${text}\n`);
	}

	/** The end: the answer or the error as text, or the `result`. */
	result(message: WireMessage, answer: string, error: string | undefined): void {
		if (this.#format === 'text') {
			if (answer !== '') this.#streams.out(answer.endsWith('\n') ? answer : `${answer}\n`);
			if (error !== undefined) this.#streams.err(`loopwright: ${error}\n`);
			return;
		}
		if (this.#format === 'json' && this.#verbose) {
			this.#streams.out(`${JSON.stringify([...this.#messages, message])}\n`);
			return;
		}
		this.#line(message);
	}

	#line(message: WireMessage): void {
		this.#streams.out(() => `${JSON.stringify(message)}\n`);
	}
}
