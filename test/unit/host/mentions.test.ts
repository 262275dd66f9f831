// What `@` finds, and what a prompt brings to the agent: bounded, current, and never a file with secrets.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MediaStore, pictureOf } from '../../../src/host/attachments/mediaStore.ts';
import { PromptHistory } from '../../../src/host/attachments/promptHistory.ts';
import { droppedText, placeOf } from '../../../src/host/mentions/droppedUris.ts';
import { FileIndex } from '../../../src/host/mentions/fileIndex.ts';
import { fuzzyQuery } from '../../../src/host/mentions/fuzzy.ts';
import { diffWithout } from '../../../src/host/mentions/gitDiff.ts';
import { searchMentions, type SearchParts } from '../../../src/host/mentions/mentionSearch.ts';
import { mentionBounds, promptReader, type PromptPartsDeps } from '../../../src/host/mentions/promptParts.ts';
import { SharedOnce } from '../../../src/host/mentions/sharedOnce.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { slashAction } from '../../../src/shared/slashCommands.ts';

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const order = { limit: 10, bonus: () => 0, isNewest: () => true };

suite('mentions in the host', () => {
	let folder: string;
	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'mentions-'));
	});
	teardown(() => rm(folder, { recursive: true, force: true }));

	test('the best file of 50,000 comes first, folders are found, and old lists are renewed behind the answer', async () => {
		let now = 0;
		let listed = 0;
		const files = Array.from({ length: 50_000 }, (_, at) => `packages/p${at % 500}/src/module${at}/index${at}.ts`);
		const list = () => Promise.resolve(listed++ === 0 ? [...files, 'src/auth/login.ts'] : ['new.ts']);
		const index = new FileIndex(list, () => now);
		const names = async (query: string) =>
			(await index.search(fuzzyQuery(query), order))?.map(({ path: { name } }) => name.text) ?? [];
		assert.equal((await names('login'))[0], 'src/auth/login.ts');
		assert.equal((await names('srcauthlog'))[0], 'src/auth/login.ts');
		assert.equal((await names('auth/'))[0], 'src/auth/');
		assert.equal((await names('index4242'))[0], 'packages/p242/src/module4242/index4242.ts');
		const started = process.cpuUsage();
		for (const query of ['i', 'in', 'ind', 'inde', 'index', 'index1', 'zzz']) await names(query);
		const { user } = process.cpuUsage(started);
		assert.ok(user < 7 * 400_000, `seven searches took ${user / 1000} ms`);
		now = 60_000;
		assert.equal((await names('login'))[0], 'src/auth/login.ts');
		assert.deepEqual(await names('new'), ['new.ts']);
		assert.equal(await index.search('a', { ...order, isNewest: () => false }), undefined);
	});

	test('what is typed is ranked; a secret file is not offered, neither as a symbol nor with its problems', async () => {
		const index = new FileIndex(
			() => Promise.resolve(['a/login.ts', 'a/my login.ts', '.env', 'env.md']),
			() => 0,
		);
		const parts: SearchParts = {
			index,
			sources: {
				openFiles: () => ['/w/a/my login.ts'],
				symbols: () =>
					Promise.resolve([
						{ name: 'login', container: '', file: '/w/a/login.ts', first: 3, last: 9 },
						{ name: 'loginKey', container: '', file: '/w/.env', first: 1, last: 1 },
					]),
				problemFiles: () => [
					{ file: '/w/.env', errors: 1, warnings: 0 },
					{ file: '/w/a/login.ts', errors: 2, warnings: 0 },
				],
				terminals: () => ['bash'],
				sessions: () => Promise.resolve([]),
			},
			root: () => '/w',
			isSecret: () => Promise.resolve((file: string) => file.endsWith('.env')),
			words: {
				problems: 'Problems',
				terminal: 'Terminal',
				changes: 'Changes',
				sessions: 'Sessions',
				lastCommand: 'last',
				counts: (errors) => String(errors),
			},
		};
		const found = async (typed: string) => {
			let inserts: readonly string[] = [];
			for await (const { items } of searchMentions(typed, parts, () => true)) {
				inserts = items.map(({ insert }) => insert);
			}
			return inserts;
		};
		const login = await found('login');
		assert.deepEqual(login.slice(0, 3).toSorted(), ['@"a/my login.ts"', '@a/login.ts', '@a/login.ts:3-9']);
		assert.deepEqual(await found('env'), ['@env.md']);
		assert.deepEqual(await found('login.ts:10-20'), ['@a/login.ts:10-20', '@"a/my login.ts":10-20']);
		assert.deepEqual(await found('problems:'), ['@problems:a/login.ts']);
		assert.deepEqual(await found('terminal:'), ['@terminal:bash']);
		assert.deepEqual((await found('')).slice(0, 4), ['@problems', '@terminal', '@changes', '@session:']);
	});

	const texts = {
		problems: () => Promise.resolve(undefined),
		terminal: () => Promise.resolve('ls'),
		changes: () => Promise.resolve('diff'),
		session: () => Promise.resolve(undefined),
	};
	const deps = (files: Readonly<Record<string, string>>, more: Partial<PromptPartsDeps> = {}): PromptPartsDeps => ({
		workspace: {
			read: (file) => {
				const text = files[file];
				if (file === '/w/src') return Promise.resolve({ kind: 'folder' });
				return Promise.resolve(text === undefined ? { kind: 'missing' } : { kind: 'text', text, unsaved: true });
			},
			list: () => Promise.resolve(['a.ts', 'b.ts']),
			realPath: (file) => Promise.resolve(file),
		},
		root: () => '/w',
		media: () => Promise.resolve(undefined),
		picture: () => Promise.resolve(undefined),
		isWithheld: (file) => Promise.resolve(file.endsWith('.env')),
		texts,
		...more,
	});
	const notes = async (text: string, files: Readonly<Record<string, string>>) =>
		(await promptReader(deps(files))({ id: 'p', text })).notes;

	test('files, ranges and folders as they are now; decorators and addresses bring nothing', async () => {
		const files = { '/w/a.ts': 'one\r\ntwo\r\nthree\r\n', '/w/my file.ts': 'x' };
		const [whole] = await notes('see @a.ts, please', files);
		assert.match(
			whole ?? '',
			/^a\.ts \(mentioned by the person, with text that is not saved\)[^]*1\tone\n2\ttwo\n3\tthree\n```$/,
		);
		const [part, other] = await notes('@a.ts:2-9 and @"my file.ts"', files);
		assert.match(part ?? '', /^a\.ts, lines 2 to 3 of 3[^]*\n2\ttwo\n3\tthree\n```$/);
		assert.match(other ?? '', /^my file\.ts /);
		for (const written of ['@a.ts#2-9', '@a.ts#L2-9', '@a.ts#L2-L9', '@"a.ts"#2-9']) {
			assert.deepEqual(await notes(written, files), [part], written);
		}
		assert.match((await notes('@src', files))[0] ?? '', /^The folder src .* 2 entries:\na\.ts\nb\.ts$/);
		assert.deepEqual(await notes('@Override me@a.ts @types/node', files), []);
		assert.deepEqual(await notes('@"gone.ts"', files), ['There is no file gone.ts.']);
		assert.deepEqual(await notes('@a.ts:99', files), ['a.ts (mentioned by the person) has only 3 lines.']);
		assert.equal((await notes('@a.ts @a.ts', files)).length, 1);
		assert.deepEqual(await notes('@terminal @changes @problems', files), [
			'ls',
			'diff',
			'The editor reports no problems there.',
		]);
	});

	test('a secret file is named, never shown, unless the person said so, for once', async () => {
		const files = { '/w/.env': 'TOKEN=hush' };
		const [note] = await notes('@.env', files);
		assert.ok(note?.includes('kept from you') && !note.includes('hush'));
		const once = new SharedOnce();
		once.allow('/w/.env');
		const read = promptReader(deps(files, { isWithheld: (file) => Promise.resolve(!once.use(file)) }));
		assert.ok((await read({ id: 'p', text: '@.env' })).notes[0]?.includes('hush'));
		assert.ok(!(await read({ id: 'p', text: '@.env' })).notes[0]?.includes('hush'));
		const selection = { kind: 'selection', path: '/w/.env', firstLine: 1, lastLine: 1 } as const;
		assert.ok(!(await read({ id: 'p', text: 'x', attachments: [selection] })).notes[0]?.includes('hush'));
	});

	test('all of it is bounded, and what is left out is said', async () => {
		const files = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`/w/f${at}.ts`, 'a line\n'.repeat(50_000)]));
		const found = await notes(
			Object.keys(files)
				.map((file) => `@${file.slice(3)}`)
				.join(' '),
			files,
		);
		const characters = found.reduce((sum, note) => sum + note.length, 0);
		assert.ok(characters < mentionBounds.all + mentionBounds.each + 5_000, String(characters));
		assert.match(found[0] ?? '', /are left out; use Read for them/);
		assert.match(found.at(-1) ?? '', /is left out: what this message mentions is too long/);
	});

	test('what was dragged: files, remote files, places; anything else is nothing', () => {
		const remote = 'vscode-remote://ssh-remote%2Bhost/w/my%20file.ts#L3';
		assert.equal(
			droppedText(['file:///w/a.ts', remote, 'https://e.com/a', 'file:///w/a.ts'], '/w', false),
			'@a.ts @"my file.ts":3 ',
		);
		assert.deepEqual(placeOf('file:///c%3A/p/a.ts#10,5', true), {
			file: 'c:\\p\\a.ts',
			range: { first: 10, last: 10 },
		});
		assert.deepEqual(placeOf('file:///w/a.ts#10,5-12,8', false), { file: '/w/a.ts', range: { first: 10, last: 12 } });
		assert.deepEqual(placeOf('file://server/share/a.ts', true), { file: '\\\\server\\share\\a.ts' });
		for (const bad of ['', 'nothing', 'command:x', 'file:///%E0%A4%A', 'file:///a%00b', 'data:text/plain,x'])
			assert.equal(placeOf(bad, false), undefined);
	});

	test('of a diff the files that are kept back are taken out', () => {
		const part = (name: string) =>
			`diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+hush ${name}\n`;
		const odd =
			'diff --git "a/\\303\\251.env" "b/\\303\\251.env"\n--- "a/\\303\\251.env"\n+++ "b/\\303\\251.env"\n@@ -0,0 +1 @@\n+hush\n';
		const binary = 'diff --git a/k.env b/k.env\nindex 1..2 100644\nBinary files differ\n';
		const kept = diffWithout(part('a.ts') + part('dir/.env') + odd + binary, (file) => !file.endsWith('.env'));
		assert.equal(
			kept,
			`${part('a.ts')}[dir/.env may hold secrets and is left out]\n[é.env may hold secrets and is left out]\n[k.env may hold secrets and is left out]\n`,
		);
	});

	test('pictures of drafts are kept, and only what is one', async () => {
		const store = new MediaStore(path.join(folder, 'media'));
		const image = { kind: 'image', id: '1', name: 'a.png', mediaType: 'image/png', width: 1, height: 1 } as const;
		const pdf = { kind: 'pdf', id: '2', name: 'a.pdf', pages: 2 } as const;
		assert.equal(await store.add(image, dot), true);
		assert.deepEqual(await store.block(image), {
			type: 'image',
			source: { type: 'base64', media_type: 'image/png', data: dot },
		});
		assert.equal(await store.add(pdf, dot), false);
		assert.equal(await store.add(pdf, Buffer.from('%PDF-1.4 x').toString('base64')), true);
		assert.equal((await store.block(pdf))?.type, 'document');
		assert.equal(await store.add({ ...pdf, pages: 500 }, Buffer.from('%PDF-1.4 x').toString('base64')), false);
		assert.equal(await store.add({ ...image, id: '3' }, Buffer.from('not a picture').toString('base64')), false);
		assert.equal(await store.block({ ...image, id: '3' }), undefined);
		const file = path.join(folder, 'a.png');
		await writeFile(file, Buffer.from(dot, 'base64'));
		const disk = new NodeWorkspace({ roots: [folder] });
		assert.equal((await pictureOf(file, disk))?.source.data, dot);
		assert.equal(await pictureOf(path.join(folder, 'none.png'), disk), undefined);
	});

	test('the history: the newest first, each once, over windows, without keys', async () => {
		const failed = (error: unknown) => assert.fail(String(error));
		const history = new PromptHistory(folder, failed);
		for (const prompt of ['one', 'two', 'one', '  ', `key sk-ant-api03-${'a'.repeat(95)}`]) await history.add(prompt);
		const [newest, ...others] = await new PromptHistory(folder, failed).list();
		assert.deepEqual(others, ['one', 'two']);
		assert.ok(newest?.startsWith('key ') && !newest.includes('aaaa'));
		await writeFile(path.join(folder, 'prompts.json'), '{broken');
		assert.deepEqual(await new PromptHistory(folder, failed).list(), []);
		assert.ok((await readFile(path.join(folder, 'prompts.json'), 'utf8')).length > 0);
	});

	test('commands are whole prompts only', () => {
		assert.equal(slashAction(' /new '), 'newConversation');
		assert.equal(slashAction('/new thing'), undefined);
		assert.equal(slashAction('/usr/bin'), undefined);
		assert.equal(slashAction('/compact'), undefined);
	});
});
