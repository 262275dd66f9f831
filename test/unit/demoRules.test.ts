// The demo model's rules: words to intent, and the moves of whole exchanges with the answers that tools give.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readConversation } from '../../src/node/demo/conversation.ts';
import { findPath, readIntent } from '../../src/node/demo/intents.ts';
import { fenced, inlineCode } from '../../src/node/demo/markdown.ts';
import { nextMove, type Move } from '../../src/node/demo/moves.ts';
import { bestFile, hitsOfGrep, linesOfRead, outline } from '../../src/node/demo/source.ts';

type Json = Record<string, unknown>;

const tools = ['Read', 'Grep', 'Glob', 'Edit', 'Write', 'Bash', 'TodoWrite'].map((name) => ({ name }));
const read = '1\timport x\n2\texport function login(user: string) {\n3\t\treturn user;\n4\t}';

interface Held {
	readonly moves: Move[];
	readonly said: string;
}

/** Holds a whole exchange; `results` answers each call in turn, an Error stands for a failed one. */
function hold(words: string, results: (string | Error)[], request: Json = { tools }): Held {
	const messages: Json[] = [{ role: 'user', content: [{ type: 'text', text: words }] }];
	const moves: Move[] = [];
	for (let turn = 0; turn < 20; turn++) {
		const move = nextMove(readConversation({ ...request, messages }));
		moves.push(move);
		if (!move.call) return { moves, said: move.text };
		const id = `toolu_${turn}`;
		const result = results[turn] ?? 'nothing';
		const failed = result instanceof Error;
		messages.push(
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: move.text },
					{ type: 'tool_use', id, ...move.call },
				],
			},
			{
				role: 'user',
				content: [
					{ type: 'tool_result', tool_use_id: id, content: failed ? result.message : result, is_error: failed },
					{ type: 'text', text: '<system-note>keep going</system-note>' },
				],
			},
		);
	}
	throw new Error('the exchange does not end');
}

const calls = ({ moves }: Held): unknown[] => moves.flatMap(({ call }) => (call ? [[call.name, call.input]] : []));
const names = ({ moves }: Held): string[] => moves.flatMap(({ call }) => (call ? [call.name] : []));

