// The search over real ripgrep and real folders; tests named after the cases they keep from coming back.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ContentSearch, FoundContent } from '../../../src/core/ports/search.ts';
import { findRipgrep } from '../../../src/node/search/findRipgrep.ts';
import { RipgrepSearch } from '../../../src/node/search/ripgrepSearch.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const signal = new AbortController().signal;

suite('RipgrepSearch', () => {
	let folder: string;
	let search: RipgrepSearch;

	setup(async () => {
		folder = mkdtempSync(path.join(tmpdir(), 'search '));
		const rgPath = await findRipgrep({ from: [repository] });
		assert.ok(rgPath);
		search = new RipgrepSearch({ rgPath });
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	function put(files: Readonly<Record<string, string>>): void {
		for (const [name, text] of Object.entries(files)) {
			mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
			writeFileSync(path.join(folder, name), text);
		}
	}
	async function grep(query: Partial<ContentSearch>): Promise<FoundContent> {
		const found = await search.content({ pattern: '', path: folder, mode: 'content', limit: 100, ...query }, signal);
		assert.equal(found.kind, 'found', found.kind === 'found' ? '' : found.message);
		assert.ok(found.kind === 'found');
		return found;
	}
	function rows(found: FoundContent): string[] {
		return found.matches.map((match) =>
			[path.relative(folder, match.file), match.line, match.text ?? match.count]
				.filter((part) => part !== undefined)
				.join(':'),
		);
	}
	async function glob(pattern: string, limit = 100) {
		const found = await search.files({ pattern, folder, limit }, signal);
		assert.ok(found.kind === 'found', JSON.stringify(found));
		return { ...found, names: found.files.map((file) => path.relative(folder, file)) };
	}

	test('content: lines, context, case, only matching, offset and limit, count, files', async () => {
		put({ 'a.txt': 'one\nTwo two\nthree\n', 'b/c.txt': 'two\r\n', 'b/d.md': 'none' });
		assert.deepEqual(rows(await grep({ pattern: 'two' })), ['a.txt:2:Two two', 'b/c.txt:1:two']);
		assert.deepEqual(rows(await grep({ pattern: 'TWO', caseInsensitive: true, onlyMatching: true })), [
			'a.txt:2:Two',
			'a.txt:2:two',
			'b/c.txt:1:two',
		]);
		const around = await grep({ pattern: 'Two', before: 1, after: 1 });
		assert.deepEqual(rows(around), ['a.txt:1:one', 'a.txt:2:Two two', 'a.txt:3:three']);
		assert.deepEqual(
			around.matches.map((match) => match.context === true),
			[true, false, true],
		);
		const page = await grep({ pattern: 'o', limit: 1, offset: 1 });
		assert.deepEqual(rows(page), ['a.txt:2:Two two']);
		assert.deepEqual([page.total, page.files, page.truncated], [4, 3, true]);
		assert.deepEqual(rows(await grep({ pattern: 'two', mode: 'count' })), ['a.txt:1', 'b/c.txt:1']);
		assert.deepEqual(rows(await grep({ pattern: 'two', mode: 'files_with_matches', glob: 'b/**' })), ['b/c.txt']);
		assert.deepEqual(rows(await grep({ pattern: 'none', type: 'md' })), ['b/d.md:1:none']);
		assert.deepEqual(rows(await grep({ pattern: 'two', path: path.join(folder, 'b/c.txt'), mode: 'count' })), [
			'b/c.txt:1',
		]);
	});

	test('newest first', async () => {
		put({ 'old.ts': 'x', 'new.ts': 'x', 'mid.ts': 'x' });
		for (const [index, name] of ['old.ts', 'mid.ts', 'new.ts'].entries()) {
			utimesSync(path.join(folder, name), 1000 + index, 1000 + index);
		}
		assert.deepEqual((await glob('*.ts')).names, ['new.ts', 'mid.ts', 'old.ts']);
		assert.deepEqual(rows(await grep({ pattern: 'x', mode: 'files_with_matches' })), ['new.ts', 'mid.ts', 'old.ts']);
		const cut = await glob('*.ts', 2);
		assert.deepEqual([cut.names.length, cut.truncated, cut.total], [2, true, 3]);
	});

	test('B45: the person’s ripgrep configuration does not count, and no ripgrep is an error', async () => {
		put({ 'a.txt': 'foo\nfoo\n', config: '--max-count=1\n' });
		const before = process.env['RIPGREP_CONFIG_PATH'];
		process.env['RIPGREP_CONFIG_PATH'] = path.join(folder, 'config');
		try {
			assert.equal((await grep({ pattern: 'foo' })).total, 2);
		} finally {
			if (before === undefined) delete process.env['RIPGREP_CONFIG_PATH'];
			else process.env['RIPGREP_CONFIG_PATH'] = before;
		}
		const query = { pattern: 'foo', path: folder, mode: 'content' as const, limit: 10 };
		const missing = new RipgrepSearch({ rgPath: path.join(folder, 'no-rg') });
		assert.equal((await missing.content(query, signal)).kind, 'failed');
		assert.equal((await missing.files({ pattern: '*', folder, limit: 1 }, signal)).kind, 'failed');
		const broken = path.join(folder, 'rg');
		writeFileSync(
			broken,
			'#!/bin/sh\n[ "$#" -gt 0 ] && for last; do :; done\n[ "$last" = - ] && exit 1\necho broken >&2\nexit 2\n',
		);
		chmodSync(broken, 0o755);
		const failed = await new RipgrepSearch({ rgPath: broken }).content(query, signal);
		assert.deepEqual(failed, { kind: 'failed', message: 'broken' });
	});

	test('B46: patterns are never options; invalid ones are refused with the diagnosis', async () => {
		put({ 'dir with space/ü.txt': 'a -n b --hidden\nfoo(\nab\ninterface{}\n' });
		const at = path.join(folder, 'dir with space/ü.txt');
		assert.equal((await grep({ pattern: '-n' })).total, 1);
		assert.equal((await grep({ pattern: '--hidden', path: at })).total, 1);
		assert.equal((await grep({ pattern: 'interface\\{\\}', path: path.dirname(at) })).total, 1);
		assert.equal((await grep({ pattern: '(?<=a)b' })).total, 1);
		const over = await grep({ pattern: 'ab\ninter', multiline: true });
		assert.deepEqual(await grep({ pattern: 'ab\\ninter' }), over);
		assert.deepEqual(rows(over), ['dir with space/ü.txt:3:ab', 'dir with space/ü.txt:4:interface{}']);
		assert.equal(over.total, 1);
		const refusals: Partial<ContentSearch>[] = [
			{ pattern: 'foo(' },
			{ pattern: 'x', glob: '[' },
			{ pattern: 'x', type: 'nope' },
		];
		for (const query of refusals) {
			const found = await search.content({ pattern: '', path: folder, mode: 'content', limit: 9, ...query }, signal);
			assert.equal(found.kind, 'invalid', JSON.stringify(query));
			assert.ok(found.kind === 'invalid' && found.message.length > 10);
		}
		assert.equal((await search.files({ pattern: '{a', folder, limit: 1 }, signal)).kind, 'invalid');
	});

	test('B47: hidden yes, .git never; ignored files are told, and searched when named', async () => {
		put({
			'.gitignore': 'gen/*\nnode_modules/\n',
			'gen/w.py': 'needle',
			'.github/ci.yml': 'needle',
			'.git/config': 'needle',
			'src/a.py': 'other',
			'node_modules/m/x.py': 'x',
		});
		assert.deepEqual(rows(await grep({ pattern: 'needle' })), ['.github/ci.yml:1:needle']);
		assert.deepEqual(rows(await grep({ pattern: 'needle', path: path.join(folder, 'gen') })), ['gen/w.py:1:needle']);
		assert.deepEqual(rows(await grep({ pattern: 'needle', path: path.join(folder, 'gen/w.py') })), [
			'gen/w.py:1:needle',
		]);
		const none = await grep({ pattern: 'needle', glob: '*.py' });
		assert.equal(none.total, 0);
		assert.deepEqual(none.ignoredFiles, [path.join(folder, 'gen/w.py')]);
		assert.deepEqual((await glob('gen/*.py')).names, ['gen/w.py']);
		const all = await glob('**/*.py');
		assert.equal(all.names[0], 'src/a.py');
		assert.deepEqual([all.total, all.ignored], [3, 2]);
		assert.ok((await glob('**/*')).names.every((name) => !name.startsWith('.git/')));
		assert.equal((await grep({ pattern: 'needle', glob: '**/*' })).total, 1);
		assert.deepEqual(rows(await grep({ pattern: 'needle', path: path.join(folder, '.git') })), [
			'.git/config:1:needle',
		]);
		assert.deepEqual((await glob('.github/**')).names, ['.github/ci.yml']);
		assert.deepEqual((await glob(path.join(folder, 'src/*.py'))).names, ['src/a.py']);
		assert.deepEqual((await glob('./src/*.{py,js}')).names, ['src/a.py']);
	});

	test('a file that cannot be decoded does not hide the others', async () => {
		put({ 'a.txt': 'needle\n' });
		writeFileSync(path.join(folder, 'b.txt'), Buffer.from([0xe9, 0x20, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0x0a]));
		assert.equal((await grep({ pattern: 'needle' })).total, 2);
	});

	test('overlong lines are passed over, the rest is found', async () => {
		put({ 'a.js': `${'x'.repeat(3_000_000)}needle\n`, 'b.js': 'needle\n' });
		assert.deepEqual(rows(await grep({ pattern: 'needle' })), ['b.js:1:needle']);
		assert.equal((await grep({ pattern: 'needle', mode: 'files_with_matches' })).total, 2);
	});

	test('stops when enough was counted', async () => {
		put({ 'a.txt': 'x\n'.repeat(200_000) });
		const found = await grep({ pattern: 'x', limit: 5 });
		assert.deepEqual([found.matches.length, found.incomplete, found.truncated], [5, true, true]);
		assert.ok(found.total < 50_000);
	});

	test('abort and timeout end it', async () => {
		put({ 'a.txt': 'x\n' });
		const query = { pattern: 'x', path: folder, mode: 'content' as const, limit: 10 };
		assert.equal((await search.content(query, AbortSignal.abort())).kind, 'failed');
		const slow = path.join(folder, 'rg');
		writeFileSync(slow, '#!/bin/sh\nexec sleep 30\n');
		chmodSync(slow, 0o755);
		const started = Date.now();
		const timed = await new RipgrepSearch({ rgPath: slow, timeoutMs: 50 }).content(query, signal);
		assert.ok(timed.kind === 'failed' && /longer than 50 ms/.test(timed.message));
		const stopper = new AbortController();
		const running = new RipgrepSearch({ rgPath: slow }).content(query, stopper.signal);
		stopper.abort();
		assert.equal((await running).kind, 'failed');
		assert.ok(Date.now() - started < 10_000);
	});

	test('20,000 files are listed and sorted in seconds', async () => {
		for (let index = 0; index < 200; index++) {
			mkdirSync(path.join(folder, `d${index}`));
			for (let file = 0; file < 100; file++) writeFileSync(path.join(folder, `d${index}/f${file}.ts`), 'login');
		}
		const started = Date.now();
		const found = await glob('**/*.ts');
		assert.deepEqual([found.total, found.names.length], [20_000, 100]);
		assert.equal((await grep({ pattern: 'login', mode: 'files_with_matches', limit: 10 })).total, 20_000);
		assert.ok(Date.now() - started < 8_000, `${Date.now() - started} ms`);
	});
});

suite('findRipgrep', () => {
	let folder: string;
	setup(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'rg-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	function executable(...parts: string[]): string {
		const file = path.join(folder, ...parts);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, '');
		chmodSync(file, 0o755);
		return file;
	}

	test('VS Code’s own places first, then the package, then PATH', async () => {
		const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
		const nowhere = path.join(folder, 'nowhere');
		const places = { appRoot: folder, from: [path.join(folder, 'ext/dist')], path: [path.join(folder, 'bin')] };
		assert.equal(await findRipgrep({ appRoot: nowhere, from: [nowhere], path: ['.', nowhere] }), undefined);
		const onPath = executable('bin', name);
		assert.equal(await findRipgrep(places), onPath);
		const platform = `ripgrep-${process.platform}-${process.arch}`;
		const packaged = executable('ext/node_modules/@vscode', platform, 'bin', name);
		assert.equal(await findRipgrep(places), packaged);
		const unpacked = executable('node_modules.asar.unpacked/@vscode/ripgrep/bin', name);
		assert.equal(await findRipgrep(places), unpacked);
		const own = executable('node_modules/@vscode/ripgrep/bin', name);
		assert.equal(await findRipgrep(places), own);
	});
});
