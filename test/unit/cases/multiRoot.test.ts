// Several folders in one workspace, with real files and the real search: each session has one of them as its root, and no path means
// two files.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findRipgrep } from '../../../src/node/search/findRipgrep.ts';
import { RipgrepSearch } from '../../../src/node/search/ripgrepSearch.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { folderWithModel } from '../../support/folderWithModel.ts';
import { answer, messagesOf, toolResults, toolUse, turn } from '../../support/mockServer.ts';

suite('several roots', () => {
	const place = folderWithModel();
	setup(async () => {
		const { folder: base } = place;
		for (const [root, text] of [
			['api', 'export const side = "server";\n'],
			['web', 'export const side = "browser";\n'],
		] as const) {
			await mkdir(path.join(base, root, 'src'), { recursive: true });
			await writeFile(path.join(base, root, 'src/index.ts'), text);
		}
		await writeFile(path.join(base, 'api/src/server.ts'), 'listen();\n');
	});

	async function inWeb(...calls: readonly (readonly [string, object])[]): Promise<readonly string[]> {
		const { mock, folder: base } = place;
		const rgPath = (await findRipgrep({ from: [process.cwd()] })) ?? assert.fail('no ripgrep');
		const [api, web] = [path.join(base, 'api'), path.join(base, 'web')];
		const { conversation } = startConversation({
			url: mock.url,
			interaction: {
				requestPermission: () => Promise.resolve({ behavior: 'deny' }),
				confirmWait: () => Promise.resolve(true),
			},
			ports: { workspace: new NodeWorkspace({ roots: [web, api] }), search: new RipgrepSearch({ rgPath }) },
			overrides: { mode: 'acceptEdits' },
		});
		mock.setScript([...calls.map(([tool, input]) => turn(toolUse(tool, { ...input }))), answer('Done.')]);
		await finish(conversation.submitMessage('go'));
		const first = JSON.stringify(messagesOf(mock.requests[0] ?? assert.fail())[0]);
		assert.ok(first.includes(web) && first.includes(api), 'the model is told of both');
		return mock.requests.slice(1).map((request) => JSON.stringify(toolResults(request).at(-1)?.text));
	}

	test('B66 a relative path is the one below the session’s root; the same path in another root stays as it is', async () => {
		await inWeb(
			['Read', { file_path: 'src/index.ts' }],
			['Edit', { file_path: 'src/index.ts', old_string: 'browser', new_string: 'page' }],
		);
		assert.match(await readFile(path.join(place.folder, 'web/src/index.ts'), 'utf8'), /page/);
		assert.match(await readFile(path.join(place.folder, 'api/src/index.ts'), 'utf8'), /server/);
	});

	test('B66 what is only in another root is named, and can be read, searched and changed there without a question', async () => {
		const api = path.join(place.folder, 'api');
		const [missing, read, found, listed, changed] = await inWeb(
			['Read', { file_path: 'src/server.ts' }],
			['Read', { file_path: path.join(api, 'src/server.ts') }],
			['Grep', { pattern: 'side', path: api, output_mode: 'content' }],
			['Glob', { pattern: '**/*.ts', path: api }],
			['Edit', { file_path: path.join(api, 'src/server.ts'), old_string: 'listen', new_string: 'start' }],
		);
		assert.ok(missing?.includes(`Did you mean ${path.join(api, 'src/server.ts')}`), missing);
		assert.match(read ?? '', /listen\(\)/);
		assert.ok(found?.includes(path.join(api, 'src/index.ts')), found);
		assert.ok(listed?.includes(path.join(api, 'src/server.ts')), listed);
		assert.match(changed ?? '', /server\.ts/);
		assert.equal(await readFile(path.join(api, 'src/server.ts'), 'utf8'), 'start();\n');
	});

	test('B66 a search without a path is one of the session’s root, and says how to reach the others', async () => {
		const api = path.join(place.folder, 'api');
		const [found, none, listed, inOne] = await inWeb(
			['Grep', { pattern: 'side', output_mode: 'content' }],
			['Grep', { pattern: 'listen' }],
			['Glob', { pattern: '**/*.ts' }],
			['Glob', { pattern: '**/*.ts', path: 'src' }],
		);
		for (const result of [found, none, listed]) assert.ok(result?.includes(`give it as path: ${api}]`), result);
		assert.match(found ?? '', /browser/);
		assert.doesNotMatch(`${found}${listed}`, /server/);
		assert.match(none ?? '', /No matches found/);
		assert.doesNotMatch(inOne ?? '', /as path/);
	});
});