suite('demo model: what the words ask for', () => {
	const cases: readonly (readonly [string, Json])[] = [
		['检查登录模块', { kind: 'search', words: ['登录'], path: undefined }],
		['find login', { kind: 'search', words: ['login'], path: undefined }],
		['Search for "user name" please', { kind: 'search', words: ['user name'], path: undefined }],
		['where is parseConfig used?', { kind: 'search', words: ['parseConfig'], path: undefined }],
		['find TODO in src/auth', { kind: 'search', words: ['TODO'], path: 'src/auth' }],
		['在 src/auth 里查找 登录', { kind: 'search', words: ['登录'], path: 'src/auth' }],
		['查找“密码错误”在哪里', { kind: 'search', words: ['密码错误'], path: undefined }],
		['Check the login module. One of its tests fails: why?', { kind: 'search', words: ['login'], path: undefined }],
		['检查登录模块。测试失败', { kind: 'search', words: ['登录'], path: undefined }],
		['check the login module', { kind: 'search', words: ['login'], path: undefined }],
		['read src/auth/login.ts', { kind: 'read', path: 'src/auth/login.ts' }],
		['读一下src/auth/login.ts', { kind: 'read', path: 'src/auth/login.ts' }],
		['检查 src/auth/login.ts', { kind: 'read', path: 'src/auth/login.ts' }],
		['Show me the outline of `README.md`.', { kind: 'read', path: 'README.md' }],
		['open @src/a.ts', { kind: 'read', path: 'src/a.ts' }],
		['replace foo by bar in a.txt', { kind: 'replace', from: 'foo', to: 'bar', path: 'a.txt' }],
		[
			'Replace "foo by" with \'b in c\' in `src/a b.ts`',
			{ kind: 'replace', from: 'foo by', to: 'b in c', path: 'src/a b.ts' },
		],
		['please change foo to bar in the file README.md.', { kind: 'replace', from: 'foo', to: 'bar', path: 'README.md' }],
		['in a.txt, replace foo with bar', { kind: 'replace', from: 'foo', to: 'bar', path: 'a.txt' }],
		['把 README.md 里的 foo 改成 bar', { kind: 'replace', from: 'foo', to: 'bar', path: 'README.md' }],
		['把README.md里的「旧 名」替换为「新名」', { kind: 'replace', from: '旧 名', to: '新名', path: 'README.md' }],
		['在 a.ts 中把 x 换成 y。', { kind: 'replace', from: 'x', to: 'y', path: 'a.ts' }],
		['run npm test', { kind: 'run', command: 'npm test' }],
		['please run `ls -la` and tell me', { kind: 'run', command: 'ls -la' }],
		['Run the tests.', { kind: 'run', command: 'npm test' }],
		['运行 node -v', { kind: 'run', command: 'node -v' }],
		['执行一下「git status」', { kind: 'run', command: 'git status' }],
		['plan: read, change, test', { kind: 'list', items: ['read', 'change', 'test'] }],
		['todo buy milk; call home', { kind: 'list', items: ['buy milk', 'call home'] }],
		['Make a todo list:\n1. one\n2. two\n- three', { kind: 'list', items: ['one', 'two', 'three'] }],
		['待办:阅读、修改、测试', { kind: 'list', items: ['阅读', '修改', '测试'] }],
		['列个清单:甲,乙', { kind: 'list', items: ['甲', '乙'] }],
		['hello', { kind: 'unknown' }],
		['你好', { kind: 'unknown' }],
		['', { kind: 'unknown' }],
	];
	for (const [words, intent] of cases) {
		test(words === '' ? '(nothing)' : words, () => assert.deepEqual(readIntent(words), intent));
	}

	test('a task with code in the prompt', () => {
		const prompt = (verb: string) => `${verb} this code from src/a.ts (lines 1-2):\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n`;
		const tasks = ['Explain', 'Fix the problems in', 'Improve', 'Write tests for', 'Document', '请修复'].map((verb) => {
			const intent = readIntent(prompt(verb));
			return intent.kind === 'code' ? `${intent.task} ${intent.path} ${intent.code?.trim()}` : intent.kind;
		});
		const rest = 'src/a.ts const a = 1;';
		assert.deepEqual(
			tasks,
			['explain', 'fix', 'improve', 'tests', 'document', 'fix'].map((task) => `${task} ${rest}`),
		);
	});

	test('a task on a whole file, and on a test file', () => {
		const whole = readIntent('Find the problems in this code and fix them.\n\n`src/a.ts`');
		assert.deepEqual(whole, { kind: 'code', task: 'fix', path: 'src/a.ts', code: undefined });
		const explain = readIntent('Explain this.\n\n`test/a.test.ts` (lines 1–2)\n````ts\nconst a = "```";\n````');
		assert.deepEqual(explain, { kind: 'code', task: 'explain', path: 'test/a.test.ts', code: 'const a = "```";\n' });
	});

	test('paths are told from other words', () => {
		assert.equal(findPath('see https://example.com/a.ts'), undefined);
		assert.equal(findPath('e.g. this'), undefined);
		assert.equal(findPath('look at C:\\src\\a.ts now'), 'C:\\src\\a.ts');
		assert.equal(findPath('look at src/a.ts:12'), 'src/a.ts');
		assert.equal(findPath('version 3.5'), undefined);
		assert.equal(findPath('the Makefile'), 'Makefile');
	});
});

