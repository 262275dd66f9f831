// What a run without an editor changed can be brought back, from the same store as in the editor; a run that changes nothing keeps
// nothing.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changedSince, planRestore } from '../../../src/core/checkpoints/planRestore.ts';
import { restoreFiles } from '../../../src/core/checkpoints/restoreFiles.ts';
import type { FileImage } from '../../../src/core/ports/checkpoints.ts';
import { BlobStore } from '../../../src/node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../../src/node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../../src/node/checkpoints/diskImages.ts';
import { sessionFolder } from '../../../src/node/sessions/paths.ts';
import { answer, toolUse, turn, type Step } from '../../support/mockServer.ts';
import { useHeadless } from './support.ts';

const id = '11111111-2222-4333-8444-555555555555';

suite('checkpoints of the headless runner', function () {
	this.timeout(60_000);
	const parts = useHeadless();
	const at = (name: string) => path.join(parts().headless.cwd, name);
	const put = (name: string, text: string) => writeFileSync(at(name), text);
	const text = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined);
	async function run(args: readonly string[], ...steps: Step[]): Promise<void> {
		const { server, headless } = parts();
		server.setScript(steps);
		const rights = ['--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash'];
		const { status, stderr } = await headless.run(['-p', 'Go.', ...rights, ...args]);
		assert.equal(status, 0, stderr);
		assert.deepEqual(server.violations, []);
	}
	const home = () => parts().headless.home;
	const list = () => path.join(sessionFolder(parts().headless.cwd, id, home()), 'checkpoints.jsonl');
	const records = () => new CheckpointFile(list(), (error) => assert.fail(String(error))).read();
	const prompts = async () => (await records()).flatMap((record) => (record.type === 'prompt' ? [record.id] : []));
	/** As the editor does: back to before a message. */
	async function restore(prompt: string) {
		const index = new CheckpointFile(list(), (error) => assert.fail(String(error)));
		const images = new DiskImages(new BlobStore(home()));
		const changed = changedSince(await index.read(), prompt) ?? assert.fail('the message is not known');
		const now = await Promise.all(changed.map(async (file) => [file.path, await images.look(file.path)] as const));
		const plan = planRestore(changed, new Map<string, FileImage>(now));
		const outcome = await restoreFiles(
			{ files: plan.files, to: prompt, scope: 'files', redo: false },
			{ images, index },
		);
		assert.deepEqual(outcome.failed, []);
		return {
			files: plan.files.map((file) => `${path.basename(file.path)} ${file.effect}`).toSorted(),
			lost: plan.lost.map((file) => path.basename(file.path)),
		};
	}

	test('edits and commands of two runs come back, each to before its own prompt', async function () {
		if (process.platform === 'win32') this.skip();
		put('a.txt', 'one\r\ntwo');
		put('read.txt', 'as read\n');
		put('named.txt', 'named\n');
		put('unknown.txt', 'unknown\n');
		writeFileSync(path.join(parts().headless.base, 'script'), 'echo x > read.txt; echo x > unknown.txt');
		const edit = toolUse('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' });
		const read = (name: string) => toolUse('Read', { file_path: name });
		await run(['--session-id', id], turn(read('a.txt'), read('read.txt')), turn(edit), answer('Done.'));
		const write = toolUse('Write', { file_path: 'new.txt', content: 'new\n' });
		const bash = toolUse('Bash', { command: 'echo y > named.txt; bash ../script', description: 'x' });
		await run(['--resume', id], turn(read('read.txt'), write), turn(bash), answer('Done.'));
		const [first, second] = await prompts();
		assert.ok(first !== undefined && second !== undefined);
		assert.deepEqual(await restore(second), {
			files: ['named.txt change', 'new.txt delete', 'read.txt change'],
			lost: ['unknown.txt'],
		});
		assert.deepEqual(
			[text('a.txt'), text('read.txt'), text('named.txt'), text('new.txt')],
			['one\r\nthree', 'as read\n', 'named\n', undefined],
		);
		assert.deepEqual((await restore(first)).files, ['a.txt change']);
		assert.equal(text('a.txt'), 'one\r\ntwo');
	});

	test('a run that only reads keeps no file, and its prompt is in the list; one that is not stored has neither', async () => {
		put('a.txt', 'one\n');
		const read = toolUse('Read', { file_path: 'a.txt' });
		await run(['--session-id', id], turn(read), answer('Done.'));
		assert.deepEqual(
			(await records()).map(({ type }) => type),
			['prompt'],
		);
		assert.equal(existsSync(path.join(home(), 'checkpoints')), false);
		const write = toolUse('Write', { file_path: 'b.txt', content: 'b\n' });
		await run(['--no-session-persistence'], turn(write), answer('Done.'));
		assert.deepEqual(readdirSync(home()).includes('checkpoints'), false);
	});
});
