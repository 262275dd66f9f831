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

	/** Submits, and waits until `count` requests wait. The promise inside ends with the exchange. */
	async function ask(count: number, ...uses: ReturnType<typeof toolUse>[]): Promise<{ done: Promise<void> }> {
		model().setScript([turn(toolUse('Read', { file_path: file })), turn(...uses), turn('Done.')]);
		const asked = new Promise<void>((resolve) => {
			let open = 0;
			const listening = api.onEvent((event) => {
				if (event.type !== 'permission_requested' || ++open < count) return;
				listening.dispose();
				resolve();
			});
		});
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
});
