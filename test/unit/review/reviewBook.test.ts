// The book of what waits for review: edits of the agent, typing, the editor's undo, formatting, other programs, reloads.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ChangedBy } from '../../../src/core/review/reviewedFile.ts';
import { hunkAt, textOf } from '../../../src/core/review/reviewedFile.ts';
import { ReviewBook } from '../../../src/host/review/reviewBook.ts';
import { groupsOf } from '../../../src/host/review/reviewGroups.ts';
import { reviewedWorkspace } from '../../../src/host/review/reviewedWorkspace.ts';
import { hasStoredReview, ReviewStore } from '../../../src/host/review/reviewStore.ts';
import { ReviewTurns } from '../../../src/host/review/reviewTurns.ts';
import { lineEdits } from '../../../src/core/tools/edits.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';

const file = '/w/a.txt';
const turn = { sessionId: 's1', promptId: 'p1', prompt: 'do it' };

suite('review: the book', () => {
	let folder: string;
	let workspace: FakeWorkspace;
	let book: ReviewBook;
	let failures: unknown[];
	let current = turn;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'loopwright-review-'));
		workspace = new FakeWorkspace({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
		failures = [];
		current = turn;
		book = newBook();
	});
	teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

	const store = () => new ReviewStore(folder, (error) => failures.push(error));
	const newBook = () => new ReviewBook({ store: store(), workspace, later: (task) => (task(), () => undefined) });
	const newBookRestored = async () => {
		const other = newBook();
		await other.restore();
		return other;
	};
	const text = () => workspace.text(file) ?? '';
	/** An edit of the agent, as its tools make it. */
	async function agent(now: string, path = file): Promise<void> {
		const agents = reviewedWorkspace(workspace, (change, apply) => book.agentChanges(change, apply, () => current));
		const expected = workspace.text(path);
		const outcome = await agents.change({ path, expected, edits: lineEdits(expected ?? '', now) });
		assert.equal(outcome.kind, 'applied');
	}
	/** A change in an open document, by its first different character. */
	function change(now: string, by: ChangedBy = 'typing', undoing = false): void {
		const old = text();
		const changes = lineEdits(old, now).map(({ start, end, text: put }) => {
			const place = (offset: number) => {
				const before = old.slice(0, offset).split('\n');
				return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
			};
			const [from, to] = [place(start), place(end)];
			return {
				startLine: from.line,
				startCharacter: from.character,
				endLine: to.line,
				endCharacter: to.character,
				text: put,
			};
		});
		workspace.files.set(file, now);
		book.documentChanged({ path: file, changes, by, undoing, lineCount: now.split('\n').length, text: () => now });
	}
	const hunks = () =>
		(book.file(file)?.hunks ?? []).map(({ start, count, original }) => [start, count, original.join('')]);
	const ids = () => (book.file(file)?.hunks ?? []).map(({ id }) => id);

	test('an edit is there at once, with what was before; undoing one hunk leaves the other and the typing', async () => {
		await agent('one\nTWO\nthree\nfour\nFIVE\n');
		assert.deepEqual(hunks(), [
			[1, 1, 'two\n'],
			[4, 1, 'five\n'],
		]);
		change('zero\none\nTWO\nthree\nmine\nfour\nFIVE\n');
		assert.equal((await book.undo(file, ids().slice(0, 1))).kind, 'undone');
		assert.equal(text(), 'zero\none\ntwo\nthree\nmine\nfour\nFIVE\n');
		assert.equal(book.baseline(file), 'zero\none\ntwo\nthree\nmine\nfour\nfive\n');
		assert.equal((await book.undo(file, ids())).kind, 'undone');
		assert.equal(text(), 'zero\none\ntwo\nthree\nmine\nfour\nfive\n');
		assert.equal(book.count, 0);
	});

	test("typing in a hunk makes it the person's; taking the typing back makes it the agent's again", async () => {
		await agent('one\nTWO\nthree\nfour\nfive\n');
		change('one\nTWO!\nthree\nfour\nfive\n');
		assert.deepEqual(hunks(), []);
		assert.deepEqual(await book.undo(file, [1]), { kind: 'gone' });
		change('one\nTWO\nthree\nfour\nfive\n', 'unknown', true);
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
	});

	test("the editor's undo of the agent's edit takes its mark away, redo brings it back", async () => {
		const before = text();
		await agent('one\nTWO\nthree\nfour\nfive\n');
		change(before, 'unknown', true);
		assert.equal(book.count, 0);
		change('one\nTWO\nthree\nfour\nfive\n', 'unknown', true);
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
		await book.keep(file, ids());
		change(before, 'unknown', true);
		assert.equal(book.count, 0, 'what was kept does not come back');
	});

	test('undo of an undone hunk, and of its undo', async () => {
		await agent('one\nTWO\nthree\nfour\nfive\n');
		const after = text();
		await book.undo(file, ids());
		assert.equal(book.count, 0);
		change(after, 'unknown', true);
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
	});

	test('an undo of several is taken back, marks and all, also of a removed file; never over later typing', async () => {
		const before = 'one\nTWO\nthree\nfour\nFIVE\n';
		await agent(before);
		const undone = await book.undo(file, ids());
		assert.ok(undone.kind === 'undone');
		assert.deepEqual([undone.step.count, text(), hunks()], [2, 'one\ntwo\nthree\nfour\nfive\n', []]);
		assert.equal((await book.redo(undone.step)).kind, 'redone');
		assert.deepEqual(hunks(), [
			[1, 1, 'two\n'],
			[4, 1, 'five\n'],
		]);
		assert.equal(text(), before);
		const again = await book.undo(file, ids());
		assert.ok(again.kind === 'undone');
		workspace.files.set(file, 'typed\n');
		assert.equal((await book.redo(again.step)).kind, 'gone');
		assert.equal(text(), 'typed\n');

		await agent('new\n', '/w/new.txt');
		const stored = book.stored('/w/new.txt') ?? assert.fail();
		workspace.files.delete('/w/new.txt');
		book.forget('/w/new.txt');
		assert.equal((await book.redo({ before: stored, text: undefined, count: 1 })).kind, 'redone');
		assert.equal(workspace.text('/w/new.txt'), 'new\n');
		assert.deepEqual(book.file('/w/new.txt')?.created, { touched: false });
		assert.equal((await newBookRestored()).file('/w/new.txt')?.hunks.length, 1);
	});

	test('formatting carries a hunk; saving may change it; a program that rewrites its lines takes it over', async () => {
		await agent('one\nTWO( )\nthree\nfour\nfive\n');
		change('one\n\tTWO()\nthree\nfour\nfive\n', 'unknown');
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
		change('one\n\tTWO();\nthree\nfour\nfive\n', 'saving');
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
		workspace.files.set(file, 'zero\none\n\tTWO();\nthree\nfour\nfive\n');
		await book.sync(file);
		assert.deepEqual(hunks(), [[2, 1, 'two\n']], 'another branch with another first line');
		workspace.files.set(file, 'zero\none\ntwo\nthree\nfour\nfive\n');
		await book.sync(file);
		assert.equal(book.count, 0);
	});

	test('what saving changes belongs to the edit; what the person types meanwhile does not', async () => {
		workspace.format = (some) => some.replace('TWO', 'TWO;');
		await agent('one\nTWO\nthree\nfour\nfive\n');
		assert.equal(book.baseline(file), 'one\ntwo\nthree\nfour\nfive\n');
		workspace.format = (some) => {
			const now = some.replace('four', 'four and mine');
			book.documentChanged({ path: file, changes: [], by: 'typing', undoing: false, lineCount: 6, text: () => now });
			return now;
		};
		await agent('ONE\nTWO;\nthree\nfour\nfive\n');
		assert.equal((await book.undo(file, ids())).kind, 'undone');
		assert.match(text(), /^one\ntwo\nthree\nfour and mine/);
	});

	test('an edit at the cursor, formatted on saving, stays the agent’s', async () => {
		workspace.beforeChange = () => {
			const now = 'one\nTWO\nthree\nfour\nfive\n';
			book.documentChanged({ path: file, changes: [], by: 'typing', undoing: false, lineCount: 6, text: () => now });
		};
		workspace.format = (some) => some.replace('TWO', 'TWO;');
		await agent('one\nTWO\nthree\nfour\nfive\n');
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
	});

	test('a created file is one hunk and knows whether the person wrote into it', async () => {
		await agent('new\n', '/w/new.txt');
		const created = () => book.file('/w/new.txt');
		assert.deepEqual(created()?.created, { touched: false });
		assert.equal(book.baseline('/w/new.txt'), '');
		await agent('new\nmore\n', '/w/new.txt');
		assert.equal(created()?.hunks.length, 1);
		workspace.files.set('/w/new.txt', 'new\nmore\nmine\n');
		await book.sync('/w/new.txt');
		assert.deepEqual(created()?.created, { touched: true });
		workspace.files.delete('/w/new.txt');
		await book.sync('/w/new.txt');
		assert.equal(created(), undefined);
	});

	test('renamed with its folder, deleted', async () => {
		await agent('one\nTWO\nthree\nfour\nfive\n');
		workspace.files.set('/x/a.txt', text());
		workspace.files.delete(file);
		book.renamed('/w', '/x');
		assert.equal(book.file(file), undefined);
		assert.equal((await book.undo('/x/a.txt', [1])).kind, 'undone');
		assert.equal(workspace.text('/x/a.txt'), 'one\ntwo\nthree\nfour\nfive\n');
		await agent('x\n');
		book.forget('/w');
		assert.equal(book.count, 0);
	});

	test('a reload finds everything again, compared with what the file is now; a broken record costs only itself', async () => {
		assert.equal(await hasStoredReview(folder), false);
		await agent('one\nTWO\nthree\nfour\nFIVE\n');
		await agent('new\n', '/w/new.txt');
		assert.equal(await hasStoredReview(folder), true);
		workspace.files.set(file, 'zero\none\nTWO\nthree\nfour\nmine\n');
		await mkdir(folder, { recursive: true });
		await writeFile(path.join(folder, 'broken.json'), '{');
		book = newBook();
		await book.restore();
		assert.deepEqual(hunks(), [[2, 1, 'two\n']]);
		assert.ok(book.file('/w/new.txt')?.created);
		assert.equal(failures.length, 1);
		await book.keep(file, ids());
		await book.keep('/w/new.txt', [1]);
		await rm(path.join(folder, 'broken.json'));
		assert.deepEqual(await readdir(folder), [], 'nothing is left behind');
	});

	test('nothing is marked by an edit that was not applied, nor undone where the text is another', async () => {
		const agents = reviewedWorkspace(workspace, (change, apply) => book.agentChanges(change, apply, () => current));
		const outcome = await agents.change({ path: file, expected: 'another', edits: [] });
		assert.equal(outcome.kind, 'changed');
		assert.equal(book.count, 0);
		await agent('one\nTWO\nthree\nfour\nfive\n');
		workspace.beforeChange = () => {
			workspace.beforeChange = () => undefined;
			workspace.files.set(file, 'quite another\n');
		};
		assert.deepEqual(await book.undo(file, ids()), { kind: 'gone' });
		assert.equal(text(), 'quite another\n');
	});

	test('CRLF, and line ends that the person changes to others', async () => {
		workspace.files.set(file, 'one\r\ntwo\r\nthree\r\n');
		await agent('one\r\nTWO\r\nthree\r\n');
		await book.undo(file, ids());
		assert.equal(text(), 'one\r\ntwo\r\nthree\r\n');
		await agent('one\r\nTWO\r\nthree\r\n');
		workspace.files.set(file, 'one\nTWO\nthree\n');
		await book.sync(file);
		await book.undo(file, ids());
		assert.equal(text(), 'one\ntwo\nthree\n');

		await agent('one\nTWO\nthree\n');
		const all = 'one\r\nTWO\r\nthree\r\n';
		const whole = { startLine: 0, startCharacter: 0, endLine: 3, endCharacter: 0, text: all };
		workspace.files.set(file, all);
		book.documentChanged({
			path: file,
			changes: [whole],
			by: 'unknown',
			undoing: false,
			lineCount: 4,
			text: () => all,
		});
		await book.undo(file, ids());
		assert.equal(text(), 'one\r\ntwo\r\nthree\r\n', 'told as a change of the whole text');
	});

	test('another branch takes the marks away, the way back brings them; never what was kept', async () => {
		const before = text();
		const after = 'one\nTWO\nthree\nfour\nfive\n';
		await agent(after);
		const outside = async (now: string) => {
			workspace.files.set(file, now);
			await book.sync(file);
		};
		await outside(before);
		assert.deepEqual(hunks(), []);
		assert.deepEqual(
			book.watched.map(({ path: watched }) => watched),
			[file],
		);
		book.closed(file);
		await outside(after);
		assert.deepEqual(hunks(), [[1, 1, 'two\n']]);
		// Written soon, and nobody waits for it.
		while ((await newBookRestored()).file(file)?.hunks.length !== 1) await setImmediate();
		await book.keep(file, ids());
		await outside(before);
		await outside(after);
		assert.deepEqual(hunks(), []);
	});

	test('the list: prompts of this conversation, then earlier conversations', async () => {
		await agent('ONE\ntwo\nthree\nfour\nfive\n');
		current = { sessionId: 's2', promptId: 'p2', prompt: 'and more' };
		await agent('ONE\ntwo\nTHREE\nfour\nfive\n');
		await agent('new\n', '/w/new.txt');
		current = { sessionId: 's2', promptId: 'p3', prompt: 'and yet more' };
		await agent('ONE\ntwo\nTHREE\nfour\nFIVE\n');
		const groups = groupsOf(book.files, 's2').map(({ id, earlier, files }) => [
			id,
			earlier,
			files.map(({ path: name, hunks: some }) => `${path.posix.basename(name)} ${some.length}`),
		]);
		assert.deepEqual(groups, [
			['prompt:p2', false, ['a.txt 1', 'new.txt 1']],
			['prompt:p3', false, ['a.txt 1']],
			['session:s1', true, ['a.txt 1']],
		]);
	});

	test('an edit belongs to the prompt that was taken last, in its own conversation', () => {
		let session = 's1';
		const turns = new ReviewTurns(() => session);
		assert.deepEqual(turns.current(), { sessionId: 's1', promptId: 's1', prompt: '' });
		const content = [{ type: 'text' as const, text: `  do\n${'it '.repeat(50)}` }];
		turns.accept({ type: 'prompt_taken', message: { role: 'user', id: 'm1', origin: 'prompt', content, time: 0 } });
		assert.equal(turns.current().promptId, 'm1');
		assert.match(turns.current().prompt, /^do it it .*…$/);
		session = 's2';
		assert.equal(turns.current().promptId, 's2');
	});

	test('the hunk at a line: one that has it, a deletion beside it, the empty line after the last', async () => {
		await agent('one\nTWO\nthree\nFIVE\n');
		const at = (line: number) => {
			const state = book.file(file);
			return state && hunkAt(state, line)?.id;
		};
		assert.deepEqual([0, 1, 2, 3, 4].map(at), [undefined, 1, undefined, 2, 2]);
		workspace.files.set(file, 'one\ntwo\nthree\nfour\nfive\n');
		await book.sync(file);
		await agent('one\ntwo\nfour\nfive\n');
		assert.deepEqual(
			[0, 1, 2, 3].map((line) => at(line) !== undefined),
			[false, true, true, false],
		);
	});

	test('the state is the text of the file, whoever changes it', async () => {
		await agent('one\nTWO\nthree\nfour\nfive\n');
		change('one\nTWO\nthree\nfo\nur\nfive\n');
		const state = book.file(file);
		assert.equal(state && textOf(state), text());
	});
});
