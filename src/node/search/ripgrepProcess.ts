// One run of ripgrep: arguments as an array (no shell), output read piece by piece, ended when enough was read.
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { limits } from '../../core/limits.ts';

export interface RipgrepRun {
	readonly rgPath: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/** Ends each record of the output. */
	readonly separator: '\n' | '\0';
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
	/** Text given on stdin; without it stdin is closed. */
	readonly input?: string;
	/** Takes a record; false ends the run, because nothing more is needed. */
	onRecord(record: string): boolean;
}
/** `enough`: ended by `onRecord`. Contract: the process is gone, or was told to go, when this is returned. */
export interface RipgrepEnd {
	readonly kind: 'exited' | 'enough' | 'timed_out' | 'aborted' | 'not_started';
	/** 0: matches, 1: none, 2: an error (there may be matches all the same). */
	readonly code: number | null;
	/** The first lines of stderr. */
	readonly stderr: string;
}

/** Runs ripgrep. Never rejects. */
export function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
	if (run.signal.aborted) return Promise.resolve({ kind: 'aborted', code: null, stderr: '' });
	return new Promise((resolve) => {
		const child = spawn(run.rgPath, run.args, {
			cwd: run.cwd,
			stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
			windowsHide: true,
		});
		let why: RipgrepEnd['kind'] = 'exited';
		let stderr = '';
		const stop = (kind: RipgrepEnd['kind']): void => {
			if (why === 'exited') why = kind;
			child.kill('SIGKILL');
		};
		const timer = setTimeout(() => stop('timed_out'), run.timeoutMs);
		const onAbort = (): void => stop('aborted');
		run.signal.addEventListener('abort', onAbort, { once: true });
		const finish = (end: RipgrepEnd): void => {
			clearTimeout(timer);
			run.signal.removeEventListener('abort', onAbort);
			resolve(end);
		};
		const records = new RecordReader(run.separator, (record) => {
			if (why !== 'exited') return;
			if (!run.onRecord(record)) stop('enough');
		});
		child.stdout?.on('data', (chunk: Buffer) => records.push(chunk));
		child.stderr?.on('data', (chunk: Buffer) => {
			if (stderr.length < 4_000) stderr += chunk.toString('utf8');
		});
		child.stdin?.on('error', () => undefined);
		child.stdin?.end(run.input);
		child.once('error', (error) => finish({ kind: 'not_started', code: null, stderr: error.message }));
		child.once('close', (code) => {
			records.end();
			finish({ kind: why, code, stderr: stderr.trim() });
		});
	});
}

/** Splits output into records with bounded memory: a record that is too long is dropped. */
class RecordReader {
	private readonly decoder = new StringDecoder('utf8');
	private readonly separator: string;
	private readonly onRecord: (record: string) => void;
	private rest = '';
	private dropping = false;

	constructor(separator: string, onRecord: (record: string) => void) {
		this.separator = separator;
		this.onRecord = onRecord;
	}

	push(chunk: Buffer): void {
		const pieces = this.decoder.write(chunk).split(this.separator);
		for (const [index, piece] of pieces.entries()) {
			const last = index === pieces.length - 1;
			if (!this.dropping) this.rest += piece;
			if (this.rest.length > limits.searchLineBytes) {
				this.rest = '';
				this.dropping = true;
			}
			if (last) return;
			if (!this.dropping) this.onRecord(this.rest);
			this.rest = '';
			this.dropping = false;
		}
	}

	end(): void {
		if (this.rest !== '' && !this.dropping) this.onRecord(this.rest);
		this.rest = '';
	}
}
