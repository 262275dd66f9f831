// One whole conversation on the real workbench: search, read, answer. On the sample, on this repository, on a big folder.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/shell.mjs';
import type { MockServer } from '../support/mockServer.ts';
import { gate, messagesOf, startMockServer, text, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { openWorkbench, sampleWorkspace, temporaryFolder, type Workbench } from './harness/workbench.ts';

suite('a conversation', () => {
	let mock: MockServer;
	let workbench: Workbench | undefined;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	teardown(async () => {
		await workbench?.close();
		mock.reset();
	});

	test('「检查登录模块」: the model searches, reads and answers while the text streams', async () => {
		const rest = gate();
		mock.setScript([
			turn('我先搜索登录相关的代码。', toolUse('Grep', { pattern: 'login', output_mode: 'content', '-n': true })),
			turn(toolUse('Read', { file_path: 'src/auth/login.ts' })),
			turn(text('登录模块在 `src/auth/login.ts`。', rest, '\n\n我看到**一个问题**：密码比较时没有处理空值。')),
		]);
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: mock.url }, locale: 'zh-cn' });
		await workbench.submit('检查登录模块');
		await rest.reached;
		const answer = (await workbench.articles('Loopwright')).last();
		await answer.getByText('登录模块在').waitFor();
		assert.equal(await answer.getByText('一个问题').count(), 0, 'the text appears while it streams');
		await workbench.waitForStatus('Working');
		await workbench.screenshot('conversation-streaming-zh-cn');
		rest.open();
		await answer.getByText('一个问题').waitFor();
		await workbench.waitForEnd();

		assert.deepEqual(mock.violations, []);
		assert.deepEqual(
			mock.requests.map((request) => messagesOf(request).length),
			[1, 3, 5],
		);
		assert.match(toolResults(mock.requests[1] ?? assert.fail())[0]?.text ?? '', /src\/auth\/login\.ts:\d+:/);
		assert.match(toolResults(mock.requests[2] ?? assert.fail())[0]?.text ?? '', /^1\t/m);
		await workbench.waitForCard(/^Grep: /, 'done');
		const read = await workbench.waitForCard('Read: src/auth/login.ts', 'done');
		await read.getByRole('button').first().click();
		await read
			.getByText(/export/)
			.first()
			.waitFor();
		await workbench.screenshot('conversation-done-zh-cn');
	});

	test('on this repository itself', async () => {
		mock.setScript([
			turn(toolUse('Glob', { pattern: 'src/core/loop/*.ts' }), toolUse('Grep', { pattern: 'function\\* queryLoop' })),
			turn(toolUse('Read', { file_path: 'src/core/loop/queryLoop.ts' })),
			turn('The loop is in `src/core/loop/queryLoop.ts`.'),
		]);
		workbench = await openWorkbench({ folder: root, model: { url: mock.url } });
		await workbench.ask('Where is the loop?');
		assert.deepEqual(mock.violations, []);
		const [glob, grep] = toolResults(mock.requests[1] ?? assert.fail());
		assert.match(glob?.text ?? '', /src\/core\/loop\/queryLoop\.ts/);
		assert.match(grep?.text ?? '', /src\/core\/loop\/queryLoop\.ts/);
		await workbench.screenshot('conversation-repository');
	});

	test('on a folder with 20,000 files', async () => {
		const folder = path.join(temporaryFolder('big'), 'big');
		for (let at = 0; at < 200; at++) {
			const sub = path.join(folder, `packages/p${at}/src`);
			mkdirSync(sub, { recursive: true });
			for (let file = 0; file < 100; file++)
				writeFileSync(path.join(sub, `f${file}.ts`), `export const v${at}x${file} = ${file};\n`);
		}
		writeFileSync(path.join(folder, 'packages/p7/src/needle.ts'), 'export function needle() {}\n');
		mock.setScript([
			turn(toolUse('Grep', { pattern: 'function needle' }), toolUse('Glob', { pattern: '**/needle.ts' })),
			turn(toolUse('Read', { file_path: 'packages/p7/src/needle.ts' })),
			turn('Found it.'),
		]);
		workbench = await openWorkbench({ folder, model: { url: mock.url } });
		const startedAt = Date.now();
		await workbench.ask('Where is the needle?');
		assert.ok(Date.now() - startedAt < 15_000, `took ${Date.now() - startedAt} ms`);
		assert.deepEqual(mock.violations, []);
		for (const { text: found } of toolResults(mock.requests[1] ?? assert.fail()))
			assert.match(found, /packages\/p7\/src\/needle\.ts/);
	});
});
