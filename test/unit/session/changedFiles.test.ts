import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import { hiddenMessage } from '../../../src/core/loop/record.ts';
import type { Message } from '../../../src/core/messages/types.ts';
import { ChangedFiles } from '../../../src/core/session/changedFiles.ts';
import { FileState } from '../../../src/core/tools/fileState.ts';
import { FakeClock } from '../../support/fakeTools.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';

suite('changed files', () => {
	const clock = new FakeClock();
	/** `arrives`: the note comes in time and stands in the conversation from then on. */
	const looker =
		(messages: Message[] = []) =>
		async (source: ChangedFiles, arrives = true) => {
			clock.time += limits.changedFilesEveryMs;
			const notes = await source.look(messages, new AbortController().signal);
			if (arrives) messages.push(...notes.map((note) => hiddenMessage(note, { uuid: () => note, clock })));
			return notes;
		};
	const look = looker();

	test('a file that somebody else changed is told once for each change, by content', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one', 'b.ts': 'two' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		state.remember('/w/b.ts', 'two', false);
		const source = new ChangedFiles(state, workspace, clock);
		assert.deepEqual(await look(source), []);
		workspace.files.set('/w/a.ts', 'one and more');
		const [note] = await look(source);
		assert.match(note ?? '', /: a\.ts\. Read again/);
		assert.deepEqual(await look(source), []);
		workspace.files.set('/w/a.ts', 'one and even more');
		assert.equal((await look(source)).length, 1);
	});

	test('a note that came too late is told at the next turn', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		const source = new ChangedFiles(state, workspace, clock);
		const see = looker();
		await see(source);
		workspace.files.set('/w/a.ts', 'one and more');
		assert.equal((await see(source, false)).length, 1);
		assert.equal((await see(source)).length, 1);
		assert.deepEqual(await see(source), []);
	});

	test('what the model wrote itself is no change; a file that is gone is one', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		const source = new ChangedFiles(state, workspace, clock);
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
		assert.deepEqual(await look(new ChangedFiles(state, workspace, clock)), []);
	});

	test('turns that follow quickly share a look; what changed is told by the next one', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		const source = new ChangedFiles(state, workspace, clock);
		await look(source);
		workspace.files.set('/w/a.ts', 'one and more');
		assert.deepEqual(await source.look([], new AbortController().signal), []);
		assert.equal((await look(source)).length, 1);
	});

	test('at the beginning of an exchange, and when another conversation has changed something, it is looked at at once', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		let count = 0;
		const shared = Object.assign(workspace, { changeCount: () => count });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		const source = new ChangedFiles(state, shared, clock);
		await look(source);
		workspace.files.set('/w/a.ts', 'one and more');
		const { signal } = new AbortController();
		assert.equal((await source.look([], signal, true)).length, 1);
		assert.deepEqual(await source.look([], signal), []);
		count++;
		assert.equal((await source.look([], signal)).length, 1);
	});

	test('a disk that does not answer holds up nobody', async () => {
		const workspace = new FakeWorkspace({ 'a.ts': 'one' });
		const state = new FileState();
		state.remember('/w/a.ts', 'one', false);
		workspace.stat = () => new Promise(() => {});
		const source = new ChangedFiles(state, workspace, clock);
		const late = source.look([], new AbortController().signal, true);
		clock.wake();
		assert.deepEqual(await late, []);
		const stop = new AbortController();
		const stopped = source.look([], stop.signal, true);
		stop.abort();
		assert.deepEqual(await stopped, []);
	});
});
