// The list of all rules, and what a typed line could stand for.
import assert from 'node:assert/strict';
import { RuleBook, type RuleBookDeps } from '../../../src/host/permissions/ruleBook.ts';
import { supposedCalls } from '../../../src/host/permissions/supposedCalls.ts';
import { say } from '../../../src/node/settings/sentence.ts';
import type { RuleView } from '../../../src/shared/permission.ts';

const everywhere = { source: 'everywhere', file: '/h/settings.json', line: 3 } as const;
const managed = { source: 'managed', file: '/etc/settings.json', line: 1 } as const;

function book(): { readonly rules: RuleBook; readonly done: string[] } {
	const done: string[] = [];
	const session = ['Bash(ls)'];
	const note = (what: string) => (done.push(what), Promise.resolve({ kind: 'saved', file: '' } as const));
	const settings: RuleBookDeps['settings'] = {
		rules: [
			{ text: 'Bash(git push *)', behavior: 'deny', origin: managed, waits: false },
			{ text: 'Nope', behavior: 'allow', origin: everywhere, waits: false },
		],
		problems: [
			{ ...everywhere, column: 1, sentence: say('the rule {0} has no effect: {1}', 'Nope', 'why'), effect: 'value' },
			{ ...everywhere, column: 9, sentence: say('broken'), effect: 'rights' },
		],
		refresh: () => Promise.resolve(),
		saveRule: (text, behavior, scope) =>
			text === 'bad' ? Promise.resolve({ kind: 'refused', problem: say('no') }) : note(`${behavior} ${text} ${scope}`),
		removeRule: ({ text }) => note(`remove ${text}`),
	};
	const permissions = {
		sessionRules: session,
		forget: (rule: string) => void done.push(`forget ${rule}`),
		test: () => Promise.resolve({ verdict: 'allow' as const }),
	};
	const conversation = {
		permissions,
		allowForSession: (rule: string) => void done.push(`session ${rule}`),
		rulesChanged: () => Promise.resolve(void done.push('judged again')),
	};
	return {
		rules: new RuleBook({ settings, root: () => '/w', conversation: () => Promise.resolve(conversation) }),
		done,
	};
}

suite('the list of all rules', () => {
	test('has those of files and of the session, what is wrong with each, and which are ours to change', async () => {
		const { rules, problems } = await book().rules.read();
		assert.deepEqual(
			rules.map(({ text, removable, problem }) => [text, removable, problem?.text]),
			[
				['Bash(git push *)', false, undefined],
				['Nope', true, 'the rule {0} has no effect: {1}'],
				['Bash(ls)', true, undefined],
			],
		);
		assert.deepEqual(
			problems.map(({ sentence }) => sentence.text),
			['broken'],
		);
	});

	test('rules are added and removed where they belong; what is refused is told', async () => {
		const { rules, done } = book();
		const inSession: RuleView = { text: 'Bash(ls)', behavior: 'allow', origin: { source: 'session' } };
		assert.equal(await rules.add(' Bash(ls) ', 'allow', 'session'), undefined);
		assert.equal(await rules.add('Bash(ls)', 'deny', 'shared'), undefined);
		assert.deepEqual(await rules.add('bad', 'deny', 'mine'), say('no'));
		assert.equal(await rules.remove(inSession), undefined);
		assert.equal(await rules.remove({ ...inSession, origin: everywhere }), undefined);
		assert.deepEqual(done, [
			'session Bash(ls)',
			'judged again',
			'deny Bash(ls) shared',
			'forget Bash(ls)',
			'remove Bash(ls)',
		]);
	});
});

suite('a line that is tested', () => {
	const at = { cwd: '/w/a', home: '/h' };
	const read = (line: string) =>
		supposedCalls(line, at).map(({ tool, need: { access } }) =>
			'path' in access ? `${tool} ${access.path}` : `${tool} ${access.kind === 'command' ? access.command : ''}`,
		);

	test('is a command, and a path where it looks like one', () => {
		assert.deepEqual(read(' npm test '), ['Bash npm test']);
		assert.deepEqual(read('src/../b.ts'), ['Read /w/a/b.ts', 'Edit /w/a/b.ts', 'Bash src/../b.ts']);
		assert.deepEqual(read('~/.ssh/id'), ['Read /h/.ssh/id', 'Edit /h/.ssh/id', 'Bash ~/.ssh/id']);
		assert.deepEqual(read('.env'), ['Read /w/a/.env', 'Edit /w/a/.env', 'Bash .env']);
		assert.deepEqual(read('rm -rf /tmp'), ['Bash rm -rf /tmp']);
		assert.deepEqual(read('a/b;c'), ['Bash a/b;c']);
		assert.deepEqual(read('ls'), ['Bash ls']);
		assert.deepEqual(read('  '), []);
	});
});
