// One whole conversation on the real workbench: search, read, answer. On the sample, on this repository, on a big folder.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/shell.mjs';
import { gate, messagesOf, text, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { temporaryFolder } from './harness/workbench.ts';

stories('a conversation', (stories) => {
	test('「检查登录模块」: the model searches, reads and answers while the text streams', async () => {
		const rest = gate();
		stories.mock.setScript([
			turn('我先搜索登录相关的代码。', toolUse('Grep', { pattern: 'login', output_mode: 'content', '-n': true })),
			turn(toolUse('Read', { file_path: 'src/auth/login.ts' })),
			turn(text('登录模块在 `src/auth/login.ts`。', rest, '\n\n我看到**一个问题**：密码比较时没有处理空值。')),
		]);
		const workbench = await stories.open({ locale: 'zh-cn' });
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

		assert.deepEqual(stories.mock.violations, []);
		assert.deepEqual(
			stories.mock.requests.map((request) => messagesOf(request).length),
			[1, 3, 5],
		);
		assert.match(toolResults(stories.mock.requests[1] ?? assert.fail())[0]?.text ?? '', /src\/auth\/login\.ts:\d+:/);
		assert.match(toolResults(stories.mock.requests[2] ?? assert.fail())[0]?.text ?? '', /^1\t/m);
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
		stories.mock.setScript([
			turn(toolUse('Glob', { pattern: 'src/core/loop/*.ts' }), toolUse('Grep', { pattern: 'function\\* queryLoop' })),
			turn(toolUse('Read', { file_path: 'src/core/loop/queryLoop.ts' })),
			turn('The loop is in `src/core/loop/queryLoop.ts`.'),
		]);
		const workbench = await stories.open({ folder: root });
		await workbench.ask('Where is the loop?');
		assert.deepEqual(stories.mock.violations, []);
		const [glob, grep] = toolResults(stories.mock.requests[1] ?? assert.fail());
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
		stories.mock.setScript([
			turn(toolUse('Grep', { pattern: 'function needle' }), toolUse('Glob', { pattern: '**/needle.ts' })),
			turn(toolUse('Read', { file_path: 'packages/p7/src/needle.ts' })),
			turn('Found it.'),
		]);
		const workbench = await stories.open({ folder });
		const startedAt = Date.now();
		await workbench.ask('Where is the needle?');
		await workbench.screenshot('conversation-20000-files');
		assert.ok(Date.now() - startedAt < 15_000, `took ${Date.now() - startedAt} ms`);
		assert.deepEqual(stories.mock.violations, []);
		for (const { text: found } of toolResults(stories.mock.requests[1] ?? assert.fail()))
			assert.match(found, /packages\/p7\/src\/needle\.ts/);
	});
});
