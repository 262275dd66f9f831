// Sessions as files: out and in again, and in from Claude Code's transcripts, whole or not.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { readClaudeTranscript } from '../../../src/core/session/claudeTranscript.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import { sessionMarkdown } from '../../../src/core/session/sessionExport.ts';
import { exportedSession } from '../../../src/node/sessions/exportedSession.ts';
import { claudeTranscripts, importSession } from '../../../src/node/sessions/sessionImport.ts';
import { SessionLibrary } from '../../../src/node/sessions/sessionLibrary.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import {
	answer,
	messagesOf,
	startMockServer,
	thinking,
	toolUse,
	turn,
	type MockServer,
} from '../../support/mockServer.ts';

const cwd = '/w';
const line = (uuid: string, parentUuid: string | null, more: object) =>
	JSON.stringify({
		uuid,
		parentUuid,
		sessionId: 'c',
		timestamp: '2026-01-02T03:04:05.000Z',
		cwd,
		version: '2.1.0',
		...more,
	});
const userLine = (uuid: string, parent: string | null, content: unknown, more: object = {}) =>
	line(uuid, parent, { type: 'user', message: { role: 'user', content }, ...more });
const assistantLine = (uuid: string, parent: string, block: object, id = 'msg_1') =>
	line(uuid, parent, {
		type: 'assistant',
		message: { id, role: 'assistant', model: 'claude-opus-4-8', content: [block] },
	});
const foreign = [
	JSON.stringify({ type: 'summary', summary: 'Fixing the login', leafUuid: 'x' }),
	JSON.stringify({ type: 'file-history-snapshot', snapshot: {} }),
	userLine('1', null, 'Look at a.ts with ghp_0123456789abcdefghij0123'),
	line('1a', '1', { type: 'attachment', attachment: { type: 'todo' } }),
	assistantLine('2', '1a', { type: 'thinking', thinking: 'hm', signature: 'c2ln' }),
	assistantLine('3', '2', { type: 'text', text: 'I look.' }),
	assistantLine('4', '3', { type: 'tool_use', id: 'toolu_a', name: 'Read', input: { file_path: 'a.ts' } }),
	assistantLine('5', '4', { type: 'tool_use', id: 'toolu_b', name: 'Bash', input: { command: 'ls' } }),
	userLine('6', '5', [{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'const a = 1;' }]),
	assistantLine('7', '6', { type: 'tool_use', id: 'toolu_c', name: 'Glob', input: { pattern: '*' } }),
	userLine('8', '7', [
		{ type: 'tool_result', tool_use_id: 'toolu_c', content: [{ type: 'text', text: 'a.ts' }], is_error: true },
	]),
	userLine('s1', '1', 'in a side chain', { isSidechain: true }),
	'{"type":"user","uuid":"9","parentU',
	assistantLine('10', '8', { type: 'text', text: 'It is one.' }, 'msg_2'),
].join('\n');

