// The person types right before and while the agent writes, and auto save runs at any moment: what is said to be saved is on the
// disk, no character is lost, and the editor never gets into a conflict with its own file.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { editTool } from '../../src/core/tools/builtin/edit.ts';
import { readTool } from '../../src/core/tools/builtin/read.ts';
import { EditorImages } from '../../src/host/checkpoints/editorImages.ts';
import { VscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { BlobStore } from '../../src/node/checkpoints/blobStore.ts';
import { DiskImages } from '../../src/node/checkpoints/diskImages.ts';
import { callTool, fakeContext } from '../support/fakeWorkspace.ts';

/** Milliseconds of auto save's delay. */
const delay = 100;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const count = (text: string, part: string) => text.split(part).length - 1;

suite('auto save', () => {
	const workspace = new VscodeWorkspace('/nowhere');
	let folder: string;
	let file: string;
	let editor: vscode.TextEditor;
	const files = () => vscode.workspace.getConfiguration('files');
	const { Global } = vscode.ConfigurationTarget;

	suiteSetup(async () => {
		await files().update('autoSave', 'afterDelay', Global);
		await files().update('autoSaveDelay', delay, Global);
	});
	suiteTeardown(async () => {
		await files().update('autoSave', undefined, Global);
		await files().update('autoSaveDelay', undefined, Global);
	});
	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'loopwright-auto-save-')));
		file = path.join(folder, 'a.txt');
		await writeFile(file, 'typed:\nmiddle\nagent:\n');
		editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	const type = () => editor.edit((builder) => builder.insert(new vscode.Position(0, 6), 'x'));
	/** Types until it is told to stop; gives back how to, and how many keys came through. */
	function typist(rest: (key: number) => number): () => Promise<number> {
		const typing = { on: true };
		const typed = (async () => {
			let count = 0;
			for (let key = 0; typing.on; key++) {
				if (await type()) count++;
				await pause(rest(key));
			}
			return count;
		})();
		return () => {
			typing.on = false;
			return typed;
		};
	}
	/** One more plus sign, on the text that was just read. */
	async function write() {
		const content = await workspace.read(file);
		assert.ok(content.kind === 'text');
		const start = content.text.indexOf('agent:') + 6;
		return workspace.change({ path: file, expected: content.text, edits: [{ start, end: start, text: '+' }] });
	}

	test("typing at any moment before the agent's write", async function () {
		this.timeout(120_000);
		for (let round = 1; round <= 150; round++) {
			await type();
			// From right behind the typing to well after auto save has begun.
			await pause((round * 7) % (delay + 60));
			const outcome = await write();
			const disk = await readFile(file, 'utf8');
			const wanted = `typed:${'x'.repeat(round)}\nmiddle\nagent:${'+'.repeat(round)}\n`;
			assert.equal(disk, wanted, `round ${round}: ${JSON.stringify(outcome)}`);
			assert.deepEqual(outcome, { kind: 'applied', text: wanted, saved: true }, `round ${round}`);
		}
	});

	test('typing that goes on all the time', async function () {
		this.timeout(120_000);
		let typed = 0;
		let written = 0;
		const stop = typist((key) => (key * 13) % 70);
		try {
			for (let round = 1; round <= 150; round++) {
				const outcome = await write();
				const disk = await readFile(file, 'utf8');
				if (outcome.kind === 'applied') {
					written++;
					assert.equal(outcome.saved, true, `round ${round}: saved`);
					assert.equal(count(disk, '+'), written, `round ${round}: ${disk}`);
				} else assert.equal(outcome.kind, 'changed', `round ${round}: ${JSON.stringify(outcome)}`);
				await pause((round * 11) % 60);
			}
		} finally {
			typed = await stop();
		}
		assert.ok(written > 30, `${written} writes came between two keys`);
		const wanted = `typed:${'x'.repeat(typed)}\nmiddle\nagent:${'+'.repeat(written)}\n`;
		assert.equal(editor.document.getText(), wanted);
		for (let turn = 0; turn < 100 && (await readFile(file, 'utf8')) !== wanted; turn++) await pause(50);
		assert.equal(await readFile(file, 'utf8'), wanted, 'auto save can still save it');
	});

	test('the Edit tool beside a person who types: every edit is done and saved', async () => {
		const context = fakeContext(workspace);
		await callTool(readTool, { file_path: file }, context);
		let typed = 0;
		const stop = typist(() => 60);
		try {
			for (let round = 0; round < 15; round++) {
				const input = {
					file_path: file,
					old_string: `agent:${'+'.repeat(round)}`,
					new_string: `agent:${'+'.repeat(round + 1)}`,
				};
				const result = await callTool(editTool, input, context);
				assert.ok(!result.isError, `round ${round}: ${result.text}`);
				assert.doesNotMatch(result.text, /could not be saved|read it again/);
				assert.match(await readFile(file, 'utf8'), new RegExp(`agent:\\+{${round + 1}}\n`));
			}
		} finally {
			typed = await stop();
		}
		assert.equal(count(editor.document.getText(), 'x'), typed);
	});

	test('a checkpoint beside a person who types has what they see', async function () {
		this.timeout(60_000);
		const images = new EditorImages(new DiskImages(new BlobStore(path.join(folder, 'home'))));
		const keys = () => count(editor.document.getText(), 'x');
		const stop = typist((key) => (key * 13) % 70);
		try {
			for (let round = 0; round < 300; round++) {
				const before = keys();
				const image = await images.keep(file);
				const after = keys();
				const kept = count(Buffer.from((await images.bytes(image)) ?? []).toString(), 'x');
				assert.ok(kept >= before && kept <= after, `round ${round}: ${kept} of ${before} to ${after} keys`);
				await pause((round * 11) % 30);
			}
		} finally {
			await stop();
		}
	});
});
