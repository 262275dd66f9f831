// The product as other extensions see it: the API of `activate()`, on the real engine, editor and terminal.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { loadSession } from '../../src/core/session/resume.ts';
import { readSessionJson } from '../../src/core/session/sessionExport.ts';
import type { LoopwrightApi } from '../../src/host/api.ts';
import { answer, toolUse, turn } from '../support/mockServer.ts';
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
