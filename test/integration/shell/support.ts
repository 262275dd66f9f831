// A shell in real terminals, the same command through plain pipes, and the processes that carry the marks of a shell.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { TerminalShell } from '../../../src/host/terminal/terminalShell.ts';
import { childEnvironment } from '../../../src/node/shell/environment.ts';

/** A shell on the extension's own runner. */
export function terminalShell(shellPath = '/bin/bash', log: (message: string) => void = () => {}): TerminalShell {
	const extension = vscode.extensions.getExtension('loopwright.loopwright');
	const runnerPath = path.join(extension?.extensionPath ?? '', 'dist/shellRunner.js');
	return new TerminalShell({ runnerPath, shellPath, log });
}

/** The agent's terminals. */
export function ourTerminals(): readonly vscode.Terminal[] {
	return vscode.window.terminals.filter((terminal) => terminal.name === 'Loopwright');
}

/** Where that program is installed. */
export function installed(name: string): string | undefined {
	return ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
		.map((folder) => path.join(folder, name))
		.find((file) => existsSync(file));
}

/** A fresh folder, its links resolved. */
export function temporaryFolder(): string {
	return realpathSync(mkdtempSync(path.join(tmpdir(), 'shell-proof-')));
}

/** The files that the commands of the table find. */
export function makeFiles(folder: string): string {
	mkdirSync(path.join(folder, 'sub'), { recursive: true });
	writeFileSync(path.join(folder, 'a.txt'), 'alpha\nbeta\ngamma\n');
	writeFileSync(path.join(folder, 'b.txt'), 'alpha\ndelta\n');
	writeFileSync(path.join(folder, 'sub/c.txt'), 'deep\n');
	writeFileSync(path.join(folder, 'script.sh'), 'FROM_SCRIPT=sourced\necho in the script\n');
	writeFileSync(path.join(folder, 'bin.dat'), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
	return folder;
}

/** What a command gave. */
export interface Given {
	readonly code: number | undefined;
	readonly signal: string | undefined;
	readonly bytes: Buffer;
}

/** The command with that shell through one plain pipe. */
export function throughPipe(shell: string, command: string, cwd: string): Promise<Given> {
	const argument = /^[-+]/.test(command) ? ` ${command}` : command;
	const child = spawn('/bin/sh', ['-c', 'exec 2>&1; exec "$0" -c "$1"', shell, argument], {
		cwd,
		env: { ...childEnvironment(process.env), PWD: cwd },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const pieces: Buffer[] = [];
	child.stdout.on('data', (bytes: Buffer) => pieces.push(bytes));
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code, signal) =>
			resolve({ code: code ?? undefined, signal: signal ?? undefined, bytes: Buffer.concat(pieces) }),
		);
	});
}

/** The living processes whose mark begins with that text. */
export function marked(prefix: string): number[] {
	return readdirSync('/proc').flatMap((name) => {
		try {
			if (!/^\d+$/.test(name) || !readFileSync(`/proc/${name}/environ`, 'latin1').includes(`_COMMAND=${prefix}`))
				return [];
			return /\) [ZX] /.test(readFileSync(`/proc/${name}/stat`, 'latin1')) ? [] : [Number(name)];
		} catch {
			return [];
		}
	});
}

/** Waits until the condition holds; fails after fifteen seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
	const end = Date.now() + 15_000;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 15));
	}
}
