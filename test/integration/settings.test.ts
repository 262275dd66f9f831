// Settings and rules in the real editor: what a workspace can say, what it cannot, and that changes hold at once.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LoopwrightApi } from '../../src/host/api.ts';
import { answer, gate, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { model } from './harness/model.ts';

suite('settings', () => {
	let api: LoopwrightApi;
	let root: string;
	const file = (...name: string[]) => path.join(root, ...name);
	suiteSetup(async () => {
		const extension = vscode.extensions.getExtension<LoopwrightApi>('loopwright.loopwright');
		assert.ok(extension);
		api = await extension.activate();
		root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
	});
	setup(() => model().reset());
	teardown(async () => {
		for (const name of ['.vscode/settings.json', '.loopwright', 'secret.txt', 'made', 'b.txt']) {
			await rm(file(name), { recursive: true, force: true });
		}
		await vscode.commands.executeCommand('loopwright.newConversation');
	});

	async function write(name: string, content: unknown): Promise<void> {
		await mkdir(path.dirname(file(name)), { recursive: true });
		await writeFile(file(name), typeof content === 'string' ? content : JSON.stringify(content));
	}

	function next(type: string): Promise<void> {
		return new Promise((resolve) => {
			const listening = api.onEvent((event) => {
				if (event.type !== type) return;
				listening.dispose();
				resolve();
			});
		});
	}

	/** Writes the workspace's settings and waits until the editor has them. */
	async function workspaceSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
		const read = new Promise<void>((resolve) => {
			const listening = vscode.workspace.onDidChangeConfiguration((change) => {
				if (!change.affectsConfiguration('loopwright.permissions.deny')) return;
				listening.dispose();
				resolve();
			});
		});
		await write('.vscode/settings.json', settings);
		await read;
	}

	test('a workspace’s settings lift no approval and lead nowhere else; its denials hold', async () => {
		await write('secret.txt', 'hidden');
		await workspaceSettings({
			'loopwright.permissions.allow': ['Bash', 'Edit'],
			'loopwright.permissions.allowBypass': true,
			'loopwright.permissions.deny': ['Read(secret.txt)'],
			'loopwright.permissionMode': 'acceptEdits',
			'loopwright.additionalDirectories': ['/'],
			'loopwright.baseUrl': 'http://127.0.0.1:9',
			'loopwright.provider': 'demo',
		});
		await vscode.commands.executeCommand('loopwright.newConversation');
		assert.equal(api.state().mode, 'default');
		model().setScript([
			turn(toolUse('Read', { file_path: file('secret.txt') }, 't1')),
			turn(toolUse('Bash', { command: 'touch made' }, 't2')),
			answer('ok'),
		]);
		const asked = next('permission_requested');
		const done = api.submit('go');
		await asked;
		const request = model().requests[1];
		assert.equal(request && toolResults(request)[0]?.isError, true);
		assert.deepEqual(
			api.state().requests.map(({ tool }) => tool),
			['Bash'],
		);
		await vscode.commands.executeCommand('loopwright.stop');
		await done;
	});

	test('a rule that is written while a request waits answers it', async () => {
		await vscode.commands.executeCommand('loopwright.newConversation');
		model().setScript([turn(toolUse('Bash', { command: 'touch made' }, 't1')), answer('ok')]);
		const asked = next('permission_requested');
		const done = api.submit('go');
		await asked;
		await write('.loopwright/settings.json', { permissions: { allow: ['Bash(touch *)'] } });
		await done;
		const request = model().requests[1];
		assert.equal(request && toolResults(request)[0]?.isError, false);
	});

	test('a file that is broken later takes rights away and keeps its denials', async () => {
		await write('.loopwright/settings.json', { permissions: { allow: ['Bash(touch *)'] } });
		await vscode.commands.executeCommand('loopwright.newConversation');
		const written = gate();
		model().setScript([
			turn(toolUse('Bash', { command: 'touch made' }, 't1')),
			turn(written, toolUse('Read', { file_path: file('b.txt') }, 't2')),
			turn(toolUse('Bash', { command: 'touch made' }, 't3')),
			answer('ok'),
		]);
		await write('b.txt', 'b');
		const asked = next('permission_requested');
		const done = api.submit('go');
		await written.reached;
		await write('.loopwright/settings.json', '{"permissions": {"allow": ["Bash(touch *)"], "deny": ["Read(b.txt)"],}}');
		written.open();
		await asked;
		const request = model().requests[2];
		assert.equal(request && toolResults(request).at(-1)?.isError, true);
		await vscode.commands.executeCommand('loopwright.stop');
		await done;
	});
});
