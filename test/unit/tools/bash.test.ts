// Bash: what the model gets of a command, and where the next one starts.
import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import { bashTool } from '../../../src/core/tools/builtin/bash.ts';
import { isBenignExit } from '../../../src/core/tools/benignExit.ts';
import type { ShellResult } from '../../../src/core/ports/shell.ts';
import { analysed } from '../../support/shellAnalysis.ts';
import { callTool, fakeContext, FakeShell, FakeWorkspace } from '../../support/fakeWorkspace.ts';

function setup(answer: Partial<ShellResult> = {}) {
	const shell = new FakeShell();
	shell.answer = () => answer;
	return { shell, context: fakeContext(new FakeWorkspace({ 'sub/a.txt': 'x' }), { shell }) };
}

suite('Bash', () => {
	test('output without escape codes, progress lines collapsed', async () => {
		const { context } = setup({ output: '\u001b[31mred\u001b[0m\n 1%\r 50%\r100%\ndone\n' });
		const result = await callTool(bashTool, { command: 'x' }, context);
		assert.equal(result.text, 'red\n100%\ndone');
		assert.ok(!result.isError);
	});

	test('no output', async () => {
		const { context } = setup();
		assert.equal((await callTool(bashTool, { command: 'true' }, context)).text, '(no output)');
	});

	test('exit codes: failures are errors, answers by exit code 1 are not', async () => {
		const failed = setup({ exitCode: 2, output: 'oh\n' });
		const bad = await callTool(bashTool, { command: 'make' }, failed.context);
		assert.equal(bad.isError, true);
		assert.equal(bad.text, 'oh\nExit code 2');
		const none = setup({ exitCode: 1 });
		assert.ok(!(await callTool(bashTool, { command: 'grep -r foo .' }, none.context)).isError);
		assert.ok((await callTool(bashTool, { command: 'npm test' }, none.context)).isError);
	});

	test('which exit codes are answers', async () => {
		const benign = async (command: string, exitCode = 1) =>
			isBenignExit(command, { outcome: 'exited', exitCode }, await analysed(command));
		for (const command of [
			'grep x',
			'rg x',
			'diff a b',
			'git diff --exit-code',
			'git grep x',
			'[ -f x ]',
			'ls | grep x',
			'cd a && grep "b c" d',
			'grep x y 2>/dev/null',
			'grep x y 2>&1 | grep z',
			'cat a | sort | grep x > found',
			'echo a; grep x y',
			'echo a\ngrep x y',
			'test -f a || test -f b',
			'find . -name "*.x" -newer y',
		]) {
			assert.equal(await benign(command), true, command);
		}
		for (const command of [
			'git push',
			'npm test && grep x y',
			'grep x y && npm test',
			'grep x | sh',
			'ls',
			'echo grep',
			'! grep x y',
			'npm test; grep x y',
			'echo $(grep x y)',
			'sudo grep x y',
			'if true; then grep x y; fi',
			'make & grep x y',
			'grep "x',
			'for f in *; do grep x $f; done',
		]) {
			assert.equal(await benign(command), false, command);
		}
		assert.equal(await benign('grep x', 2), false);
		assert.equal(isBenignExit('grep x', { outcome: 'exited', exitCode: 1 }, undefined), false);
	});

	test('stopped, killed and not started say so', async () => {
		const outcomes: [Partial<ShellResult>, RegExp][] = [
			[{ outcome: 'stopped' }, /Stopped by the user/],
			[{ outcome: 'killed_by_signal', signal: 'SIGKILL' }, /signal SIGKILL/],
			[{ outcome: 'not_started', message: 'no shell' }, /no shell/],
		];
		for (const [answer, text] of outcomes) {
			const result = await callTool(bashTool, { command: 'x' }, setup(answer).context);
			assert.equal(result.isError, true);
			assert.match(result.text, text);
		}
	});

	test('long output keeps head and tail and says what is missing', async () => {
		const output = `first\n${'line of output\n'.repeat(10_000)}last\n`;
		const result = await callTool(bashTool, { command: 'x' }, setup({ output, omitted: 7 }).context);
		assert.ok(result.text.length < limits.bashOutputChars + 300);
		assert.match(result.text, /^first\n/);
		assert.match(result.text, /characters left out/);
		assert.match(result.text, /\nlast\n\[7 characters/);
		assert.ok(result.view.kind === 'command' && result.view.omitted > 100_000);
	});

	test('the folder goes on with cd inside the workspace, and is reset outside', async () => {
		const inside = await callTool(bashTool, { command: 'cd sub' }, setup({ cwd: '/w/sub' }).context);
		assert.equal(inside.context?.cwd, '/w/sub');
		assert.match(inside.text, /working folder is now sub/);
		for (const cwd of ['/tmp', '/w2']) {
			const outside = await callTool(bashTool, { command: 'cd x' }, setup({ cwd }).context);
			assert.equal(outside.context?.cwd, '/w');
			assert.match(outside.text, /reset to \/w/);
		}
	});

	test('a folder that is gone is not started in', async () => {
		const { shell, context } = setup();
		await callTool(bashTool, { command: 'x' }, { ...context, cwd: '/w/gone' });
		assert.equal(shell.commands[0]?.cwd, '/w');
	});

	test('output streams to the card without escape codes, even when they are cut in two', async () => {
		const { shell, context } = setup();
		shell.answer = (command) => {
			for (const piece of ['a\u001b[3', '1mb', '\u001b', '[0mc\n']) command.onOutput?.(piece);
			return {};
		};
		const { progress } = await callTool(bashTool, { command: 'x' }, context);
		assert.deepEqual(
			progress.map((update) => (update.kind === 'output' ? update.text : update.view.kind)),
			['command', 'a', 'b', 'c\n'],
		);
	});

	test('only what reads may overlap others', async () => {
		const { context } = setup();
		const safe = (command: string) => {
			const parsed = bashTool.parse({ command });
			assert.ok(parsed.kind === 'parsed');
			return parsed.isConcurrencySafe(context);
		};
		assert.equal(await safe('git status'), true);
		assert.equal(await safe('ls src | grep x && cat a'), true);
		assert.equal(await safe('cd sub'), false);
		assert.equal(await safe('ls && cd sub'), false);
		assert.equal(await safe('ls > x'), false);
		assert.equal(await safe('npm test'), false);
		const { analyse: _, ...unread } = context;
		const parsed = bashTool.parse({ command: 'ls' });
		assert.ok(parsed.kind === 'parsed');
		assert.equal(await parsed.isConcurrencySafe(unread), false);
	});

	test('a blank command is refused', async () => {
		assert.equal((await callTool(bashTool, { command: ' \n' }, setup().context)).refused, true);
	});
});
