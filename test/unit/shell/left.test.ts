// What a command leaves in the background is named, its later output goes to the file, it can be ended; the file of the whole
// output; and silence that waits for the person.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OutputFile } from '../../../src/node/shell/outputFile.ts';
import { additions, loginEnvironment } from '../../../src/node/shell/shellEnvironment.ts';
import { epollDescriptors, looksLikeQuestion, parseSyscall } from '../../../src/node/shell/waiting.ts';
import { polledDescriptors, selectedDescriptors } from '../../../src/node/shell/waiting.ts';
import { nodeShell, processesWith, removeFolder, run, temporaryFolder, unusualDuration, until } from './support.ts';

suite('what a command leaves', () => {
	const shell = nodeShell();
	let folder = '';
	suiteSetup(function () {
		if (process.platform === 'win32') this.skip();
		folder = temporaryFolder();
	});
	suiteTeardown(async () => {
		await shell.dispose();
		if (folder) removeFolder(folder);
	});

	test('B39 a background process is named, writes on into the file, and is ended with the command’s id', async () => {
		const file = path.join(folder, 'deep/out.txt');
		const command = "sh -c 'while :; do echo tick; sleep 0.05; done' & sleep 0.3; echo front";
		const running = shell.start({ command, cwd: folder, outputFile: file });
		const result = await running.finished;
		assert.equal(result.exitCode, 0);
		assert.ok((result.left ?? []).some((process) => process.command.includes('echo tick')));
		const bytes = statSync(file).size;
		await until(() => statSync(file).size > bytes, 'the file grows');
		let gone = false;
		void running.gone.then(() => (gone = true));
		assert.equal((await run(shell, 'echo other')).output, 'other\n');
		assert.equal(gone, false);
		running.stop();
		await running.gone;
		assert.deepEqual(processesWith('echo tick; sleep 0.05'), []);
		assert.equal((await run(shell, 'echo next')).output, 'next\n');
	});

	test('what ends by itself is noticed; nothing left is told at once', async () => {
		const running = shell.start({ command: 'sleep 0.7 & true', cwd: folder });
		const { left } = await running.finished;
		assert.deepEqual(
			left?.map(({ command }) => command),
			['sleep 0.7'],
		);
		await running.gone;
		const none = shell.start({ command: 'true', cwd: folder });
		assert.equal((await none.finished).left, undefined);
		await none.gone;
	});

	test('a daemon that has left everything behind is found and ended', async () => {
		const mark = unusualDuration();
		const running = shell.start({ command: `(setsid nohup sleep ${mark} >/dev/null 2>&1 &)`, cwd: folder });
		assert.equal((await running.finished).left?.length, 1);
		running.stop();
		await running.gone;
		assert.deepEqual(processesWith(`sleep\0${mark}`), []);
	});

	test('B42 the whole output is in the file, byte for byte, whatever the model is shown', async () => {
		const file = path.join(folder, 'whole.bin');
		const result = await run(shell, "head -c 3000000 /dev/zero | tr '\\0' 'x'; printf '\\377\\033[31m\\r'", {
			outputFile: file,
		});
		assert.deepEqual(result.saved, { bytes: 3_000_007, complete: true });
		assert.equal(readFileSync(file).length, 3_000_007);
		assert.ok(result.omitted > 1_900_000);
		const nowhere = await run(shell, 'echo fine', { outputFile: path.join(file, 'out') });
		assert.deepEqual([nowhere.output, nowhere.saved], ['fine\n', undefined]);
	});

	test('the file has a cap and says so', () => {
		const file = path.join(folder, 'capped');
		const output = new OutputFile(file, 1 << 20);
		for (let i = 0; i < 30; i++) output.write(Buffer.alloc(100_000, 'x'));
		assert.deepEqual(output.saved, { bytes: 1 << 20, complete: false });
		output.close();
		assert.match(readFileSync(file, 'utf8'), /^x{1048576}\n\[Output after the first 1 MB was not kept\.\]\n$/);
	});

	test('the process is known while it runs; without a limit of time it goes on', async () => {
		const running = shell.start({ command: 'echo $$; sleep 0.2', cwd: folder });
		const result = await running.finished;
		assert.equal(result.output.trim(), String(running.pid));
	});

	test('B44 what the login shell adds', async () => {
		const home = path.join(folder, 'home');
		await run(shell, `mkdir -p '${home}'`);
		writeFileSync(
			path.join(home, '.bash_profile'),
			'echo noise; export PATH="$HOME/.local/bin:$PATH" MINE="a\nb" ANTHROPIC_API_KEY=secret\n',
		);
		const env = { HOME: home, PATH: '/usr/bin:/bin' };
		const login = { shell: '/bin/bash', env, nodePath: process.execPath };
		const { PATH = '', ...rest } = await loginEnvironment(login);
		assert.ok(PATH.startsWith(`${home}/.local/bin:`) && PATH.includes('/usr/bin'), PATH);
		assert.deepEqual(rest, { MINE: 'a\nb' });
		writeFileSync(path.join(home, '.bash_profile'), 'sleep 60\n');
		const start = Date.now();
		assert.deepEqual(await loginEnvironment({ ...login, timeoutMs: 300 }), {});
		assert.ok(Date.now() - start < 5000);
		assert.deepEqual(await loginEnvironment({ ...login, shell: '/no/such/bash' }), {});
		assert.deepEqual(additions({ PATH: '/b:/a', X: '1' }, { PATH: '/a:/b', X: '2', PWD: '/' }), {});
	});
});

suite('what waits for the person', () => {
	test('what a process is blocked in', () => {
		assert.deepEqual(parseSyscall('0 0x0 0x7f 0x1 0x0 0x0 0x0 0x7f 0x7f', 'x64'), { kind: 'read', fd: 0 });
		assert.deepEqual(parseSyscall('63 0x3 0x7f 0x1 0x0 0x0 0x0 0x7f 0x7f', 'arm64'), { kind: 'read', fd: 3 });
		assert.deepEqual(parseSyscall('7 0x10 0x2 0xff', 'x64'), { kind: 'poll', list: 16n, count: 2 });
		assert.deepEqual(parseSyscall('270 0x1 0x20 0x0', 'x64'), { kind: 'select', set: 32n, count: 1 });
		assert.deepEqual(parseSyscall('281 0x12 0x7f 0x400', 'x64'), { kind: 'epoll', fd: 18 });
		for (const other of ['running', '-1 0x7f 0x7f', '230 0x0 0x0 0x7f', '61 0xffffffff 0x7f 0x0', '']) {
			assert.equal(parseSyscall(other, 'x64'), undefined);
		}
		assert.equal(parseSyscall('0 0x0 0x7f', 'riscv64'), undefined);
	});

	test('which descriptors it waits for', () => {
		assert.deepEqual(polledDescriptors(Buffer.from([5, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 4, 0, 0, 0])), [5]);
		assert.deepEqual(selectedDescriptors(Buffer.from([0b101, 0b1]), 9), [0, 2, 8]);
		assert.deepEqual(epollDescriptors('pos:\t0\ntfd:        0 events:       19 data: 0\ntfd: 4 events: 4 data\n'), [0]);
	});

	test('what looks like a question', () => {
		const asks = [
			'Password: ',
			'ok? ',
			'Overwrite? [y/N]',
			'\u001b[32m?\u001b[0m Name › (my-app) ',
			'>>> ',
			'Continue (y/n)',
		];
		for (const line of asks) assert.ok(looksLikeQuestion(line), line);
		for (const line of ['', 'Compiling 3 files', '45%', 'downloading…']) assert.ok(!looksLikeQuestion(line), line);
	});
});