suite('session files', () => {
	let home: string;
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(async () => {
		home = await mkdtemp(path.join(tmpdir(), 'lw-import-'));
		mock.reset();
	});
	teardown(async () => {
		assert.deepEqual(mock.violations, []);
		await rm(home, { recursive: true, force: true });
	});
	const bring = (file: string) => importSession({ file, home, cwd, sessionId: 'new', app: '0', now: 7 });
	const goOn = async () => {
		const opened = await new SessionStore(home).open(cwd, 'new');
		const { conversation } = startConversation({ url: mock.url, tools: [], transcript: opened?.entries ?? [] });
		mock.setScript([answer('ok')]);
		const { terminal } = await finish(conversation.submitMessage('go on'));
		assert.equal(terminal.reason, 'completed');
		await opened?.journal.close();
		return JSON.stringify(messagesOf(mock.requests.at(-1) ?? assert.fail()));
	};

	test('exported and imported again: the same conversation; as Markdown for people', async () => {
		const look = fakeTool({ name: 'Look', run: () => Promise.resolve(said('```\nseen\n```')) });
		mock.setScript([turn(thinking('hm'), toolUse('Look', { id: 'a' })), answer('Done.')]);
		const [store, library] = [new SessionStore(home), new SessionLibrary(home)];
		const { journal } = await store.create({ cwd, sessionId: 'old' });
		const { conversation } = startConversation({ url: mock.url, tools: [look], ports: { journal } });
		await finish(conversation.submitMessage('do it'));
		await library.rename(cwd, 'old', 'My title');
		const file = path.join(home, 'export.json');
		await writeFile(file, (await exportedSession({ store, library }, 'old', 5)) ?? assert.fail('it is not there'));
		await journal.close();
		const entries = (await store.read(cwd, 'old'))?.entries ?? [];
		assert.equal(await bring(file), true);
		assert.equal(await exportedSession({ store, library }, 'gone', 5), undefined);
		const opened = await store.read(cwd, 'new');
		assert.deepEqual(loadSession(opened?.entries ?? []).messages, loadSession(entries).messages);
		assert.equal((await library.list(cwd)).find(({ id }) => id === 'new')?.title, 'My title');
		const markdown = sessionMarkdown('My title', entries, { you: 'You', agent: 'Loopwright', cut: '…' });
		assert.match(markdown, /^# My title\n\n## You\n\ndo it\n\n## Loopwright\n\n\*\*Look\*\*/);
		assert.match(markdown, /\n````\n```\nseen\n```\n````\n\nDone\.\n$/);
	});

	test('Claude Code: the branch that counts, calls answered, secrets masked, the file as it was', async () => {
		const claude = path.join(home, 'claude');
		const folder = path.join(claude, 'projects', '-w');
		await mkdir(folder, { recursive: true });
		const file = path.join(folder, 'c.jsonl');
		await writeFile(file, foreign);
		assert.deepEqual(
			(await claudeTranscripts(claude, cwd)).map((found) => found.file),
			[file],
		);
		assert.equal(await bring(file), true);
		assert.equal(await readFile(file, 'utf8'), foreign);
		const stored = path.join(home, 'projects', '-w', 'new.jsonl');
		assert.doesNotMatch(await readFile(stored, 'utf8'), /ghp_/);
		if (process.platform !== 'win32') assert.equal((await stat(stored)).mode & 0o777, 0o600);
		assert.equal((await new SessionLibrary(home).list(cwd))[0]?.title, 'Fixing the login');
		const sent = await goOn();
		for (const part of ['I look.', 'const a = 1;', 'toolu_b', 'outcome is unknown', 'It is one.']) {
			assert.ok(sent.includes(part), part);
		}
		assert.doesNotMatch(sent, /side chain|c2ln/);
	});

	test('any part of a transcript of Claude Code, and any lines at all: valid, or none', async () => {
		const lines = foreign.split('\n');
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(lines), async (some) => {
				const imported = readClaudeTranscript(some.join('\n'), 1);
				if (!imported) return;
				const { conversation } = startConversation({ url: mock.url, tools: [], transcript: imported.entries });
				mock.setScript([answer('ok')]);
				const { terminal } = await finish(conversation.submitMessage('go on'));
				assert.equal(terminal.reason, 'completed');
				assert.deepEqual(mock.violations, []);
			}),
			{ numRuns: 100 },
		);
		fc.assert(fc.property(fc.array(fc.json()), (any) => void readClaudeTranscript(any.join('\n'), 1)));
	});

	test('what is no session is refused', async () => {
		const file = path.join(home, 'x');
		for (const text of [
			'',
			'{}',
			'[1]',
			'no json',
			'{"format":"loopwright-session","entries":[{"type":"user","time":1}]}',
		]) {
			await writeFile(file, text);
			assert.equal(await bring(file), false, text);
		}
	});
});
