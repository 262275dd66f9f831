// The transcripts of a session's subagents: beside it, as safe as it, wherever it goes, and never a session of their own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import type { Entry, StoredEntry } from '../../../src/core/messages/journal.ts';
import { FreezableJournal } from '../../../src/host/session/freezableJournal.ts';
import { exportedSession } from '../../../src/node/sessions/exportedSession.ts';
import type { JournalFs, StorageTrouble } from '../../../src/node/sessions/fileJournal.ts';
import { projectFolder, sessionFolder } from '../../../src/node/sessions/paths.ts';
import { SessionFiles } from '../../../src/node/sessions/sessionFiles.ts';
import { importSession } from '../../../src/node/sessions/sessionImport.ts';
import { SessionLibrary } from '../../../src/node/sessions/sessionLibrary.ts';
import { searchSessions, type SessionHit } from '../../../src/node/sessions/sessionSearch.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { parseTranscript } from '../../../src/node/sessions/transcriptFile.ts';

const cwd = '/home/ada/project';
const day = 24 * 60 * 60_000;
const first = (sessionId: string): Entry => ({ type: 'session', version: 1, sessionId, cwd, app: '0' });
const prompt = (text: string): Entry => ({
	type: 'user',
	message: { role: 'user', id: `u-${text.slice(0, 3)}`, origin: 'prompt', content: [{ type: 'text', text }], time: 1 },
});
const calls = (id: string): Entry => ({ type: 'tool_start', toolUseId: id, name: 'Agent', input: {} });
const agentDone = (id: string, agentId: string): Entry => ({
	type: 'tool_result',
	toolUseId: id,
	result: { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'done' }] },
	state: 'done',
	view: { kind: 'agent', log: [], omitted: 0, answer: 'done', toolUses: 1, tokens: 1, agentId },
});
const words = (entries: readonly StoredEntry[]) =>
	entries.map((entry) => {
		if (entry.type !== 'user') return entry.type;
		const [block] = entry.message.content;
		return block?.type === 'text' ? block.text : '';
	});

