// A proposed edit of which the person takes a part: just those hunks reach the file, on the text of that moment, and the model
// is told hunk by hunk.
import assert from 'node:assert/strict';
import { editTool } from '../../../src/core/tools/builtin/edit.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { writeTool } from '../../../src/core/tools/builtin/write.ts';
import { rebase } from '../../../src/core/tools/rebase.ts';
import type { EditOutcome, HunkOutcome } from '../../../src/shared/permission.ts';
import { callTool, fakeContext, FakeWorkspace } from '../../support/fakeWorkspace.ts';

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const old = `${lines.join('\n')}\n`;
const wanted = old.replace('line 3\n', 'third\n').replace('line 20\n', 'twentieth\n').replace('line 39\n', '39th\n');
const accepted: HunkOutcome = { kind: 'accepted' };
const denied = (reason?: string): HunkOutcome => ({ kind: 'denied', ...(reason === undefined ? {} : { reason }) });

async function write(edit: EditOutcome, beforeRun: (workspace: FakeWorkspace) => void = () => undefined) {
	const workspace = new FakeWorkspace({ 'a.txt': old });
	const context = fakeContext(workspace);
	await callTool(readTool, { file_path: 'a.txt' }, context);
	const result = await callTool(writeTool, { file_path: 'a.txt', content: wanted }, context, {
		edit,
		beforeRun: () => beforeRun(workspace),
	});
	return { text: workspace.text('a.txt'), result, workspace };
}
const type = (from: string, to: string) => (workspace: FakeWorkspace) => {
	workspace.files.set('/w/a.txt', (workspace.text('a.txt') ?? '').replace(from, to));
};

suite('proposals', () => {
	test('only the accepted hunks reach the file, and the model is told of each', async () => {
		const { text, result } = await write({ hunks: [accepted, denied('keep the name'), denied()] });
		assert.equal(text, old.replace('line 3\n', 'third\n'));
		assert.match(result.text, /accepted 1 of 3 changes/);
		assert.match(result.text, /Change 1 \(line 3\): accepted\./);
		assert.match(result.text, /Change 2 \(line 20\): denied\. They said: keep the name/);
		assert.match(result.text, /Change 3 \(line 39\): denied, without a reason\./);
		assert.ok(result.view.kind === 'edit' && result.view.hunks.length === 1);
	});

	test('what the person typed elsewhere meanwhile is kept, for a part and for all of it', async () => {
		const part = await write({ hunks: [accepted, denied(), accepted] }, type('line 10\n', 'typed\n'));
		assert.equal(
			part.text,
			old.replace('line 10\n', 'typed\n').replace('line 3\n', 'third\n').replace('line 39\n', '39th\n'),
		);
		assert.match(part.result.text, /other changes too/);
		const whole = await write({ hunks: [] }, type('line 10\n', 'typed\n'));
		assert.equal(whole.text, wanted.replace('line 10\n', 'typed\n'));
	});

	test('the change of a file that is removed or renamed meanwhile makes no new one', async () => {
		for (const edit of [{ hunks: [] }, { hunks: [accepted, denied(), accepted] }]) {
			const { text, result } = await write(edit, (workspace) => {
				workspace.files.set('/w/b.txt', workspace.files.get('/w/a.txt') ?? '');
				workspace.files.delete('/w/a.txt');
			});
			assert.equal(text, undefined);
			assert.ok(result.isError);
			assert.match(result.text, /Nothing was|not exist|no longer/);
		}
	});

	test('a whole file that was proposed before an edit of it was rewritten keeps what the person wrote there', async () => {
		const write2 = async (now: string) => {
			const workspace = new FakeWorkspace({ 'a.txt': old });
			const context = fakeContext(workspace);
			await callTool(readTool, { file_path: 'a.txt' }, context);
			const input = { file_path: 'a.txt', content: wanted };
			const beforeRun = () => {
				workspace.files.set('/w/a.txt', now);
				// As the edit that came before leaves it: the conversation knows the text.
				context.fileState.remember('/w/a.txt', now, false);
			};
			const { isError } = await callTool(writeTool, input, context, { beforeRun });
			return { text: workspace.text('a.txt'), isError };
		};
		const elsewhere = await write2(old.replace('line 10\n', 'line 10\nmine\n'));
		assert.equal(elsewhere.text, wanted.replace('line 10\n', 'line 10\nmine\n'));
		const sameLine = old.replace('line 3\n', 'mine\n');
		assert.deepEqual(await write2(sameLine), { text: sameLine, isError: true });
		// Nothing is lost where lines that were to come did not.
		const less = await write2(old.replace('line 3\n', ''));
		assert.equal(less.text, wanted);
	});

	test('typing in the same lines is a conflict: nothing is written', async () => {
		const { text, result } = await write({ hunks: [accepted, denied()] }, type('line 3\n', 'mine\n'));
		assert.equal(text, old.replace('line 3\n', 'mine\n'));
		assert.equal(result.isError, true);
		assert.match(result.text, /same lines meanwhile\. Nothing was changed/);
	});

	test('what the person rewrote is written in place of it, and the model reads the difference', async () => {
		const mine = wanted.replace('twentieth', '20th');
		const { text, result } = await write({ hunks: [], text: mine });
		assert.equal(text, mine);
		assert.match(result.text, /rewrote what you proposed[^]*-twentieth\n\+20th/);
	});

	test('replace_all: each place is a hunk of its own', async () => {
		const source = old.replace('line 5\n', 'x = 1\n').replace('line 30\n', 'x = 1\n');
		const workspace = new FakeWorkspace({ 'a.txt': source });
		const context = fakeContext(workspace);
		await callTool(readTool, { file_path: 'a.txt' }, context);
		const input = { file_path: 'a.txt', old_string: 'x = 1', new_string: 'x = 2', replace_all: true };
		await callTool(editTool, input, context, { edit: { hunks: [denied(), accepted] } });
		assert.equal(workspace.text('a.txt'), source.replace(/(x = 1[^]*)x = 1/, '$1x = 2'));
	});

	test('line ends of the file survive a text that an editor made uniform', async () => {
		const mixed = 'a\r\nb\nc\r\nd\n';
		const workspace = new FakeWorkspace({ 'a.txt': mixed });
		const context = fakeContext(workspace);
		await callTool(readTool, { file_path: 'a.txt' }, context);
		const input = { file_path: 'a.txt', old_string: 'b', new_string: 'B' };
		await callTool(editTool, input, context, { edit: { hunks: [], text: 'a\r\nBB\r\nc\r\nd\r\n' } });
		assert.match(workspace.text('a.txt') ?? '', /^a\r\nBB\r?\nc\r\nd\n$/);
	});

	test('rebase refuses lines that both changed, and nothing else', () => {
		const edit = { start: 2, end: 3, text: 'B' };
		assert.equal(rebase('a\nb\nc\n', [edit], 'a\nb\nC\n')?.newText, 'a\nB\nC\n');
		assert.equal(rebase('a\nb\nc\n', [edit], 'new\na\nb\nc\n')?.newText, 'new\na\nB\nc\n');
		assert.equal(rebase('a\nb\nc\n', [edit], 'a\nbb\nc\n'), undefined);
		assert.equal(rebase('a\nb\nc\n', [edit], 'a\nc\n'), undefined);
	});
});
