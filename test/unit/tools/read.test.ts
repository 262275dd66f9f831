// Read: what the model sees, and what counts as having read a file.
import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { callTool, fakeContext, FakeWorkspace } from '../../support/fakeWorkspace.ts';

suite('Read', () => {
	test('numbers, a tab, the text; CRLF and the final line end do not show', async () => {
		const context = fakeContext(new FakeWorkspace({ 'a.txt': 'one\r\n\ttwo\r\n' }));
		const result = await callTool(readTool, { file_path: 'a.txt' }, context);
		assert.equal(result.text, '1\tone\n2\t\ttwo');
		assert.deepEqual(result.view, {
			kind: 'read',
			path: '/w/a.txt',
			firstLine: 1,
			lines: 2,
			text: 'one\n\ttwo',
			partial: false,
		});
		assert.equal(context.fileState.get('/w/a.txt')?.partial, false);
	});

	test('a range; numbers may come as strings', async () => {
		const context = fakeContext(new FakeWorkspace({ 'a.txt': 'a\nb\nc\nd\n' }));
		const result = await callTool(readTool, { file_path: '/w/a.txt', offset: '2', limit: '2' }, context);
		assert.equal(result.text, '2\tb\n3\tc');
		assert.equal(context.fileState.get('/w/a.txt')?.partial, true);
	});

	test('empty, past the end, missing, folder, binary, image, too large', async () => {
		const workspace = new FakeWorkspace({
			'e.txt': '',
			'a.txt': 'a\nb\n',
			'src/login.ts': 'x',
			'b.bin': '',
			'g.log': '',
		});
		workspace.odd.set('/w/b.bin', { kind: 'undecodable', size: 5, reason: 'binary' });
		workspace.odd.set('/w/g.log', { kind: 'too_large', size: 9e9, limit: 10 });
		const context = fakeContext(workspace);
		const read = async (input: Record<string, string | number>) =>
			callTool(readTool, { file_path: '', ...input }, context);
		const empty = await read({ file_path: 'e.txt' });
		assert.match(empty.text, /exists but is empty/);
		assert.ok(!empty.isError);
		const past = await read({ file_path: 'a.txt', offset: 9 });
		assert.match(past.text, /only 2 lines/);
		assert.ok(!past.isError);
		assert.match((await read({ file_path: 'src/Login.tsx' })).text, /Did you mean src\/login\.ts/);
		assert.match((await read({ file_path: 'lib/x.ts' })).text, /folder lib does not exist/);
		assert.match((await read({ file_path: 'src' })).text, /is a folder\. It has: login\.ts/);
		assert.match((await read({ file_path: 'b.bin' })).text, /binary file/);
		assert.match((await read({ file_path: 'g.log' })).text, /9000000000 bytes/);
		assert.match((await read({ file_path: ' ' })).text, /empty/);
	});

	test('names outside the workspace are not suggested', async () => {
		const workspace = new FakeWorkspace({ '/etc/passwd': 'x' });
		const result = await callTool(readTool, { file_path: '/etc/passwdd' }, fakeContext(workspace));
		assert.doesNotMatch(result.text, /Did you mean/);
	});

	test('a file over the cap is shown in part and does not count as read', async () => {
		const line = 'word '.repeat(20).trim();
		const context = fakeContext(new FakeWorkspace({ 'big.txt': `${line}\n`.repeat(20_000) }));
		const result = await callTool(readTool, { file_path: 'big.txt' }, context);
		assert.match(result.text, /\[PARTIAL view: lines 1 to \d+ of 20000\./);
		assert.ok(result.text.length < limits.readBytes);
		assert.equal(context.fileState.get('/w/big.txt'), undefined);
		const explicit = await callTool(readTool, { file_path: 'big.txt', offset: 100, limit: 10_000 }, context);
		assert.equal(explicit.isError, true);
		const fits = Number(/at most (\d+) lines/.exec(explicit.text)?.[1]);
		const smaller = await callTool(readTool, { file_path: 'big.txt', offset: 100, limit: fits }, context);
		assert.ok(!smaller.isError);
	});

	test('overlong lines are cut, and said to be', async () => {
		const context = fakeContext(new FakeWorkspace({ 'm.js': `${'x'.repeat(5_000_000)}\nshort\n` }));
		const result = await callTool(readTool, { file_path: 'm.js' }, context);
		assert.match(result.text, /1 lines are longer/);
		assert.ok(result.text.length < 3_000);
		assert.ok(result.view.kind === 'read' && result.view.partial);
	});

	test('the card names the range', () => {
		const context = fakeContext(new FakeWorkspace({}));
		const summary = (input: Record<string, string | number>) => {
			const parsed = readTool.parse({ file_path: '/w/src/a.ts', ...input });
			assert.ok(parsed.kind === 'parsed');
			return parsed.summary(context);
		};
		assert.equal(summary({}), 'src/a.ts');
		assert.equal(summary({ offset: 1, limit: 80 }), 'src/a.ts 1–80');
		assert.equal(summary({ offset: 20 }), 'src/a.ts 20–');
	});

	test('the schema says what the tool takes', () => {
		assert.deepEqual(Object.keys(readTool.inputSchema['properties'] ?? {}), ['file_path', 'offset', 'limit']);
		assert.deepEqual(readTool.inputSchema['required'], ['file_path']);
		assert.equal(readTool.parse({ file_path: 'a', offset: -1 }).kind, 'failed');
	});
});
