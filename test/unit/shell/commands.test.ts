// Commands through the runner in real shells: same output and exit code as the shell has by itself, and the cases that
// hang, glue or lose output elsewhere.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeShell, removeFolder, run, runnerBundle, temporaryFolder } from './support.ts';

suite('NodeShell: commands', () => {
	const shell = nodeShell();
	let folder = '';
	suiteSetup(function () {
		if (process.platform === 'win32') this.skip();
		folder = temporaryFolder();
	});
	suiteTeardown(async () => {
		await shell.dispose();
		if (folder) removeFolder(folder);
	});
	const inFolder = (command: string) => run(shell, command, { cwd: folder });

	const table = [
		'echo hi; exit 3',
		'echo a\necho b',
		'(cd /tmp && pwd)',
		"python3 -c 'import sys\nprint(sys.version_info[0])'",
		'echo out; echo err >&2; echo out2',
		"printf 'no newline'",
		"cat <<'EOF'\nl1\n$HOME\nEOF",
		"cat <<'EOF'\nl1\nEOF\necho done",
		'cat <<EOF\nno end',
		'ls / >/dev/null # note',
		'echo "unclosed',
		'echo a \\',
		'echo a \\\n  b',
		'echo "a!b" \'c!d\' e\\!f',
		'exec echo replaced',
		'exec 3>&1; echo three >&3',
		'set -e; false; echo never',
		'set -u; echo "$surely_unset"; echo never',
		'set -x; echo traced',
		'set -x; cd /; echo traced',
		'set -o pipefail; false | true',
		"trap 'echo bye' EXIT; cd /; exit 4",
		'kill -9 $$',
		'kill -TERM $$',
		'cd /; kill -TERM $$',
		'bash -c "kill -9 $$"; echo no',
		'exit 300',
		'false',
		'no_such_command_at_all',
		'if',
		'-v',
		'+x',
		'',
		' ',
		'# only a comment',
		'echo "$0" "$#"',
		'true & wait; echo waited',
		'f() { return 7; }; f',
		'echo x > /dev/stderr; echo y | tee /dev/stderr',
		"printf '\\346\\274'; sleep 0.05; printf '\\242\\n'",
		'read line; echo "got $? [$line]"',
		'test -t 0; echo $?; test -t 1; echo $?',
		'cd /no/such/folder; echo $?',
		'pushd / >/dev/null; popd >/dev/null; pwd -P',
		'cd /usr; . /dev/null; eval "cd bin"; echo "$OLDPWD"',
		'seq 1 20000',
	];
	for (const command of table) {
		test(`as plain bash: ${JSON.stringify(command).slice(0, 70)}`, async () => {
			const result = await inFolder(command);
			const arg = /^[-+]/.test(command) ? ` ${command}` : command;
			const truth = spawnSync('/bin/sh', ['-c', 'exec 2>&1; exec /bin/bash -c "$1"', 'sh', arg], {
				cwd: folder,
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
				env: { ...process.env, PWD: folder },
			});
			const redirected = spawnSync('/bin/bash', ['-c', arg], { cwd: folder, stdio: 'ignore' });
			assert.equal(result.exitCode, redirected.status ?? undefined);
			assert.equal(result.signal, redirected.signal ?? undefined);
			assert.equal(result.outcome, redirected.signal === null ? 'exited' : 'killed_by_signal');
			if (!command.includes('/dev/std')) assert.equal(result.output, truth.stdout);
		});
	}

	test('B35 several lines, a subshell, a newline in quotes', async () => {
		assert.equal((await inFolder('echo a\necho b')).output, 'a\nb\n');
		assert.equal((await inFolder('(cd /tmp && pwd)')).output, '/tmp\n');
		assert.equal((await inFolder("python3 -c 'print(1)\nprint(2)'")).output, '1\n2\n');
	});

	test('B38 heredocs and comments keep what was written, an unclosed quote is an error and nothing more', async () => {
		const first = await inFolder("cat > o.txt <<'EOF'\nl1\n$HOME\nEOF");
		assert.equal(first.exitCode, 0);
		assert.equal(readFileSync(path.join(folder, 'o.txt'), 'utf8'), 'l1\n$HOME\n');
		const second = await inFolder("cat > o.txt <<'EOF'\nl2\nEOF\necho done");
		assert.equal(second.output, 'done\n');
		assert.equal(readFileSync(path.join(folder, 'o.txt'), 'utf8'), 'l2\n');
		const moved = await inFolder("cd / && cat > /dev/null <<'EOF'\nl3\nEOF");
		assert.equal(moved.cwd, '/');
		assert.equal((await inFolder('echo x # note')).output, 'x\n');
		const unclosed = await inFolder('echo "unclosed');
		assert.equal(unclosed.exitCode, 2);
		assert.match(unclosed.output, /unexpected EOF/);
		assert.equal((await inFolder('echo next')).output, 'next\n');
	});

	test('B39 a background child with the pipe open does not hold the command, nor leak into the next', async () => {
		const own = nodeShell();
		const result = await run(own, '(while :; do echo tick; sleep 0.05; done) & sleep 0.3; echo front');
		assert.equal(result.exitCode, 0);
		assert.match(result.output, /tick\n/);
		assert.match(result.output, /front\n/);
		assert.ok(result.durationMs < 2500, `${result.durationMs} ms`);
		const next = await run(own, 'sleep 0.3; echo mine');
		assert.equal(next.output, 'mine\n');
		// The job has not been ended by a closed pipe.
		const alive = await run(own, 'sleep 7003 >/dev/null & echo $!');
		assert.equal((await run(own, `kill -0 ${alive.output.trim()}`)).exitCode, 0);
		await own.dispose();
	});

	test('B40 pagers and editors are off, a question finds no input', async () => {
		const repository = temporaryFolder();
		const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' });
		git('init', '-q');
		git('config', 'user.email', 'a@example.com');
		git('config', 'user.name', 'A');
		for (let i = 0; i < 60; i++) git('commit', '-q', '--allow-empty', '-m', `commit ${i}\n\nbody\n`);
		const at = (command: string) => run(shell, command, { cwd: repository });
		assert.equal((await at('git log --oneline')).output.split('\n').length, 61);
		assert.equal((await at('git commit --amend --allow-empty')).exitCode, 0);
		assert.equal((await at("read -p 'ok? ' x; echo $x")).output, '\n');
		assert.equal((await at('cat')).output, '');
		assert.equal((await at('echo next')).output, 'next\n');
		removeFolder(repository);
	});

	test('B41 the folder at the end is told when it is known', async () => {
		mkdirSync(path.join(folder, 'sub'), { recursive: true });
		const sub = path.join(folder, 'sub');
		const cwd = async (command: string) => (await inFolder(command)).cwd;
		assert.equal(await cwd('true'), folder);
		assert.equal(await cwd('cd sub'), sub);
		assert.equal(await cwd('cd sub; exit 3'), sub);
		assert.equal(await cwd('set -e; cd sub; false'), sub);
		assert.equal(await cwd('cd sub # comment'), sub);
		assert.equal(await cwd('(cd sub)'), folder);
		assert.equal(await cwd('cd sub & wait'), folder);
		assert.equal(await cwd('cd sub; exec true'), undefined);
		assert.equal(await cwd("trap 'echo mine' EXIT; cd sub"), undefined);
		assert.equal(await cwd('cd sub; kill -9 $$'), undefined);
		assert.equal(await cwd('mkdir gone; cd gone; rmdir ../gone'), undefined);
		assert.equal((await inFolder('cd sub; set -o noclobber; false')).exitCode, 1);
		assert.equal((await inFolder('pwd')).output, `${folder}\n`);
		mkdirSync(path.join(folder, "it's $HOME"), { recursive: true });
		assert.equal(await cwd(`cd "it's \\$HOME"`), path.join(folder, "it's $HOME"));
	});

	test('B42 a flood is bounded, its last line and the exit code are there', async () => {
		const before = process.memoryUsage().rss;
		const flood = await inFolder('yes 0123456789 | head -c 100000000; echo; echo last; exit 5');
		assert.equal(flood.exitCode, 5);
		assert.ok(flood.output.endsWith('\nlast\n'));
		assert.ok(flood.output.length < 1_100_000);
		assert.equal(flood.omitted, 100_000_006 - 1_000_000);
		assert.ok(process.memoryUsage().rss - before < 150_000_000);
		const start = Date.now();
		await inFolder('yes 0123456789 | head -c 5000000');
		assert.ok(Date.now() - start < 2000);
	});

	test('B42 colours, progress and split characters', async () => {
		assert.equal((await inFolder("printf '\\033[31mred\\033[0m\\n'")).output, 'red\n');
		const progress = await inFolder("for i in $(seq 1 10000); do printf '%s%%\\r' $i; done; echo ready");
		assert.equal(progress.output, 'ready\n');
		const split = await inFolder('for b in 346 274 242 360 237 230 200; do printf "\\\\$b"; sleep 0.01; done');
		assert.equal(split.output, Buffer.from([0o346, 0o274, 0o242, 0o360, 0o237, 0o230, 0o200]).toString());
	});

	test('B44 the person’s environment without the provider’s keys', async () => {
		const own = nodeShell({
			env: { ...process.env, ANTHROPIC_API_KEY: 'secret', CLAUDE_CODE_OAUTH_TOKEN: 'secret', MY_TOOL: 'here' },
		});
		const { output } = await run(own, 'env; tr "\\0" "\\n" < /proc/$PPID/environ');
		assert.ok(output.includes('MY_TOOL=here'));
		assert.ok(!output.includes('secret'));
		const plain = await run(own, 'env');
		assert.ok(!/RUNNER|ELECTRON_RUN_AS_NODE/.test(plain.output), plain.output);
		await own.dispose();
		const kept = nodeShell({ env: { ...process.env, ANTHROPIC_BASE_URL: 'http://x' }, keep: ['ANTHROPIC_BASE_URL'] });
		assert.equal((await run(kept, 'echo $ANTHROPIC_BASE_URL')).output, 'http://x\n');
		await kept.dispose();
	});

	test('stdout and stderr stay in order, also when they are opened by name', async () => {
		const result = await inFolder('for i in 1 2 3; do echo o$i; echo e$i >&2; done; echo x > /dev/stderr; echo y');
		assert.equal(result.output, 'o1\ne1\no2\ne2\no3\ne3\nx\ny\n');
	});

	test('commands of 120 KB and of 1 MB', async () => {
		for (const size of [120 * 1024, 1 << 20]) {
			const text = 'x'.repeat(size);
			const result = await inFolder(`printf %s '${text}' | wc -c; cd /; exit 6`);
			assert.equal(result.output.trim(), String(size));
			assert.equal(result.exitCode, 6);
			assert.equal(result.cwd, '/');
		}
	});

	test('what cannot be started says why', async () => {
		const nowhere = await run(shell, 'true', { cwd: path.join(folder, 'missing') });
		assert.equal(nowhere.outcome, 'not_started');
		assert.match(nowhere.message ?? '', /missing does not exist/);
		const broken = nodeShell({ nodePath: '/no/such/node' });
		const result = await run(broken, 'true');
		assert.equal(result.outcome, 'not_started');
		assert.match(result.message ?? '', /ENOENT/);
		await broken.dispose();
		assert.equal((await run(broken, 'true')).outcome, 'not_started');
		assert.equal((await inFolder('echo fine')).output, 'fine\n');
	});

	test('several at once, each with its own output, runners used again', async () => {
		const results = await Promise.all([1, 2, 3, 4].map((i) => inFolder(`sleep 0.1; echo ${i} $PPID`)));
		const pids = new Set(results.map((result) => result.output.trim().split(' ')[1]));
		assert.deepEqual(
			results.map((result) => result.output.split(' ')[0]),
			['1', '2', '3', '4'],
		);
		assert.equal(pids.size, 4);
		assert.ok(pids.has((await inFolder('echo $PPID')).output.trim()));
	});

	test('live output comes while the command runs', async () => {
		const seen: { text: string; at: number }[] = [];
		const start = Date.now();
		const result = await run(shell, "printf '\\033[1mone\\n'; sleep 0.5; echo two", {
			onOutput: (text) => seen.push({ text, at: Date.now() - start }),
		});
		assert.equal(seen.map(({ text }) => text).join(''), '\u001b[1mone\ntwo\n');
		assert.ok((seen[0]?.at ?? 1000) < 400);
		assert.equal(result.output, 'one\ntwo\n');
	});

	test('BASH_ENV of the person still works, also with the report of the folder', async () => {
		const file = path.join(folder, 'my env');
		writeFileSync(file, 'export FROM_ENV=yes\n');
		const own = nodeShell({ env: { ...process.env, BASH_ENV: file } });
		const result = await run(own, 'cd /; echo $FROM_ENV $BASH_ENV');
		assert.equal(result.output, `yes ${file}\n`);
		assert.equal(result.cwd, '/');
		await own.dispose();
	});

	for (const name of ['zsh', 'fish']) {
		const file = ['/bin', '/usr/bin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(':')]
			.map((dir) => path.join(dir, name))
			.find((candidate) => existsSync(candidate));
		test(`${name}: output, exit code and folder`, async function () {
			if (file === undefined) return this.skip();
			const own = nodeShell({ shellPath: file, env: { ...process.env, HOME: folder } });
			assert.equal(own.name, name);
			const result = await run(own, 'cd /usr; echo hi; exit 3');
			assert.deepEqual([result.output, result.exitCode, result.cwd], ['hi\n', 3, '/usr']);
			assert.equal((await run(own, 'echo "open')).outcome, 'exited');
			assert.equal((await run(own, "printf '%s' 'a\nb'")).output, 'a\nb');
			await own.dispose();
		});
	}

	test('pwsh: output, exit codes and folder', async function () {
		const file = (process.env['PATH'] ?? '')
			.split(':')
			.map((dir) => path.join(dir, 'pwsh'))
			.find((candidate) => existsSync(candidate));
		if (file === undefined) return this.skip();
		const own = nodeShell({ shellPath: file });
		const result = await run(own, "Write-Output 'hi'; cd /usr");
		assert.deepEqual([result.output, result.exitCode, result.cwd], ['hi\n', 0, '/usr']);
		assert.equal((await run(own, 'exit 3')).exitCode, 3);
		assert.equal((await run(own, 'bash -c "exit 4"')).exitCode, 4);
		assert.equal((await run(own, 'Get-Item /no/such/file')).exitCode, 1);
		await own.dispose();
	});

	test('the runner started by hand says so and ends', () => {
		const result = spawnSync(process.execPath, [runnerBundle()], { encoding: 'utf8' });
		assert.equal(result.status, 2);
		assert.match(result.stderr, /started by Loopwright/);
	});
});
