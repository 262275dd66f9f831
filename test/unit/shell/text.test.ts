// The pure parts of the shell: cleaning of output, the children's environment, how each shell is called.
import assert from 'node:assert/strict';
import { likelyEncodings, LineDecoder } from '../../../src/node/shell/decode.ts';
import { childEnvironment, secretNames } from '../../../src/node/shell/environment.ts';
import { chooseShell, mayChangeFolder, shellInvocation, shellKind } from '../../../src/node/shell/invocation.ts';
import { LiveOutput } from '../../../src/node/shell/liveOutput.ts';
import { OutputCollector } from '../../../src/node/shell/output.ts';

suite('output for the model', () => {
	const clean = (text: string, limit = 10_000) => {
		const collector = new OutputCollector(limit);
		collector.push(Buffer.from(text));
		return collector.end().text;
	};
	const table: readonly (readonly [string, string, string])[] = [
		['colours', '\u001b[1;31mred\u001b[0m and \u001b[38;2;1;2;3mmore\u001b[m\n', 'red and more\n'],
		['a title and a link', '\u001b]0;title\u0007a \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\\n', 'a link\n'],
		['private modes and character sets', '\u001b[?25l\u001b(Bx\u001b=\u001b[?25h\n', 'x\n'],
		['a sequence that is cut off does not swallow the next line', '\u001b]0;never ended\nnext\n', '\nnext\n'],
		['carriage returns', '10%\r50%\r100%\nready\n', '100%\nready\n'],
		['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
		['progress that ends with a carriage return', '10%\r20%\r', '20%'],
		['backspaces', 'a-\b\\\b|\n', 'a|\n'],
		['bold by overstrike', 'N\bNA\bAME\bE\n', 'NAME\n'],
		['control characters, tabs stay', 'a\u0000b\u0007\tc\n', 'ab\tc\n'],
		['wide characters', '漢字😀\n', '漢字😀\n'],
	];
	for (const [name, input, expected] of table) test(name, () => assert.equal(clean(input), expected));

	test('bytes that are not UTF-8', () => {
		const collector = new OutputCollector(100);
		collector.push(Buffer.from([0x61, 0xff, 0x62, 0xe6, 0xbc]));
		assert.equal(collector.end().text, 'aÿbæ¼');
	});

	test('a line without end is bounded as well', () => {
		const collector = new OutputCollector(1000);
		const piece = Buffer.from('x'.repeat(50_000));
		for (let i = 0; i < 40; i++) collector.push(piece);
		const { text, omitted } = collector.end();
		assert.equal(omitted, 2_000_000 - 1000);
		assert.ok(text.length < 1100);
	});

	const inEncodings: readonly (readonly [string, number[], string, string])[] = [
		['Western', [0x63, 0x61, 0x66, 0xe9], 'en_US.UTF-8', 'café'],
		['Chinese, told by its pairs', [0xc4, 0xe3, 0xba, 0xc3], 'en_US.UTF-8', '你好'],
		['Chinese of Taiwan, by the locale', [0xa7, 0x41, 0xa6, 0x6e], 'zh_TW.UTF-8', '你好'],
		['Japanese, by the locale', [0x82, 0xa0], 'ja_JP.UTF-8', 'あ'],
		['Russian, by the locale', [0xe4, 0xe0], 'ru_RU.UTF-8', 'да'],
		['the encoding that the locale names', [0xd0, 0xc1], 'ru_RU.KOI8-R', 'па'],
		['what is no text', [0xff, 0x00, 0x01], 'en_US.UTF-8', '\ufffd'],
	];
	for (const [name, bytes, locale, expected] of inEncodings) {
		test(`bytes that are not UTF-8: ${name}`, () => {
			const collector = new OutputCollector(100, new LineDecoder(likelyEncodings({ LC_ALL: locale })));
			collector.push(Buffer.concat([Buffer.from('漢é\n'), Buffer.from(bytes), Buffer.from('\né漢\n')]));
			assert.equal(collector.end().text, `漢é\n${expected}\né漢\n`);
		});
	}

	test('B42 ten thousand progress updates cost little', () => {
		const collector = new OutputCollector(10_000);
		const start = performance.now();
		for (let i = 0; i < 10_000; i++) collector.push(Buffer.from(`\r\u001b[K${'#'.repeat(i % 80)} ${i}`));
		assert.equal(collector.end().text, `${'#'.repeat(9999 % 80)} 9999`);
		assert.ok(performance.now() - start < 1000);
	});

	test('live output: the first piece at once, then few calls, the end of a flood', () => {
		const calls: Buffer[] = [];
		const live = new LiveOutput((bytes) => calls.push(bytes));
		live.push(Buffer.from('first'));
		assert.deepEqual(calls.splice(0).map(String), ['first']);
		for (let i = 0; i < 1000; i++) live.push(Buffer.from('x'));
		live.push(Buffer.alloc(1 << 18, 'y'));
		live.push(Buffer.from('z'));
		live.flush();
		assert.equal(calls.length, 1);
		assert.equal(calls[0]?.length, 1 << 16);
		assert.ok(calls[0]?.toString().endsWith('yz'));
	});
});

suite('childEnvironment', () => {
	test('keys are taken out, the rest stays', () => {
		const env = {
			PATH: '/bin',
			ANTHROPIC_API_KEY: 'x',
			anthropic_auth_token: 'x',
			AWS_BEARER_TOKEN_BEDROCK: 'x',
			CLAUDE_CODE_OAUTH_TOKEN: 'x',
			CLAUDE_CODE_ENABLE_TELEMETRY: '0',
			LOOPWRIGHT_HOME: '/h',
			LOOPWRIGHT_API_KEY: 'x',
			LOOPWRIGHT_RUNNER_SOCKET: 'x',
			AWS_PROFILE: 'mine',
			GITHUB_TOKEN: 'mine',
			ELECTRON_RUN_AS_NODE: '1',
			NOTHING: undefined,
			PAGER: 'less',
			TERM: 'xterm',
		};
		const kept = childEnvironment(env);
		assert.deepEqual(
			Object.keys(kept).filter((name) => kept[name] === 'x'),
			[],
		);
		assert.deepEqual(
			[kept['PATH'], kept['AWS_PROFILE'], kept['GITHUB_TOKEN'], kept['LOOPWRIGHT_HOME'], kept['TERM']],
			['/bin', 'mine', 'mine', '/h', 'dumb'],
		);
		assert.deepEqual(
			[kept['PAGER'], kept['GIT_PAGER'], kept['GIT_EDITOR'], kept['EDITOR']],
			['cat', 'cat', 'true', 'true'],
		);
		assert.ok(!('NOTHING' in kept) && !('ELECTRON_RUN_AS_NODE' in kept));
		assert.equal(kept['CLAUDE_CODE_ENABLE_TELEMETRY'], '0');
		assert.equal(childEnvironment(env, { tty: true })['TERM'], 'xterm');
		assert.equal(childEnvironment(env, { keep: ['ANTHROPIC_API_KEY'] })['ANTHROPIC_API_KEY'], 'x');
	});

	test('what no child may have: by name, and the same key under another name', () => {
		const env = {
			ANTHROPIC_BASE_URL: 'https://me:pw@gateway.example',
			ANTHROPIC_API_KEY: 'sk-ant-0123456789',
			anthropic_auth_token: 'short',
			AWS_BEARER_TOKEN_BEDROCK: 'b',
			CLAUDE_CODE_OAUTH_TOKEN: 'c',
			LOOPWRIGHT_BASE_URL: 'u',
			MY_KEY: 'sk-ant-0123456789',
			DOTENV: 'A=1 KEY=sk-ant-0123456789',
			MY_ANTHROPIC: 'short',
			AWS_SECRET_ACCESS_KEY: 'for the shell',
			ALSO: 'gateway.example',
		};
		const names = Object.keys(env);
		assert.deepEqual(secretNames(env), names.slice(0, 8));
		assert.deepEqual(secretNames(env, ['ANTHROPIC_API_KEY', 'MY_KEY']), [names[0], ...names.slice(2, 6), 'DOTENV']);
		assert.deepEqual(
			Object.keys(childEnvironment(env)).filter((name) => names.includes(name)),
			['MY_ANTHROPIC', 'AWS_SECRET_ACCESS_KEY', 'ALSO'],
		);
	});
});

suite('how a shell is called', () => {
	const input = { folder: '/t/1', platform: 'linux' as const, env: {} };

	test('kinds and choice', () => {
		assert.equal(shellKind('C:\\Program Files\\Git\\bin\\bash.exe'), 'bash');
		assert.equal(shellKind('/usr/bin/pwsh'), 'powershell');
		assert.equal(shellKind('/opt/nu'), undefined);
		const has =
			(...files: string[]) =>
			(file: string) =>
				files.includes(file);
		assert.equal(chooseShell('/bin/zsh', 'linux', has('/bin/zsh')), '/bin/zsh');
		assert.equal(chooseShell('/bin/zsh', 'linux', has('/bin/bash')), '/bin/bash');
		assert.equal(chooseShell('/opt/nu', 'linux', has('/opt/nu', '/bin/bash')), '/bin/bash');
		assert.equal(chooseShell('/bin/sh', 'linux', has('/bin/sh')), '/bin/sh');
		assert.equal(chooseShell(undefined, 'win32', has()), 'powershell.exe');
		assert.equal(chooseShell('cmd.exe', 'win32', has()), 'cmd.exe');
		const pwsh = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';
		const git = 'C:\\Program Files\\Git\\bin\\bash.exe';
		assert.equal(chooseShell(undefined, 'win32', has(pwsh)), pwsh);
		assert.equal(chooseShell(git, 'win32', has(git)), git);
		assert.equal(chooseShell(git, 'win32', has()), 'powershell.exe');
		const other = 'C:\\Windows\\System32\\bash.exe';
		assert.equal(chooseShell(other, 'win32', has(other)), 'powershell.exe');
	});

	test('mayChangeFolder', () => {
		for (const yes of ['cd a', 'x; cd', '(popd)', '. ./x', 'eval "$y"', 'a\nsource b', 'Set-Location x']) {
			assert.ok(mayChangeFolder(yes), yes);
		}
		for (const no of ['ls', 'echo abcd', 'git commit -m "x. y"', './run']) assert.ok(!mayChangeFolder(no), no);
	});

	test('bash: the text as it is', () => {
		const call = shellInvocation({ ...input, shell: '/bin/bash', command: 'echo a # b' });
		assert.deepEqual(call, { args: ['-c', 'echo a # b'], env: {}, files: {} });
	});

	test('a plain sh gets its report before the text, never behind it', () => {
		const { args, cwdFile } = shellInvocation({ ...input, shell: '/bin/sh', command: 'cd x' });
		assert.equal(args[0], '-c');
		assert.match(args[1] ?? '', /^trap .* EXIT\ncd x$/);
		assert.equal(cwdFile, '/t/1/cwd');
	});

	test('PowerShell: a script with a byte order mark, the exit code of the last command', () => {
		const call = shellInvocation({ ...input, platform: 'win32', shell: 'pwsh.exe', command: 'Get-Item x # y' });
		const [file, text] = Object.entries(call.files)[0] ?? ['', ''];
		assert.ok(call.args.includes(file) && file.endsWith('.ps1'));
		assert.ok(text.startsWith('\ufeff') && text.includes('\r\nGet-Item x # y\r\n\r\n$loopwrightOk = $?'));
	});

	test('PowerShell: what must stand first stands first', () => {
		const script = (command: string) =>
			Object.values(shellInvocation({ ...input, platform: 'win32', shell: 'powershell.exe', command }).files)[0] ?? '';
		assert.match(
			script('# a\nusing namespace System.IO\n[Path]::PathSeparator'),
			/^\ufeff# a\r\nusing namespace System.IO\r\n\$Out/,
		);
		assert.match(script('# a\nGet-Date'), /^\ufeff\$OutputEncoding[^\n]*\n# a\nGet-Date/);
	});

	test('cmd: one line as it is, several as a script; the folder at the end behind it', () => {
		const call = (command: string) => shellInvocation({ ...input, platform: 'win32', shell: 'cmd.exe', command });
		assert.deepEqual(call('dir "a b" & ver\n'), {
			args: ['/d', '/s', '/c', '"chcp 65001 >nul & dir "a b" & ver"'],
			env: {},
			files: {},
			verbatim: true,
		});
		const moved = call('cd x && exit /b 3');
		assert.deepEqual(moved.args.slice(3), ['"chcp 65001 >nul & cd x && exit /b 3 & call "/t/1/end.cmd""']);
		assert.equal(moved.cwdFile, '/t/1/cwd');
		assert.equal(
			moved.files['/t/1/end.cmd'],
			'@set loopwright_code=%errorlevel%\r\n@cd >"/t/1/cwd"\r\n@exit %loopwright_code%\r\n',
		);
		const two = call('echo a\necho b');
		assert.match(Object.values(two.files)[0] ?? '', /^@echo off\r\nchcp 65001 >nul\r\necho a\r\necho b\r\n$/);
		assert.deepEqual(two.args.slice(3), ['"/t/1/command.cmd"']);
		assert.deepEqual(call('echo a\ncd b').args.slice(3), ['"call "/t/1/command.cmd" & call "/t/1/end.cmd""']);
	});

	const streams: readonly (readonly [string, readonly Buffer[], string])[] = [
		[
			'PowerShell 7: an error in colours, in pieces',
			[
				Buffer.from('\u001b[31;1mGet-Item: \u001b[0m\r\n\u001b[31;'),
				Buffer.from('1mLine |\u001b[0m\r\n漢'.slice(0, 17)),
			],
			'Get-Item: \nLine |\n漢',
		],
		[
			'Windows PowerShell: a progress line over itself',
			[Buffer.from('Downloading 1%\rDownloading 50%\r'), Buffer.from('Downloading 100%\r\ndone\r\n')],
			'Downloading 100%\ndone\n',
		],
		[
			'cmd: a program that keeps to the old code page',
			[Buffer.from('Volume\r\n'), Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0x0d, 0x0a]), Buffer.from('漢字\r\n')],
			'Volume\n中文\n漢字\n',
		],
		['a line end between two pieces', [Buffer.from('one\r'), Buffer.from('\ntwo\r'), Buffer.from('\n')], 'one\ntwo\n'],
	];
	for (const [name, pieces, expected] of streams) {
		test(`a stream as written on Windows: ${name}`, () => {
			const collector = new OutputCollector(1000);
			for (const piece of pieces) collector.push(piece);
			assert.equal(collector.end().text, expected);
		});
	}
});