suite('transcripts of subagents', function () {
	this.timeout(30_000);
	let home: string;
	let store: SessionStore;
	let library: SessionLibrary;
	let now = Date.now();
	setup(async () => {
		home = await mkdtemp(path.join(tmpdir(), 'lw-agents-'));
		now = Date.now();
		store = new SessionStore(home, { now: () => now });
		library = new SessionLibrary(home, () => now);
	});
	teardown(() => rm(home, { recursive: true, force: true }));

	const folder = (id: string, of = cwd) => path.join(sessionFolder(of, id, home), 'subagents');
	const linesOf = async (file: string) => words(parseTranscript(await readFile(file, 'utf8')).entries);
	/** A session with two subagents, each of which said a word of its own. */
	async function write(id: string): Promise<string> {
		const { journal, path: file } = await store.create({ cwd, sessionId: id });
		for (const entry of [first(id), prompt('one'), calls('t1')]) await journal.append(entry);
		for (const name of ['a1', 'a2']) {
			const agent = journal.agentJournal(name);
			await agent.append(prompt(`${name} of ${id}`));
			agent.close();
		}
		for (const entry of [agentDone('t1', 'a1'), prompt('two'), agentDone('t2', 'a2')]) await journal.append(entry);
		await journal.close();
		return file;
	}

	test('lie beside their session, for their owner only, with secrets masked; gone on with where they are', async function () {
		const secretive = new SessionStore(home, { secrets: () => ['my-own-key'] });
		const { journal } = await secretive.create({ cwd, sessionId: 's' });
		await journal.append(first('s'));
		assert.equal(existsSync(folder('s')), false, 'made with the first entry');
		const agent = journal.agentJournal('agent-1');
		await agent.append(prompt('with my-own-key and ghp_0123456789abcdefghij0123'));
		agent.close();
		const again = journal.agentJournal('agent-1');
		await again.append(prompt('and on'));
		await journal.agentJournal('../../out').append(prompt('stays inside'));
		await journal.close();
		const file = path.join(folder('s'), 'agent-1.jsonl');
		const text = await readFile(file, 'utf8');
		assert.doesNotMatch(text, /my-own-key|ghp_0123/);
		assert.equal((await linesOf(file)).length, 2);
		assert.deepEqual((await readdir(folder('s'))).length, 2);
		if (process.platform === 'win32') return;
		assert.equal((await stat(file)).mode & 0o777, 0o600);
		assert.equal((await stat(folder('s'))).mode & 0o777, 0o700);
	});

	test('are no sessions, but what was said in them is found as their session’s', async () => {
		await write('s');
		assert.deepEqual(
			(await library.list(cwd)).map(({ id }) => id),
			['s'],
		);
		assert.equal(await store.latest(cwd), 's');
		assert.equal(await store.find('a1'), undefined);
		const hits: SessionHit[] = [];
		const sessions = await library.transcripts(cwd);
		const { signal } = new AbortController();
		for await (const hit of searchSessions({ sessions, text: 'A2 of', signal })) hits.push(hit);
		assert.deepEqual(
			hits.map(({ sessionId, agentId }) => [sessionId, agentId]),
			[['s', 'a2']],
		);
		const both: SessionHit[] = [];
		for await (const hit of searchSessions({ sessions, text: 'of s', signal, mostOfOne: 1 })) both.push(hit);
		assert.equal(both.length, 1, 'one hit of a session is one, wherever it is');
	});

	test('go with their session into the trash, come back with it, and go for good', async () => {
		await write('s');
		await library.remove(cwd, 's');
		assert.equal(existsSync(folder('s')), false);
		await library.restore(cwd, 's');
		assert.deepEqual(await linesOf(path.join(folder('s'), 'a1.jsonl')), ['a1 of s']);
		const file = path.join(projectFolder(home, cwd), 's.jsonl');
		await utimes(file, new Date(now - 31 * day), new Date(now - 31 * day));
		assert.deepEqual(await library.cleanUp(30), ['s']);
		assert.equal(existsSync(folder('s')), false);
		await library.restore(cwd, 's');
		assert.equal((await readdir(folder('s'))).length, 2);
		assert.deepEqual(await library.deleteWorkspace(cwd), []);
		assert.equal(existsSync(projectFolder(home, cwd)), false);
	});

	test('go with their session to another folder', async () => {
		await write('s');
		await library.adopt(cwd, '/home/ada/main');
		assert.deepEqual(await linesOf(path.join(folder('s', '/home/ada/main'), 'a2.jsonl')), ['a2 of s']);
	});

	test('a copy has them all, a fork those of what it keeps', async () => {
		await write('s');
		await store.copy(cwd, 's', 'copy');
		assert.deepEqual(await readdir(folder('copy')), ['a1.jsonl', 'a2.jsonl']);
		assert.equal(await store.fork({ cwd, from: 's', to: 'fork', before: 'u-two' }), true);
		assert.deepEqual(await readdir(folder('fork')), ['a1.jsonl']);
		assert.equal(await store.fork({ cwd, from: 's', to: 'empty', before: 'u-one' }), true);
		assert.equal(existsSync(folder('empty')), false);
		await appendFile(path.join(folder('s'), 'a1.jsonl'), 'x');
		assert.deepEqual(await linesOf(path.join(folder('copy'), 'a1.jsonl')), ['a1 of s'], 'a file of its own');
	});

	test('exported as JSON and imported again', async () => {
		await write('s');
		const file = path.join(home, 'export.json');
		await writeFile(file, (await exportedSession({ store, library }, 's', 5)) ?? assert.fail('it is not there'));
		const order = { file, home, cwd: '/other', sessionId: 'new', app: '0', now: 7 };
		assert.equal(await importSession(order), true);
		const agents = await store.readAgents('/other', 'new');
		assert.deepEqual(agents, await store.readAgents(cwd, 's'));
		assert.deepEqual(
			agents.map(({ id, entries }) => [id, ...words(entries)]),
			[
				['a1', 'a1 of s'],
				['a2', 'a2 of s'],
			],
		);
	});

	test('with the window that goes nothing more is written, by nobody', async () => {
		const { journal } = await store.create({ cwd, sessionId: 's' });
		const frozen = new FreezableJournal(journal);
		await frozen.append(first('s'));
		const agent = frozen.guard(journal.agentJournal('a'));
		await agent.append(prompt('before'));
		frozen.freeze();
		let resolved = false;
		void agent.append(prompt('after')).then(() => (resolved = true));
		agent.close();
		await journal.close();
		await assert.rejects(journal.agentJournal('b').append(prompt('late')), /closed/);
		assert.equal(resolved, false);
		assert.deepEqual(await linesOf(path.join(folder('s'), 'a.jsonl')), ['before']);
		assert.deepEqual(await readdir(folder('s')), ['a.jsonl']);
	});

	test('of a session that is open elsewhere nothing is written', async () => {
		await write('s');
		const [here, there] = [await store.open(cwd, 's'), await store.open(cwd, 's')];
		await assert.rejects(there?.journal.agentJournal('a3').append(prompt('x')) ?? assert.fail(), /open elsewhere/);
		await here?.journal.close();
		assert.deepEqual(await readdir(folder('s')), ['a1.jsonl', 'a2.jsonl']);
	});

	test('a torn line costs that line only, and times never go back', async () => {
		await write('s');
		const file = path.join(folder('s'), 'a1.jsonl');
		await truncate(file, (await stat(file)).size - 9);
		now = 5;
		const opened = await store.open(cwd, 's');
		await opened?.journal.agentJournal('a1').append(prompt('on'));
		await opened?.journal.close();
		const { entries, damaged } = parseTranscript(await readFile(file, 'utf8'));
		assert.deepEqual([words(entries), damaged], [['on'], 1]);
		assert.ok((entries[0]?.time ?? 0) > 5);
	});

	test('what a killed subagent left beside a file that it was about to write is taken away', async () => {
		const workspace = path.join(home, 'work');
		await mkdir(workspace);
		const left = path.join(workspace, '.a.ts.01234567-89ab-cdef-0123-456789abcdef.tmp');
		await writeFile(left, 'half');
		const { journal } = await store.create({ cwd: workspace, sessionId: 's' });
		await journal.append({ type: 'session', version: 1, sessionId: 's', cwd: workspace, app: '0' });
		await journal.append(calls('t1'));
		const agent = journal.agentJournal('a');
		await agent.append({ type: 'tool_start', toolUseId: 'w', name: 'Write', input: { file_path: 'a.ts' } });
		await journal.close();
		const opened = await store.open(workspace, 's');
		await opened?.journal.close();
		assert.equal(existsSync(left), false);
	});

	test('a process that is killed at any moment: whole lines, but for the last of each file', async () => {
		const script = path.join(home, 'writer.cjs');
		const from = path.resolve('src/node/sessions/sessionStore.ts');
		const stdin = { contents: writerOf(from, home), resolveDir: path.dirname(from), loader: 'ts' } as const;
		buildSync({ stdin, outfile: script, bundle: true, platform: 'node' });
		const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
		await once(child.stdout, 'data');
		child.kill('SIGKILL');
		await once(child, 'exit');
		for (const { id, entries } of await store.readAgents(cwd, 's')) {
			const { damaged } = parseTranscript(await readFile(path.join(folder('s'), `${id}.jsonl`), 'utf8'));
			assert.ok(damaged <= 1, `${id}: ${damaged}`);
			const reasons = entries.map((entry) => (entry.type === 'exchange_end' ? Number(entry.reason) : -1));
			assert.deepEqual(
				reasons,
				reasons.map((_, index) => index),
			);
			assert.ok(reasons.length > 20);
		}
		const opened = await store.open(cwd, 's');
		assert.equal(opened?.openElsewhere, false);
		await opened?.journal.close();
	});

	suite('on a disk that fails', () => {
		function session() {
			const disk = new Disk();
			const told: string[] = [];
			const files = new SessionFiles({
				file: '/s.jsonl',
				folder: '/s',
				now: () => 1,
				fs: disk,
				trouble: (kind: StorageTrouble) => told.push(kind),
				recovered: () => told.push('stored'),
			});
			return { disk, told, files };
		}
		const end = (reason: string): Entry => ({ type: 'exchange_end', reason });

		test('it is said once for all of them, and once that all is stored, whoever finds it out', async () => {
			const { disk, told, files } = session();
			const [a, b] = [files.agentJournal('a'), files.agentJournal('b')];
			await files.append(end('1'));
			disk.full = true;
			await a.append(end('a1'));
			await b.append(end('b1'));
			await files.append(end('2'));
			a.close();
			assert.deepEqual(told, ['full']);
			disk.full = false;
			await files.append(end('3'));
			assert.deepEqual(told, ['full', 'stored']);
			assert.deepEqual(disk.reasons(), {
				'/s.jsonl': '1 2 3',
				'/s/subagents/a.jsonl': 'a1',
				'/s/subagents/b.jsonl': 'b1',
			});
			await files.close();
			assert.equal(disk.opened.size, 0);
		});

		test('what waits of a subagent that has ended is written when the session is closed', async () => {
			const { disk, files } = session();
			const agent = files.agentJournal('a');
			disk.full = true;
			await agent.append(end('a1'));
			agent.close();
			disk.full = false;
			await files.close();
			assert.deepEqual(disk.reasons(), { '/s/subagents/a.jsonl': 'a1' });
		});

		test('of a thousand that have ended none is held open', async () => {
			const { disk, files } = session();
			for (let n = 0; n < 1000; n++) {
				const agent = files.agentJournal(`a${n}`);
				await agent.append(end('x'));
				agent.close();
			}
			await Promise.resolve();
			assert.ok(disk.opened.size <= 1, String(disk.opened.size));
			await files.close();
		});
	});
});

