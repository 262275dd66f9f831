// The person's own terminals in a real VS Code: the last command and its output, and the selection.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { UserTerminals } from '../../src/host/terminal/userTerminals.ts';
import { until } from './shell/support.ts';

suite('the person’s terminals', () => {
	let terminals: UserTerminals;
	let terminal: vscode.Terminal;
	setup(async function () {
		if (process.platform === 'win32') this.skip();
		terminals = new UserTerminals();
		terminal = vscode.window.createTerminal({ name: 'mine', shellPath: '/bin/bash', cwd: tmpdir() });
		terminal.show(true);
		await until(() => terminal.shellIntegration !== undefined, 'shell integration');
	});
	teardown(() => {
		terminals?.dispose();
		terminal?.dispose();
	});

	async function type(command: string): Promise<void> {
		const ended = new Promise<void>((resolve) => {
			const watch = vscode.window.onDidEndTerminalShellExecution((event) => {
				if (event.terminal !== terminal) return;
				watch.dispose();
				resolve();
			});
		});
		terminal.sendText(command);
		await ended;
	}

	test('the last command, its output without escape codes, its exit code', async () => {
		assert.equal(await terminals.lastCommand(terminal), undefined);
		await type("printf '\\033[31mred\\033[0m\\n'; (exit 3)");
		const last = await terminals.lastCommand(terminal);
		assert.match(last?.command ?? '', /^printf/);
		assert.match(last?.output ?? '', /^red$/m);
		assert.ok(!last?.output.includes('\u001b'));
		assert.deepEqual([last?.exitCode, last?.running, last?.omitted], [3, false, 0]);
		await type('seq 1 60000');
		const long = await terminals.lastCommand(terminal);
		assert.ok((long?.omitted ?? 0) > 100_000);
		assert.ok((long?.output.length ?? 0) < 110_000);
		assert.match(long?.output ?? '', /60000\s*$/);
	});

	test('the selection, and the clipboard is as it was', async () => {
		await vscode.env.clipboard.writeText('kept');
		assert.equal(await terminals.selection(), '');
		await type('echo to be selected');
		await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
		assert.match(await terminals.selection(), /to be selected/);
		assert.equal(await vscode.env.clipboard.readText(), 'kept');
	});
});
