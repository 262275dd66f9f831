// Edit, Write and Read in a real editor, by the cases that they keep from coming back: bytes, encodings, unsaved text,
// what saving does, links, large files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	chmod,
	lstat,
	mkdir,
	mkdtemp,
	open,
	readFile,
	realpath,
	rm,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import iconv from 'iconv-lite';
import * as vscode from 'vscode';
import { editTool } from '../../src/core/tools/builtin/edit.ts';
import { readTool } from '../../src/core/tools/builtin/read.ts';
import { writeTool } from '../../src/core/tools/builtin/write.ts';
import { VscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { callTool, fakeContext } from '../support/fakeWorkspace.ts';

suite('edits in the editor', () => {
	const workspace = new VscodeWorkspace('/nowhere');
	let context = fakeContext(workspace);
	let folder: string;
	const at = (name: string) => path.join(folder, name);
	const bytes = (name: string) => readFile(at(name));
	const disk = (name: string) => readFile(at(name), 'utf8');

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'loopwright-edits-')));
		context = fakeContext(workspace);
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	const read = (name: string) => callTool(readTool, { file_path: at(name) }, context);
	const change = (name: string, old: string, text: string, all = false) =>
		callTool(editTool, { file_path: at(name), old_string: old, new_string: text, replace_all: all }, context);
	async function edit(name: string, old: string, text: string, all = false) {
		await read(name);
		const result = await change(name, old, text, all);
		assert.ok(!result.isError, result.text);
		return result;
	}
	const show = (name: string) => vscode.window.showTextDocument(vscode.Uri.file(at(name)));

	async function withSettings(values: Readonly<Record<string, unknown>>, work: () => Promise<void>): Promise<void> {
		const all = vscode.workspace.getConfiguration();
		const { Global } = vscode.ConfigurationTarget;
		const set = async (name: string, value: unknown) => {
			const [scope, rest] = /^\[(\w+)\]\.(.*)$/.exec(name)?.slice(1) ?? [];
			if (scope === undefined || rest === undefined) return all.update(name, value, Global);
			await vscode.workspace.getConfiguration('', { languageId: scope }).update(rest, value, Global, true);
		};
		for (const [name, value] of Object.entries(values)) await set(name, value);
		try {
			await work();
		} finally {
			for (const name of Object.keys(values)) await set(name, undefined);
		}
	}

	for (const isOpen of [false, true]) {
		const where = isOpen ? 'open' : 'closed';

		test(`B17, ${where}: CRLF, all matches, mixed line ends, CR alone, no final newline`, async () => {
			const cases: [string, string, string, boolean, string][] = [
				['x\r\ny\r\nz', 'x\ny', 'x\nq', false, 'x\r\nq\r\nz'],
				['b\r\na\r\nb\r\na\r\n', 'b\na', 'c', true, 'c\r\nc\r\n'],
				['p\r\nq\nr\r\n', 'r', 'R', false, 'p\r\nq\nR\r\n'],
				['a\rb\rc', 'b\nc', 'b\nd', false, 'a\rb\rd'],
				['tab\tend  \nlast', 'end  ', "$& $$ $'  ", false, "tab\t$& $$ $'  \nlast"],
				['\u00e9 e\u0301 \u2018x\u2019\u2028z', 'x', 'y', false, '\u00e9 e\u0301 \u2018y\u2019\u2028z'],
				['abc', 'abc', 'a\nb', false, 'a\nb'],
				['', '', 'x\r\ny\r\n', false, 'x\r\ny\r\n'],
				['a\n', 'a\n', '', false, ''],
			];
			// The editor asks the person about U+2028, and takes it out by itself in tests.
			await withSettings({ 'editor.unusualLineTerminators': 'off' }, async () => {
				for (const [index, [before, old, text, all, after]] of cases.entries()) {
					const name = `f${index}.txt`;
					await writeFile(at(name), before);
					if (isOpen) await show(name);
					await edit(name, old, text, all);
					assert.equal(await disk(name), after, name);
					if (isOpen) assert.equal(vscode.window.activeTextEditor?.document.isDirty, false);
				}
			});
		});

		test(`B20, ${where}: legacy encodings keep every byte`, async () => {
			const samples: [string, string, string][] = [
				['windows1252', 'caf\u00e9\r\nk=1\r\n', '\u20ac'],
				['gbk', '\u4f60\u597d\nk=1\n', '\u518d\u89c1'],
				['gb18030', '\u4f60\u597d\u3402\ud83d\ude00\nk=1\n', '\ud83d\ude00'],
				['cp950', '\u7e41\u9ad4\u5b57\r\nk=1', '\u5b57'],
				['shiftjis', '\u65e5\u672c\u8a9e\uff76\nk=1\n', '\u30ab\u30ca\uff85'],
				['euckr', '\ud55c\uad6d\uc5b4\nk=1\n', '\uae00'],
				['eucjp', '\u65e5\u672c\nk=1\n', '\u8a9e'],
				['windows1251', '\u041f\u0440\u0438\u0432\u0435\u0442\nk=1\n', '\u0416'],
				['iso88592', '\u017e\u0142\u015f\nk=1\n', '\u0150'],
				['koi8r', '\u0442\u0435\u0441\u0442\nk=1\n', '\u0416'],
				['utf16le', '\ufeffu\u00fc\nk=1\n', '\u4e2d'],
				['utf16be', '\ufeffu\u00fc\r\nk=1\r\n', '\ud83d\ude00'],
			];
			for (const [encoding, text, put] of samples) {
				const name = `${encoding}.txt`;
				const old = iconv.encode(text, encoding, { addBOM: false });
				await writeFile(at(name), old);
				await withSettings({ 'files.encoding': encoding.startsWith('utf') ? 'utf8' : encoding }, async () => {
					if (isOpen) await show(name);
					await edit(name, 'k=1', `k=${put}`);
				});
				const wanted = iconv.encode(text.replace('k=1', `k=${put}`), encoding, { addBOM: false });
				assert.deepEqual(await bytes(name), wanted, encoding);
				await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			}
		});
	}

	test('B20: what is in no known encoding is refused; what the encoding has not is named', async () => {
		const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a, 0x6b, 0x3d, 0x31]);
		await writeFile(at('c.txt'), latin);
		assert.match((await read('c.txt')).text, /encoding that could not be determined/);
		assert.deepEqual(await bytes('c.txt'), latin);
		await withSettings({ 'files.encoding': 'windows1252' }, async () => {
			await writeFile(at('d.txt'), latin);
			assert.match((await read('d.txt')).text, /encoded in Windows-1252/);
			const refused = await change('d.txt', 'k=1', 'k=\u4e2d');
			assert.match(refused.text, /encoded in Windows-1252, which has no "\u4e2d" \(U\+4E2D\)/);
			assert.deepEqual(await bytes('d.txt'), latin);
			const created = await callTool(writeTool, { file_path: at('e.txt'), content: '\u4e2d' }, context);
			assert.match(created.text, /U\+4E2D/);
			assert.equal((await workspace.read(at('e.txt'))).kind, 'missing');
		});
	});

	test('B20: the encoding of an open document, of a language, and a guessed one', async () => {
		const text =
			'\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3002\u6f22\u5b57\u3068\u304b\u306a\nk=1\n';
		const sjis = iconv.encode(text, 'shiftjis');
		const wanted = iconv.encode(text.replace('k=1', 'k=\u5b57'), 'shiftjis');
		await writeFile(at('a.txt'), sjis);
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(at('a.txt')), { encoding: 'shiftjis' });
		await vscode.window.showTextDocument(document);
		await edit('a.txt', 'k=1', 'k=\u5b57');
		assert.deepEqual(await bytes('a.txt'), wanted);
		await withSettings({ '[json].files.encoding': 'shiftjis' }, async () => {
			await writeFile(at('b.json'), sjis);
			await writeFile(at('b.txt'), sjis);
			await edit('b.json', 'k=1', 'k=\u5b57');
			assert.deepEqual(await bytes('b.json'), wanted);
			assert.match((await read('b.txt')).text, /could not be determined/);
		});
		await withSettings({ 'files.autoGuessEncoding': true }, async () => {
			await writeFile(at('c.txt'), sjis);
			await edit('c.txt', 'k=1', 'k=\u5b57');
			assert.deepEqual(await bytes('c.txt'), wanted);
		});
	});

	test('B20: the encoding of the folder, open and closed', async () => {
		const root = vscode.workspace.workspaceFolders?.[0]?.uri;
		assert.ok(root);
		const files = vscode.workspace.getConfiguration('files', root);
		const gbk = (text: string) => iconv.encode(text, 'gbk');
		const name = path.relative(folder, path.join(root.fsPath, 'gbk.txt'));
		await files.update('encoding', 'gbk', vscode.ConfigurationTarget.WorkspaceFolder);
		try {
			for (const isOpen of [false, true]) {
				await writeFile(at(name), gbk('\u4f60\u597d\nk=1\n'));
				if (isOpen) await show(name);
				await edit(name, 'k=1', 'k=\u518d');
				assert.deepEqual(await bytes(name), gbk('\u4f60\u597d\nk=\u518d\n'));
			}
		} finally {
			await files.update('encoding', undefined, vscode.ConfigurationTarget.WorkspaceFolder);
			await rm(at(name), { force: true });
		}
	});

	test('B20: several codes of one character survive, though the editor would make them one', async () => {
		const twice = Buffer.concat([Buffer.from([0xed, 0x40, 0x0a]), Buffer.from('k=1\n')]);
		const wanted = Buffer.concat([Buffer.from([0xed, 0x40, 0x0a]), Buffer.from('k=2\n')]);
		await withSettings({ 'files.encoding': 'shiftjis' }, async () => {
			await writeFile(at('a.txt'), twice);
			await edit('a.txt', 'k=1', 'k=2');
			assert.deepEqual(await bytes('a.txt'), wanted);
			const editor = await show('a.txt');
			await edit('a.txt', 'k=2', 'k=1');
			assert.deepEqual(await bytes('a.txt'), twice);
			assert.match(editor.document.getText(), /k=1/);
			await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'x'));
			assert.match((await change('a.txt', 'k=1', 'k=3')).text, /would change other bytes/);
			assert.deepEqual(await bytes('a.txt'), twice);
		});
	});

	test('B25: a new time stamp alone means nothing', async () => {
		await writeFile(at('a.txt'), 'one\ntwo\n');
		await read('a.txt');
		await utimes(at('a.txt'), new Date(), new Date());
		assert.ok(!(await change('a.txt', 'one', '1')).isError);
		assert.ok(!(await change('a.txt', 'two', '2')).isError);
		assert.equal(await disk('a.txt'), '1\n2\n');
	});

	test('B26: typing stays, is saved with the edit and said; one undo takes the edit back', async () => {
		await writeFile(at('a.txt'), 'one\ntwo\n');
		const editor = await show('a.txt');
		await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'ZERO\n'));
		assert.match((await read('a.txt')).text, /ZERO[\s\S]*not saved/);
		const result = await change('a.txt', 'two', '2');
		assert.match(result.text, /unsaved text of the person; it is kept and saved/);
		assert.equal(editor.document.getText(), 'ZERO\none\n2\n');
		assert.equal(await disk('a.txt'), 'ZERO\none\n2\n');
		await vscode.window.showTextDocument(editor.document);
		await vscode.commands.executeCommand('undo');
		assert.equal(editor.document.getText(), 'ZERO\none\ntwo\n');
	});

	test('B28: what a formatter does on saving is told, and the next edit is right or told why not', async () => {
		const all = (document: vscode.TextDocument) => new vscode.Range(0, 0, document.lineCount, 0);
		const formatted = (text: string) => `${text.replaceAll(/(\w):(\w)/g, '$1: $2').trimEnd()}\n`;
		const formatter = vscode.languages.registerDocumentFormattingEditProvider(
			{ pattern: '**/*.fmt' },
			{
				provideDocumentFormattingEdits: (document) => [
					vscode.TextEdit.replace(all(document), formatted(document.getText())),
				],
			},
		);
		try {
			await withSettings({ 'editor.formatOnSave': true }, async () => {
				await writeFile(at('x.fmt'), 'a:1\nb:1');
				await read('x.fmt');
				const first = await change('x.fmt', 'a:1', 'a:2');
				assert.match(first.text, /changed more[\s\S]*\+b: 1/);
				assert.equal(await disk('x.fmt'), 'a: 2\nb: 1\n');
				const stale = await change('x.fmt', 'b:1', 'b:2');
				assert.match(stale.text, /differs only in white space[\s\S]*\n2: b: 1/);
				assert.doesNotMatch(stale.text, /changed since/);
				const second = await change('x.fmt', 'b: 1', 'b: 2');
				assert.doesNotMatch(second.text, /other changes/);
				assert.equal(await disk('x.fmt'), 'a: 2\nb: 2\n');
			});
		} finally {
			formatter.dispose();
		}
	});

	test('B28: final newline and trailing spaces by setting, code actions on save', async () => {
		await withSettings({ 'files.insertFinalNewline': true, 'files.trimTrailingWhitespace': true }, async () => {
			await writeFile(at('a.txt'), 'one  \ntwo');
			const result = await edit('a.txt', 'two', '2');
			assert.match(result.text, /changed more/);
			assert.equal(await disk('a.txt'), 'one\n2\n');
		});
		const kind = vscode.CodeActionKind.Source.append('fixAll');
		const fixer = vscode.languages.registerCodeActionsProvider(
			{ pattern: '**/*.fix' },
			{
				provideCodeActions(document) {
					const action = new vscode.CodeAction('fix', kind);
					action.edit = new vscode.WorkspaceEdit();
					const at = document.getText().indexOf('var ');
					if (at !== -1) {
						const range = new vscode.Range(document.positionAt(at), document.positionAt(at + 3));
						action.edit.replace(document.uri, range, 'let');
					}
					return [action];
				},
			},
			{ providedCodeActionKinds: [kind] },
		);
		try {
			await withSettings({ 'editor.codeActionsOnSave': { 'source.fixAll': 'always' } }, async () => {
				await writeFile(at('a.fix'), 'var a;\nb;\n');
				const result = await edit('a.fix', 'b;', 'c;');
				assert.match(result.text, /changed more[\s\S]*\+let a;/);
				assert.equal(await disk('a.fix'), 'let a;\nc;\n');
			});
		} finally {
			fixer.dispose();
		}
	});

	test('B29: links stay links, through a folder too', async () => {
		await mkdir(at('real'));
		await writeFile(at('real/conf.txt'), 'v1');
		await writeFile(at('top.txt'), 't1');
		await symlink('real/conf.txt', at('link.txt'));
		await symlink('real', at('d'));
		await symlink('../top.txt', at('real/l.txt'));
		await edit('link.txt', 'v1', 'v2');
		await edit('d/l.txt', 't1', 't2\r\nmixed\n');
		assert.ok((await lstat(at('link.txt'))).isSymbolicLink() && (await lstat(at('real/l.txt'))).isSymbolicLink());
		assert.equal(await disk('real/conf.txt'), 'v2');
		await writeFile(at('top.txt'), 'a\r\nb\nc');
		await edit('d/l.txt', 'c', 'd');
		assert.ok((await lstat(at('real/l.txt'))).isSymbolicLink());
		assert.equal(await disk('top.txt'), 'a\r\nb\nd');
	});

	test('B33: two conversations edit one file at once by two names; both edits are there', async () => {
		await writeFile(at('s.txt'), 'left\nright\n');
		await symlink('s.txt', at('t.txt'));
		await read('s.txt');
		const other = fakeContext(workspace);
		await callTool(readTool, { file_path: at('t.txt') }, other);
		const results = await Promise.all([
			change('s.txt', 'left', 'L'),
			callTool(editTool, { file_path: at('t.txt'), old_string: 'right', new_string: 'R' }, other),
		]);
		for (const result of results) assert.ok(!result.isError, result.text);
		assert.equal(await disk('s.txt'), 'L\nR\n');
		const stale = await callTool(writeTool, { file_path: at('s.txt'), content: 'x' }, other);
		assert.ok(stale.isError, stale.text);
		assert.equal(await disk('s.txt'), 'L\nR\n');
	});

	test('a read-only or vanished file, a folder and a pipe get their true error', async () => {
		await writeFile(at('ro.txt'), 'one\n');
		await chmod(at('ro.txt'), 0o444);
		await read('ro.txt');
		assert.match((await change('ro.txt', 'one', 'two')).text, /read-only/);
		assert.equal(await disk('ro.txt'), 'one\n');
		await writeFile(at('gone.txt'), 'one\n');
		await read('gone.txt');
		await rm(at('gone.txt'));
		assert.match((await change('gone.txt', 'one', 'two')).text, /does not exist/);
		assert.match((await change('', 'one', 'two')).text, /is a folder/);
		if (process.platform !== 'win32') {
			execFileSync('mkfifo', [at('pipe')]);
			assert.match((await read('pipe')).text, /no regular file/);
		}
	});

	test('a closed file of 60 MB is changed on disk and never opened', async function () {
		this.timeout(60_000);
		const name = 'large.txt';
		const line = 'x'.repeat(1023);
		const handle = await open(at(name), 'w');
		await handle.write(Buffer.from(`caf\u00e9 first\n${`${line}\n`.repeat(60_000)}k=1\nlast`));
		await handle.close();
		const { size } = await lstat(at(name));
		assert.ok(size > 60_000_000);
		assert.match((await read(name)).text, /PARTIAL view: lines 1 to \d+ of 60003/);
		await callTool(readTool, { file_path: at(name), offset: 60_000 }, context);
		const result = await change(name, 'k=1', 'k=\u4e2d');
		assert.ok(!result.isError, result.text);
		assert.ok(result.view.kind === 'edit' && result.view.hunks[0]?.lines.includes('+k=\u4e2d'));
		const after = await bytes(name);
		assert.equal(after.length, size + 2);
		assert.equal(after.subarray(-10).toString(), 'k=\u4e2d\nlast');
		assert.ok(!vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === at(name)));
	});

	test('a file of 60 MB that an editor shows: changed on disk while it is saved, left alone while it is not', async function () {
		this.timeout(90_000);
		await writeFile(at('shown.txt'), `k=1\n${`${'x'.repeat(1023)}\n`.repeat(60_000)}`);
		await withSettings({ 'workbench.editorLargeFileConfirmation': 1000 }, async () => {
			await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(at('shown.txt')));
			// What was cut counts as no read; what was asked for does.
			await callTool(readTool, { file_path: at('shown.txt'), limit: 1 }, context);
			await edit('shown.txt', 'k=1', 'k=2');
			assert.ok((await disk('shown.txt')).startsWith('k=2\n'));
			await vscode.commands.executeCommand('type', { text: 'mine' });
			const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
			const end = Date.now() + 10_000;
			while (!tab()?.isDirty && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
			assert.ok(tab()?.isDirty, 'the person has typed');
			assert.match((await change('shown.txt', 'k=2', 'k=3')).text, /an editor holds unsaved text/);
			assert.ok((await disk('shown.txt')).startsWith('k=2\n'));
			await vscode.commands.executeCommand('workbench.action.files.revert');
		});
	});
});
