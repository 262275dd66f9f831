// The example of docs/writing-a-tool.md is real: it loads, and does what the page says.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { callTool, fakeContext, FakeWorkspace } from '../../support/fakeWorkspace.ts';

const repository = path.resolve(import.meta.dirname, '../../..');

suite('docs/writing-a-tool.md', () => {
	test('the example works', async () => {
		const page = readFileSync(path.join(repository, 'docs/writing-a-tool.md'), 'utf8');
		const code = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
		const tools = pathToFileURL(path.join(repository, 'src/core/tools/')).href;
		const zod = pathToFileURL(path.join(repository, 'node_modules/zod/index.js')).href;
		const folder = mkdtempSync(path.join(tmpdir(), 'example-'));
		try {
			const file = path.join(folder, 'example.ts');
			writeFileSync(file, code.replaceAll("'../", `'${tools}`).replace("'zod'", `'${zod}'`));
			const { countLinesTool } = (await import(pathToFileURL(file).href)) as { countLinesTool: Tool };
			const context = fakeContext(new FakeWorkspace({ 'a.txt': 'one\ntwo' }));
			assert.equal((await callTool(countLinesTool, { file_path: 'a.txt' }, context)).text, '2 lines');
			assert.equal((await callTool(countLinesTool, { file_path: 'b.txt' }, context)).isError, true);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
