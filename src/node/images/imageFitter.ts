// Makes images of the disk fit for a request, as the composer does with those of a prompt: scaled down and written anew, in a thread
// of its own, one at a time, as a large photo needs a second and hundreds of megabytes. What was photographed where is gone then.
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export interface FitOrder {
	readonly bytes: Uint8Array;
	readonly mediaType: string;
	/** Pixels of the longer side, and bytes, at most. */
	readonly edge: number;
	readonly most: number;
}

/** Pixels. `unfit`: it is broken, or stays too large whatever is tried. */
export type Fitted =
	| {
			readonly kind: 'fitted';
			readonly bytes: Uint8Array;
			readonly mediaType: string;
			readonly width: number;
			readonly height: number;
	  }
	| { readonly kind: 'unfit'; readonly problem: 'broken' | 'too_large' };

/** Milliseconds for one image; the largest takes a few seconds. */
const patience = 60_000;

export class ImageFitter {
	readonly #script: string | undefined;
	#last: Promise<unknown> = Promise.resolve();

	/** `script`: what is built from `imageWorker.ts`; it lies beside all other bundles. */
	constructor(script?: string) {
		this.#script = script;
	}

	/** Contract: never rejects; a file that brings its decoder down is broken. */
	fit(order: FitOrder): Promise<Fitted> {
		const script = this.#script ?? path.join(import.meta.dirname, 'imageWorker.js');
		const result = this.#last.then(() => fitted(script, order));
		this.#last = result;
		return result;
	}
}

function fitted(script: string, order: FitOrder): Promise<Fitted> {
	return new Promise((resolve) => {
		const broken: Fitted = { kind: 'unfit', problem: 'broken' };
		const thread = new Worker(script, { workerData: order, stdout: true, stderr: true });
		const timer = setTimeout(() => end(broken), patience);
		const end = (result: Fitted) => {
			clearTimeout(timer);
			resolve(result);
			void thread.terminate();
		};
		thread.once('message', (result: Fitted) => end(result));
		thread.once('error', () => end(broken));
		thread.once('exit', () => end(broken));
	});
}
