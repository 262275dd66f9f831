// Sessions of the headless runner as real processes on real files: who may go on with one, what is stored and what is not, and disks
// that take nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { projectSlug } from '../../../src/node/sessions/paths.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { parseTranscript } from '../../../src/node/sessions/transcriptFile.ts';
import { answer, gate, messagesOf, text, toolUse, turn, type MockServer, type Step } from '../../support/mockServer.ts';
import { type Headless, linesOf, useHeadless } from './support.ts';

const id = '00000000-0000-4000-8000-00000000000a';
const other = '00000000-0000-4000-8000-00000000000b';

suite('sessions of the headless runner', function () {
	this.timeout(60_000);
	const parts = useHeadless();
	let server: MockServer;
	let headless: Headless;
	setup(() => {
		({ server, headless } = parts());
	});
	teardown(() => assert.deepEqual(server.violations, []));
	const steps = (...list: Step[]) => server.setScript(list);
	const folder = () => path.join(headless.home, 'projects', projectSlug(headless.cwd));
	const fileOf = (session: string) => path.join(folder(), `${session}.jsonl`);
	const begin = (prompt = 'first') => headless.run(['-p', prompt, '--session-id', id]);

	test('--session-id: the session has this id, once', async () => {
		steps(answer('one'));
		assert.equal((await begin()).status, 0);
		assert.ok(existsSync(fileOf(id)));
		const again = await begin();
		assert.equal(again.status, 2);
		assert.match(again.stderr, /There is a session .* already/);
		assert.equal(server.requests.length, 1);
	});

	test('two at once under one id: one of them has it', async () => {
		server.setScript(() => answer('one'));
		const runs = await Promise.all([begin(), begin(), begin()]);
		const ok = runs.filter(({ status }) => status === 0);
		assert.equal(ok.length, 1, runs.map(({ stderr }) => stderr).join(''));
		assert.equal(readFileSync(fileOf(id), 'utf8').match(/"type":"session"/g)?.length, 1);
	});

	test('a session that another process has open: it is said, and a copy can be gone on with', async () => {
		const hold = gate();
		steps(turn(text('I ', hold, 'look.')), answer('in the copy'), answer('on'));
		const first = headless.start(['-p', 'first', '--session-id', id]);
		await hold.reached;
		const second = await headless.run(['-p', 'second', '--resume', id]);
		assert.equal(second.status, 2);
		assert.match(second.stderr, /open in another process.*--fork-session/);
		const before = readFileSync(fileOf(id), 'utf8');
		const fork = await headless.run(['-p', 'second', '--resume', id, '--fork-session', '--session-id', other]);
		assert.deepEqual([fork.status, fork.stdout], [0, 'in the copy\n']);
		assert.equal(readFileSync(fileOf(id), 'utf8'), before);
		hold.open();
		assert.equal((await first.finished).status, 0);
		assert.equal((await headless.run(['-p', 'third', '--resume', id])).stdout, 'on\n');
	});

	test('a copy can go back to what the first session changed; once a day what is old goes', async () => {
		steps(
			turn(toolUse('Write', { file_path: 'a.txt', content: 'new\n' })),
			answer('written'),
			answer('two'),
			answer('x'),
		);
		await headless.run(['-p', 'first', '--session-id', id, '--permission-mode', 'acceptEdits']);
		const list = (session: string) => readFileSync(path.join(folder(), session, 'checkpoints.jsonl'), 'utf8');
		await headless.run(['-p', 'second', '--resume', id, '--fork-session', '--session-id', other]);
		assert.ok(list(id).includes('a.txt') && list(other).startsWith(list(id)));

		const old = new Date(Date.now() - 10 * 24 * 60 * 60_000);
		utimesSync(fileOf(id), old, old);
		utimesSync(path.join(headless.home, 'cleared'), old, old);
		const kept = ['--setting', 'cleanupPeriodDays=5'];
		assert.equal((await headless.run(['-p', 'third', '--resume', other, ...kept])).status, 0);
		assert.ok(!existsSync(fileOf(id)) && existsSync(fileOf(other)));
	});

	test('--fork-session to an id that is taken', async () => {
		steps(answer('one'));
		await begin();
		const { status, stderr } = await headless.run(['-p', 'x', '--continue', '--fork-session', '--session-id', id]);
		assert.equal(status, 2);
		assert.match(stderr, /There is a session .* already/);
	});

	test('--continue takes the session that was written to last; none is said', async () => {
		const none = await headless.run(['-p', 'x', '--continue']);
		assert.equal(none.status, 2);
		assert.match(none.stderr, /There is no session of .* to continue/);
		steps(answer('a'), answer('b'), answer('c'), answer('d'));
		await begin();
		await headless.run(['-p', 'the other', '--session-id', other]);
		await headless.run(['-p', 'on', '--resume', id]);
		await headless.run(['-p', 'and on', '--continue']);
		assert.match(readFileSync(fileOf(id), 'utf8'), /and on/);
		assert.doesNotMatch(readFileSync(fileOf(other), 'utf8'), /and on/);
	});

	test('--no-session-persistence with --resume: the stored session is read and stays byte for byte', async () => {
		steps(answer('one'), answer('two'));
		await begin();
		const before = readFileSync(fileOf(id));
		assert.equal((await headless.run(['-p', 'second', '--resume', id, '--no-session-persistence'])).stdout, 'two\n');
		assert.equal(messagesOf(server.requests[1] ?? assert.fail()).length, 3);
		assert.deepEqual(readFileSync(fileOf(id)), before);
		assert.deepEqual(
			readdirSync(folder()).filter((name) => name.endsWith('.jsonl')),
			[`${id}.jsonl`],
		);
	});

	test('subagents: their transcripts lie beside the session’s, go with a copy, survive a kill; none where nothing is stored', async () => {
		const hold = gate();
		const task = (prompt: string) => toolUse('Agent', { description: 'Look it up', prompt });
		const agents = (session: string) => readdirSync(path.join(folder(), session, 'subagents'));
		steps(turn(task('look here')), answer('It is here.'), answer('Found.'), answer('in the copy'));
		assert.equal((await begin()).stdout, 'Found.\n');
		const [first = assert.fail('it has no transcript')] = agents(id);
		const { entries, damaged } = parseTranscript(readFileSync(path.join(folder(), id, 'subagents', first), 'utf8'));
		assert.equal(damaged, 0);
		assert.deepEqual([entries[0]?.type, entries.at(-1)?.type], ['session', 'exchange_end']);
		assert.match(JSON.stringify(entries), /look here.*It is here\./);
		await headless.run(['-p', 'on', '--resume', id, '--fork-session', '--session-id', other]);
		assert.deepEqual(agents(other), [first]);

		steps(turn(task('look there')), turn(text('I ', hold, 'look.')), answer('It was cut.'));
		const killed = headless.start(['-p', 'again', '--resume', id]);
		await hold.reached;
		killed.process.kill('SIGKILL');
		await killed.finished;
		assert.equal(agents(id).length, 2);
		assert.equal((await headless.run(['-p', 'and?', '--resume', id])).stdout, 'It was cut.\n');

		const before = readdirSync(folder(), { recursive: true });
		steps(turn(task('look everywhere')), answer('Nothing.'), answer('Not found.'));
		assert.equal((await headless.run(['-p', 'x', '--no-session-persistence'])).stdout, 'Not found.\n');
		assert.deepEqual(readdirSync(folder(), { recursive: true }), before);
	});

	test('the store is that of the extension: begun in one, gone on with in the other', async () => {
		steps(answer('one'), answer('three'));
		await begin();
		const store = new SessionStore(headless.home);
		const opened = (await store.open(headless.cwd, id)) ?? assert.fail();
		const message = {
			role: 'user',
			id: 'u',
			origin: 'prompt',
			content: [{ type: 'text', text: 'from the panel' }],
			time: 1,
		} as const;
		await opened.journal.append({ type: 'user', message });
		const held = await headless.run(['-p', 'x', '--continue']);
		assert.match(held.stderr, /open in another process/);
		await opened.journal.close();
		await headless.run(['-p', 'third', '--continue']);
		assert.match(JSON.stringify(server.requests[1]?.body), /from the panel.*third/);
	});

	test('B62 a damaged session: what is good is sent, the damage is said once, the original is kept', async () => {
		steps(answer('one'), answer('two'), answer('three'));
		await begin();
		const good = readFileSync(fileOf(id), 'utf8');
		const [half = ''] = good.split('\n');
		appendFileSync(fileOf(id), half.slice(0, 50));
		const args = ['--continue', '--output-format', 'stream-json'];
		const second = await headless.run(['-p', 'second', ...args]);
		assert.match(second.stdout, /1 damaged line/);
		assert.equal(readFileSync(`${fileOf(id)}.damaged`, 'utf8'), good + half.slice(0, 50));
		const third = await headless.run(['-p', 'third', ...args]);
		assert.doesNotMatch(third.stdout, /damaged/);
		assert.equal(linesOf(third.stdout).at(-1)?.['result'], 'three');
		assert.deepEqual(
			server.requests.map((request) => messagesOf(request).length),
			[1, 3, 5],
		);
	});

	test('the key in use and tokens are not in the transcript; files are for their owner only', async function () {
		if (process.platform === 'win32') this.skip();
		const token = 'ghp_0123456789abcdefghij0123';
		writeFileSync(path.join(headless.cwd, 'a.txt'), `a = ${token}\nb = a-gateway-key\n`);
		steps(turn(toolUse('Read', { file_path: 'a.txt' })), answer('read'));
		await headless.run(['-p', 'read a.txt', '--session-id', id], { env: { ANTHROPIC_API_KEY: 'a-gateway-key' } });
		assert.match(JSON.stringify(server.requests[1]?.body), /ghp_.*a-gateway-key/, 'the model has read it');
		const stored = readFileSync(fileOf(id), 'utf8');
		assert.doesNotMatch(stored, /ghp_|a-gateway-key/);
		assert.match(stored, /a = \[secret masked\]/);
		assert.equal(statSync(fileOf(id)).mode & 0o777, 0o600);
		assert.equal(statSync(folder()).mode & 0o777, 0o700);
		assert.equal(statSync(path.join(folder(), id)).mode & 0o777, 0o700);
	});

	test('a full disk (a real one of some kilobytes): said once, and the run comes to its end', async function () {
		const mounted = (more: string) => [
			'-rm',
			'sh',
			'-c',
			`mount -t tmpfs -o size=8k tmpfs "$LOOPWRIGHT_HOME" && ${more}`,
		];
		const probe = { env: { ...process.env, LOOPWRIGHT_HOME: headless.home } };
		if (spawnSync('unshare', mounted('true'), probe).status !== 0) this.skip();
		const big = 'x'.repeat(20_000);
		writeFileSync(path.join(headless.cwd, 'a.txt'), `${big}\n`);
		steps(
			turn(toolUse('Read', { file_path: 'a.txt' })),
			turn(toolUse('Read', { file_path: 'a.txt' })),
			answer('Done.'),
		);
		const { status, stdout, stderr } = await headless.run(['-p', 'read a.txt'], {
			wrap: ['unshare', ...mounted('exec "$@"'), 'sh'],
		});
		assert.deepEqual([status, stdout], [0, 'Done.\n'], stderr);
		assert.equal(stderr.match(/The session is not stored: the disk is full/g)?.length, 1, stderr);
	});

	test('a store that cannot be written: said once, and the run comes to its end', async function () {
		if (process.platform === 'win32') this.skip();
		const blocked = path.join(headless.base, 'blocked');
		writeFileSync(blocked, '');
		steps(answer('Done.'));
		const { status, stdout, stderr } = await headless.run(['-p', 'x'], {
			env: { LOOPWRIGHT_HOME: path.join(blocked, 'lw') },
		});
		assert.deepEqual([status, stdout], [0, 'Done.\n'], stderr);
		assert.equal(stderr.match(/The session is not stored/g)?.length, 1, stderr);
	});

	test('a session whose file can only be read: gone on with in memory', async function () {
		if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
		steps(answer('one'), answer('two'));
		await begin();
		chmodSync(fileOf(id), 0o400);
		const { status, stderr } = await headless.run(['-p', 'second', '--resume', id]);
		assert.equal(status, 0);
		assert.match(stderr, /The session is not stored: its folder cannot be written/);
	});

	test('bypassPermissions does not come back with its session', async () => {
		steps(answer('one'), answer('two'));
		const bypass = ['--permission-mode', 'bypassPermissions', '--setting', 'permissions.allowBypass=true'];
		await headless.run(['-p', 'x', '--session-id', id, ...bypass]);
		const { stdout } = await headless.run([
			'-p',
			'y',
			'--resume',
			id,
			'--output-format',
			'stream-json',
			'--setting',
			'permissions.allowBypass=true',
		]);
		assert.equal(linesOf(stdout)[0]?.['permissionMode'], 'default');
	});
});
