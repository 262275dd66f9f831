// Commands that run unasked, and the ways in which look-alikes could do more.
import assert from 'node:assert/strict';
import { readOnlyCommand } from '../../../src/core/permissions/readOnlyCommand.ts';

suite('read-only commands', () => {
	test('read only', () => {
		const commands = [
			'ls -la src',
			'cat a.txt b.txt',
			"grep -rn 'foo(bar)|baz' src",
			'rg -n "login" src',
			"find . -name '*.ts' -type f",
			'git status --short',
			'git log --oneline -n 5',
			'git diff --stat main',
			'git branch',
			'git branch -a',
			'head -20 a',
			'tail -n 5 a',
			'sort -u a',
			'uniq a',
			'wc -l a',
			"sed -n '1,20p' a",
			"sed -n '5,$p' a",
			'echo hello',
			'pwd',
			'date +%s',
			'ls 文档',
		];
		for (const command of commands) assert.ok(readOnlyCommand(command), command);
	});

	test('may do more', () => {
		const commands = [
			'ls; rm x',
			'ls && ls',
			'ls | cat',
			'ls > x',
			'ls $HOME',
			'ls ~',
			'ls *.ts',
			'ls {a,b}',
			'ls `x`',
			'ls \\x',
			'ls "$(x)"',
			'ls "a`b`"',
			'ls # x',
			'ls\nrm x',
			"ls 'a",
			'!ls',
			'FOO=1 ls',
			'find . -exec rm x',
			'find . -delete',
			"find . '-delete'",
			'find . -fprintf x y',
			'sort -o x a',
			'sort -uox a',
			'sort --out=x a',
			'sort --compress-program=x a',
			'uniq a b',
			'rg --pre=x y',
			'rg --pre x y',
			'rg -z y',
			'grep -f /x y',
			'git -c core.pager=x log',
			'git log --output=x',
			'git log --outp=x',
			'git diff --ext-diff',
			'git diff --ext',
			'git branch new',
			'git branch -D x',
			'git tag v1',
			'git push',
			'git grep -Ox y',
			'sed -i s/a/b/ x',
			"sed -n '1w x' a",
			"sed -n '1,2p' -i a",
			'date -s 2020-01-01',
			'date 010100002020',
			'tail -f x',
			'file -C -m x',
			'tree -o x',
			'cd -',
			'cd a b',
			'./ls',
			'/tmp/ls',
			'env',
			'xargs ls',
			'',
			`ls ${'a'.repeat(20_000)}`,
		];
		for (const command of commands) assert.equal(readOnlyCommand(command), undefined, command);
		assert.equal(readOnlyCommand('ls', 'pwsh'), undefined);
		assert.equal(readOnlyCommand('ls', 'fish'), undefined);
	});

	test('what may be a path', () => {
		assert.deepEqual(readOnlyCommand('grep -n --include=*.ts x ../a'), undefined);
		assert.deepEqual(readOnlyCommand("rg -n --glob='*.ts' x ../a")?.paths, ['*.ts', 'x', '../a']);
		assert.deepEqual(readOnlyCommand('du -X../x a')?.paths, ['../x', 'a']);
		assert.deepEqual(readOnlyCommand('echo /etc')?.paths, []);
	});
});
