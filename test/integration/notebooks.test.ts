// NotebookEdit while the editor holds the notebook, and on its file.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { notebookEditTool } from '../../src/core/tools/builtin/notebookEdit.ts';
import { readTool } from '../../src/core/tools/builtin/read.ts';
import { EditorImages } from '../../src/host/checkpoints/editorImages.ts';
import { VscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { BlobStore } from '../../src/node/checkpoints/blobStore.ts';
import { DiskImages } from '../../src/node/checkpoints/diskImages.ts';
import { callTool, fakeContext } from '../support/fakeWorkspace.ts';

const image = {
	data: {
		'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	},
	metadata: {},
	output_type: 'display_data',
};
const notebook = `${JSON.stringify(
	{
		cells: [
			{ cell_type: 'markdown', id: 'md1', metadata: {}, source: ['# Title'] },
			{ cell_type: 'code', execution_count: 1, id: 'plot', metadata: {}, outputs: [image], source: ['plot()'] },
			{ cell_type: 'code', execution_count: null, id: 'end', metadata: {}, outputs: [], source: ["print('x')"] },
		],
		metadata: { language_info: { name: 'python' } },
		nbformat: 4,
		nbformat_minor: 5,
	},
	undefined,
	1,
)}\n`;

suite('notebooks in the editor', () => {
	const workspace = new VscodeWorkspace('/nowhere');
	let folder: string;
	let file: string;

	setup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'loopwright-notebook-')));
		file = path.join(folder, 'n.ipynb');
		await writeFile(file, notebook);
	});
	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	for (const isOpen of [true, false]) {
		test(`B31, ${isOpen ? 'open' : 'closed'}: replace, insert, delete; everything else stays`, async () => {
			if (isOpen) {
				const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
				await vscode.window.showNotebookDocument(document);
				assert.ok(workspace.openNotebook(file) !== undefined);
				assert.equal((await workspace.openNotebook(file))?.cells.length, 3);
			}
			const context = fakeContext(workspace);
			const read = await callTool(readTool, { file_path: file }, context);
			assert.match(read.text, /\[cell plot: code\][\s\S]*image\/png/);
			const change = async (input: Record<string, string>) => {
				const result = await callTool(notebookEditTool, { notebook_path: file, ...input }, context);
				assert.ok(!result.isError, result.text);
				assert.doesNotMatch(result.text, /changed more|could not be saved/);
				return result.text;
			};
			await change({ cell_id: 'plot', new_source: 'plot()\nshow()' });
			const inserted = await change({ cell_id: 'md1', new_source: 'text', cell_type: 'markdown', edit_mode: 'insert' });
			const id = /The new cell is (\w+)/.exec(inserted)?.[1];
			await change({ cell_id: 'end', edit_mode: 'delete' });
			const wanted = JSON.parse(notebook) as { cells: Record<string, unknown>[] };
			wanted.cells.splice(2, 1);
			// The editor takes the number of a run away from a cell that is changed after it.
			const count = isOpen ? null : 1;
			Object.assign(wanted.cells[1] ?? {}, { execution_count: count, source: ['plot()\n', 'show()'] });
			wanted.cells.splice(1, 0, { cell_type: 'markdown', id, metadata: {}, source: ['text'] });
			assert.equal(await readFile(file, 'utf8'), `${JSON.stringify(wanted, undefined, 1)}\n`);
		});
	}

	test('B31: unsaved cells are read and kept', async () => {
		const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
		await vscode.window.showNotebookDocument(document);
		const typing = new vscode.WorkspaceEdit();
		typing.insert(document.cellAt(0).document.uri, new vscode.Position(0, 0), 'MINE ');
		await vscode.workspace.applyEdit(typing);
		const context = fakeContext(workspace);
		const read = await callTool(readTool, { file_path: file }, context);
		assert.match(read.text, /MINE # Title[\s\S]*not saved/);
		const input = { notebook_path: file, cell_id: 'end', new_source: 'y' };
		const result = await callTool(notebookEditTool, input, context);
		assert.match(result.text, /unsaved text of the person/);
		assert.equal(await readFile(file, 'utf8'), notebook.replace('# Title', 'MINE # Title').replace("print('x')", 'y'));
	});

	test('a checkpoint beside a person who types in a cell has what they see, or says that it has not', async function () {
		this.timeout(60_000);
		const images = new EditorImages(new DiskImages(new BlobStore(path.join(folder, 'home'))));
		const document = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
		await vscode.window.showNotebookDocument(document);
		const cell = document.cellAt(0).document;
		const count = (text: string) => text.split('§').length - 1;
		const keys = () => count(cell.getText());
		const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
		const person = { types: true };
		const typing = (async () => {
			for (let key = 0; person.types; key++) {
				const edit = new vscode.WorkspaceEdit();
				edit.insert(cell.uri, new vscode.Position(0, 0), '§');
				await vscode.workspace.applyEdit(edit);
				await pause((key * 13) % 40);
			}
		})();
		const saving = (async () => {
			for (let save = 0; person.types; save++) {
				await document.save();
				await pause((save * 7) % 30);
			}
		})();
		let kept = 0;
		try {
			for (let round = 0; round < 300; round++) {
				const before = keys();
				const image = await images.keep(file);
				const after = keys();
				if (image.kind === 'file') {
					kept++;
					const seen = count(Buffer.from((await images.bytes(image)) ?? []).toString());
					assert.ok(seen >= before && seen <= after, `round ${round}: ${seen} of ${before} to ${after} keys`);
				} else assert.deepEqual(image, { kind: 'unkept', reason: 'unsaved_notebook' });
				await pause((round * 11) % 30);
			}
		} finally {
			person.types = false;
			await Promise.all([typing, saving]);
		}
		assert.ok(kept > 0, 'it was saved at no moment');
		await document.save();
		assert.equal((await images.keep(file)).kind, 'file');
	});
});
