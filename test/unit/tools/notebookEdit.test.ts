// NotebookEdit on closed notebooks: what is meant changes, every other byte stays.
import assert from 'node:assert/strict';
import { editTool } from '../../../src/core/tools/builtin/edit.ts';
import { notebookEditTool } from '../../../src/core/tools/builtin/notebookEdit.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { writeTool } from '../../../src/core/tools/builtin/write.ts';
import { planCellEdit } from '../../../src/core/tools/notebookText.ts';
import { applyEdits } from '../../../src/core/tools/edits.ts';
import { callTool, fakeContext, FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { CallResult } from '../../support/fakeWorkspace.ts';

/** Keys out of order, an escaped letter, indentation 1, an image: what careless writers change. */
const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "md1",
   "metadata": {"tags": [ "intro" ]},
   "source": [
    "# Title\\n",
    "caf\\u00e9"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 2,
   "id": "plot",
   "metadata": {},
   "outputs": [
    {
     "data": {
      "image/png": "iVBORw0KGgo=",
      "text/plain": [
       "<Figure size 640x480>"
      ]
     },
     "metadata": {},
     "output_type": "display_data"
    }
   ],
   "source": [
    "import x\\n",
    "x.plot($&)"
   ]
  },
  {
   "source": "print('last')",
   "outputs": [],
   "metadata": {},
   "execution_count": null,
   "id": "end",
   "cell_type": "code"
  }
 ],
 "metadata": {"kernelspec": {"name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}`;

async function opened(text = notebook) {
	const workspace = new FakeWorkspace({ 'n.ipynb': text });
	const context = fakeContext(workspace);
	const read = await callTool(readTool, { file_path: 'n.ipynb' }, context);
	const edit = (input: Record<string, string>): Promise<CallResult> =>
		callTool(notebookEditTool, { notebook_path: 'n.ipynb', ...input }, context);
	return { workspace, context, read, edit, text: () => workspace.text('n.ipynb') };
}

suite('NotebookEdit', () => {
	test('B31: Read shows the cells under their names, with outputs', async () => {
		const { read } = await opened();
		const text = read.text.replace(/^\d+\t/gm, '');
		assert.match(
			text,
			/^\[cell md1: markdown\]\n# Title\ncafé\n\[cell plot: code\]\nimport x\nx\.plot\(\$&\)\n\[output\]\n<Figure/,
		);
		assert.match(text, /\[image\/png\]/);
	});

	test('B31: the source of a cell is replaced, line by line', async () => {
		const { edit, text } = await opened();
		const result = await edit({ cell_id: 'plot', new_source: 'import x\nx.show("$\'$&")\n' });
		assert.ok(!result.isError, result.text);
		assert.equal(
			text(),
			notebook.replace('"x.plot($&)"', () => '"x.show(\\"$\'$&\\")\\n"'),
		);
		assert.ok(result.view.kind === 'edit');
		assert.ok(result.view.hunks[0]?.lines.includes('+x.show("$\'$&")'));
		assert.ok(result.view.hunks[0]?.lines.includes('-x.plot($&)'));
	});

	test('B31: a cell is inserted after another, in the notebook’s own layout', async () => {
		const { edit, text } = await opened();
		const result = await edit({ cell_id: 'md1', new_source: 'a\nb', cell_type: 'code', edit_mode: 'insert' });
		const id = /The new cell is ([0-9a-f]{8})\./.exec(result.text)?.[1];
		assert.ok(id, result.text);
		const cell = `  {
   "cell_type": "code",
   "execution_count": null,
   "id": "${id}",
   "metadata": {},
   "outputs": [],
   "source": [
    "a\\\\n",
    "b"
   ]
  },
`.replaceAll('\\\\', '\\');
		assert.equal(
			text(),
			notebook.replace('  {\n   "cell_type": "code",\n   "execution_count": 2', (start) => cell + start),
		);
		assert.ok(!(await edit({ cell_id: id, new_source: 'c' })).isError);
	});

	test('B31: the last cell is deleted, the first and the only one too', async () => {
		const { edit, text } = await opened();
		assert.ok(!(await edit({ cell_id: 'end', edit_mode: 'delete' })).isError);
		const [head, tail] = [
			notebook.slice(0, notebook.indexOf(',\n  {\n   "source"')),
			notebook.slice(notebook.indexOf('\n ],\n "metadata": {"kernel')),
		];
		assert.equal(text(), head + tail);
		assert.ok(!(await edit({ cell_id: 'md1', edit_mode: 'delete' })).isError);
		assert.ok(!(await edit({ cell_id: 'plot', edit_mode: 'delete' })).isError);
		assert.equal(text(), `{\n "cells": []${tail.slice('\n ]'.length)}`);
		assert.ok(!(await edit({ new_source: '# New', cell_type: 'markdown', edit_mode: 'insert' })).isError);
		assert.match(
			text() ?? '',
			/^\{\n "cells": \[\n  \{\n   "cell_type": "markdown",\n   "id": "[0-9a-f]{8}",\n   "metadata": \{\},\n   "source": \[\n    "# New"\n   \]\n  \}\n \],/,
		);
	});

	test('a source that is one string stays one; the type changes with its keys', async () => {
		const { edit, text } = await opened();
		assert.ok(!(await edit({ cell_id: 'end', new_source: 'a\nb' })).isError);
		assert.equal(text(), notebook.replace(`"print('last')"`, '"a\\nb"'));
		assert.ok(!(await edit({ cell_id: 'end', new_source: 'a\nb', cell_type: 'markdown' })).isError);
		const cells = JSON.parse(text() ?? '').cells;
		assert.deepEqual(cells[2], { source: 'a\nb', metadata: {}, id: 'end', cell_type: 'markdown' });
		assert.ok(!(await edit({ cell_id: 'md1', new_source: 'x', cell_type: 'code' })).isError);
		assert.deepEqual(JSON.parse(text() ?? '').cells[0], {
			cell_type: 'code',
			id: 'md1',
			metadata: { tags: ['intro'] },
			execution_count: null,
			outputs: [],
			source: ['x'],
		});
	});

	test('an id that two cells have names neither: their places do', async () => {
		const twice = notebook.replace('"id": "plot"', '"id": "md1"');
		const { edit, text, read } = await opened(twice);
		assert.match(read.text, /\[cell cell-0: markdown\][\s\S]*\[cell cell-1: code\]/);
		const refused = await edit({ cell_id: 'md1', new_source: 'y' });
		assert.ok(refused.isError && refused.text.includes('cell-0, cell-1'), refused.text);
		assert.equal(text(), twice);
		await edit({ cell_id: 'cell-1', new_source: 'y' });
		assert.deepEqual(
			JSON.parse(text() ?? '')
				.cells.slice(0, 2)
				.map(({ source }: { source: string[] }) => source.join('')),
			['# Title\ncafé', 'y'],
		);
	});

	test('CRLF, tabs, one line, and cells without ids', async () => {
		const windows = notebook.replaceAll('\n', '\r\n');
		const kept = await opened(windows);
		await kept.edit({ cell_id: 'plot', new_source: 'import x\nnew\nx.plot($&)' });
		assert.equal(
			kept.text(),
			windows.replace('"x.plot($&)"', () => '"new\\n",\r\n    "x.plot($&)"'),
		);

		const compact = JSON.stringify(JSON.parse(notebook));
		const one = await opened(compact);
		await one.edit({ cell_id: 'md1', new_source: '', cell_type: 'markdown' });
		assert.equal(one.text(), compact.replace('["# Title\\n","café"]', '[]'));

		const old = notebook.replace('"nbformat_minor": 5', '"nbformat_minor": 2').replace(/^ {3}"id": "\w+",\n/gm, '');
		const { edit, text, read } = await opened(old);
		assert.match(read.text, /\[cell cell-1: code\]/);
		assert.ok(!(await edit({ cell_id: 'cell-1', new_source: 'y' })).isError);
		const added = await edit({ cell_id: 'cell-1', new_source: 'z', cell_type: 'code', edit_mode: 'insert' });
		assert.match(added.text, /The new cell is cell-2/);
		assert.equal(JSON.parse(text() ?? '').cells[2].id, undefined);
	});

	test('what cannot be done is said, and nothing is written', async () => {
		const { edit, text, context, workspace } = await opened();
		const problems: [Record<string, string>, RegExp][] = [
			[{ cell_id: 'nope', new_source: 'x' }, /has no cell nope. Its cells are md1, plot, end/],
			[{ new_source: 'x' }, /cell_id is needed/],
			[{ cell_id: 'md1' }, /new_source is needed/],
			[{ cell_id: 'md1', new_source: 'x', edit_mode: 'insert' }, /cell_type is needed/],
			[{ cell_id: 'end', new_source: "print('last')" }, /No change/],
			[{ notebook_path: 'a.txt', cell_id: 'x', new_source: 'x' }, /no notebook/],
			[{ notebook_path: 'other.ipynb', cell_id: 'x', new_source: 'x' }, /does not exist/],
		];
		for (const [input, message] of problems) {
			const result = await edit(input);
			assert.ok(result.refused);
			assert.match(result.text, message);
		}
		workspace.files.set('/w/broken.ipynb', '{"cells": [');
		const broken = await callTool(readTool, { file_path: 'broken.ipynb' }, context);
		assert.match(broken.text, /no valid JSON/);
		workspace.files.set('/w/n.ipynb', notebook.replace('Title', 'Changed'));
		assert.match((await edit({ cell_id: 'plot', new_source: 'x' })).text, /has changed since it was read/);
		assert.equal(text(), notebook.replace('Title', 'Changed'));
	});

	test('new outputs do not make it stale', async () => {
		const { edit, workspace } = await opened();
		workspace.files.set('/w/n.ipynb', notebook.replace('"execution_count": 2', '"execution_count": 3'));
		assert.ok(!(await edit({ cell_id: 'plot', new_source: 'x' })).isError);
	});

	test('Edit and Write are turned away, but a new and valid notebook may be written', async () => {
		const { context, workspace } = await opened();
		const raw = await callTool(editTool, { file_path: 'n.ipynb', old_string: 'a', new_string: 'b' }, context);
		assert.match(raw.text, /NotebookEdit/);
		const over = await callTool(writeTool, { file_path: 'n.ipynb', content: notebook }, context);
		assert.match(over.text, /NotebookEdit/);
		const bad = await callTool(writeTool, { file_path: 'm.ipynb', content: '{}' }, context);
		assert.match(bad.text, /cannot be one/);
		assert.ok(!(await callTool(writeTool, { file_path: 'm.ipynb', content: notebook }, context)).isError);
		assert.equal(workspace.text('m.ipynb'), notebook);
	});

	test('a line keeps the way it was escaped', () => {
		const plan = planCellEdit(notebook, { kind: 'replace', index: 0, source: '# New é\ncafé', type: 'markdown' });
		assert.ok(plan.kind === 'plan');
		const text = applyEdits(notebook, plan.edits);
		assert.equal(text, notebook.replace('# Title', '# New \\u00e9'));
	});
});
