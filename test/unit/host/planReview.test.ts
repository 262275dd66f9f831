// A plan that was a document: the text that counts, comments on lines, and the file that a new window finds again.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlanFile } from '../../../src/host/plan/planFile.ts';
import { completedAnswer, isEdited } from '../../../src/host/plan/planReview.ts';
import { PermissionDesk } from '../../../src/host/session/permissionDesk.ts';
import type { PermissionRequest } from '../../../src/shared/permission.ts';

suite('the document of a plan', () => {
	const original = '# Plan\n\n1. one\n2. two\n';
	const untouched = { original, text: original, comments: [] };
	const edited = { ...untouched, text: '# Plan\n\n1. one\n2. two and a half\n' };
	const comments = [{ line: 3, quoted: '1. one', text: 'why?\n' }];

	test('nothing changed: the answer stays as it was', () => {
		for (const answer of [
			{ behavior: 'allow' },
			{ behavior: 'deny' },
			{ behavior: 'allow', mode: 'acceptEdits' },
		] as const) {
			assert.equal(completedAnswer(answer, untouched), answer);
		}
	});

	test('white space at the end and line ends are no change', () => {
		assert.equal(isEdited({ original: 'a\nb', text: 'a\r\nb\n\n' }), false);
		assert.equal(isEdited({ original: 'a\nb', text: 'a\n b' }), true);
	});

	test('an approval approves what the document says, with all comments', () => {
		assert.deepEqual(completedAnswer({ behavior: 'allow', mode: 'acceptEdits' }, edited), {
			behavior: 'allow',
			mode: 'acceptEdits',
			input: { plan: edited.text },
		});
		const answer = { behavior: 'allow', input: { comments: 'and quickly' } } as const;
		assert.deepEqual(completedAnswer(answer, { ...untouched, comments }), {
			behavior: 'allow',
			input: { comments: 'and quickly\n\nComments on the plan:\n> 1. one (line 3)\nwhy?' },
		});
	});

	test('sent back: comments, comments on lines, and what the person changed', () => {
		const answer = completedAnswer({ behavior: 'deny', reason: 'not yet' }, { ...edited, comments });
		assert.equal(answer.behavior, 'deny');
		const { reason } = answer as { reason: string };
		assert.match(
			reason,
			/^not yet\n\nComments on the plan:\n> 1\. one \(line 3\)\nwhy\?\n\nChanges that the user made/,
		);
		assert.match(reason, /-2\. two\n\+2\. two and a half/);
	});

	test('the file knows whose plan it is; it is for the person only', async function () {
		const folder = mkdtempSync(path.join(tmpdir(), 'plan-'));
		try {
			const file = new PlanFile(path.join(folder, 'session'));
			assert.equal(await file.owner(), undefined);
			await file.write(original);
			await file.claim({ requestId: 'r', original });
			const again = new PlanFile(path.join(folder, 'session'));
			assert.deepEqual(await again.owner(), { requestId: 'r', original });
			assert.equal(await again.read(), original);
			if (process.platform !== 'win32') assert.equal(statSync(file.path).mode & 0o777, 0o600);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('the desk shows what the document says, and answers the same request', async () => {
		const desk = new PermissionDesk();
		const request: PermissionRequest = {
			id: 'r',
			toolUseId: 't',
			tool: 'ExitPlanMode',
			summary: 'Plan',
			detail: { kind: 'plan', plan: original },
			reason: { code: 'person_decides' },
		};
		const answer = desk.requestPermission(request, new AbortController().signal);
		desk.revise('unknown', { kind: 'plan', plan: 'x' });
		desk.revise('r', { kind: 'plan', plan: edited.text, document: '/p/plan.md' });
		assert.deepEqual(
			desk.pending.map(({ id, detail }) => [id, detail.kind === 'plan' && detail.plan]),
			[['r', edited.text]],
		);
		assert.ok(desk.answer('r', { behavior: 'allow' }));
		assert.deepEqual(await answer, { behavior: 'allow' });
		assert.deepEqual(desk.pending, []);
	});
});
