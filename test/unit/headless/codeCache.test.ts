// The code cache of the built runner: kept between runs, never trusted, and nothing depends on it.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { headlessBundle } from '../../../scripts/lib/bundles.mjs';
import { CodeCache } from '../../../src/headless/codeCache.ts';
import { answer, startMockServer, toolUse, turn, type MockServer } from '../../support/mockServer.ts';
import { temporaryFolder } from '../shell/support.ts';
import { Headless } from './support.ts';

const outdir = path.resolve(import.meta.dirname, '../../../out/test/codeCache');

suite('code cache', function () {
	this.timeout(60_000);
	let server: MockServer;
	let headless: Headless;
	suiteSetup(async () => {
		await build({ ...headlessBundle({ outdir }), logLevel: 'warning' });
	});
	suiteTeardown(() => rmSync(outdir, { recursive: true, force: true }));
	setup(async () => {
		server = await startMockServer();
		headless = new Headless(path.join(outdir, 'headless.js'), server.url);
		writeFileSync(path.join(headless.cwd, 'a.txt'), 'first line\n');
	});
	teardown(async () => {
		headless.dispose();
		await server.close();
	});

	const folder = () => path.join(headless.home, 'cache');
	const files = () => (existsSync(folder()) ? readdirSync(folder()).toSorted() : []);
	const inodes = () => files().map((name) => statSync(path.join(folder(), name)).ino);
	async function works(env: Record<string, string> = {}): Promise<void> {
		server.setScript([turn(toolUse('Read', { file_path: 'a.txt' })), answer('Done.')]);
		const { status, stdout, stderr } = await headless.run(['-p', 'x'], { env });
		assert.deepEqual([status, stdout, stderr], [0, 'Done.\n', '']);
	}

	test('what a run compiled is kept, for its owner only, and read by the next one', async () => {
		await works();
		assert.deepEqual(
			files().map((name) => name.replace(/-v.*/, '')),
			['anthropic', 'runner'],
		);
		for (const name of files()) assert.equal(statSync(path.join(folder(), name)).mode & 0o077, 0, name);
		// Code that the first run compiled while it ended may be new to the second.
		await works();
		const known = inodes();
		await works();
		assert.deepEqual(inodes(), known);
	});

	test('a run that asks no model, and one that is told not to, keep nothing', async () => {
		await headless.run(['--version']);
		await works({ NODE_DISABLE_COMPILE_CACHE: '1' });
		assert.deepEqual(files(), []);
	});

	test('files that are broken, cut, or writable by others are not used but replaced', async () => {
		await works();
		const file = () => path.join(folder(), files().find((name) => name.startsWith('runner')) ?? assert.fail());
		const whole = readFileSync(file());
		const flipped = Buffer.from(whole);
		flipped[1000] = (flipped[1000] ?? 0) ^ 1;
		for (const bytes of [flipped, whole.subarray(0, 1000), Buffer.alloc(0)]) {
			writeFileSync(file(), bytes);
			await works();
			assert.ok(!readFileSync(file()).equals(bytes));
		}
		if (process.platform === 'win32') return;
		const before = statSync(file()).ino;
		chmodSync(file(), 0o666);
		await works();
		assert.notEqual(statSync(file()).ino, before);
	});

	test('where nothing can be written all works as well', async () => {
		writeFileSync(folder(), 'a file in the place of the folder');
		await works();
	});

	test('a bundle that was built anew runs as it is now', () => {
		const base = temporaryFolder();
		const file = path.join(base, 'bundle.js');
		const load = (text: string) => {
			writeFileSync(file, text);
			const cache = new CodeCache(path.join(base, 'cache'));
			const exports = cache.load(file);
			cache.save();
			return exports;
		};
		writeFileSync(path.join(base, 'other.js'), 'exports.name = __filename;');
		try {
			assert.deepEqual(load('module.exports = { is: "old" };'), { is: 'old' });
			assert.deepEqual(load('module.exports = { is: "new" };'), { is: 'new' });
			const required = 'module.exports = [require("./other.js") === require("./other.js"), require("node:path").sep];';
			assert.deepEqual(load(required), [true, path.sep]);
			assert.throws(() => load('throw new Error("from within");'), /from within/);
		} finally {
			rmSync(base, { recursive: true, force: true });
		}
	});
});
