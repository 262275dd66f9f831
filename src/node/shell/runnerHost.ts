// The host's side of the shell runners: a socket in a folder that only this user can enter, one connection per runner,
// each let in by a token that is good once. Contract: `run` never rejects, whatever becomes of the runner.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FrameDecoder, type FromRunner, HANDOVER } from './protocol.ts';
import { RunnerConnection } from './runnerConnection.ts';

/** A place kept for one runner. */
export interface Invitation {
	/** To be added to the runner's environment. */
	readonly env: Readonly<Record<string, string>>;
	/** Rejects when the runner does not come in time or the invitation is taken back. */
	readonly connection: Promise<RunnerConnection>;
	/** Takes the invitation back. */
	cancel(reason: string): void;
}

interface Guest {
	readonly mark: string;
	readonly folder: string;
	arrive(connection: RunnerConnection): void;
	cancel(reason: string): void;
}

/** A runner that has not come after so long will not come. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Paths of sockets must be shorter than 104 bytes (macOS). */
const MAX_SOCKET_PATH = 100;

/** Listens for runners. */
export class RunnerHost {
	readonly #server: Server;
	readonly #folder: string;
	readonly #address: string;
	readonly #guests = new Map<string, Guest>();
	readonly #connections = new Set<RunnerConnection>();
	#count = 0;

	/** Starts listening. Rejects when no socket can be made. */
	static async listen(): Promise<RunnerHost> {
		const folder = mkdtempSync(path.join(baseFolder(), 'loopwright-'));
		const address =
			process.platform === 'win32'
				? `\\\\.\\pipe\\loopwright-${randomBytes(16).toString('hex')}`
				: path.join(folder, 'socket');
		const server = createServer();
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(address, resolve);
		});
		server.unref();
		return new RunnerHost(server, folder, address);
	}

	private constructor(server: Server, folder: string, address: string) {
		this.#server = server;
		this.#folder = folder;
		this.#address = address;
		server.on('error', () => undefined);
		server.on('connection', (socket) => this.#welcome(socket));
	}

	/** Makes ready for one runner. `keep`: variables that its commands inherit although they hold keys. */
	invite(keep: readonly string[] = []): Invitation {
		const token = randomBytes(32).toString('hex');
		const mark = `${path.basename(this.#folder)}-${++this.#count}`;
		const folder = path.join(this.#folder, mark);
		mkdirSync(folder, { mode: 0o700 });
		let cancel: (reason: string) => void = () => undefined;
		const connection = new Promise<RunnerConnection>((resolve, reject) => {
			const timer = setTimeout(() => cancel('The shell runner did not start in time.'), CONNECT_TIMEOUT_MS);
			cancel = (reason) => {
				clearTimeout(timer);
				if (this.#guests.delete(token)) rmSync(folder, { recursive: true, force: true });
				reject(new Error(reason));
			};
			const arrive = (arrived: RunnerConnection) => {
				clearTimeout(timer);
				resolve(arrived);
			};
			this.#guests.set(token, { mark, folder, arrive, cancel });
		});
		// Whoever does not wait any more must not bring the process down.
		connection.catch(() => undefined);
		const env = {
			[HANDOVER.socket]: this.#address,
			[HANDOVER.token]: token,
			[HANDOVER.folder]: folder,
			[HANDOVER.keep]: keep.join(','),
		};
		return { env, connection, cancel: (reason) => cancel(reason) };
	}

	/** Ends every runner with all that it started, and stops listening. */
	async dispose(): Promise<void> {
		for (const guest of this.#guests.values()) guest.cancel('The shell has been closed.');
		await Promise.all([...this.#connections].map((connection) => connection.dispose()));
		await new Promise<void>((resolve) => this.#server.close(() => resolve()));
		rmSync(this.#folder, { recursive: true, force: true });
	}

	#welcome(socket: Socket): void {
		const decoder = new FrameDecoder<FromRunner>();
		const turnAway = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS);
		socket.on('error', () => undefined);
		socket.once('close', () => clearTimeout(turnAway));
		socket.once('data', (bytes: Buffer) => {
			clearTimeout(turnAway);
			const hello = firstFrame(decoder, bytes);
			const guest = hello?.type === 'hello' ? this.#guests.get(hello.token) : undefined;
			if (hello?.type !== 'hello' || guest === undefined) {
				socket.destroy();
				return;
			}
			this.#guests.delete(hello.token);
			const connection = new RunnerConnection({ socket, decoder, pid: hello.pid, mark: guest.mark });
			this.#connections.add(connection);
			void connection.closed.then(() => {
				this.#connections.delete(connection);
				rmSync(guest.folder, { recursive: true, force: true });
			});
			guest.arrive(connection);
		});
	}
}

/** The first thing a runner sends is small and comes in one piece; what does not look like it is not one of ours. */
function firstFrame(decoder: FrameDecoder<FromRunner>, bytes: Buffer): FromRunner | undefined {
	try {
		return decoder.push(bytes)[0]?.header;
	} catch {
		return undefined;
	}
}

function baseFolder(): string {
	const folder = tmpdir();
	const tooLong = path.join(folder, 'loopwright-XXXXXX', 'socket').length > MAX_SOCKET_PATH;
	return tooLong && process.platform !== 'win32' ? '/tmp' : folder;
}
