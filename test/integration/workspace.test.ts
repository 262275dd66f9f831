// Files through the editor, in a real one: unsaved typing, undo, line ends, encodings, links.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { VscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';

suite('VscodeWorkspace', () => {
	const workspace = new VscodeWorkspace('/nowhere');
	let folder: string;
	const at = (name: string) => path.join(folder, name);
	const bytes = (name: string) => readFile(at(name));
	const disk = (name: string) => readFile(at(name), 'utf8');

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'loopwright-workspace-')));
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true });
	});

	async function textOf(name: string): Promise<string> {
		const content = await workspace.read(at(name));
		assert.equal(content.kind, 'text', JSON.stringify(content));
		return content.kind === 'text' ? content.text : '';
	}

	/** Replaces the only place of `old`. */
	async function replace(name: string, old: string, text: string) {
		const expected = await textOf(name);
		const start = expected.indexOf(old);
		assert.ok(start >= 0);
		return workspace.change({ path: at(name), expected, edits: [{ start, end: start + old.length, text }] });
	}

	test('unsaved typing survives, is saved with the edit, and undo takes back the edit only', async () => {
		await writeFile(at('a.txt'), 'one\ntwo\n');
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(at('a.txt')));
		await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'ZERO\n'));
		assert.deepEqual(await workspace.read(at('a.txt')), { kind: 'text', text: 'ZERO\none\ntwo\n', unsaved: true });
		const outcome = await replace('a.txt', 'two', '2');
		assert.deepEqual(outcome, { kind: 'applied', text: 'ZERO\none\n2\n', saved: true });
		assert.equal(await disk('a.txt'), 'ZERO\none\n2\n');
		assert.equal(editor.document.isDirty, false);
		await vscode.window.showTextDocument(editor.document);
		await vscode.commands.executeCommand('undo');
		assert.equal(editor.document.getText(), 'ZERO\none\ntwo\n');
		await vscode.commands.executeCommand('undo');
		assert.equal(editor.document.getText(), 'one\ntwo\n');
	});

	test('several edits are one undo step, and no editor is shown', async () => {
		await writeFile(at('other.txt'), 'x');
		await writeFile(at('a.txt'), 'one two three');
		const other = await vscode.window.showTextDocument(vscode.Uri.file(at('other.txt')));
		const outcome = await workspace.change({
			path: at('a.txt'),
			expected: 'one two three',
			edits: [
				{ start: 0, end: 3, text: '1' },
				{ start: 8, end: 13, text: '3' },
			],
		});
		assert.deepEqual(outcome, { kind: 'applied', text: '1 two 3', saved: true });
		assert.equal(vscode.window.activeTextEditor, other);
		assert.equal(vscode.window.visibleTextEditors.length, 1);
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(at('a.txt')));
		await vscode.commands.executeCommand('undo');
		assert.equal(editor.document.getText(), 'one two three');
		await editor.document.save();
	});

	test('a text that is no longer the expected one is left alone', async () => {
		await writeFile(at('a.txt'), 'new');
		const outcome = await workspace.change({
			path: at('a.txt'),
			expected: 'old',
			edits: [{ start: 0, end: 3, text: 'x' }],
		});
		assert.deepEqual(outcome, { kind: 'changed', current: { kind: 'text', text: 'new', unsaved: false } });
		const created = await workspace.change({
			path: at('a.txt'),
			expected: undefined,
			edits: [{ start: 0, end: 0, text: 'x' }],
		});
		assert.equal(created.kind, 'changed');
		assert.equal(await disk('a.txt'), 'new');
	});

	test('a file that changed on disk a moment ago while its document is open', async () => {
		await writeFile(at('a.txt'), 'one\n');
		await vscode.window.showTextDocument(vscode.Uri.file(at('a.txt')));
		await writeFile(at('a.txt'), 'one\ntwo\n');
		assert.equal(await textOf('a.txt'), 'one\ntwo\n');
		const outcome = await replace('a.txt', 'two', '2');
		assert.deepEqual(outcome, { kind: 'applied', text: 'one\n2\n', saved: true });
		assert.equal(await disk('a.txt'), 'one\n2\n');
	});

	test('CRLF stays CRLF', async () => {
		await writeFile(at('a.txt'), 'one\r\ntwo\r\n');
		assert.equal(await textOf('a.txt'), 'one\r\ntwo\r\n');
		const outcome = await replace('a.txt', 'two', '2\r\n3');
		assert.deepEqual(outcome, { kind: 'applied', text: 'one\r\n2\r\n3\r\n', saved: true });
		assert.equal(await disk('a.txt'), 'one\r\n2\r\n3\r\n');
	});

	test('mixed line ends stay as they are, open or not', async () => {
		await writeFile(at('a.txt'), 'one\r\ntwo\nthree\r\n');
		await replace('a.txt', 'two', '2');
		assert.equal(await disk('a.txt'), 'one\r\n2\nthree\r\n');
		await vscode.window.showTextDocument(vscode.Uri.file(at('a.txt')));
		const outcome = await replace('a.txt', 'three', '3');
		assert.equal(outcome.kind, 'applied');
		assert.equal(await disk('a.txt'), 'one\r\n2\n3\r\n');
	});

	test('a new file, in a new folder, is filled and saved', async () => {
		const name = 'new/deep/a.txt';
		const text = 'one\r\ntwo\r\n';
		const outcome = await workspace.change({
			path: at(name),
			expected: undefined,
			edits: [{ start: 0, end: 0, text }],
		});
		assert.deepEqual(outcome, { kind: 'applied', text, saved: true });
		assert.equal(await disk(name), text);
		assert.equal(vscode.window.visibleTextEditors.length, 0);
	});

	test('an empty file is filled with its line ends', async () => {
		await writeFile(at('a.txt'), '');
		const edits = [{ start: 0, end: 0, text: 'a\r\nb\r\n' }];
		const outcome = await workspace.change({ path: at('a.txt'), expected: undefined, edits });
		assert.deepEqual(outcome, { kind: 'applied', text: 'a\r\nb\r\n', saved: true });
		assert.equal(await disk('a.txt'), 'a\r\nb\r\n');
	});

	test('the byte order mark stays', async () => {
		await writeFile(at('a.txt'), '\uFEFFone\n');
		assert.equal(await textOf('a.txt'), 'one\n');
		await replace('a.txt', 'one', '1');
		assert.equal(await disk('a.txt'), '\uFEFF1\n');
		await writeFile(at('b.txt'), '\uFEFFone\r\ntwo\n');
		await replace('b.txt', 'one', '1');
		assert.equal(await disk('b.txt'), '\uFEFF1\r\ntwo\n');
	});

	test('GBK by setting stays GBK; without it the file is refused', async () => {
		const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0x78, 0x0a]);
		await writeFile(at('a.txt'), gbk);
		assert.deepEqual(await workspace.read(at('a.txt')), { kind: 'undecodable', size: 7, reason: 'encoding' });
		const files = vscode.workspace.getConfiguration('files');
		await files.update('encoding', 'gbk', vscode.ConfigurationTarget.Global);
		try {
			await writeFile(at('b.txt'), gbk);
			assert.equal(await textOf('b.txt'), '你好\nx\n');
			const outcome = await replace('b.txt', 'x', '好');
			assert.deepEqual(outcome, { kind: 'applied', text: '你好\n好\n', saved: true });
			assert.deepEqual(await bytes('b.txt'), Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xba, 0xc3, 0x0a]));
		} finally {
			await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
		}
	});

	test('what is no text is data, too', async () => {
		await writeFile(at('a.bin'), Buffer.from([1, 0, 2, 3]));
		await mkdir(at('folder'));
		assert.deepEqual(await workspace.read(at('a.bin')), { kind: 'undecodable', size: 4, reason: 'binary' });
		assert.deepEqual(await workspace.read(at('folder')), { kind: 'folder' });
		assert.deepEqual(await workspace.read(at('missing.txt')), { kind: 'missing' });
		assert.deepEqual((await readdir(folder)).toSorted(), ['a.bin', 'folder']);
	});

	test('links stay links, and the unsaved text behind them is seen', async () => {
		await mkdir(at('real'));
		await writeFile(at('real/conf.txt'), 'v1\n');
		await symlink('real/conf.txt', at('link.txt'));
		await symlink('real', at('d'));
		assert.equal(await workspace.realPath(at('d/new/x.txt')), at('real/new/x.txt'));
		assert.equal(await workspace.realPath(at('link.txt')), at('real/conf.txt'));
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(at('real/conf.txt')));
		await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# mine\n'));
		assert.deepEqual(await workspace.read(at('link.txt')), { kind: 'text', text: '# mine\nv1\n', unsaved: true });
		const outcome = await replace('link.txt', 'v1', 'v2');
		assert.deepEqual(outcome, { kind: 'applied', text: '# mine\nv2\n', saved: true });
		assert.equal(await disk('real/conf.txt'), '# mine\nv2\n');
		assert.equal(await realpath(at('link.txt')), at('real/conf.txt'));
		await writeFile(at('real/other.txt'), 'v1\n');
		await symlink('real/other.txt', at('other.txt'));
		await replace('other.txt', 'v1', 'v2');
		assert.equal(await realpath(at('other.txt')), at('real/other.txt'));
		assert.equal(await disk('real/other.txt'), 'v2\n');
	});

	test('format on save: the outcome is the text after saving', async () => {
		const formatter = vscode.languages.registerDocumentFormattingEditProvider(
			{ pattern: '**/*.fmt' },
			{
				provideDocumentFormattingEdits: (document) => {
					const all = new vscode.Range(0, 0, document.lineCount, 0);
					return [vscode.TextEdit.replace(all, document.getText().replaceAll(/(\w):(\w)/g, '$1: $2'))];
				},
			},
		);
		const settings = vscode.workspace.getConfiguration('editor');
		await settings.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
		try {
			await writeFile(at('x.fmt'), 'a:1\nb:1\n');
			const outcome = await replace('x.fmt', 'a:1', 'a:2');
			assert.deepEqual(outcome, { kind: 'applied', text: 'a: 2\nb: 1\n', saved: true });
			assert.equal(await disk('x.fmt'), 'a: 2\nb: 1\n');
		} finally {
			await settings.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
			formatter.dispose();
		}
	});
});
