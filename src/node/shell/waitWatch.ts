// Watches a running command in a terminal for silence, and tells when it begins and ends to wait for the person.
import { looksLikeQuestion, readsTerminal } from './waiting.ts';

/** Silent for so long before anyone looks. */
const SILENCE_MS = 3000;
const LOOK_EVERY_MS = 1000;

/** What is watched. */
export interface WaitWatchSetup {
	/** The processes of the command. */
	processes(): Promise<readonly number[]>;
	/** The last line of the output, without its end. */
	lastLine(): string;
	changed(waiting: boolean): void;
}

/** Tells whether the command waits. */
export class WaitWatch {
	readonly #setup: WaitWatchSetup;
	readonly #timer: NodeJS.Timeout;
	#lastOutput = Date.now();
	#waiting = false;
	#looking = false;
	#over = false;

	constructor(setup: WaitWatchSetup) {
		this.#setup = setup;
		this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
	}

	/** There was output. */
	output(): void {
		this.#lastOutput = Date.now();
		this.#tell(false);
	}

	/** The command is over. */
	end(): void {
		this.#over = true;
		clearInterval(this.#timer);
		if (this.#waiting) this.#setup.changed(false);
	}

	async #look(): Promise<void> {
		const since = this.#lastOutput;
		if (this.#looking || Date.now() - since < SILENCE_MS) return;
		this.#looking = true;
		try {
			const waits = readsTerminal(await this.#setup.processes()) ?? looksLikeQuestion(this.#setup.lastLine());
			if (!this.#over && since === this.#lastOutput) this.#tell(waits);
		} finally {
			this.#looking = false;
		}
	}

	#tell(waiting: boolean): void {
		if (waiting === this.#waiting) return;
		this.#waiting = waiting;
		this.#setup.changed(waiting);
	}
}
