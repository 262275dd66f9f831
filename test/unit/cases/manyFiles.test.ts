// A workspace of very many files, with the real search: it answers, it stops at once, and the extension host stays free meanwhile.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fuzzyQuery } from '../../../src/host/mentions/fuzzy.ts';
import { FileIndex } from '../../../src/host/mentions/fileIndex.ts';
import { findRipgrep } from '../../../src/node/search/findRipgrep.ts';
import { RipgrepSearch } from '../../../src/node/search/ripgrepSearch.ts';

/** Few, so that it is quick: `MANY_FILES=300000 npx mocha --import tsx --ui tdd test/unit/cases/manyFiles.test.ts` is the case in full. */
const folders = Number(process.env['MANY_FILES'] ?? 10_000) / 100;
const filesEach = 100;

suite('very many files', function () {
	this.timeout(folders > 100 ? 600_000 : 60_000);
	let folder: string;
	let search: RipgrepSearch;
	suiteSetup(async () => {
		folder = mkdtempSync(path.join(tmpdir(), 'lw-many-'));
		for (let at = 0; at < folders; at++) {
			const deep = path.join(folder, `package-${at}`, 'src', 'deep', 'deeper');
			mkdirSync(deep, { recursive: true });
			for (let file = 0; file < filesEach; file++) writeFileSync(path.join(deep, `file-${file}.ts`), 'text\n');
			if (process.platform !== 'win32') symlinkSync(folder, path.join(deep, 'loop'));
		}
		search = new RipgrepSearch({ rgPath: (await findRipgrep({ from: [process.cwd()] })) ?? assert.fail('no ripgrep') });
	});
	suiteTeardown(() => rmSync(folder, { recursive: true, force: true }));

	/** The longest that others had to wait, milliseconds; a busy machine adds to the few longest. */
	async function delayOf(work: () => Promise<unknown>): Promise<number> {
		const delay = monitorEventLoopDelay({ resolution: 5 });
		delay.enable();
		await work();
		delay.disable();
		return delay.percentile(95) / 1e6;
	}

	test('B70 everything, nothing, and what is stopped: loops are not followed, and nobody waits', async () => {
		const { signal } = new AbortController();
		const ms = await delayOf(async () => {
			const all = await search.files({ pattern: '**/*', folder, limit: 100 }, signal);
			assert.ok(all.kind === 'found' && all.files.length === 100);
			assert.ok(all.files.every((file) => !file.includes(`loop${path.sep}`)));
			const none = await search.content({ pattern: 'zzz', path: folder, mode: 'content', limit: 100 }, signal);
			assert.ok(none.kind === 'found' && none.matches.length === 0);
			const stop = new AbortController();
			const stopped = search.content({ pattern: 'text', path: folder, mode: 'content', limit: 100 }, stop.signal);
			setImmediate(() => stop.abort());
			const began = performance.now();
			await stopped.catch(() => undefined);
			assert.ok(performance.now() - began < 5000);
		});
		assert.ok(ms < 100, `${ms} ms`);
	});

	test('B70 three hundred thousand names to mention: asked in slices, and left when nobody waits', async () => {
		const names = Array.from({ length: 300_000 }, (_, at) => `packages/module-${at % 300}/src/deep/file-${at}.ts`);
		const index = new FileIndex(() => Promise.resolve(names), Date.now);
		let left: unknown;
		const ms = await delayOf(async () => {
			const order = { limit: 20, bonus: () => 0, isNewest: () => true };
			const found = await index.search(fuzzyQuery('file9999'), order);
			assert.ok(found && found.length === 20);
			left = await index.search(fuzzyQuery('x'), { ...order, isNewest: () => false });
		});
		assert.equal(left, undefined);
		assert.ok(ms < 200, `${ms} ms`);
	});
});