/** A process whose four subagents write without end. */
function writerOf(module: string, home: string): string {
	return `import { SessionStore } from ${JSON.stringify(module)};
const store = new SessionStore(${JSON.stringify(home)});
void (async () => {
	const { journal } = await store.create({ cwd: ${JSON.stringify(cwd)}, sessionId: 's' });
	await journal.append(${JSON.stringify(first('s'))});
	const agents = [0, 1, 2, 3].map((n) => journal.agentJournal('a' + n));
	for (let n = 0; ; n++) {
		await Promise.all(agents.map((agent) => agent.append({ type: 'exchange_end', reason: String(n) })));
		if (n === 20) console.log('on');
		if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
	}
})();`;
}

/** In memory. */
class Disk implements JournalFs {
	readonly files = new Map<string, string>();
	readonly names: string[] = [];
	readonly opened = new Set<number>();
	full = false;

	open(file: string): number {
		this.check();
		this.opened.add(this.names.push(file) - 1);
		return this.names.length - 1;
	}
	write(descriptor: number, bytes: Buffer): number {
		this.check();
		const file = this.names[descriptor] ?? '';
		this.files.set(file, (this.files.get(file) ?? '') + bytes.toString('utf8'));
		return bytes.length;
	}
	writeLater(descriptor: number, bytes: Buffer): Promise<number> {
		return Promise.resolve(this.write(descriptor, bytes));
	}
	close(descriptor: number): void {
		this.opened.delete(descriptor);
	}
	reasons(): Readonly<Record<string, string>> {
		const texts = [...this.files].map(([file, text]) => {
			const reasons = parseTranscript(text).entries.map((entry) => (entry.type === 'exchange_end' ? entry.reason : ''));
			return [file.replaceAll('\\', '/'), reasons.join(' ')] as const;
		});
		return Object.fromEntries(texts);
	}
	private check(): void {
		if (this.full) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
	}
}
