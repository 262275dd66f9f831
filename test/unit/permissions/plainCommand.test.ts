// Commands that run unasked where there is no parser, and the ways in which look-alikes could do more.
import assert from 'node:assert/strict';
import { plainAnalysis } from '../../../src/core/permissions/commandFacts.ts';

const read = (command: string, shell = 'bash') => plainAnalysis(command, shell, '/w');
const isReadOnly = (command: string, shell = 'bash') => read(command, shell).readOnly;

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
		for (const command of commands) assert.ok(isReadOnly(command), command);
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
		for (const command of commands) assert.equal(isReadOnly(command), false, command);
		assert.equal(isReadOnly('ls', 'pwsh'), false);
		assert.equal(isReadOnly('ls', 'fish'), false);
	});

	test('what it reads', () => {
		const paths = (command: string) => read(command).reads.map(({ path }) => path);
		assert.deepEqual(paths("rg -n --glob='*.ts' x ../a"), ['/a']);
		assert.deepEqual(paths('echo /etc'), []);
		assert.deepEqual(paths('cat a ../b'), ['/w/a', '/b']);
	});

	test('code in a string needs a parser', () => {
		const codes = read('bash -c "rm x"').unclear.map(({ code }) => code);
		assert.deepEqual(codes, ['no_parser']);
		assert.equal(isReadOnly('bash -c ls'), false);
		assert.equal(isReadOnly('sudo ls'), false);
	});
});
