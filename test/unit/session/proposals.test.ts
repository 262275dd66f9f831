// Proposed edits in a conversation: the answer's hunks, asking again where the file changed in the same place, a denial that is one.
import assert from 'node:assert/strict';
import type { PermissionAnswer } from '../../../src/shared/permission.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import type { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import { answer, toolUse, turn } from '../../support/mockServer.ts';
import { change, type Proposing, read, text, useProposing, wanted, write } from './proposalSupport.ts';

suite('proposed edits in a conversation', () => {
	const proposing = useProposing();
	const run = (...given: Parameters<Proposing['run']>) => proposing().run(...given);
	const result = (index: number, at = 0) => proposing().result(index, at);
	let server: MockServer;
	let workspace: FakeWorkspace;
	setup(() => {
		({ server, workspace } = proposing());
	});

	test('the request has the texts, and only the accepted hunk is written', async () => {
		const asked = await run([read, turn(write()), answer('ok')], () => ({
			behavior: 'allow',
			edit: { hunks: [{ kind: 'accepted' }, { kind: 'denied', reason: 'leave it' }] },
		}));
		assert.equal(asked[0]?.proposed?.newText, wanted);
		assert.equal(workspace.text('a.txt'), text.replace('one', 'ONE'));
		assert.match(result(2), /denied\. They said: leave it/);
	});

	test('every hunk denied is a denial with the reasons; nothing is written', async () => {
		await run([read, turn(write()), answer('ok')], () => ({
			behavior: 'allow',
			edit: { hunks: [{ kind: 'denied', reason: 'no' }, { kind: 'denied' }] },
		}));
		assert.equal(workspace.text('a.txt'), text);
		assert.equal(workspace.changes.length, 0);
		assert.match(result(2), /declined this call and said: Line 1: no/);
	});

	test('typing in the same lines while it is asked: it is asked again, on the text as it is now', async () => {
		const asked = await run([read, turn(change('one', 'ONE')), answer('ok')], (_asked, index) => {
			if (index === 1) return { behavior: 'allow' };
			workspace.files.set('/w/a.txt', text.replace('one', 'one and more'));
			return { behavior: 'allow', edit: { hunks: [], text: text.replace('one', 'uno') } };
		});
		assert.equal(asked.length, 2);
		assert.notEqual(asked[0]?.request.id, asked[1]?.request.id);
		assert.equal(workspace.text('a.txt'), text.replace('one', 'ONE and more'));
	});

	for (const edit of [
		{ hunks: [], text: text.replace('one', 'uno') },
		{ hunks: [{ kind: 'accepted' }, { kind: 'denied' }] },
	] as const) {
		test(`${'text' in edit ? 'rewritten' : 'taken in part'}, and it fits no more: no rule allows it in the person's place`, async () => {
			const asked = await run([read, turn(write()), answer('ok')], (_asked, index) => {
				if (index === 1) return { behavior: 'deny' };
				workspace.files.set('/w/a.txt', text.replace('one', 'one and more'));
				return { behavior: 'allow', edit, rule: { text: 'Write\nEdit', scope: 'session' } };
			});
			assert.deepEqual(
				asked.map(({ request }) => request.reason.code),
				['mode_asks', 'changed_since'],
			);
			assert.equal(workspace.text('a.txt'), text.replace('one', 'one and more'));
		});
	}

	/** The person changes the file while they are asked the first time, and takes all of it both times unless said otherwise. */
	async function conflict(steps: Step[], typed: string, second: PermissionAnswer = { behavior: 'allow' }) {
		return run(steps, (_asked, index) => {
			if (index > 0) return second;
			workspace.files.set('/w/a.txt', typed);
			return { behavior: 'allow' };
		});
	}
	const typed = text.replace('one', 'one and more');

	test('all of a Write is taken, and its lines were changed meanwhile: asked again with them in view, and then written', async () => {
		const asked = await conflict([read, turn(write()), answer('ok')], typed);
		assert.equal(asked.length, 2);
		assert.equal(asked[1]?.proposed?.oldText, typed);
		const detail = asked[1]?.request.detail;
		assert.ok(detail?.kind === 'edit' && detail.askedAgain);
		assert.ok(detail.hunks[0]?.lines.includes('-one and more'));
		assert.equal(workspace.text('a.txt'), wanted);
		assert.match(result(2), /was changed/);
	});

	test('asked again and denied: what was typed stays', async () => {
		const asked = await conflict([read, turn(write()), answer('ok')], typed, { behavior: 'deny', reason: 'mine' });
		assert.equal(asked.length, 2);
		assert.equal(workspace.text('a.txt'), typed);
		assert.match(result(2), /declined this call and said: mine/);
	});

	test('asked again about a Write, a part is taken', async () => {
		await conflict([read, turn(write()), answer('ok')], typed, {
			behavior: 'allow',
			edit: { hunks: [{ kind: 'denied' }, { kind: 'accepted' }] },
		});
		assert.equal(workspace.text('a.txt'), typed.replace('two', 'TWO'));
	});

	test('all places of an Edit, one of them changed meanwhile: asked again, on the places that there are', async () => {
		const all = toolUse('Edit', { file_path: 'a.txt', old_string: 'same', new_string: 'other', replace_all: true });
		const now = text.replace('same', 'mine');
		const asked = await conflict([read, turn(all), answer('ok')], now);
		assert.equal(asked.length, 2);
		assert.equal(workspace.text('a.txt'), now.replaceAll('same', 'other'));
		assert.match(result(2), /19 places were replaced/);
	});

	test('a file that came into being while its creation was asked about: asked again, as what would be lost', async () => {
		const create = toolUse('Write', { file_path: 'new.txt', content: 'theirs\n' });
		const asked = await run([turn(create), answer('ok')], (_asked, index) => {
			if (index === 0) workspace.files.set('/w/new.txt', 'mine\n');
			return index === 0 ? { behavior: 'allow' } : { behavior: 'deny' };
		});
		assert.equal(asked.length, 2);
		assert.equal(asked[1]?.proposed?.oldText, 'mine\n');
		assert.equal(workspace.text('new.txt'), 'mine\n');
	});

	test('a file that vanished while it was asked about gets its true error, without another question', async () => {
		const asked = await run([read, turn(change('one', 'ONE')), answer('ok')], () => {
			workspace.files.delete('/w/a.txt');
			return { behavior: 'allow' };
		});
		assert.equal(asked.length, 1);
		assert.match(result(2), /does not exist/);
		assert.equal(workspace.text('a.txt'), undefined);
	});

	test('what no person was asked about is refused as before', async () => {
		const asked = await run([turn(write()), answer('ok')], () => ({ behavior: 'allow' }));
		assert.equal(asked.length, 0);
		assert.equal(workspace.text('a.txt'), text);
	});

	suite('a cell of a notebook', () => {
		const cell = (id: string, source: string) => ({ cell_type: 'code', id, metadata: {}, outputs: [], source });
		const notebook = (...cells: object[]) => JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
		const before = notebook(cell('a', 'one'), cell('b', text));
		const readCells = turn(toolUse('Read', { file_path: 'n.ipynb' }));
		const editCell = turn(toolUse('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'b', new_source: wanted }));
		const cells = () =>
			(JSON.parse(workspace.text('n.ipynb') ?? '') as { cells: { source: string | string[] }[] }).cells.map(
				({ source }) => [source].flat().join(''),
			);
		setup(() => void workspace.files.set('/w/n.ipynb', before));

		test('is shown as its source, hunk by hunk, and a part of it can be taken', async () => {
			const asked = await run([readCells, editCell, answer('ok')], () => ({
				behavior: 'allow',
				edit: { hunks: [{ kind: 'accepted' }, { kind: 'denied', reason: 'keep it' }] },
			}));
			assert.equal(asked[0]?.proposed?.oldText, text);
			assert.deepEqual(asked[0]?.proposed?.cell, {
				index: 1,
				label: 'b',
				kind: 'replace',
				type: 'code',
			});
			const detail = asked[0]?.request.detail;
			assert.ok(detail?.kind === 'edit' && detail.cell === 'b' && detail.hunks.length === 2 && !detail.whole);
			assert.deepEqual(cells(), ['one', text.replace('one', 'ONE')]);
			assert.match(result(2), /Change 2 \(line 22\): denied\. They said: keep it/);
		});

		test('may be rewritten by the person; of a new one, too', async () => {
			await run([readCells, editCell, answer('ok')], () => ({ behavior: 'allow', edit: { hunks: [], text: 'mine' } }));
			assert.deepEqual(cells(), ['one', 'mine']);
			workspace.files.set('/w/n.ipynb', before);
			const input = { notebook_path: 'n.ipynb', cell_id: 'a', cell_type: 'code', edit_mode: 'insert', new_source: 'x' };
			await run([readCells, turn(toolUse('NotebookEdit', input)), answer('ok')], () => ({
				behavior: 'allow',
				edit: { hunks: [], text: 'y' },
			}));
			assert.deepEqual(cells(), ['one', 'y', text]);
		});

		test('another cell was changed meanwhile: that stays, and nobody is asked again', async () => {
			const asked = await run([readCells, editCell, answer('ok')], () => {
				workspace.files.set('/w/n.ipynb', notebook(cell('new', 'x'), cell('a', '1'), cell('b', text)));
				return { behavior: 'allow' };
			});
			assert.equal(asked.length, 1);
			assert.deepEqual(cells(), ['x', '1', wanted]);
			assert.match(result(2), /other changes too/);
		});

		test('this cell was changed meanwhile: asked again, on its source as it is now', async () => {
			const asked = await run([readCells, editCell, answer('ok')], (_asked, index) => {
				if (index === 0) workspace.files.set('/w/n.ipynb', notebook(cell('a', 'one'), cell('b', 'mine')));
				return { behavior: 'allow' };
			});
			assert.equal(asked.length, 2);
			assert.equal(asked[1]?.proposed?.oldText, 'mine');
			assert.deepEqual(cells(), ['one', wanted]);
		});

		test('two cells in one answer, the first denied: the second is changed in the notebook as it is', async () => {
			const edit = (id: string, source: string) =>
				toolUse('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: id, new_source: source });
			let both: () => void = () => undefined;
			const waiting = new Promise<void>((resolve) => (both = resolve));
			const steps = [readCells, turn(edit('a', '1'), edit('b', '2')), answer('ok')];
			const asked = await run(steps, async (_asked, index) => {
				if (index === 1) both();
				await waiting;
				return { behavior: index === 0 ? 'deny' : 'allow' };
			});
			assert.equal(asked.length, 2);
			assert.deepEqual(cells(), ['one', '2']);
		});

		test('a cell without a name, in a notebook that has changed: refused, as its place says nothing', async () => {
			const nameless = (...sources: string[]) =>
				JSON.stringify({
					cells: sources.map((source) => ({ cell_type: 'markdown', metadata: {}, source })),
					metadata: {},
					nbformat: 4,
					nbformat_minor: 2,
				});
			workspace.files.set('/w/n.ipynb', nameless('one', 'two'));
			const edit = toolUse('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'cell-1', new_source: 'x' });
			const asked = await run([readCells, turn(edit), answer('ok')], () => {
				workspace.files.set('/w/n.ipynb', nameless('zero', 'one', 'two'));
				return { behavior: 'allow' };
			});
			assert.equal(asked.length, 1);
			assert.deepEqual(cells(), ['zero', 'one', 'two']);
			assert.match(result(2), /read it again first/);
		});
	});

	test('a proposal that is built on a denied one is computed anew', async () => {
		await run([read, turn(change('one', 'first'), change('two', 'second')), answer('ok')], (_asked, index) =>
			index === 0 ? { behavior: 'deny' } : { behavior: 'allow' },
		);
		assert.equal(workspace.text('a.txt'), text.replace('two', 'second'));
	});

	test('a reloaded window asks again: what was read before is still known', async () => {
		const allow = { requestPermission: () => Promise.resolve({ behavior: 'allow' } as const) };
		const first = startConversation({ url: server.url, interaction: allow, ports: { workspace } });
		server.setScript([read, turn(change('one', 'ONE')), answer('ok'), answer('ok')]);
		await finish(first.conversation.submitMessage('go'));
		workspace.files.set('/w/a.txt', text);
		const asked = first.entries.findIndex(({ type }) => type === 'permission');
		const again = startConversation({
			url: server.url,
			interaction: allow,
			ports: { workspace },
			transcript: first.entries.slice(0, asked + 1),
		});
		await finish(again.conversation.resume());
		assert.equal(workspace.text('a.txt'), text.replace('one', 'ONE'));
	});
});
