// Large results as files: where they lie, who may read them, and that no id leads out of the folder.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judge } from '../../../src/core/permissions/engine.ts';
import { rulesFrom } from '../../../src/core/permissions/rule.ts';
import { FileResultStore } from '../../../src/node/sessions/fileResultStore.ts';

suite('file result store', () => {
	let home: string;
	setup(async () => {
		home = await mkdtemp(path.join(tmpdir(), 'loopwright-results-'));
	});
	teardown(() => rm(home, { recursive: true, force: true }));

	test('a result lies beside its transcript, for its owner alone, and can be stored again', async () => {
		const store = new FileResultStore({ cwd: '/w', sessionId: 's-1', home });
		const file = await store.store('toolu_1', 'first\n\u{1F600}');
		assert.equal(file, path.join(home, 'projects', '-w', 's-1', 'results', 'toolu_1.txt'));
		assert.equal(await readFile(file, 'utf8'), 'first\n\u{1F600}');
		assert.equal(await store.store('toolu_1', 'again'), file);
		assert.equal(await readFile(file, 'utf8'), 'again');
		if (process.platform === 'win32') return;
		assert.equal((await stat(file)).mode & 0o777, 0o600);
		assert.equal((await stat(store.folder)).mode & 0o777, 0o700);
	});

	test('tokens and the key in use are masked: the file lies there longer than the conversation', async () => {
		let keys = ['an-earlier-key'];
		const store = new FileResultStore({ cwd: '/w', sessionId: 's', home, secrets: () => keys });
		keys = ['a-gateway-key'];
		const file = await store.store('t', 'a = ghp_0123456789abcdefghij0123\nb = 2\nc = a-gateway-key');
		assert.equal(await readFile(file, 'utf8'), 'a = [secret masked]\nb = 2\nc = [secret masked]');
	});

	test('strange ids stay in the folder, and apart', async () => {
		const store = new FileResultStore({ cwd: '/w', sessionId: 's', home });
		const ids = ['../../etc/passwd', '.._.._etc_passwd', '', '.', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(5_000), '功能'];
		const files = await Promise.all(ids.map((id) => store.store(id, id)));
		assert.equal(new Set(files).size, ids.length);
		for (const file of files) assert.equal(path.dirname(file), store.folder);
	});

	test('the model may read and search what was stored, and nothing beside it', async () => {
		const store = new FileResultStore({ cwd: '/w', sessionId: 's', home });
		const file = await store.store('toolu_1', 'x');
		const verdict = async (tool: string, target: string) => {
			const need = { access: { kind: 'read', path: target }, detail: { kind: 'path', path: target } } as const;
			const rules = { allow: rulesFrom({ source: 'session' }, store.allowRules), ask: [], deny: [] };
			const call = { tool, need, mode: 'default', interactive: true, rules, roots: ['/w'] } as const;
			return (await judge({ ...call, realPath: (given) => Promise.resolve(given) })).verdict;
		};
		for (const tool of ['Read', 'Grep']) {
			assert.equal(await verdict(tool, file), 'allow', tool);
			assert.equal(await verdict(tool, path.join(store.folder, '..', '..', 's.jsonl')), 'ask', tool);
		}
	});

	test('a session id that is no file name is refused', () => {
		assert.throws(() => new FileResultStore({ cwd: '/w', sessionId: '../x', home }));
	});
});
