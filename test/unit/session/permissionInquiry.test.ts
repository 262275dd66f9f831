// What a typed rule would do for a request that is open: said before it is saved.
import assert from 'node:assert/strict';
import { judge } from '../../../src/core/permissions/engine.ts';
import { rulesFrom } from '../../../src/core/permissions/rule.ts';
import { checkRule } from '../../../src/core/session/permissionInquiry.ts';

function check(rule: string, command: string, forbid: { readonly ask?: string; readonly deny?: string } = {}) {
	const from = (text: string | undefined) => rulesFrom({ source: 'flag' }, text === undefined ? [] : [text]);
	return checkRule(rule, (allow) =>
		judge({
			tool: 'Bash',
			mode: 'default',
			need: { access: { kind: 'command', command }, detail: { kind: 'command', command, cwd: '/w' } },
			rules: { allow, ask: from(forbid.ask), deny: from(forbid.deny) },
			roots: ['/w'],
			interactive: true,
			realPath: (path) => Promise.resolve(path),
		}),
	);
}

suite('a rule that is being typed', () => {
	test('covers the call, and says how much it allows besides', async () => {
		assert.deepEqual(await check('Bash(npm test)', 'npm test'), { kind: 'covers', breadth: 'exact' });
		assert.deepEqual(await check(' Bash(npm test *) ', 'npm test'), { kind: 'covers', breadth: 'some' });
		assert.deepEqual(await check('Bash', 'npm test'), { kind: 'covers', breadth: 'whole_tool' });
	});

	test('several rules, one per line: all have to be readable, the widest tells how much they allow', async () => {
		assert.deepEqual(await check('Bash(ls)\n\nBash(npm *)\n', 'npm test'), { kind: 'covers', breadth: 'some' });
		assert.equal((await check('Bash(npm test)\nBash(', 'npm test')).kind, 'invalid');
	});

	test('does not cover it', async () => {
		assert.deepEqual(await check('Bash(npm run *)', 'npm test'), { kind: 'not_covering' });
		assert.deepEqual(await check('Read', 'npm test'), { kind: 'not_covering' });
		assert.deepEqual(await check('Bash(git push)', 'git push && npm publish'), { kind: 'not_covering' });
	});

	test('is outweighed by a rule that asks or denies', async () => {
		const outweighed = { kind: 'outweighed', rule: 'Bash(npm *)' };
		assert.deepEqual(await check('Bash(npm test)', 'npm test', { ask: 'Bash(npm *)' }), outweighed);
		assert.deepEqual(await check('Bash(npm test)', 'npm test', { deny: 'Bash(npm *)' }), outweighed);
	});

	test('cannot be read', async () => {
		for (const rule of ['', 'Bash(', 'Bash()', 'mcp__*'])
			assert.equal((await check(rule, 'npm test')).kind, 'invalid', rule);
	});
});
