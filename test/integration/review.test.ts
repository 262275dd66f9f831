// Review in the real editor, on the real engine: what is marked after typing, undo, formatting, renames, git and other programs,
// and that undoing writes the bytes that were there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import iconv from 'iconv-lite';
import * as vscode from 'vscode';
import type { LoopwrightApi } from '../../src/host/api.ts';
import { answer, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { model } from './harness/model.ts';

const text = 'one\ntwo\nthree\nfour\nfive\n';

suite('review', () => {
	let api: LoopwrightApi;
	let folder: string;
	let rules: string;
	let calls = 0;
	const at = (name: string) => path.join(folder, name);
	const uri = (name: string) => vscode.Uri.file(at(name));
	const disk = (name: string) => readFile(at(name), 'utf8');

	suiteSetup(async () => {
		const extension = vscode.extensions.getExtension<LoopwrightApi>('loopwright.loopwright');
		assert.ok(extension);
		api = await extension.activate();
		folder = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'reviewed');
		rules = path.join(process.env.LOOPWRIGHT_HOME ?? assert.fail(), 'settings.json');
		await mkdir(path.dirname(rules), { recursive: true });
		await writeFile(rules, JSON.stringify({ permissions: { allow: ['Read', 'Edit', 'Write'] } }));
	});
	suiteTeardown(() => rm(rules, { force: true }));
	setup(async () => {
		await mkdir(folder, { recursive: true });
		await vscode.commands.executeCommand('loopwright.newConversation');
	});
	teardown(async () => {
		await vscode.commands.executeCommand('loopwright.review.keepAll').then(undefined, () => undefined);
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	// Each test has names of its own: the editor remembers the undo steps of a file that comes back with the same text.

	/** The agent replaces texts of a file, each in a turn of its own. */
	async function agent(name: string, ...edits: readonly (readonly [string, string])[]): Promise<void> {
		model().reset();
		const id = () => `r${++calls}`;
		model().setScript([
			turn(toolUse('Read', { file_path: at(name) }, id())),
			...edits.map(([old_string, new_string]) =>
				turn(toolUse('Edit', { file_path: at(name), old_string, new_string }, id())),
			),
			answer('Done.'),
		]);
		await api.submit(`change ${name}`);
		assert.deepEqual(model().violations, []);
		for (const request of model().requests) {
			for (const result of toolResults(request)) assert.ok(!result.isError, result.text);
		}
	}
	async function create(name: string, content: string): Promise<void> {
		model().reset();
		model().setScript([turn(toolUse('Write', { file_path: at(name), content }, `r${++calls}`)), answer('Done.')]);
		await api.submit(`create ${name}`);
	}
	/** The lenses that say this, as `[line, run it]`. */
	async function lenses(name: string, title: string) {
		const all = await vscode.commands.executeCommand<vscode.CodeLens[]>(
			'vscode.executeCodeLensProvider',
			uri(name),
			99,
		);
		return all
			.filter(({ command }) => command?.title.includes(title))
			.map(({ range, command }) => ({
				line: range.start.line,
				run: () => vscode.commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? [])),
			}));
	}
	const marked = async (name: string) => (await lenses(name, 'Keep')).map(({ line }) => line);
	async function until(what: () => string, holds: () => Promise<boolean>): Promise<void> {
		for (let tries = 0; tries < 200; tries++) {
			if (await holds()) return;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		assert.fail(what());
	}
	async function untilMarked(name: string, ...lines: number[]): Promise<void> {
		let found: readonly number[] = [];
		const all = async () => String((found = await marked(name))) === String(lines);
		await until(() => `${name} is marked at ${found.join()}, not ${lines.join()}: ${textIn(name)}`, all);
	}
	const textIn = (name: string) =>
		JSON.stringify(vscode.workspace.textDocuments.find(({ uri: { fsPath } }) => fsPath === at(name))?.getText());
	const baseline = async (name: string) =>
		(await vscode.workspace.openTextDocument(uri(name).with({ scheme: 'loopwright-review' }))).getText();
	async function type(shown: vscode.TextEditor, line: number, put: string): Promise<void> {
		const editor = await vscode.window.showTextDocument(shown.document);
		editor.selection = new vscode.Selection(line, 0, line, 0);
		await vscode.commands.executeCommand('type', { text: put });
	}

	async function setEncoding(encoding: string | undefined): Promise<void> {
		const files = () => vscode.workspace.getConfiguration('files');
		await files().update('encoding', encoding, vscode.ConfigurationTarget.Global);
		await until(
			() => 'the setting does not come',
			async () => files().get('encoding') === (encoding ?? 'utf8'),
		);
	}
	async function inEditor(shown: vscode.TextEditor, command: string): Promise<void> {
		await vscode.window.showTextDocument(shown.document);
		await vscode.commands.executeCommand(command);
	}

	test('marked at once, nothing shown; typing elsewhere moves a hunk and stays when it is undone', async () => {
		await writeFile(at('a1.txt'), text);
		await writeFile(at('b1.txt'), 'other\n');
		const other = await vscode.window.showTextDocument(uri('b1.txt'));
		await agent('a1.txt', ['two', 'TWO'], ['five', 'FIVE']);
		assert.equal(vscode.window.activeTextEditor, other);
		assert.equal(await disk('a1.txt'), 'one\nTWO\nthree\nfour\nFIVE\n');
		assert.deepEqual(await marked('a1.txt'), [1, 4]);
		assert.equal(await baseline('a1.txt'), text);
		const editor = await vscode.window.showTextDocument(uri('a1.txt'));
		await type(editor, 0, 'zero\n');
		await untilMarked('a1.txt', 2, 5);
		await (await lenses('a1.txt', 'Undo'))[0]?.run();
		assert.equal(editor.document.getText(), 'zero\none\ntwo\nthree\nfour\nFIVE\n');
		assert.deepEqual(await marked('a1.txt'), [5]);
		await vscode.window.showTextDocument(editor.document);
		await vscode.commands.executeCommand('undo');
		await untilMarked('a1.txt', 2, 5);
		await (await lenses('a1.txt', 'Keep'))[0]?.run();
		assert.deepEqual(await marked('a1.txt'), [5]);
		await vscode.commands.executeCommand('loopwright.review.undoFile');
		assert.equal(await disk('a1.txt'), 'zero\none\nTWO\nthree\nfour\nfive\n');
		assert.deepEqual(await marked('a1.txt'), []);
	});

	test("typing into a hunk makes it the person's; Ctrl+Z gives it back, and then takes the agent's edit back", async () => {
		await writeFile(at('a2.txt'), text);
		const editor = await vscode.window.showTextDocument(uri('a2.txt'));
		await agent('a2.txt', ['two', 'TWO']);
		await type(editor, 1, 'my');
		await untilMarked('a2.txt');
		await inEditor(editor, 'undo');
		await untilMarked('a2.txt', 1);
		await inEditor(editor, 'undo');
		await untilMarked('a2.txt');
		assert.equal(editor.document.getText(), text);
		await inEditor(editor, 'redo');
		await untilMarked('a2.txt', 1);
	});

	test('formatting moves and carries hunks', async () => {
		await writeFile(at('x.rfmt'), 'a{\nb\nc\n}\n');
		const formatter = vscode.languages.registerDocumentFormattingEditProvider(
			{ pattern: '**/*.rfmt' },
			{
				provideDocumentFormattingEdits: (document) =>
					['b', 'B', 'c'].flatMap((word) => {
						const found = document.getText().indexOf(`\n${word}`);
						return found < 0 ? [] : [vscode.TextEdit.insert(document.positionAt(found + 1), '\t')];
					}),
			},
		);
		try {
			const editor = await vscode.window.showTextDocument(uri('x.rfmt'));
			editor.selection = new vscode.Selection(3, 0, 3, 0);
			await agent('x.rfmt', ['\nb\n', '\nB\n']);
			await vscode.commands.executeCommand('editor.action.formatDocument');
			assert.equal(editor.document.getText(), 'a{\n\tB\n\tc\n}\n');
			await untilMarked('x.rfmt', 1);
			await vscode.commands.executeCommand('loopwright.review.undoAll');
			assert.equal(editor.document.getText(), 'a{\nb\n\tc\n}\n');
		} finally {
			formatter.dispose();
		}
	});

	test('renamed with its folder; deleted', async () => {
		await mkdir(at('old'));
		await writeFile(at('old/a4.txt'), text);
		await agent('old/a4.txt', ['two', 'TWO']);
		const rename = new vscode.WorkspaceEdit();
		rename.renameFile(uri('old'), uri('new'));
		await vscode.workspace.applyEdit(rename);
		await untilMarked('new/a4.txt', 1);
		await vscode.commands.executeCommand('loopwright.review.undoAll');
		assert.equal(await disk('new/a4.txt'), text);
		await agent('new/a4.txt', ['two', 'TWO']);
		await rm(at('new'), { recursive: true });
		await until(
			() => 'it still waits',
			async () => (await baseline('new/a4.txt')) !== text,
		);
	});

	test('outside of the workspace: gone with its folders, whoever removes them', async () => {
		const outside = '../../reviewed-outside';
		const name = `${outside}/deep/er/o.txt`;
		try {
			await mkdir(path.dirname(at(name)), { recursive: true });
			await writeFile(at(name), text);
			await agent(name, ['two', 'TWO']);
			assert.equal(await baseline(name), text);
			await rm(at(outside), { recursive: true });
			await until(
				() => 'it still waits',
				async () => (await baseline(name)) !== text,
			);
		} finally {
			await rm(at(outside), { recursive: true, force: true });
		}
	});

	test('git: a commit changes nothing, another branch moves or drops, a checkout of the file drops', async () => {
		const git = (...args: string[]) => {
			const own = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
			execFileSync('git', [...own, ...args], { cwd: folder, stdio: 'pipe' });
		};
		await writeFile(at('a5.txt'), text);
		git('init', '-q', '-b', 'main');
		git('add', '.');
		git('commit', '-qm', 'first');
		await agent('a5.txt', ['two', 'TWO'], ['five', 'FIVE']);
		git('commit', '-qam', 'second');
		assert.deepEqual(await marked('a5.txt'), [1, 4]);
		git('checkout', '-qb', 'other');
		await writeFile(at('a5.txt'), 'zero\none\nTWO\nthree\nfour\nfive and more\n');
		git('commit', '-qam', 'third');
		await untilMarked('a5.txt', 2);
		git('checkout', '-q', 'main~1');
		await untilMarked('a5.txt');
		assert.equal(await disk('a5.txt'), text);
		git('checkout', '-q', 'other');
		await untilMarked('a5.txt', 2);
	});

	test('git stash and its return, open and closed; a created file that goes and comes back', async () => {
		const git = (...args: string[]) => {
			const own = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
			execFileSync('git', [...own, ...args], { cwd: folder, stdio: 'pipe' });
		};
		await writeFile(at('open6.txt'), text);
		await writeFile(at('closed6.txt'), text);
		git('init', '-q');
		git('add', '.');
		git('commit', '-qm', 'first');
		await vscode.window.showTextDocument(uri('open6.txt'));
		await agent('open6.txt', ['two', 'TWO']);
		await agent('closed6.txt', ['five', 'FIVE']);
		await create('made6.txt', 'a\nb\n');
		git('stash', '-q', '-u');
		await untilMarked('open6.txt');
		await untilMarked('closed6.txt');
		assert.equal(existsSync(at('made6.txt')), false);
		git('stash', 'pop', '-q');
		await untilMarked('open6.txt', 1);
		await untilMarked('closed6.txt', 4);
		await untilMarked('made6.txt', 0);
		await (await lenses('made6.txt', 'Undo'))[0]?.run();
		assert.equal(existsSync(at('made6.txt')), false);
	});

	test('formatted on saving, and line ends that the person changes', async () => {
		const formatter = vscode.languages.registerDocumentFormattingEditProvider(
			{ pattern: '**/*.sfmt' },
			{
				provideDocumentFormattingEdits: (document) => {
					const found = document.getText().search(/^[A-Z]/m);
					return found < 0 ? [] : [vscode.TextEdit.insert(document.positionAt(found), '\t')];
				},
			},
		);
		const editorSettings = () => vscode.workspace.getConfiguration('editor');
		await editorSettings().update('formatOnSave', true, vscode.ConfigurationTarget.Global);
		await until(
			() => 'the setting does not come',
			async () => editorSettings().get('formatOnSave') === true,
		);
		try {
			await writeFile(at('y.sfmt'), text);
			const editor = await vscode.window.showTextDocument(uri('y.sfmt'));
			await agent('y.sfmt', ['two', 'TWO']);
			assert.equal(editor.document.getText(), 'one\n\tTWO\nthree\nfour\nfive\n');
			await untilMarked('y.sfmt', 1);
			await editor.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF));
			await untilMarked('y.sfmt', 1);
			await editor.document.save();
			await (await lenses('y.sfmt', 'Undo'))[0]?.run();
			assert.equal(await disk('y.sfmt'), text.replaceAll('\n', '\r\n'));
		} finally {
			formatter.dispose();
			await editorSettings().update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
		}
	});

	test('a comment on a change of an earlier conversation goes to the one that is chosen', async () => {
		await writeFile(at('c6.txt'), text);
		await agent('c6.txt', ['two', 'TWO']);
		const earlier = api.state().sessionId;
		await vscode.commands.executeCommand('loopwright.newConversation');
		model().reset();
		model().setScript([answer('Done.')]);
		await api.submit('something else');
		const later = api.state().sessionId;
		assert.notEqual(later, earlier);
		const [lens] = await lenses('c6.txt', 'Comment');
		for (const [answer, wanted] of [
			['closeQuickOpen', later],
			['acceptSelectedQuickOpenItem', earlier],
		] as const) {
			let done = false;
			void Promise.resolve(lens?.run()).then(() => (done = true));
			await until(
				() => 'the question is not answered',
				async () => {
					await vscode.commands.executeCommand(`workbench.action.${answer}`);
					return done;
				},
			);
			assert.equal(api.state().sessionId, wanted);
		}
	});

	test('a created file is removed by undo, kept by keep', async () => {
		await create('new.txt', 'a\nb\n');
		assert.deepEqual(await marked('new.txt'), [0]);
		await vscode.commands.executeCommand('loopwright.review.undoAll');
		assert.equal(existsSync(at('new.txt')), false);
		await create('new.txt', 'a\nb\n');
		await vscode.commands.executeCommand('loopwright.review.keepAll');
		assert.equal(await disk('new.txt'), 'a\nb\n');
		assert.deepEqual(await marked('new.txt'), []);
	});

	test('undoing gives the bytes back: line ends, encodings, no final newline, open or closed', async () => {
		const samples: readonly [string, Buffer][] = [
			['crlf.txt', Buffer.from('one\r\ntwo\r\nthree')],
			['mixed.txt', Buffer.from('one\r\ntwo\nthree\r\n')],
			['cr.txt', Buffer.from('one\rtwo\rthree')],
			['bom.txt', Buffer.from('\ufeffone\ntwo\nthree\n')],
			['gbk.txt', iconv.encode('one\n你好 two\nthree\n', 'gbk')],
			['utf16.txt', iconv.encode('\ufeffone\r\ntwo\r\n', 'utf16le', { addBOM: false })],
		];
		for (const isOpen of [false, true]) {
			for (const [sample, bytes] of samples) {
				// Of each file once: the editor keeps a document a while, with the encoding in which it was opened.
				const name = `${isOpen ? 'open' : 'closed'}-${sample}`;
				if (sample === 'gbk.txt') await setEncoding('gbk');
				await writeFile(at(name), bytes);
				if (isOpen) await vscode.window.showTextDocument(uri(name));
				await agent(name, ['two', 'TWO\nand more']);
				assert.notDeepEqual(await readFile(at(name)), bytes, name);
				assert.equal((await marked(name)).length, 1, name);
				await vscode.commands.executeCommand('loopwright.review.undoAll');
				assert.deepEqual(await readFile(at(name)), bytes, name);
				if (sample === 'gbk.txt') await setEncoding(undefined);
			}
		}
	});

	test('next and previous go through all files, around; unsaved typing survives the undo', async () => {
		await writeFile(at('a8.txt'), text);
		await writeFile(at('b8.txt'), text);
		await agent('a8.txt', ['two', 'TWO'], ['five', 'FIVE']);
		await agent('b8.txt', ['three', 'THREE']);
		const place = () => {
			const editor = vscode.window.activeTextEditor;
			return editor && `${path.basename(editor.document.uri.fsPath)}:${editor.selection.active.line}`;
		};
		await vscode.window.showTextDocument(uri('a8.txt'));
		for (const expected of ['a8.txt:1', 'a8.txt:4', 'b8.txt:2', 'a8.txt:1']) {
			await vscode.commands.executeCommand('loopwright.review.next');
			assert.equal(place(), expected);
		}
		await vscode.commands.executeCommand('loopwright.review.previous');
		assert.equal(place(), 'b8.txt:2');
		const editor = vscode.window.activeTextEditor ?? assert.fail();
		await type(editor, 0, 'typed ');
		await vscode.commands.executeCommand('loopwright.review.undoFile');
		for (const _ of [1, 2]) await (await lenses('a8.txt', 'Undo'))[0]?.run();
		assert.equal(editor.document.getText(), 'typed one\ntwo\nthree\nfour\nfive\n');
		assert.equal(await disk('a8.txt'), text);
	});
});
