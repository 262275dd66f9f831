// Loads our own bundles with the code that the runtime compiled in earlier runs: a third of a short run is compiling.
// Rule: a file of the cache is used only when nobody else could have written it and its digest fits runtime, source and data; with
// the cache gone, broken or read-only everything works as without it.
import { createHash, randomUUID } from 'node:crypto';
import {
	closeSync,
	fstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { getHeapCodeStatistics } from 'node:v8';
import { Script } from 'node:vm';

/** No run uses everything: one that compiled more than this times what the cache holds writes it anew. */
const growth = 1.02;
const digestBytes = 32;
const sizeBytes = 4;
/** What a bundle requires of its own folder; the rest is left to the runtime. */
const bundleBeside = /^\.\/\w+\.js$/;
/** Of files that other versions of Loopwright or the runtime left. */
const oldestDays = 30;

interface Known {
	readonly data: Buffer;
	/** Bytes of compiled code in the whole process that wrote it. */
	readonly compiled: number;
}
interface Loaded {
	readonly exports: unknown;
	readonly script: Script;
	readonly source: string;
	readonly known: Known | undefined;
}

export class CodeCache {
	readonly #folder: string | undefined;
	readonly #loaded = new Map<string, Loaded>();

	/** `folder`: where the cache lies, made when it is first written; `undefined`: nothing is read and nothing kept. */
	constructor(folder: string | undefined) {
		this.#folder = folder;
	}

	/** How many files were loaded. */
	get size(): number {
		return this.#loaded.size;
	}

	/** What the CommonJS file exports, as `require` would give it; bundles beside it that it requires are loaded the same way. */
	load(file: string): unknown {
		const loaded = this.#loaded.get(file);
		if (loaded) return loaded.exports;
		const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
		const cached = this.#folder === undefined ? undefined : readKnown(placeOf(file, this.#folder), source);
		const script = new Script(source, { filename: file, ...(cached ? { cachedData: cached.data } : {}) });
		const known = script.cachedDataRejected ? undefined : cached;
		const module = { exports: {} };
		const native = createRequire(file);
		const folder = path.dirname(file);
		const require = (id: string): unknown =>
			bundleBeside.test(id) ? this.load(path.join(folder, id)) : (native(id) as unknown);
		const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
		run.call(module.exports, module.exports, require, module, file, folder);
		this.#loaded.set(file, { exports: module.exports, script, source, known });
		return module.exports;
	}

	/** Writes what was compiled, if it is more than what is known. Contract: never throws; what cannot be written is not kept. */
	save(): void {
		const folder = this.#folder;
		if (folder === undefined) return;
		try {
			const compiled = getHeapCodeStatistics().bytecode_and_metadata_size;
			const wanted = [...this.#loaded].filter(([, { known }]) => compiled > (known?.compiled ?? 0) * growth);
			if (wanted.length === 0) return;
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			for (const [file, { script, source, known }] of wanted) {
				const data = script.createCachedData();
				// Code that was not used for long is dropped: a long run may know less than the one before.
				if (data.length >= (known?.data.length ?? 0)) writeKnown(placeOf(file, folder), source, { data, compiled });
			}
			removeOld(folder);
		} catch {
			// The next run tries again.
		}
	}
}

/** One for each installation and runtime: two that are used in turn would write over each other's. */
function placeOf(file: string, folder: string): string {
	const installation = createHash('sha256').update(file).digest('hex').slice(0, 8);
	return path.join(folder, `${path.basename(file, '.js')}-${process.version}-${process.arch}-${installation}.bin`);
}

function readKnown(place: string, source: string): Known | undefined {
	try {
		const bytes = readOwn(place);
		const rest = bytes?.subarray(digestBytes);
		if (!rest || !bytes?.subarray(0, digestBytes).equals(digestOf(source, rest))) return undefined;
		return { compiled: rest.readUInt32LE(), data: rest.subarray(sizeBytes) };
	} catch {
		return undefined;
	}
}

function writeKnown(place: string, source: string, { data, compiled }: Known): void {
	const size = Buffer.alloc(sizeBytes);
	size.writeUInt32LE(compiled);
	const rest = Buffer.concat([size, data]);
	const temporary = `${place}.${randomUUID()}.tmp`;
	try {
		writeFileSync(temporary, Buffer.concat([digestOf(source, rest), rest]), { mode: 0o600, flag: 'wx' });
		renameSync(temporary, place);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}

function removeOld(folder: string): void {
	const oldest = Date.now() - oldestDays * 24 * 60 * 60 * 1000;
	for (const name of readdirSync(folder)) {
		const file = path.join(folder, name);
		if (/\.(?:bin|tmp)$/.test(name) && statSync(file).mtimeMs < oldest) rmSync(file, { force: true });
	}
}

function digestOf(source: string, rest: Uint8Array): Buffer {
	return createHash('sha256').update(`${process.version} ${process.arch}\n`).update(source).update(rest).digest();
}

/** The bytes of a file of ours: `undefined` when it belongs to, or may be written by, another user. */
function readOwn(file: string): Buffer | undefined {
	const descriptor = openSync(file, 'r');
	try {
		const { uid, mode } = fstatSync(descriptor);
		const own = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
		return own ? readFileSync(descriptor) : undefined;
	} finally {
		closeSync(descriptor);
	}
}
