// Writes a compiled answer to a socket: holds, paces, cuts and drops it as the script says, and stops when the client leaves.
import type { ServerResponse } from 'node:http';
import { ping } from '../../../src/node/wire/events.ts';
import { sseHeaders, sseRecord } from '../../../src/node/wire/sse.ts';
import type { Compiled, Operation } from './compile.ts';
import type { DropHow } from './parts.ts';

/** Time for bytes to reach the client before a reset throws away what is under way. */
const RESET_GRACE_MS = 25;

/** Streams the answer. Contract: resolves when the answer is over or the client has gone; never rejects. */
export async function playStream(response: ServerResponse, compiled: Compiled, requestId: string): Promise<void> {
	const player = new Player(response, compiled);
	for (const operation of compiled.beforeHeaders) {
		if (!(await player.play(operation))) return;
	}
	response.writeHead(200, { ...sseHeaders, 'request-id': requestId, ...compiled.settings.headers });
	response.flushHeaders();
	for (const [place, operation] of compiled.operations.entries()) {
		const last = place === compiled.operations.length - 1;
		if (!(await player.play(operation, last))) return;
	}
	await player.end();
}

/** Answers a request without `stream`: the same holds and drops, then the JSON message. */
export async function playMessage(response: ServerResponse, compiled: Compiled, requestId: string): Promise<void> {
	const player = new Player(response, compiled);
	for (const operation of [...compiled.beforeHeaders, ...compiled.operations]) {
		const failed = operation.op === 'event' && operation.event.type === 'error';
		if (failed) return void response.writeHead(500, jsonHeaders(requestId)).end(JSON.stringify(operation.event));
		if (operation.op === 'event' || operation.op === 'raw') continue;
		if (!(await player.play(operation))) return;
	}
	response
		.writeHead(200, { ...jsonHeaders(requestId), ...compiled.settings.headers })
		.end(JSON.stringify(compiled.message));
}

function jsonHeaders(requestId: string): Record<string, string> {
	return { 'content-type': 'application/json', 'request-id': requestId };
}

class Player {
	readonly #response: ServerResponse;
	readonly #compiled: Compiled;
	readonly #gone: Promise<false>;
	#written = 0;
	#pending: Buffer = Buffer.alloc(0);

	constructor(response: ServerResponse, compiled: Compiled) {
		this.#response = response;
		this.#compiled = compiled;
		this.#gone = new Promise((resolve) => response.once('close', () => resolve(false)));
	}

	/** Carries out one operation; false when nothing more may follow. */
	async play(operation: Operation, last = false): Promise<boolean> {
		switch (operation.op) {
			case 'event':
				return this.#write(this.#record(sseRecord(operation.event), last));
			case 'raw':
				return this.#write(operation.text);
			case 'hold':
				await this.#flush();
				return Promise.race([this.#gone, operation.hold.wait().then(() => true)]);
			case 'stall':
				await this.#flush();
				return this.#stall(operation.pingEveryMs);
			case 'drop':
				await this.#flush();
				return this.#drop(operation.how);
		}
	}

	async end(): Promise<void> {
		await this.#flush();
		if (!this.#response.destroyed) this.#response.end();
	}

	#record(record: string, last: boolean): string {
		const { dataLinesOnly, openEnd } = this.#compiled.settings;
		const lines = dataLinesOnly ? record.slice(record.indexOf('\n') + 1) : record;
		return last && openEnd ? lines.slice(0, -1) : lines;
	}

	async #write(text: string): Promise<boolean> {
		const { pace } = this.#compiled.settings;
		if (!pace) return this.#send(Buffer.from(text));
		this.#pending = Buffer.concat([this.#pending, Buffer.from(text)]);
		while (this.#pending.length >= pace.chunkBytes) {
			const chunk = this.#pending.subarray(0, pace.chunkBytes);
			this.#pending = this.#pending.subarray(pace.chunkBytes);
			if (!(await this.#send(chunk))) return false;
			// Even without a pause each chunk must leave by itself, or the kernel would join them again.
			await new Promise((resolve) => (pace.everyMs ? setTimeout(resolve, pace.everyMs) : setImmediate(resolve)));
		}
		return true;
	}

	/** Sends what pacing still holds back, before the stream rests or ends. */
	async #flush(): Promise<void> {
		const rest = this.#pending;
		this.#pending = Buffer.alloc(0);
		if (rest.length > 0) await this.#send(rest);
	}

	async #send(bytes: Buffer): Promise<boolean> {
		const limit = this.#compiled.dropAfterBytes;
		if (limit && this.#written + bytes.length > limit.bytes) {
			await this.#put(bytes.subarray(0, limit.bytes - this.#written));
			return this.#drop(limit.how);
		}
		return this.#put(bytes);
	}

	async #put(bytes: Buffer): Promise<boolean> {
		if (this.#response.destroyed || this.#response.writableEnded) return false;
		this.#written += bytes.length;
		const flushed = new Promise<boolean>((resolve) => this.#response.write(bytes, (error) => resolve(!error)));
		return Promise.race([this.#gone, flushed]);
	}

	async #stall(pingEveryMs: number | undefined): Promise<boolean> {
		const timer = pingEveryMs && setInterval(() => this.#response.write(sseRecord(ping())), pingEveryMs);
		const result = await this.#gone;
		if (timer) clearInterval(timer);
		return result;
	}

	async #drop(how: DropHow): Promise<boolean> {
		if (how === 'end') {
			if (!this.#response.headersSent) this.#response.writeHead(200, sseHeaders);
			this.#response.end();
			return false;
		}
		const { socket } = this.#response;
		if (how === 'close') socket?.end(() => socket.destroy());
		else {
			await new Promise((resolve) => setTimeout(resolve, RESET_GRACE_MS));
			socket?.resetAndDestroy();
		}
		return false;
	}
}
