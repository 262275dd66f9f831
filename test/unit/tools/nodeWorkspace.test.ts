// The workspace on a real disk: bytes, links and modes survive; nothing is written on what was not expected.
import assert from 'node:assert/strict';
import {
	chmodSync,
	linkSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { editTool } from '../../../src/core/tools/builtin/edit.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { writeTool } from '../../../src/core/tools/builtin/write.ts';
import type { ToolContext } from '../../../src/core/tools/tool.ts';
import { loadFile, spliceFile } from '../../../src/node/workspace/diskFile.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { callTool, fakeContext } from '../../support/fakeWorkspace.ts';

suite('NodeWorkspace', () => {
	let folder: string;
	let workspace: NodeWorkspace;
	setup(() => {
		folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'workspace-')));
		workspace = new NodeWorkspace({ roots: [folder], maxBytes: 1_000_000 });
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const at = (name: string): string => path.join(folder, name);

	async function edit(name: string, old: string, replacement: string) {
		const context = fakeContext(workspace);
		await callTool(readTool, { file_path: name }, context);
		return callTool(editTool, { file_path: name, old_string: old, new_string: replacement }, context);
	}

	test('what a read can find', async () => {
		mkdirSync(at('d'));
		writeFileSync(at('bin'), Buffer.from([1, 0, 2]));
		writeFileSync(at('latin'), Buffer.from('caf\u00e9 au lait\n', 'latin1'));
		writeFileSync(at('big'), 'x'.repeat(1_000_001));
		writeFileSync(at('a'), 'text\r\n');
		const kinds = await Promise.all(
			['a', 'd', 'bin', 'latin', 'big', 'none', 'a/b'].map(async (name) => {
				const found = await workspace.read(at(name));
				return found.kind === 'undecodable' ? found.reason : found.kind;
			}),
		);
		assert.deepEqual(kinds, ['text', 'folder', 'binary', 'encoding', 'too_large', 'missing', 'missing']);
		if (process.platform === 'linux') assert.equal((await workspace.read('/dev/zero')).kind, 'failed');
	});

	test('B20: byte order marks and UTF-16 are kept; what is not known is refused untouched', async () => {
		writeFileSync(at('b.txt'), '\ufeffone\r\n');
		assert.ok(!(await edit('b.txt', 'one', 'zwei')).isError);
		assert.equal(readFileSync(at('b.txt'), 'utf8'), '\ufeffzwei\r\n');
		writeFileSync(at('u.txt'), Buffer.from('\ufeffw\u00f6rd 中\r\nx', 'utf16le'));
		assert.ok(!(await edit('u.txt', 'w\u00f6rd', 'word')).isError);
		assert.deepEqual(readFileSync(at('u.txt')), Buffer.from('\ufeffword 中\r\nx', 'utf16le'));
		const big = Buffer.from('\ufeffab', 'utf16le').swap16();
		writeFileSync(at('be.txt'), big);
		assert.ok(!(await edit('be.txt', 'a', 'c')).isError);
		assert.deepEqual(readFileSync(at('be.txt')), Buffer.from('\ufeffcb', 'utf16le').swap16());
		const latin = Buffer.from('caf\u00e9\r\nk=1\r\n', 'latin1');
		writeFileSync(at('c.txt'), latin);
		const refused = await edit('c.txt', 'k=1', 'k=2');
		assert.match(refused.text, /encoding/);
		assert.deepEqual(readFileSync(at('c.txt')), latin);
	});

	test('B29: links stay links, their targets get the text', async () => {
		mkdirSync(at('real'));
		writeFileSync(at('real/conf.txt'), 'v1');
		writeFileSync(at('top.txt'), 't1');
		symlinkSync('real/conf.txt', at('link.txt'));
		symlinkSync('real', at('d'));
		symlinkSync('../top.txt', at('real/l.txt'));
		await edit('link.txt', 'v1', 'v2');
		await edit('d/l.txt', 't1', 't2');
		assert.ok(lstatSync(at('link.txt')).isSymbolicLink() && lstatSync(at('real/l.txt')).isSymbolicLink());
		assert.equal(readFileSync(at('real/conf.txt'), 'utf8'), 'v2');
		assert.equal(readFileSync(at('top.txt'), 'utf8'), 't2');
		assert.equal(await workspace.realPath(at('d/l.txt')), at('top.txt'));
	});

	test('real paths of what does not exist, through dangling and looping links', async () => {
		mkdirSync(at('real'));
		symlinkSync(at('real'), at('d'));
		symlinkSync('/nowhere/new', at('dang'));
		symlinkSync('loop', at('loop'));
		assert.equal(await workspace.realPath(at('d/x/y.txt')), at('real/x/y.txt'));
		assert.equal(await workspace.realPath(at('dang')), '/nowhere/new');
		assert.equal(await workspace.realPath(at('dang/z')), '/nowhere/new/z');
		assert.ok(await workspace.realPath(at('loop')));
	});

	test('mode and hard links are kept, and nothing is left beside', async () => {
		writeFileSync(at('run.sh'), 'a\n');
		chmodSync(at('run.sh'), 0o750);
		await edit('run.sh', 'a', 'b');
		assert.equal(statSync(at('run.sh')).mode & 0o777, 0o750);
		writeFileSync(at('h1'), 'a\n');
		linkSync(at('h1'), at('h2'));
		await edit('h1', 'a', 'b');
		assert.equal(readFileSync(at('h2'), 'utf8'), 'b\n');
		assert.deepEqual(readdirSync(folder).sort(), ['h1', 'h2', 'run.sh']);
	});

	test('a read-only file is not written', async () => {
		writeFileSync(at('ro'), 'a\n');
		chmodSync(at('ro'), 0o444);
		const refused = await edit('ro', 'a', 'b');
		assert.match(refused.text, /ro cannot be changed: the file is read-only\./);
		assert.equal(refused.refused, true, 'nobody is asked');
		assert.equal(readFileSync(at('ro'), 'utf8'), 'a\n');
	});

	test('creates with folders; an existing or changed file is not written', async () => {
		const created = await workspace.change({
			path: at('n/m/x.txt'),
			expected: undefined,
			edits: [{ start: 0, end: 0, text: 'hi' }],
		});
		assert.deepEqual(created, { kind: 'applied', text: 'hi', saved: true });
		const again = await workspace.change({ path: at('n/m/x.txt'), expected: undefined, edits: [] });
		assert.equal(again.kind, 'changed');
		const stale = await workspace.change({ path: at('n/m/x.txt'), expected: 'old', edits: [] });
		assert.deepEqual(stale, { kind: 'changed', current: { kind: 'text', text: 'hi', unsaved: false } });
		assert.equal((await workspace.change({ path: folder, expected: '', edits: [] })).kind, 'changed');
		const half = await workspace.change({
			path: at('s.txt'),
			expected: undefined,
			edits: [{ start: 0, end: 0, text: '\ud800' }],
		});
		assert.equal(half.kind, 'failed');
		const below = await workspace.change({ path: at('n/m/x.txt/y'), expected: undefined, edits: [] });
		assert.ok(
			below.kind === 'failed' && below.message.endsWith('x.txt is a file, not a folder'),
			JSON.stringify(below),
		);
	});

	test('names as long as a file system has them, of characters of one to four bytes', async () => {
		for (const name of ['n'.repeat(255), '名'.repeat(85), '😀'.repeat(63)]) {
			writeFileSync(at(name), 'one');
			const edits = [{ start: 0, end: 3, text: 'two' }];
			const changed = await workspace.change({ path: at(name), expected: 'one', edits });
			assert.deepEqual(changed, { kind: 'applied', text: 'two', saved: true }, name);
			assert.equal(readFileSync(at(name), 'utf8'), 'two');
		}
	});

	test('changes of one file at once: one is applied, the other told', async () => {
		writeFileSync(at('a'), 'x');
		const change = (text: string) =>
			workspace.change({ path: at('a'), expected: 'x', edits: [{ start: 0, end: 1, text }] });
		const outcomes = await Promise.all([change('one'), change('two')]);
		assert.deepEqual(outcomes.map((outcome) => outcome.kind).sort(), ['applied', 'changed']);
	});

	test('B20: an assumed encoding is read, kept and shown; a mark and UTF-8 that it cannot be go before', async () => {
		workspace = new NodeWorkspace({ roots: [folder], encoding: 'gbk' });
		writeFileSync(at('g.txt'), Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0x78, 0x0a]));
		const shown = await callTool(readTool, { file_path: 'g.txt' }, fakeContext(workspace));
		assert.match(shown.text, /^1\t你好\n2\tx\n\[The file is encoded in GBK/);
		assert.ok(!(await edit('g.txt', 'x', '好')).isError);
		assert.deepEqual(readFileSync(at('g.txt')), Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xba, 0xc3, 0x0a]));
		const refused = await edit('g.txt', '你', '😀');
		assert.match(refused.text, /encoded in GBK, which has no "😀" \(U\+1F600\)/);
		assert.equal(refused.refused, true, 'nobody is asked');
		writeFileSync(at('plain.txt'), 'x\n');
		await edit('plain.txt', 'x', '好');
		assert.deepEqual(readFileSync(at('plain.txt')), Buffer.from([0xba, 0xc3, 0x0a]));
		writeFileSync(at('bom.txt'), '\uFEFF好x\n');
		await edit('bom.txt', 'x', 'é');
		assert.equal(readFileSync(at('bom.txt'), 'utf8'), '\uFEFF好é\n');
		writeFileSync(at('utf8.txt'), '中\nx\n');
		await edit('utf8.txt', 'x', '好');
		assert.equal(readFileSync(at('utf8.txt'), 'utf8'), '中\n好\n');
	});

	test('B25: a new time stamp alone means nothing, a new text does', async () => {
		writeFileSync(at('a.txt'), 'one\ntwo\n');
		const context = fakeContext(workspace);
		await callTool(readTool, { file_path: 'a.txt' }, context);
		utimesSync(at('a.txt'), 1, 1);
		const change = (old: string, text: string) =>
			callTool(editTool, { file_path: 'a.txt', old_string: old, new_string: text }, context);
		assert.doesNotMatch((await change('one', '1')).text, /other changes/);
		assert.doesNotMatch((await change('two', '2')).text, /other changes/);
		writeFileSync(at('a.txt'), '1\n2\nx\nx\n');
		assert.match((await change('x', 'y')).text, /occurs 2 times[\s\S]*has changed since/);
		assert.match((await change('1', 'one')).text, /other changes/);
	});

	test('B33: edits and a stale write of several conversations at once: none is lost, the stale one is refused', async () => {
		writeFileSync(at('s.txt'), 'left\nright\n');
		symlinkSync('s.txt', at('t.txt'));
		const contexts = [fakeContext(workspace), fakeContext(workspace), fakeContext(workspace)] as const;
		for (const context of contexts) await callTool(readTool, { file_path: 's.txt' }, context);
		const change = (name: string, old: string, text: string, context: ToolContext) =>
			callTool(editTool, { file_path: name, old_string: old, new_string: text }, context);
		const done = await Promise.all([
			change('s.txt', 'left', 'L', contexts[0]),
			change('./t.txt', 'right', 'R', contexts[1]),
		]);
		assert.ok(done.every((result) => !result.isError));
		assert.equal(readFileSync(at('s.txt'), 'utf8'), 'L\nR\n');
		const written = await callTool(writeTool, { file_path: 's.txt', content: 'old' }, contexts[2]);
		assert.match(written.text, /has changed since it was read/);
		assert.equal(readFileSync(at('s.txt'), 'utf8'), 'L\nR\n');
	});

	test('a file that another program writes in the last moment is not overwritten', async () => {
		writeFileSync(at('a.txt'), 'one\n');
		const found = await loadFile(at('a.txt'), { maxBytes: 1_000 });
		assert.ok(found.kind === 'text');
		writeFileSync(at('a.txt'), 'two\n');
		const edits = [{ start: 0, end: 3, text: '1' }];
		assert.deepEqual(await spliceFile(at('a.txt'), found, edits, undefined), { kind: 'changed' });
		assert.equal(readFileSync(at('a.txt'), 'utf8'), 'two\n');
		rmSync(at('a.txt'));
		assert.deepEqual(await spliceFile(at('a.txt'), found, edits, undefined), { kind: 'changed' });
		assert.deepEqual(readdirSync(folder), []);
	});

	test('very large files: only the place is worked on, and beyond the limit it is said', async () => {
		const line = `${'é'.repeat(40)}\r\n`;
		writeFileSync(at('large.txt'), `${line.repeat(50_000)}k=1\r\n`);
		const roomy = new NodeWorkspace({ roots: [folder] });
		const context = fakeContext(roomy);
		await callTool(readTool, { file_path: 'large.txt', offset: 49_999 }, context);
		const input = { file_path: 'large.txt', old_string: 'k=1\n', new_string: 'k=2\nnew\n' };
		const result = await callTool(editTool, input, context);
		assert.ok(result.view.kind === 'edit' && result.view.hunks[0]?.oldStart === 49_998, result.text);
		const bytes = readFileSync(at('large.txt'));
		assert.equal(bytes.length, 50_000 * 82 + 'k=2\r\nnew\r\n'.length);
		assert.equal(bytes.subarray(-12).toString(), '\r\nk=2\r\nnew\r\n'.slice(-12));
		const small = await callTool(readTool, { file_path: 'large.txt' }, fakeContext(workspace));
		assert.match(small.text, /has 4100010 bytes; text tools load at most 1000000/);
	});
});
