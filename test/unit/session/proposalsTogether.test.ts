// The edits that one answer proposes: asked together, each on top of those before it, and what becomes of one whose ground is denied.
import assert from 'node:assert/strict';
import type { PermissionAnswer } from '../../../src/shared/permission.ts';
import type { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { Step } from '../../support/mockServer.ts';
import { answer, toolUse, turn } from '../../support/mockServer.ts';
import { change, type Proposing, read, text, useProposing, wanted, write } from './proposalSupport.ts';

suite('proposed edits of one answer', () => {
	const proposing = useProposing();
	const run = (...given: Parameters<Proposing['run']>) => proposing().run(...given);
	const result = (index: number, at = 0) => proposing().result(index, at);
	let workspace: FakeWorkspace;
	setup(() => {
		workspace = proposing().workspace;
	});

	/** Answers when all of them wait. */
	async function together(count: number, steps: Step[], answers: readonly PermissionAnswer[]) {
		let ready: () => void = () => undefined;
		const all = new Promise<void>((resolve) => (ready = resolve));
		return run(steps, async (_asked, index) => {
			if (index === count - 1) ready();
			await all;
			return answers[index] ?? { behavior: 'allow' };
		});
	}

	test('its proposals wait together, each on top of those before it; applied in order', async () => {
		const steps = [read, turn(change('one', 'first'), change('first', '1st'), change('two', '2nd')), answer('ok')];
		const asked = await together(3, steps, []);
		assert.equal(asked[1]?.proposed?.oldText, text.replace('one', 'first'));
		assert.equal(asked[2]?.proposed?.newText, text.replace('one', '1st').replace('two', '2nd'));
		assert.equal(workspace.text('a.txt'), text.replace('one', '1st').replace('two', '2nd'));
		assert.equal(workspace.changes.length, 3);
	});

	test('the file is read in the same answer: asked for once it is read', async () => {
		const steps = [turn(toolUse('Read', { file_path: 'a.txt' }), change('one', '1'), change('two', '2')), answer('ok')];
		await together(2, steps, []);
		assert.equal(workspace.text('a.txt'), text.replace('one', '1').replace('two', '2'));
	});

	test('one is denied: what builds on it is refused or moved, nothing of it is written', async () => {
		const steps = [read, turn(change('one', 'first'), change('first', '1st'), change('two', '2nd')), answer('ok')];
		await together(3, steps, [{ behavior: 'deny', reason: 'no' }]);
		assert.equal(workspace.text('a.txt'), text.replace('two', '2nd'));
		assert.match(result(2, 1), /not found|does not occur/i);
	});

	/** The first is answered once both are asked, the second only when its question is not taken back. */
	async function firstAnswered(steps: Step[], first: PermissionAnswer) {
		const taken: string[] = [];
		let both: () => void = () => undefined;
		const asked = new Promise<void>((resolve) => (both = resolve));
		const requests = await run(steps, async ({ request }, index, signal) => {
			if (index === 1) both();
			await asked;
			if (index !== 1) return index === 0 ? first : { behavior: 'allow' };
			await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
			taken.push(request.id);
			return { behavior: 'deny', stopped: true };
		});
		return { requests, taken };
	}

	test('one is denied: the question on what builds on it is taken back, and the model is told why', async () => {
		const steps = [read, turn(change('one', 'first'), change('first', '1st')), answer('ok')];
		const { requests, taken } = await firstAnswered(steps, { behavior: 'deny', reason: 'no' });
		assert.deepEqual([requests.length, taken.length], [2, 1]);
		assert.match(result(2, 1), /not found|does not occur/i);
		assert.equal(workspace.text('a.txt'), text);
	});

	test('one is taken as the person wrote it: what does not fit on that is asked anew', async () => {
		const steps = [read, turn(change('one', 'first'), change('first', '1st')), answer('ok')];
		const { requests, taken } = await firstAnswered(steps, {
			behavior: 'allow',
			edit: { hunks: [], text: text.replace('one', 'first!') },
		});
		assert.deepEqual([requests.length, taken.length], [3, 1]);
		assert.equal(requests[2]?.proposed?.oldText, text.replace('one', 'first!'));
		assert.equal(workspace.text('a.txt'), text.replace('one', '1st!'));
	});

	test('what the person made of the one before is not written over by a file that was proposed on top of it', async () => {
		const whole = text.replace('one', 'first').replace('two', 'TWO');
		const steps = [read, turn(change('one', 'first'), write(whole)), answer('ok')];
		await together(2, steps, [
			{ behavior: 'allow', edit: { hunks: [], text: text.replace('one', 'uno') } },
			{ behavior: 'allow' },
		]);
		assert.equal(workspace.text('a.txt'), text.replace('one', 'uno').replace('two', 'TWO'));
	});

	test('a part of what builds on a denied one is moved to the file as it is', async () => {
		const whole = wanted.replace('ONE\n', 'ONE\nmore\n');
		const steps = [read, turn(change('two', '2nd'), write(whole)), answer('ok')];
		await together(2, steps, [
			{ behavior: 'deny' },
			{ behavior: 'allow', edit: { hunks: [{ kind: 'accepted' }, { kind: 'denied' }] } },
		]);
		assert.equal(workspace.text('a.txt'), text.replace('one\n', 'ONE\nmore\n'));
	});

	test('behind a command nothing is asked ahead', async () => {
		const order: string[] = [];
		const bash = toolUse('Bash', { command: 'make', description: 'x' });
		await run([read, turn(bash, change('one', '1')), answer('ok')], ({ request }) => {
			order.push(request.tool);
			return { behavior: request.tool === 'Bash' ? 'deny' : 'allow' };
		});
		assert.deepEqual(order, ['Bash', 'Edit']);
	});

	test('a file that is created and then changed', async () => {
		const create = toolUse('Write', { file_path: 'new.txt', content: 'a\nb\n' });
		const edit = toolUse('Edit', { file_path: 'new.txt', old_string: 'b', new_string: 'c' });
		await together(2, [turn(create, edit), answer('ok')], []);
		assert.equal(workspace.text('new.txt'), 'a\nc\n');
	});
});
