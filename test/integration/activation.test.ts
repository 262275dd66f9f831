import assert from 'node:assert/strict';
import * as vscode from 'vscode';

suite('activation', () => {
	test('the extension activates in a window with a folder', async () => {
		const extension = vscode.extensions.getExtension('loopwright.loopwright');
		assert.ok(extension, 'VS Code does not know the extension');
		await extension.activate();
		assert.ok(extension.isActive);
	});

	test('every command of the manifest is there', async () => {
		const manifest = vscode.extensions.getExtension('loopwright.loopwright')?.packageJSON;
		const known = new Set(await vscode.commands.getCommands(true));
		const missing = manifest.contributes.commands
			.map(({ command }: { command: string }) => command)
			.filter((command: string) => !known.has(command));
		assert.deepEqual(missing, []);
	});
});
