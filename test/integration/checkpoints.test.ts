// Checkpoints through the editor, in a real one: unsaved typing is the file, open documents follow a restore, bytes are exact.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChangedFile } from '../../src/core/checkpoints/planRestore.ts';
import { changedSince, planRestore } from '../../src/core/checkpoints/planRestore.ts';
import { RecordedWorkspace } from '../../src/core/checkpoints/recordedWorkspace.ts';
import { CheckpointRecorder } from '../../src/core/checkpoints/recorder.ts';
import { restoreFiles } from '../../src/core/checkpoints/restoreFiles.ts';
import type { CheckpointRecord, FileImage } from '../../src/core/ports/checkpoints.ts';
import { EditorImages } from '../../src/host/checkpoints/editorImages.ts';
import { RestoredDocuments } from '../../src/host/checkpoints/restoredDocuments.ts';
import { VscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { BlobStore } from '../../src/node/checkpoints/blobStore.ts';
import { DiskImages } from '../../src/node/checkpoints/diskImages.ts';

suite('checkpoints in the editor', () => {
	let folder: string;
	let records: CheckpointRecord[];
	let images: EditorImages;
	let workspace: RecordedWorkspace;
	const at = (name: string) => path.join(folder, name);
	const index = {
		append: (record: CheckpointRecord) => void records.push(record),
		read: () => Promise.resolve(records),
	};

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'loopwright-checkpoints-')));
		records = [];
		images = new EditorImages(new DiskImages(new BlobStore(path.join(folder, '.home'))));
		const recorder = new CheckpointRecorder({ index, images });
		workspace = new RecordedWorkspace(new VscodeWorkspace('/nowhere'), recorder);
		recorder.promptTaken('p1');
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true });
	});

	async function agentReplaces(name: string, old: string, text: string): Promise<void> {
		const content = await workspace.read(at(name));
		assert.ok(content.kind === 'text');
		const start = content.text.indexOf(old);
		const edits = [{ start, end: start + old.length, text }];
		const outcome = await workspace.change({ path: at(name), expected: content.text, edits });
		assert.equal(outcome.kind, 'applied');
	}
	const open = async (name: string) => vscode.window.showTextDocument(vscode.Uri.file(at(name)));
	const type = (editor: vscode.TextEditor, text: string) =>
		editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
	const disk = (name: string) => readFile(at(name), 'utf8');

	async function plan() {
		const changed: readonly ChangedFile[] = changedSince(records, 'p1') ?? assert.fail();
		const now = new Map<string, FileImage>();
		for (const file of changed) now.set(file.path, await images.keep(file.path));
		return planRestore(changed, now);
	}
	async function restore(): Promise<void> {
		const { files } = await plan();
		const outcome = await restoreFiles({ files, to: 'p1', scope: 'files', redo: false }, { images, index });
		assert.deepEqual(outcome.failed, []);
	}

	test('typing that was not saved when the agent began is what comes back', async () => {
		await writeFile(at('a.txt'), 'one\r\ntwo\r\n');
		const editor = await open('a.txt');
		await type(editor, 'typed\r\n');
		await agentReplaces('a.txt', 'two', 'TWO');
		assert.equal(await disk('a.txt'), 'typed\r\none\r\nTWO\r\n');
		await restore();
		assert.equal(await disk('a.txt'), 'typed\r\none\r\ntwo\r\n');
		assert.equal(editor.document.getText(), 'typed\r\none\r\ntwo\r\n');
		assert.equal(editor.document.isDirty, false);
	});

	test('typing since is a conflict, saved or not; chosen all the same, one undo brings it back', async () => {
		await writeFile(at('a.txt'), 'one\n');
		const editor = await open('a.txt');
		await agentReplaces('a.txt', 'one', 'ONE');
		await type(editor, 'typed\n');
		assert.deepEqual(
			(await plan()).files.map(({ conflict }) => conflict),
			['changed_since'],
		);
		await restore();
		assert.equal(await disk('a.txt'), 'one\n');
		assert.equal(editor.document.getText(), 'one\n');
		await vscode.window.showTextDocument(editor.document);
		await vscode.commands.executeCommand('undo');
		assert.equal(editor.document.getText(), 'typed\nONE\n');
	});

	test('an open document of another encoding follows, and its bytes are exact', async () => {
		const bytes = Buffer.from('\uFEFFeins\r\nzwei\n', 'utf16le');
		await writeFile(at('a.txt'), bytes);
		const { document } = await open('a.txt');
		await agentReplaces('a.txt', 'zwei', 'ZWEI');
		await restore();
		assert.deepEqual(await readFile(at('a.txt')), bytes);
		assert.equal(document.isDirty, false);
		assert.match(document.getText(), /zwei/);
	});

	test('what the agent made goes, with the tab that shows it', async () => {
		await workspace.change({ path: at('new.txt'), expected: undefined, edits: [{ start: 0, end: 0, text: 'new\n' }] });
		const editor = await open('new.txt');
		await type(editor, 'typed\n');
		await restore();
		assert.equal(existsSync(at('new.txt')), false);
		const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
		assert.deepEqual(labels, []);
	});
	test('the differences of all files, also of those that come or go, are closed once they are no more', async () => {
		const documents = new RestoredDocuments(images);
		try {
			await workspace.change({
				path: at('new.txt'),
				expected: undefined,
				edits: [{ start: 0, end: 0, text: 'new\n' }],
			});
			await documents.showAll((await plan()).files);
			const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
			assert.equal(tabs().length, 1);
			await documents.closeDifferences(false);
			assert.equal(tabs().length, 1, 'the list was left, not this');
			await documents.closeDifferences(true);
			assert.equal(tabs().length, 0);
			await writeFile(at('a.txt'), 'one\n');
			await agentReplaces('a.txt', 'one', 'ONE');
			await vscode.window.showTextDocument(vscode.Uri.file(at('a.txt')), { preview: false });
			await documents.showAll((await plan()).files);
			await documents.closeDifferences(true);
			assert.deepEqual(
				tabs().map(({ label }) => label),
				['a.txt'],
			);
		} finally {
			documents.dispose();
		}
	});
});
