// The proof by table: each command in the agent's real terminal and through plain pipes gives the same exit code and the same
// bytes, and leaves no process behind.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TerminalShell } from '../../../src/host/terminal/terminalShell.ts';
import { type Given, installed, makeFiles, marked, temporaryFolder, terminalShell, throughPipe } from './support.ts';
import { bashTable, fishTable, zshTable } from './table.ts';

const tables = [
	['bash', bashTable],
	['zsh', zshTable],
	['fish', fishTable],
] as const;

for (const [name, table] of tables) {
	suite(`shell table: ${name}`, () => {
		const program = installed(name);
		let shell: TerminalShell;
		let base = '';
		let mark = '';
		let count = 0;
		suiteSetup(async function () {
			if (program === undefined || process.platform !== 'linux') this.skip();
			base = temporaryFolder();
			shell = terminalShell(program);
			const { output } = await shell.start({ command: 'echo $LOOPWRIGHT_COMMAND', cwd: base }).finished;
			mark = output.trim().replace(/\d+\.\d+$/, '');
			assert.match(mark, /^loopwright-\w+-$/);
		});
		suiteTeardown(async () => {
			await shell?.dispose();
			if (base) rmSync(base, { recursive: true, force: true });
		});

		async function inTerminal(command: string, cwd: string): Promise<Given> {
			const outputFile = `${cwd}.out`;
			const running = shell.start({ command, cwd, outputFile, timeoutMs: 20_000 });
			const result = await running.finished;
			assert.equal(result.message, undefined);
			assert.equal(result.left, undefined);
			const bytes = readFileSync(outputFile);
			assert.deepEqual(result.saved, { bytes: bytes.length, complete: true });
			return { code: result.exitCode, signal: result.signal, bytes };
		}

		for (const command of table) {
			test(JSON.stringify(command).slice(0, 90), async () => {
				count++;
				const folders = [
					makeFiles(path.join(base, 'a', `${count}`)),
					makeFiles(path.join(base, 'b', `${count}`)),
				] as const;
				const [got, truth] = await Promise.all([
					inTerminal(command, folders[0]),
					throughPipe(program ?? '', command, folders[1]),
				]);
				assert.deepEqual([got.code, got.signal], [truth.code, truth.signal]);
				if (!got.bytes.equals(truth.bytes)) assert.equal(got.bytes.toString(), truth.bytes.toString());
				assert.deepEqual(marked(mark), []);
			});
		}
	});
}

test('the tables have enough commands', () => {
	assert.ok(new Set(bashTable).size >= 150, `${new Set(bashTable).size}`);
	assert.equal(new Set(bashTable).size, bashTable.length);
});
