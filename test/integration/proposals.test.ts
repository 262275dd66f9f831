// Proposed edits in a real editor: nothing of them is in the file or its buffer before the answer, whatever is done meanwhile, and
// afterwards just what the person took.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LoopwrightApi } from '../../src/host/api.ts';
import { toolResults, toolUse, turn } from '../support/mockServer.ts';
import { model } from './harness/model.ts';

const gap = 'same\n'.repeat(10);
const old = `one\n${gap}two\n`;
const wanted = `ONE\n${gap}TWO\n`;

suite('proposals', () => {
	let api: LoopwrightApi;
	let file: string;
	let created: string;
	suiteSetup(async () => {
		const extension = vscode.extensions.getExtension<LoopwrightApi>('loopwright.loopwright');
		assert.ok(extension);
		api = await extension.activate();
		const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
		file = path.join(root, 'proposed.txt');
		created = path.join(root, 'proposed-new.txt');
	});
	setup(async () => {
		model().reset();
		await vscode.commands.executeCommand('loopwright.newConversation');
		await writeFile(file, old);
		const files = vscode.workspace.getConfiguration('files');
		await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
		await files.update('autoSaveDelay', 100, vscode.ConfigurationTarget.Global);
	});
	teardown(async () => {
		await vscode.commands.executeCommand('loopwright.stop');
		await vscode.commands.executeCommand('loopwright.newConversation');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const files = vscode.workspace.getConfiguration('files');
		await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
		await files.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
		await rm(file, { force: true });
		await rm(created, { force: true });
	});

	const disk = () => readFile(file, 'utf8');
	const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(`loopwright.${command}`, ...args);
	const told = (index: number, at = 0) =>
		toolResults(model().requests[index] ?? assert.fail('no request'))[at]?.text ?? '';

	/** Resolves once so many requests more wait. */
	function requested(count: number): Promise<void> {
		return new Promise<void>((resolve) => {
			let open = 0;
			const listening = api.onEvent((event) => {
				if (event.type !== 'permission_requested' || ++open < count) return;
				listening.dispose();
				resolve();
			});
		});
	}
	/** Submits, and waits until `count` requests wait. The promise inside ends with the exchange. */
	async function ask(count: number, ...uses: ReturnType<typeof toolUse>[]): Promise<{ done: Promise<void> }> {
		model().setScript([turn(toolUse('Read', { file_path: file })), turn(...uses), turn('Done.')]);
		const asked = requested(count);
		const done = api.submit('change it');
		await asked;
		await shown(String(vscode.Uri.file(file)));
		return { done };
	}
	/** Until an editor shows it. */
	async function shown(uri: string): Promise<vscode.TextEditor> {
		const find = () => vscode.window.visibleTextEditors.find(({ document }) => String(document.uri).startsWith(uri));
		for (;;) {
			const editor = find();
			if (editor) return editor;
			await new Promise<void>((resolve) => {
				const listening = vscode.window.onDidChangeVisibleTextEditors(() => {
					listening.dispose();
					resolve();
				});
			});
		}
	}
	const write = () => toolUse('Write', { file_path: file, content: wanted });
	const edit = (from: string, to: string) => toolUse('Edit', { file_path: file, old_string: from, new_string: to });
	/** Nothing is left unsaved. Documents of proposals go a moment after the answer. */
	async function clean(): Promise<void> {
		const unsaved = () => vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => String(uri));
		const end = Date.now() + 5_000;
		while (unsaved().length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
		assert.deepEqual(unsaved(), []);
	}

	test('B27: saved, auto saved and closed while it is asked, then denied: file and buffer are as before', async () => {
		const { done } = await ask(1, write());
		await vscode.commands.executeCommand('workbench.action.files.saveAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		assert.equal(api.state().requests.length, 1, 'closing answers nothing');
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
		assert.equal(editor.document.getText(), old);
		await run('proposal.denyFile');
		await done;
		assert.equal(await disk(), old);
		assert.equal(editor.document.getText(), old);
		await clean();
		assert.match(told(2), /declined/);
	});

	test('hunk by hunk at the cursor, with unsaved typing in between: only what was accepted is added to it', async () => {
		await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
		const { done } = await ask(1, write());
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
		// An editor remembers where the cursor was in a file.
		editor.selection = new vscode.Selection(0, 0, 0, 0);
		await run('proposal.acceptHunk');
		await editor.edit((builder) => builder.insert(new vscode.Position(5, 0), 'typed\n'));
		assert.equal(api.state().requests.length, 1);
		await run('proposal.next');
		await run('proposal.denyHunk');
		await done;
		const lines = `ONE\n${'same\n'.repeat(4)}typed\n${'same\n'.repeat(6)}two\n`;
		assert.equal(await disk(), lines, told(2));
		assert.equal(editor.document.getText(), lines);
		assert.match(told(2), /accepted 1 of 2 changes/);
		assert.deepEqual(model().violations, []);
	});

	test('the proposals of one answer wait together in one tab, and are accepted with one command', async () => {
		const { done } = await ask(2, edit('one', 'first'), edit('two', 'second'));
		assert.equal(api.state().requests.length, 2);
		assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
		await vscode.window.showTextDocument(vscode.Uri.file(file));
		await run('proposal.acceptFile');
		await done;
		assert.equal(await disk(), `first\n${gap}second\n`);
	});

	test('B27: the proposed side of the diff can be changed and saved; the file has it only when it is accepted there', async () => {
		const { done } = await ask(1, write());
		await run('proposal.openDiff');
		const side = await shown('loopwright-proposal:');
		const proposed = vscode.window.visibleTextEditors.find(
			({ document }) => document.uri.scheme === 'loopwright-proposal' && document.getText() === wanted,
		);
		assert.ok(proposed, side.document.getText());
		await proposed.edit((builder) => builder.replace(new vscode.Range(0, 0, 0, 3), 'uno'));
		await proposed.document.save();
		assert.equal(await disk(), old);
		await run('proposal.acceptFile', proposed.document.uri);
		await done;
		assert.equal(await disk(), wanted.replace('ONE', 'uno'));
		assert.match(told(2), /rewrote what you proposed/);
		assert.deepEqual(
			vscode.window.tabGroups.all.flatMap(({ tabs }) =>
				tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff),
			),
			[],
		);
		await clean();
	});

	test('a new file is a document that can be changed and saved, and does not exist before it is accepted', async () => {
		const content = 'made\n';
		model().setScript([turn(toolUse('Write', { file_path: created, content })), turn('Done.')]);
		const done = api.submit('make it');
		const editor = await shown('loopwright-proposal:');
		assert.equal(editor.document.getText(), content);
		await editor.edit((builder) => builder.insert(new vscode.Position(1, 0), 'mine\n'));
		await editor.document.save();
		assert.equal(existsSync(created), false);
		await run('proposal.acceptFile', editor.document.uri);
		await done;
		assert.equal(await readFile(created, 'utf8'), 'made\nmine\n');
		assert.match(told(1), /rewrote what you proposed/);
		await clean();
	});

	test('lines that the person changed while they were asked are asked again, and stay when that is denied', async () => {
		await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
		const { done } = await ask(1, write());
		const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
		await editor.edit((builder) => builder.insert(new vscode.Position(0, 3), ' and mine'));
		const again = requested(1);
		await run('proposal.acceptFile');
		await again;
		assert.equal(api.state().requests.length, 1);
		await run('proposal.denyFile', vscode.Uri.file(file));
		await done;
		assert.equal(editor.document.getText(), old.replace('one', 'one and mine'));
		assert.equal(await disk(), old);
		await editor.document.save();
	});

	test('unsaved proposed sides go with the answer, whoever types; nothing asks whether to save', async () => {
		await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
		const { done } = await ask(2, edit('one', 'first'), edit('two', 'second'));
		await run('proposal.openDiff');
		await shown('loopwright-proposal:');
		const side = vscode.window.visibleTextEditors.find(({ document }) => document.getText().startsWith('first'));
		assert.ok(side);
		await side.edit((builder) => builder.insert(new vscode.Position(1, 0), 'mine\n'));
		assert.ok(side.document.isDirty);
		await run('proposal.denyFile', vscode.Uri.file(file));
		await done;
		const left = () =>
			vscode.window.tabGroups.all.flatMap(({ tabs }) =>
				tabs.filter(({ isDirty, input }) => isDirty || input instanceof vscode.TabInputTextDiff),
			);
		const end = Date.now() + 5_000;
		while (left().length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
		assert.deepEqual(left(), []);
		await clean();
		assert.equal(await disk(), old);
	});

	suite('in a notebook', () => {
		let notebook: string;
		const source = `one\n${gap}two`;
		const cell = (id: string, text: string) => ({
			cell_type: 'code',
			execution_count: null,
			id,
			metadata: {},
			outputs: [],
			source: text,
		});
		setup(async () => {
			// A name of its own: the editor lets go of a notebook some time after its tab is closed.
			notebook = path.join(path.dirname(file), `proposed-${Date.now()}.ipynb`);
			const json = {
				cells: [cell('first', 'x = 1'), cell('second', source)],
				metadata: { language_info: { name: 'python' } },
				nbformat: 4,
				nbformat_minor: 5,
			};
			await writeFile(notebook, JSON.stringify(json, undefined, 1));
		});
		teardown(() => rm(notebook, { force: true }));

		const cells = async () =>
			(JSON.parse(await readFile(notebook, 'utf8')) as { cells: { source: string | string[] }[] }).cells.map((one) =>
				[one.source].flat().join(''),
			);
		async function propose(input: Record<string, string>): Promise<{ done: Promise<void> }> {
			model().setScript([
				turn(toolUse('Read', { file_path: notebook })),
				turn(toolUse('NotebookEdit', { notebook_path: notebook, ...input })),
				turn('Done.'),
			]);
			const asked = requested(1);
			const done = api.submit('change the cell');
			await asked;
			return { done };
		}
		const change = { cell_id: 'second', new_source: `ONE\n${gap}TWO` };

		test('the hunks of a cell are decided at the cell, which the keys go to', async () => {
			const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(notebook));
			await vscode.window.showNotebookDocument(document);
			const { done } = await propose(change);
			const second = document.cellAt(1).document.uri;
			await run('proposal.next');
			assert.equal(vscode.window.activeNotebookEditor?.selection.start, 1);
			while (String(vscode.window.activeTextEditor?.document.uri) !== String(second)) {
				await new Promise<void>((resolve) => {
					const listening = vscode.window.onDidChangeActiveTextEditor(() => {
						listening.dispose();
						resolve();
					});
				});
			}
			const editor = vscode.window.activeTextEditor;
			assert.ok(editor);
			editor.selection = new vscode.Selection(0, 0, 0, 0);
			await run('proposal.acceptHunk');
			assert.equal(api.state().requests.length, 1);
			assert.deepEqual(await cells(), ['x = 1', source]);
			editor.selection = new vscode.Selection(11, 0, 11, 0);
			await run('proposal.denyHunk');
			await done;
			assert.deepEqual(await cells(), ['x = 1', source.replace('one', 'ONE')]);
			assert.match(told(2), /accepted 1 of 2 changes/);
		});

		for (const isOpen of [true, false]) {
			test(`${isOpen ? 'open' : 'closed'}: beside each other, with a side that can be changed; what is written there is the cell`, async () => {
				if (isOpen) {
					const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(notebook));
					await vscode.window.showNotebookDocument(document);
				}
				const { done } = await propose(change);
				await run('proposal.openDiff');
				await shown('loopwright-proposal:');
				const sides = vscode.window.visibleTextEditors.map(({ document }) => document);
				assert.ok(sides.every(({ languageId }) => languageId === 'python'));
				const side = vscode.window.visibleTextEditors.find(({ document }) => document.getText() === change.new_source);
				assert.ok(side, sides.map((document) => document.getText()).join('|'));
				await side.edit((builder) => builder.replace(new vscode.Range(0, 0, 0, 3), 'uno'));
				await run('proposal.acceptFile', side.document.uri);
				await done;
				assert.deepEqual(await cells(), ['x = 1', change.new_source.replace('ONE', 'uno')]);
				assert.match(told(2), /rewrote what you proposed/);
				await clean();
			});
		}

		test('a new cell and a deleted one are accepted by the file', async () => {
			const input = { cell_id: 'first', edit_mode: 'insert', cell_type: 'markdown', new_source: '# New' };
			const inserted = await propose(input);
			await run('proposal.acceptFile', vscode.Uri.file(notebook));
			await inserted.done;
			assert.deepEqual(await cells(), ['x = 1', '# New', source]);
			const deleted = await propose({ cell_id: 'second', edit_mode: 'delete' });
			await run('proposal.openDiff');
			await shown('loopwright-proposal:');
			await run('proposal.acceptFile', vscode.Uri.file(notebook));
			await deleted.done;
			assert.deepEqual(await cells(), ['x = 1', '# New']);
			await clean();
		});
	});
});
