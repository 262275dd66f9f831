// The command line around `run`: standard streams, signals and the exit status. Built to dist/headless.js.
import process from 'node:process';
import { findInstallation } from './installation.ts';
import { run } from './run.ts';

const longestPrompt = 10 * 1024 * 1024;
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

void main();

async function main(): Promise<void> {
	const stop = listenForStop();
	const script = process.argv[1] ?? '.';
	const out = gathered(process.stdout);
	let status: number;
	try {
		status = await run(process.argv.slice(2), {
			env: process.env,
			here: process.cwd(),
			installation: findInstallation(script),
			out: out.write,
			err: (text) => void process.stderr.write(text),
			readPrompt: readStdin,
			onStop: (callback) => stop.on(callback),
		});
	} catch (error) {
		process.stderr.write(`loopwright: ${error instanceof Error ? error.message : String(error)}\n`);
		status = 1;
	}
	out.flush();
	await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
	process.exit(stop.status() ?? status);
}

/**
 * The first signal stops the run, which then ends in order; before there is a run, and at the second signal, the process
 * ends at once. A reader of stdout that goes away stops the run as well.
 */
function listenForStop(): { on(stop: () => void): void; status(): number | undefined } {
	let status: number | undefined;
	let stop: (() => void) | undefined;
	for (const [signal, code] of Object.entries(signals)) {
		process.on(signal, () => {
			if (!stop || status !== undefined) process.exit(status ?? code);
			status = code;
			stop();
		});
	}
	process.stdout.on('error', () => {
		status ??= 1;
		stop?.();
	});
	return {
		on(callback) {
			stop = callback;
			if (status !== undefined) callback();
		},
		status: () => status,
	};
}

/** Everything on stdin; undefined at a terminal. */
async function readStdin(): Promise<string | undefined> {
	if (process.stdin.isTTY) return undefined;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > longestPrompt) throw new Error('The prompt on stdin is longer than 10 MB.');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/**
 * Writes once in a turn of the event loop, at its end: a write to a pipe waits for the system, and what the model is to be
 * sent next is not kept waiting for what is told of the last answer.
 */
function gathered(stream: NodeJS.WriteStream): {
	readonly write: (text: string | (() => string)) => void;
	readonly flush: () => void;
} {
	let waiting: (string | (() => string))[] = [];
	const flush = () => {
		const text = waiting.map((piece) => (typeof piece === 'string' ? piece : piece())).join('');
		waiting = [];
		if (text !== '') stream.write(text);
	};
	process.on('exit', flush);
	return {
		write(text) {
			if (waiting.push(text) === 1) setImmediate(flush);
		},
		flush,
	};
}

/** Resolves when what was written has left the process (a pipe can be slow), or its reader is gone. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
	return new Promise((resolve) => {
		if (stream.destroyed || !stream.writable) return resolve();
		stream.once('error', () => resolve());
		stream.write('', () => resolve());
	});
}