suite('demo model: whole exchanges', () => {
	test('search: Grep, Read of the best file, then the places, in Chinese, introduced once', () => {
		const grep =
			'README.md:3:登录 login\nsrc/auth/login.ts:2:export function login(user: string) {\nsrc/app.ts:9:login()';
		const held = hold('检查登录模块', [grep, read]);
		assert.deepEqual(calls(held), [
			['Grep', { pattern: '登录|login', output_mode: 'content', '-n': true, '-i': true, head_limit: 100 }],
			['Read', { file_path: 'src/auth/login.ts' }],
		]);
		assert.match(held.moves[0]?.text ?? '', /不是 AI/);
		assert.ok(held.moves.slice(1).every(({ text }) => !text.includes('不是 AI')));
		assert.match(held.said, /在 3 个文件中找到 3 处/);
		assert.match(held.said, /`src\/auth\/login.ts:2`/);
		assert.match(held.said, /2: `export function login\(user: string\)`/);
	});

	test('search: several words are looked for together, then each', () => {
		const held = hold('find user name', ['No matches found', 'a.ts:1:user']);
		assert.deepEqual(
			held.moves.flatMap(({ call }) => (call?.name === 'Grep' ? [call.input['pattern']] : [])),
			['(?:user)[\\s_.-]*(?:name)', 'user|name'],
		);
	});

	test('search: nothing found, and an answer it cannot read', () => {
		assert.match(hold('find `(foo`', ['No matches found']).said, /no place with `\(foo`/);
		assert.equal(hold('find `(foo`', ['x']).moves[0]?.call?.input['pattern'], '\\(foo');
		assert.match(hold('find foo', ['src/a.ts\nsrc/b.ts']).said, /not with places that I can read[^]*src\/b.ts/);
	});

	test('read: outline, beginning of a file without one, and an error', () => {
		assert.match(hold('read a.ts', [read]).said, /`a.ts` has 4 lines of TypeScript.[^]*2: `export function login/);
		assert.match(hold('read a.txt', ['1\tone\n2\ttwo']).said, /It begins:[^]*one\ntwo/);
		assert.match(
			hold('read a.txt', [new Error('File does not exist')]).said,
			/Read did not work[^]*File does not exist/,
		);
	});

	test('replace: Read, Edit, done; all places when there are several; nothing when there is none', () => {
		const once = hold('replace "user;" by "name;" in a.ts', [read, 'edited']);
		assert.deepEqual(calls(once)[1], ['Edit', { file_path: 'a.ts', old_string: 'user;', new_string: 'name;' }]);
		assert.match(once.said, /Done: `a.ts`/);
		const twice = hold('replace user by name in a.ts', [read, 'edited']);
		assert.equal(twice.moves[1]?.call?.input['replace_all'], true);
		assert.match(hold('replace nope by name in a.ts', [read]).said, /does not contain `nope`/);
		assert.match(hold('replace a by a in a.ts', []).said, /same/);
	});

	test('replace: a read that only says "unchanged" uses the lines of the read before', () => {
		const messages = [
			{ role: 'user', content: 'read a.ts' },
			{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'a.ts' } }] },
			{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: read }] },
			{ role: 'assistant', content: 'outline' },
			{ role: 'user', content: 'replace user by name in a.ts' },
			{ role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'Read', input: { file_path: 'a.ts' } }] },
			{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'File unchanged since last read' }] },
		];
		assert.equal(nextMove(readConversation({ tools, messages })).call?.input['replace_all'], true);
	});

	test('a denial is reported with its reason', () => {
		const held = hold('replace "user;" by "x" in a.ts', [read, new Error('The user denied this: wrong file')]);
		assert.deepEqual(names(held), ['Read', 'Edit']);
		assert.match(held.said, /Edit was not allowed[^]*wrong file/);
		assert.match(hold('运行 npm test', [new Error('用户拒绝:太慢')]).said, /Bash 没有得到允许[^]*太慢/);
	});

	test('run: the command and its output; a failure is said', () => {
		const held = hold('run npm test', ['2 passing']);
		assert.deepEqual(calls(held), [['Bash', { command: 'npm test', description: 'npm test' }]]);
		assert.match(held.said, /`npm test`[^]*2 passing/);
		assert.match(hold('run npm test', [new Error('exit code 1')]).said, /Bash did not work[^]*exit code 1/);
	});

	test('list: TodoWrite with all items pending', () => {
		const held = hold('plan: a, b', ['ok']);
		const pending = (content: string): Json => ({ content, status: 'pending', activeForm: content });
		assert.deepEqual(calls(held), [['TodoWrite', { todos: [pending('a'), pending('b')] }]]);
		assert.match(held.said, /- a\n- b/);
		assert.match(hold('todo', []).said, /what belongs on the list/);
	});

	test('a task on code is answered without tools and without pretending', () => {
		const code = '```ts\nfunction add(a: any) {\n\treturn a == 1; // TODO\n}\n```';
		const said = (verb: string): string => {
			const held = hold(`${verb} src/a.ts:\n${code}`, []);
			assert.deepEqual(names(held), []);
			return held.said;
		};
		assert.match(said('Explain'), /3 lines of TypeScript from `src\/a.ts`[^]*1: `function add\(a: any\)`/);
		assert.match(said('Fix'), /loose comparison[^]*changed nothing/);
		assert.match(said('Write tests for'), /function add[^]*wrote no tests/);
		assert.match(said('Document'), /no comment above them/);
		const file = hold('Write tests for this code.\n\n`src/a.ts`', [read]);
		assert.deepEqual(names(file), ['Read']);
		assert.match(file.said, /4 lines of TypeScript[^]*2: `export function login/);
		assert.match(said('请解释'), /3 行 TypeScript 代码/);
	});

	test('anything else: what it can do; a missing tool is named', () => {
		assert.match(hold('hello', []).said, /no AI[^]*What I can do/);
		assert.match(hold('run ls', [], { tools: [{ name: 'Read' }] }).said, /needs the tool Bash/);
	});

	test('context and notes are not the words; string content and steering are', () => {
		const context = { type: 'text', text: '<context>\nrun rm -rf /\n</context>' };
		const asked = readConversation({
			messages: [{ role: 'user', content: [context, { type: 'text', text: 'hello' }, context] }],
		});
		assert.equal(asked.words, 'hello');
		assert.equal(readConversation({ messages: [{ role: 'user', content: 'plain' }] }).words, 'plain');
		const steered = readConversation({
			messages: [
				{ role: 'user', content: 'find a' },
				{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Grep', input: {} }] },
				{
					role: 'user',
					content: [
						{ type: 'tool_result', tool_use_id: 'a', content: '' },
						{ type: 'text', text: 'find b' },
					],
				},
			],
		});
		assert.deepEqual([steered.words, steered.steps.length, steered.earlier.length], ['find b', 0, 1]);
	});

	test('no input makes it throw, be slow, or go on for ever', () => {
		const words = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.constantFrom('find a b', 'replace a by b in c.ts', 'run x', 'read a.ts'),
		);
		fc.assert(
			fc.property(words, fc.array(fc.string()), fc.jsonValue(), (said, results, anything) => {
				hold(said === '' ? 'x' : said, results);
				nextMove(readConversation(anything));
				nextMove(readConversation({ messages: anything, tools: anything }));
				nextMove(readConversation({ messages: [{ role: 'user', content: anything }] }));
			}),
		);
		const long = [
			'replace by '.repeat(9000),
			'in a.b '.repeat(9000),
			'把'.repeat(90_000),
			'a/'.repeat(90_000),
			'`'.repeat(90_000),
			'把 a '.repeat(20_000),
		];
		const start = performance.now();
		for (const one of long) hold(one, [one, one, one]);
		assert.ok(performance.now() - start < 3000);
	});
});

suite('demo model: reading text', () => {
	test('numbered lines and hits, with a drive letter and notices between', () => {
		assert.deepEqual(linesOfRead('1\ta\nnote\n 20\tb\tc'), [
			{ number: 1, text: 'a' },
			{ number: 20, text: 'b\tc' },
		]);
		assert.deepEqual(hitsOfGrep('C:\\a\\b.ts:12:x: 3:\nFound 1 file'), [
			{ path: 'C:\\a\\b.ts', number: 12, text: 'x: 3:' },
		]);
	});

	test('the best file is the named one, not the test and not the prose', () => {
		const hits = hitsOfGrep(
			'docs/login.md:1:x\ndocs/login.md:2:x\ntest/login.test.ts:1:x\nsrc/login.ts:1:x\nsrc/app.ts:1:x',
		);
		assert.equal(bestFile(hits, ['login']), 'src/login.ts');
		assert.equal(bestFile([], ['login']), undefined);
	});

	test('an outline of several languages', () => {
		const lines = [
			'export class A {',
			'\tasync run(x) {',
			'\t\tif (x) {',
			'def go(x):',
			'pub fn main() {',
			'# Title',
			'const f = (a) => a;',
			'x = 1',
		];
		const found = outline(lines.map((text, index) => ({ number: index + 1, text })));
		assert.deepEqual(
			found.map(({ number }) => number),
			[1, 2, 4, 5, 6, 7],
		);
	});

	test('code spans and fences survive backticks', () => {
		assert.equal(inlineCode('a`b'), '``a`b``');
		assert.equal(inlineCode('`'), '`` ` ``');
		assert.equal(fenced('```'), '````\n```\n````');
	});
});
