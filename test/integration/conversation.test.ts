// The product as other extensions see it: the API of `activate()`, on the real engine, editor and terminal.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { loadSession } from '../../src/core/session/resume.ts';
import { readSessionJson } from '../../src/core/session/sessionExport.ts';
import type { LoopwrightApi } from '../../src/host/api.ts';
import { answer, messagesOf, toolUse, turn } from '../support/mockServer.ts';
import { model } from './harness/model.ts';

suite('conversation', () => {
	let api: LoopwrightApi;
	let root: string;
	suiteSetup(async () => {
		const extension = vscode.extensions.getExtension<LoopwrightApi>('loopwright.loopwright');
		assert.ok(extension);
		api = await extension.activate();
		root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
	});
	setup(() => model().reset());

	test('the API tells its version and state', () => {
		assert.match(api.version, /^\d+\.\d+\.\d+/);
		assert.equal(api.state().status, 'ready');
	});

	test('a prompt goes to the model, tools run, events come', async () => {
		const file = path.join(root, 'note.txt');
		await writeFile(file, 'the note\n');
		const types = new Set<string>();
		const listening = api.onEvent((event) => types.add(event.type));
		try {
			model().setScript([turn('I read.', toolUse('Read', { file_path: file }, 't1')), answer('It is a note.')]);
			await api.submit('read the note');
			assert.deepEqual(model().violations, []);
			assert.equal(model().requests.length, 2);
			for (const type of ['prompt_taken', 'block_delta', 'tool_end', 'exchange_end']) assert.ok(types.has(type), type);
			assert.equal(api.state().status, 'ready');
			assert.notEqual(api.state().sessionId, '');
		} finally {
			listening.dispose();
			await rm(file, { force: true });
		}
	});

	test('an edit waits for the person, also beside a new conversation; a stop takes the request back', async () => {
		const file = path.join(root, 'edited.txt');
		await writeFile(file, 'old\n');
		try {
			await vscode.commands.executeCommand('loopwright.newConversation');
			model().setScript([
				turn(toolUse('Read', { file_path: file }, 't1')),
				turn(toolUse('Edit', { file_path: file, old_string: 'old', new_string: 'new' }, 't2')),
			]);
			const asked = new Promise<void>((resolve) => {
				const listening = api.onEvent((event) => {
					if (event.type !== 'permission_requested') return;
					listening.dispose();
					resolve();
				});
			});
			const submitted = api.submit('edit it');
			await asked;
			await new Promise((resolve) => setImmediate(resolve));
			assert.equal(api.state().status, 'waiting');
			assert.equal(api.state().requests[0]?.tool, 'Edit');
			const { sessionId } = api.state();
			await vscode.commands.executeCommand('loopwright.newConversation');
			assert.notEqual(api.state().sessionId, sessionId);
			assert.deepEqual(api.state().requests, []);
			// What waits elsewhere is brought up, and with it its conversation is in front again.
			await vscode.commands.executeCommand('loopwright.focusRequest');
			assert.equal(api.state().sessionId, sessionId);
			assert.equal(api.state().requests[0]?.tool, 'Edit');
			await vscode.commands.executeCommand('loopwright.stop');
			await submitted;
			assert.equal(await readFile(file, 'utf8'), 'old\n');
			assert.deepEqual(api.state().requests, []);
		} finally {
			await rm(file, { force: true });
		}
	});

	test('a task takes the selection and leaves the focus in the editor', async () => {
		await vscode.commands.executeCommand('loopwright.newConversation');
		const [file] = await vscode.workspace.findFiles('src/**/*.ts', undefined, 1);
		assert.ok(file);
		const editor = await vscode.window.showTextDocument(file);
		editor.selection = new vscode.Selection(0, 0, 1, 0);
		model().setScript([answer('It is code.')]);
		const ended = new Promise<void>((resolve) => {
			const listening = api.onEvent((event) => {
				if (event.type !== 'exchange_end') return;
				listening.dispose();
				resolve();
			});
		});
		await vscode.commands.executeCommand('loopwright.explain');
		await ended;
		const sent = JSON.stringify(model().requests[0]);
		assert.ok(sent.includes(vscode.workspace.asRelativePath(file)), sent.slice(0, 500));
		assert.equal(vscode.window.activeTextEditor, editor);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	test('a store that cannot be written costs the store: the conversation goes on in memory', async () => {
		const home = process.env['LOOPWRIGHT_HOME'];
		const blocked = path.join(await mkdtemp(path.join(tmpdir(), 'loopwright-blocked-')), 'file');
		await writeFile(blocked, '');
		try {
			process.env['LOOPWRIGHT_HOME'] = path.join(blocked, 'below');
			await vscode.commands.executeCommand('loopwright.newConversation');
			model().setScript([
				turn('I look.', toolUse('Bash', { command: 'pwd', description: 'Where am I' }, 't1')),
				answer('It goes on.'),
				answer('And on.'),
			]);
			await api.submit('first');
			await api.submit('second');
			assert.equal(model().requests.length, 3);
			assert.equal(messagesOf(model().requests[2] ?? assert.fail()).length, 5, 'all of it is sent');
			assert.equal(api.state().status, 'ready');
			assert.deepEqual(model().violations, []);
		} finally {
			if (home === undefined) delete process.env['LOOPWRIGHT_HOME'];
			else process.env['LOOPWRIGHT_HOME'] = home;
			await rm(path.dirname(blocked), { recursive: true, force: true });
			await vscode.commands.executeCommand('loopwright.newConversation');
		}
	});

	test('a disk that fills (a real one of some kilobytes): said, goes on in memory, stored again when there is room', async function () {
		const disk = await mkdtemp(path.join(tmpdir(), 'loopwright-disk-'));
		const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
		if (mount.status !== 0) {
			await rm(disk, { recursive: true, force: true });
			this.skip();
		}
		const home = process.env['LOOPWRIGHT_HOME'];
		const filler = path.join(disk, 'filler');
		try {
			process.env['LOOPWRIGHT_HOME'] = disk;
			await vscode.commands.executeCommand('loopwright.newConversation');
			model().setScript([answer('One.'), answer('Two.'), answer('Three.'), answer('Four.')]);
			await api.submit('first');
			const { sessionId } = api.state();
			const stored = async () => {
				const names = await readdir(path.join(disk, 'projects'), { recursive: true });
				const name = names.find((found) => found.endsWith(`${sessionId}.jsonl`)) ?? assert.fail();
				return readFile(path.join(disk, 'projects', name), 'utf8');
			};
			assert.ok((await stored()).includes('One.'));
			await writeFile(filler, Buffer.alloc(1024 * 1024)).catch(() => undefined);
			await api.submit(`second ${'x'.repeat(20_000)}`);
			await api.submit('third');
			assert.equal(messagesOf(model().requests[2] ?? assert.fail()).length, 5, 'all of it is sent');
			assert.ok(!(await stored()).includes('Three.'));
			await rm(filler);
			await api.submit('fourth');
			const lines = (await stored()).trimEnd().split('\n');
			for (const line of lines) assert.doesNotThrow(() => JSON.parse(line) as unknown);
			const text = lines.join('\n');
			const at = ['One.', 'Two.', 'Three.', 'Four.'].map((word) => text.indexOf(`"${word}"`));
			assert.deepEqual(
				at.toSorted((a, b) => a - b),
				at,
			);
			assert.ok(!at.includes(-1), text.slice(-500));
			assert.deepEqual(model().violations, []);
		} finally {
			if (home === undefined) delete process.env['LOOPWRIGHT_HOME'];
			else process.env['LOOPWRIGHT_HOME'] = home;
			await vscode.commands.executeCommand('loopwright.newConversation');
			spawnSync('umount', ['-l', disk]);
			await rm(disk, { recursive: true, force: true });
		}
	});

	test('what is exported as JSON can be imported, without the key in use', async () => {
		const file = path.join(root, 'conversation.json');
		const key = process.env['ANTHROPIC_API_KEY'] ?? '';
		try {
			await vscode.commands.executeCommand('loopwright.newConversation');
			model().setScript([answer(`The key is ${key}.`)]);
			await api.submit('what is the key?');
			await vscode.commands.executeCommand('loopwright.exportConversation', vscode.Uri.file(file));
			const text = await readFile(file, 'utf8');
			assert.ok(!text.includes(key), 'it is masked');
			const read = readSessionJson(text) ?? assert.fail('it is no export');
			assert.equal(read.title, 'what is the key?');
			const { messages } = loadSession(read.entries);
			assert.deepEqual(messages.map(({ role }) => role).slice(-2), ['user', 'assistant']);
		} finally {
			await rm(file, { force: true });
		}
	});
});
