// Disks and clocks that fail under a conversation of the real product: it goes on, in memory where it has to, what was written stays
// whole, and what could not be written is, as soon as it can be. What the person reads of it is in the stories of sessions.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { loadSession } from '../../src/core/session/resume.ts';
import type { LoopwrightApi } from '../../src/host/api.ts';
import { parseTranscript } from '../../src/node/sessions/transcriptFile.ts';
import { answer, messagesOf, toolUse, turn } from '../support/mockServer.ts';
import { model } from './harness/model.ts';

suite('storage that fails', () => {
	let api: LoopwrightApi;
	let folder: string;
	const home = process.env['LOOPWRIGHT_HOME'];
	suiteSetup(async () => {
		const extension = vscode.extensions.getExtension<LoopwrightApi>('loopwright.loopwright');
		assert.ok(extension);
		api = await extension.activate();
	});
	setup(async () => {
		model().reset();
		folder = await mkdtemp(path.join(tmpdir(), 'loopwright-storage-'));
	});
	teardown(async () => {
		await keepIn(home);
		spawnSync('umount', ['-l', folder]);
		await rm(folder, { recursive: true, force: true });
		assert.deepEqual(model().violations, []);
	});

	/** A new conversation, whose session lies there. */
	async function keepIn(place: string | undefined): Promise<void> {
		if (place === undefined) delete process.env['LOOPWRIGHT_HOME'];
		else process.env['LOOPWRIGHT_HOME'] = place;
		await vscode.commands.executeCommand('loopwright.newConversation');
	}
	/** False where only somebody else may do that. */
	const mount = (...options: readonly string[]) => spawnSync('mount', [...options, folder]).status === 0;
	async function stored(): Promise<string> {
		const projects = path.join(folder, 'projects');
		const names = await readdir(projects, { recursive: true }).catch(() => []);
		const name = names.find((found) => found.endsWith(`${api.state().sessionId}.jsonl`));
		return name === undefined ? '' : readFile(path.join(projects, name), 'utf8');
	}
	/** All of these answers, in this order, in a file without damage. */
	async function assertStored(...answers: readonly string[]): Promise<void> {
		const { entries, damaged } = parseTranscript(await stored());
		assert.equal(damaged, 0);
		const times = entries.map(({ time }) => time);
		assert.deepEqual(
			times,
			times.toSorted((a, b) => a - b),
		);
		const said = loadSession(entries).messages.flatMap(({ role, content }) =>
			role === 'assistant' ? content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [],
		);
		assert.deepEqual(said, answers);
	}
	const sent = (request: number) => messagesOf(model().requests[request] ?? assert.fail()).length;

	test('a store that cannot be written costs the store: the conversation goes on in memory', async () => {
		const blocked = path.join(folder, 'file');
		await writeFile(blocked, '');
		await keepIn(path.join(blocked, 'below'));
		model().setScript([
			turn('I look.', toolUse('Bash', { command: 'pwd', description: 'Where am I' }, 't1')),
			answer('It goes on.'),
			answer('And on.'),
		]);
		await api.submit('first');
		await api.submit('second');
		assert.equal(model().requests.length, 3);
		assert.equal(sent(2), 5, 'all of it is sent');
		assert.equal(api.state().status, 'ready');
	});

	test('a disk that fills (a real one of some kilobytes): goes on in memory, stored again when there is room', async function () {
		if (!mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs')) this.skip();
		const filler = path.join(folder, 'filler');
		await keepIn(folder);
		model().setScript([answer('One.'), answer('Two.'), answer('Three.'), answer('Four.')]);
		await api.submit('first');
		await assertStored('One.');
		await writeFile(filler, Buffer.alloc(1024 * 1024)).catch(() => undefined);
		await api.submit(`second ${'x'.repeat(20_000)}`);
		await api.submit('third');
		assert.equal(sent(2), 5, 'all of it is sent');
		assert.ok(!(await stored()).includes('Three.'));
		await rm(filler);
		await api.submit('fourth');
		await assertStored('One.', 'Two.', 'Three.', 'Four.');
	});

	test('a disk that can only be read (a real one): the same', async function () {
		if (!mount('-t', 'tmpfs', 'tmpfs') || !mount('-o', 'remount,ro')) this.skip();
		await keepIn(folder);
		model().setScript([
			turn('One.', toolUse('Bash', { command: 'pwd', description: 'Where am I' }, 't1')),
			answer('Two.'),
			answer('Three.'),
			answer('Four.'),
		]);
		await api.submit('first');
		await api.submit('second');
		assert.equal(sent(2), 5, 'all of it is sent');
		assert.equal(api.state().status, 'ready');
		assert.deepEqual(await readdir(folder), []);
		assert.ok(mount('-o', 'remount,rw'));
		await api.submit('third');
		await assertStored('One.', 'Two.', 'Three.', 'Four.');
	});

	test('a clock that goes back by a day, between exchanges and within one: the order stays, nothing waits for it', async () => {
		const realNow = Date.now.bind(Date);
		await keepIn(folder);
		model().setScript([
			answer('One.'),
			turn('Two.', toolUse('Bash', { command: 'pwd', description: 'Where am I' }, 't1')),
			answer('Three.'),
			answer('Four.'),
		]);
		await api.submit('first');
		const listening = api.onEvent(({ type }) => {
			if (type === 'tool_start') Date.now = () => realNow() - 48 * 60 * 60_000;
		});
		try {
			Date.now = () => realNow() - 24 * 60 * 60_000;
			await api.submit('second');
			Date.now = realNow;
			await api.submit('third');
		} finally {
			Date.now = realNow;
			listening.dispose();
		}
		await assertStored('One.', 'Two.', 'Three.', 'Four.');
	});

	test('a disk that takes 300 ms for each line: the first one of a file holds up the process, what follows does not', async () => {
		const { openSync, write, writeSync } = fs;
		const slowMs = 300;
		const files = new Set<number>();
		let waited = 0;
		let later = 0;
		fs.openSync = (...args) => {
			const descriptor = openSync(...args);
			if (String(args[0]).endsWith('.jsonl') && String(args[0]).includes('projects')) files.add(descriptor);
			return descriptor;
		};
		const slowly = (descriptor: number, bytes: NodeJS.ArrayBufferView) => {
			if (files.has(descriptor)) {
				waited++;
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowMs);
			}
			return writeSync(descriptor, bytes);
		};
		const delayed = (descriptor: number, bytes: NodeJS.ArrayBufferView, done: (error: Error | null) => void) => {
			if (!files.has(descriptor)) return write(descriptor, bytes, done);
			later++;
			setTimeout(() => write(descriptor, bytes, done), slowMs);
		};
		try {
			Object.assign(fs, { writeSync: slowly, write: delayed });
			await keepIn(folder);
			model().setScript([answer('One.'), answer('Two.')]);
			await api.submit('first');
			await api.submit('second');
			assert.equal(api.state().status, 'ready');
			await assertStored('One.', 'Two.');
			assert.equal(waited, 2, 'the first of the transcript, and of the list of checkpoints');
			assert.ok(later > 5, String(later));
		} finally {
			Object.assign(fs, { openSync, write, writeSync });
		}
	});
});
