// The headless runner as a process, against the mock of the Messages API: output, rights, sessions, signals.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
	answer,
	fail,
	gate,
	messagesOf,
	text,
	toolResults,
	toolUse,
	turn,
	type MockServer,
	type Step,
} from '../../support/mockServer.ts';
import { type Headless, linesOf, useHeadless } from './support.ts';

suite('headless runner', function () {
	this.timeout(60_000);
	const parts = useHeadless();
	let server: MockServer;
	let headless: Headless;
	setup(() => {
		({ server, headless } = parts());
		writeFileSync(path.join(headless.cwd, 'a.txt'), 'first line\n');
	});
	const steps = (...script: Step[]) => server.setScript(script);
	const read = () => toolUse('Read', { file_path: 'a.txt' });
	const bash = (command: string) => toolUse('Bash', { command, description: 'x' });
	const valid = () => assert.deepEqual(server.violations, []);
	const result = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

	test('text: the final answer only; the model read the file', async () => {
		steps(turn(text('I look.'), read()), answer('It says: first line.'));
		const { status, stdout, stderr } = await headless.run(['-p', 'What is in a.txt?']);
		assert.deepEqual([status, stdout, stderr], [0, 'It says: first line.\n', '']);
		assert.match(toolResults(server.requests[1] ?? assert.fail())[0]?.text ?? '', /first line/);
		valid();
	});

	test('json: the result with usage, cost and turns', async () => {
		steps(turn(read()), answer('Done.'));
		const { status, stdout } = await headless.run(['-p', 'x', '--output-format', 'json']);
		const message = result(stdout);
		assert.equal(status, 0);
		assert.equal(message['type'], 'result');
		assert.equal(message['subtype'], 'success');
		assert.equal(message['result'], 'Done.');
		assert.equal(message['num_turns'], 2);
		assert.equal(message['terminal_reason'], 'completed');
		assert.ok(Number(message['total_cost_usd']) > 0);
	});

	test('stream-json: every message with its ids, the answer while it grows', async () => {
		steps(turn(text('I look.'), read()), answer('Done.'));
		const args = ['-p', 'x', '--output-format', 'stream-json', '--include-partial-messages'];
		const { stdout } = await headless.run(args);
		const lines = linesOf(stdout);
		const main = lines.filter(({ type }) => type !== 'stream_event').map(({ type }) => type);
		assert.deepEqual(main, ['system', 'assistant', 'user', 'assistant', 'result']);
		assert.equal(new Set(lines.map((line) => line['session_id'])).size, 1);
		assert.equal(new Set(lines.map((line) => line['uuid'])).size, lines.length);
		const events = lines.flatMap((line) => (line.type === 'stream_event' ? [line['event'] as { type: string }] : []));
		assert.deepEqual(
			events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]),
			[
				'message_start',
				'content_block_start',
				'content_block_delta',
				'content_block_stop',
				'content_block_start',
				'content_block_delta',
				'content_block_stop',
				'message_delta',
				'message_stop',
				'message_start',
				'content_block_start',
				'content_block_delta',
				'content_block_stop',
				'message_delta',
				'message_stop',
			],
		);
	});

	test('a command in the background ends with the run, and the result names it', async () => {
		steps(turn(toolUse('Bash', { command: 'echo up; sleep 4321', run_in_background: true })), answer('It runs.'));
		const { status, stdout, stderr } = await headless.run(['-p', 'x', '--output-format', 'json']);
		assert.equal(status, 0);
		const [stopped] = (JSON.parse(stdout) as { stopped_tasks: { task_id: string; command: string }[] }).stopped_tasks;
		assert.equal(stopped?.command, 'echo up; sleep 4321');
		assert.match(stopped.task_id, /^b\w+$/);
		assert.match(stderr, /was still running and was stopped: echo up; sleep 4321/);
	});

	test('wrong usage: status 2, a sentence on stderr, nothing sent', async () => {
		const cases = [
			['--bogus'],
			['-p', 'x', '--max-turns', '0'],
			[],
			['-p', 'x', '--cwd', 'nowhere'],
			['hello'],
			['-p', ''],
		];
		for (const args of cases) {
			const { status, stdout, stderr } = await headless.run(args);
			assert.equal(status, 2, args.join(' '));
			assert.equal(stdout, '');
			assert.match(stderr, /^loopwright: .+\.\n$/);
		}
		const unknown = await headless.run(['-p', 'x', '--resume', 'no-such-session']);
		assert.equal(unknown.status, 2);
		assert.equal(server.requests.length, 0);
	});

	test('without a key: an error result that says what to do', async () => {
		const env = { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
		const { status, stdout } = await headless.run(['-p', 'x', '--output-format', 'json'], { env });
		assert.equal(status, 1);
		assert.match(JSON.stringify(result(stdout)['errors']), /ANTHROPIC_API_KEY.*provider=demo/);
	});

	test('the demo model needs no key', async () => {
		const env = { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
		const { status, stdout } = await headless.run(['-p', 'read a.txt', '--setting', 'provider=demo'], { env });
		assert.equal(status, 0);
		assert.notEqual(stdout.trim(), '');
		assert.equal(server.requests.length, 0);
	});

	test('a wrong key: an error result without the key', async () => {
		steps(fail(401, 'authentication_error', 'invalid x-api-key sk-ant-headless-test-key'));
		const { status, stdout, stderr } = await headless.run(['-p', 'x']);
		assert.equal(status, 1);
		assert.equal(stdout, '');
		assert.match(stderr, /authentication.*invalid x-api-key \[key\]/);
	});

	test('the prompt on stdin, up to 10 MB', async () => {
		steps(answer('ok'));
		const good = await headless.run([], { stdin: 'from stdin 漢字' });
		assert.deepEqual([good.status, good.stdout], [0, 'ok\n']);
		assert.match(JSON.stringify(server.requests[0]?.body), /from stdin 漢字/);
		const long = await headless.run([], { stdin: 'x'.repeat(10 * 1024 * 1024 + 1) });
		assert.equal(long.status, 2);
		assert.match(long.stderr, /10 MB/);
		assert.equal((await headless.run([], { stdin: ' \n' })).status, 2);
	});

	test('what would ask is denied and listed; a rule allows it; commands do not get the key', async () => {
		const command = 'touch made && echo "key=[$ANTHROPIC_API_KEY]"';
		steps(turn(bash(command)), answer('Denied.'), turn(bash(command)), answer('Allowed.'));
		const denied = result((await headless.run(['-p', 'x', '--output-format', 'json'])).stdout);
		assert.deepEqual(
			(denied['permission_denials'] as { tool_name: string }[]).map(({ tool_name }) => tool_name),
			['Bash'],
		);
		assert.equal(existsSync(path.join(headless.cwd, 'made')), false);
		await headless.run(['-p', 'x', '--allowed-tools', 'Bash']);
		assert.equal(existsSync(path.join(headless.cwd, 'made')), true);
		assert.match(toolResults(server.requests[3] ?? assert.fail())[0]?.text ?? '', /key=\[\]/);
		valid();
	});

	test('plan mode: nothing is written whatever is allowed, nobody approves the plan, and the plan is the answer', async () => {
		const plan = toolUse('ExitPlanMode', { plan: '# Plan' });
		steps(turn(bash('touch made'), plan), answer('# Plan'));
		const args = ['-p', 'x', '--permission-mode', 'plan', '--allowed-tools', 'Bash', '--output-format', 'json'];
		const message = result((await headless.run(args)).stdout);
		assert.equal(existsSync(path.join(headless.cwd, 'made')), false);
		assert.equal(message['result'], '# Plan');
		assert.deepEqual(
			(message['permission_denials'] as { tool_name: string }[]).map(({ tool_name }) => tool_name),
			['Bash', 'ExitPlanMode'],
		);
		assert.match(JSON.stringify(server.requests[0]?.body['messages']), /Plan mode is on/);
		assert.match(toolResults(server.requests[1] ?? assert.fail())[1]?.text ?? '', /as your final answer/);
		valid();
	});

	test('a folder gives rights only when trusted, its denials always count, never an address', async () => {
		mkdirSync(path.join(headless.cwd, '.loopwright'));
		writeFileSync(
			path.join(headless.cwd, '.loopwright/settings.json'),
			JSON.stringify({ permissions: { allow: ['Bash'], deny: ['Read'] }, baseUrl: 'http://127.0.0.1:9' }),
		);
		const both = turn(bash('touch made'), read());
		steps(both, answer('a'), both, answer('b'));
		await headless.run(['-p', 'x']);
		assert.equal(existsSync(path.join(headless.cwd, 'made')), false);
		await headless.run(['-p', 'x', '--trust']);
		assert.equal(existsSync(path.join(headless.cwd, 'made')), true);
		for (const index of [1, 3]) {
			const results = toolResults(server.requests[index] ?? assert.fail());
			assert.equal(results.find(({ name }) => name === 'Read')?.isError, true);
		}
		valid();
	});

	test('a broken settings file gives no rights, keeps its denials and is named; the run goes on', async () => {
		const text = '{\n"permissions": {"deny": ["Read"], "allow": ["Bash"],}\n}';
		writeFileSync(path.join(headless.home, 'settings.json'), text);
		steps(turn(bash('touch made'), read()), answer('ok'));
		const { status, stderr } = await headless.run(['-p', 'x']);
		assert.equal(status, 0);
		assert.match(stderr, /settings\.json:2:\d+: this is no valid JSON .* only deny and ask rules count/);
		assert.equal(existsSync(path.join(headless.cwd, 'made')), false);
		assert.equal(toolResults(server.requests[1] ?? assert.fail()).find(({ name }) => name === 'Read')?.isError, true);
		valid();
	});

	test('folders that are gone: one of an option stops the run, one of a file is left out', async () => {
		const gone = path.join(headless.base, 'gone');
		writeFileSync(path.join(headless.home, 'settings.json'), JSON.stringify({ additionalDirectories: [gone] }));
		steps(answer('ok'));
		const { status, stderr } = await headless.run(['-p', 'x']);
		assert.equal(status, 0);
		assert.match(stderr, /additionalDirectories: there is no folder .*gone; it is left out/);
		assert.equal((await headless.run(['-p', 'x', '--add-dir', gone])).status, 2);
	});

	test('bypass that a file forbids', async () => {
		mkdirSync(path.join(headless.cwd, '.claude'));
		const file = path.join(headless.cwd, '.claude/settings.json');
		writeFileSync(file, JSON.stringify({ permissions: { disableBypassPermissionsMode: 'disable' } }));
		const options = ['--permission-mode', 'bypassPermissions', '--setting', 'permissions.allowBypass=true'];
		const { status, stderr } = await headless.run(['-p', 'x', ...options]);
		assert.equal(status, 2);
		assert.match(stderr, /forbidden by a settings file/);
	});

	test('one whose denials may be lost stops the run', async () => {
		mkdirSync(path.join(headless.cwd, '.claude'));
		writeFileSync(path.join(headless.cwd, '.claude/settings.json'), '{"permissions": {\n"deny": ["Read(.env)}}');
		const { status, stderr } = await headless.run(['-p', 'x', '--output-format', 'stream-json']);
		assert.equal(status, 2);
		assert.match(stderr, /\.claude\/settings\.json:2:10: .*Deny rules in it may be lost/);
		assert.equal(server.requests.length, 0);
	});

	test('rules in Claude Code’s files count; those that are written during the run, too', async () => {
		mkdirSync(path.join(headless.base, '.claude'));
		const file = path.join(headless.base, '.claude/settings.json');
		writeFileSync(file, JSON.stringify({ permissions: { allow: ['Bash'] }, env: { ANTHROPIC_BASE_URL: 'http://x' } }));
		const later = JSON.stringify({ permissions: { deny: ['Read'] } });
		writeFileSync(path.join(headless.cwd, 'later.js'), `require('fs').writeFileSync('${file}', '${later}')`);
		steps(turn(bash('node later.js')), turn(read()), answer('ok'));
		await headless.run(['-p', 'x']);
		assert.equal(toolResults(server.requests[2] ?? assert.fail()).at(-1)?.isError, true);
		valid();
	});

	test('--max-turns ends the run with its own result', async () => {
		steps(turn(read()), turn(read()));
		const { status, stdout } = await headless.run(['-p', 'x', '--max-turns', '1', '--output-format', 'json']);
		assert.equal(status, 1);
		assert.equal(result(stdout)['subtype'], 'error_max_turns');
		assert.equal(server.requests.length, 1);
	});

	test('--continue and --resume carry the whole conversation on, --fork-session in a copy', async () => {
		steps(turn(text('I look.'), read()), answer('one'), answer('two'), answer('three'), answer('four'));
		const first = result((await headless.run(['-p', 'first', '--output-format', 'json'])).stdout);
		const id = String(first['session_id']);
		await headless.run(['-p', 'second', '--continue']);
		await headless.run(['-p', 'third', '--resume', id]);
		const fork = result(
			(await headless.run(['-p', 'fourth', '--resume', id, '--fork-session', '--output-format', 'json'])).stdout,
		);
		assert.notEqual(fork['session_id'], id);
		assert.deepEqual(
			server.requests.map((request) => messagesOf(request).length),
			[1, 3, 5, 7, 9],
		);
		const folder = path.join(headless.home, 'projects', headless.cwd.replace(/[^a-zA-Z0-9]/g, '-'));
		assert.equal(readdirSync(folder).filter((name) => name.endsWith('.jsonl')).length, 2);
		assert.doesNotMatch(readFileSync(path.join(folder, `${id}.jsonl`), 'utf8'), /fourth/);
		valid();
	});

	test('--no-session-persistence leaves nothing', async () => {
		steps(answer('one'));
		await headless.run(['-p', 'first', '--no-session-persistence']);
		assert.equal(existsSync(path.join(headless.home, 'projects')), false);
	});

	test('killed in mid-stream: --resume goes on with what was finished', async () => {
		const hold = gate();
		steps(turn(text('I look.'), read(), text('And ', hold, 'more')), answer('Done.'));
		const args = ['--output-format', 'stream-json'];
		const started = headless.start(['-p', 'x', ...args]);
		await hold.reached;
		await transcriptHas(headless, '"tool_result"');
		started.process.kill('SIGKILL');
		await started.finished;
		hold.open();
		const { status, stdout } = await headless.run(['--continue', ...args]);
		assert.equal(status, 0, stdout);
		assert.equal(linesOf(stdout).at(-1)?.['result'], 'Done.');
		valid();
	});

	test('killed while a command runs: the next prompt works, the command does not run again', async () => {
		steps(turn(bash('echo once >> log; sleep 300')), answer('I do not know how it ended.'));
		const started = headless.start(['-p', 'x', '--allowed-tools', 'Bash']);
		const log = path.join(headless.cwd, 'log');
		await until(() => existsSync(log));
		started.process.kill('SIGKILL');
		await started.finished;
		const { status } = await headless.run(['-p', 'and now?', '--continue', '--allowed-tools', 'Bash']);
		assert.equal(status, 0);
		assert.equal(readFileSync(log, 'utf8'), 'once\n');
		valid();
	});

	for (const [signal, status] of [
		['SIGINT', 130],
		['SIGTERM', 143],
	] as const) {
		test(`${signal} while a command runs: ${status}, no child left, the session goes on`, async function () {
			if (process.platform === 'win32') this.skip();
			steps(turn(bash("sh -c 'echo $$ > pid; sleep 300'")), answer('Fine.'));
			const args = ['-p', 'x', '--allowed-tools', 'Bash', '--output-format', 'stream-json'];
			const started = headless.start(args);
			const pidFile = path.join(headless.cwd, 'pid');
			await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '');
			started.process.kill(signal);
			const ended = await started.finished;
			assert.equal(ended.status, status);
			assert.equal(linesOf(ended.stdout).at(-1)?.['terminal_reason'], 'aborted_tools');
			const pid = Number(readFileSync(pidFile, 'utf8'));
			assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
			const again = await headless.run(['-p', 'go on', '--continue']);
			assert.deepEqual([again.status, again.stdout], [0, 'Fine.\n']);
			valid();
		});
	}

	test('SIGINT in mid-stream: 130, the text so far is in the transcript', async () => {
		const hold = gate();
		steps(turn(text('Some words ', hold, 'never')), answer('Fine.'));
		const started = headless.start(['-p', 'x', '--output-format', 'stream-json']);
		await hold.reached;
		started.process.kill('SIGINT');
		const ended = await started.finished;
		assert.equal(ended.status, 130);
		assert.equal(linesOf(ended.stdout).at(-1)?.['terminal_reason'], 'aborted_streaming');
		assert.equal((await headless.run(['-p', 'go on', '--continue'])).status, 0);
		valid();
	});
});

/** Waits for a condition that another process brings about. */
async function until(condition: () => boolean): Promise<void> {
	const end = Date.now() + 20_000;
	while (!condition()) {
		if (Date.now() > end) assert.fail('it did not happen in 20 s');
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

function transcriptHas(headless: Headless, words: string): Promise<void> {
	const projects = path.join(headless.home, 'projects');
	const files = () =>
		existsSync(projects)
			? readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'))
			: [];
	return until(() => files().some((file) => readFileSync(path.join(projects, file), 'utf8').includes(words)));
}
