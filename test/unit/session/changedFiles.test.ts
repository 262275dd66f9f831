import assert from 'node:assert/strict';
import { changedFilesSource } from '../../../src/core/session/changedFiles.ts';
import { FileState } from '../../../src/core/tools/fileState.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';

suite('changed files', () => {
	const look = (source: ReturnType<typeof changedFilesSource>) =>
		source({ messages: [], turn: 1 }, new AbortController().signal);

	test('a file that somebody else changed is told once for each change, by content', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one', 'b.ts': 'two' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		state.remember('/w/b.ts', 'two', false);
		const source = changedFilesSource(state, workspace);
		assert.deepEqual(await look(source), []);
		workspace.files.set('/w/a.ts', 'one and more');
		const [note] = await look(source);
		assert.match(note ?? '', /: a\.ts\. Read again/);
		assert.deepEqual(await look(source), []);
		workspace.files.set('/w/a.ts', 'one and even more');
		assert.equal((await look(source)).length, 1);
	});

	test('what the model wrote itself is no change; a file that is gone is one', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		const source = changedFilesSource(state, workspace);
		await look(source);
		workspace.files.set('/w/a.ts', 'edited');
		state.remember('/w/a.ts', 'edited', false);
		assert.deepEqual(await look(source), []);
		workspace.files.delete('/w/a.ts');
		assert.equal((await look(source)).length, 1);
	});

	test('a workspace that fails is one without changes', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		const state = new FileState();
		state.remember('/w/a.ts', 'other', false);
		workspace.stat = () => Promise.reject(new Error('no disk'));
		assert.deepEqual(await look(changedFilesSource(state, workspace)), []);
	});
});
