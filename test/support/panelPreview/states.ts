// States of the panel worth looking at, as snapshots a host could send. In English and Chinese where the words matter.
import type { Row, ToolView } from '../../../src/shared/view.ts';
import { agentScenes } from './agentScenes.ts';
import { composerScenes } from './composerScenes.ts';
import { decisionScenes } from './decisionScenes.ts';
import { permissionScenes } from './permissionScenes.ts';
import { readingScenes } from './readingScenes.ts';
import { recoveryScenes } from './recoveryScenes.ts';
import { taskScenes } from './taskScenes.ts';
import type { Scene } from './sceneParts.ts';
import { base, error, prompt, text, tool } from './sceneParts.ts';

const loginCode = [
	"import { findUser } from '../store/users';",
	"import { verify } from './password';",
	'',
	'/** Checks a name and password; returns the session or undefined. */',
	'export async function login(name: string, password: string) {',
	'\tconst user = await findUser(name);',
	'\tif (!user || user.failures > 5) return undefined; // locked after 5 failures',
	'\tif (!(await verify(password, user.hash))) {',
	'\t\tuser.failures += 1;',
	'\t\treturn undefined;',
	'\t}',
	"\treturn { id: crypto.randomUUID(), user: user.id, scope: ['read', 'write'] };",
	'}',
].join('\n');

const hunks = [
	{
		oldStart: 6,
		newStart: 6,
		lines: [
			' \tconst user = await findUser(name);',
			'-\tif (!user || user.failures > 5) return undefined; // locked after 5 failures',
			'+\tif (!user || isLocked(user)) return undefined;',
			' \tif (!(await verify(password, user.hash))) {',
			'-\t\tuser.failures += 1;',
			'+\t\tawait recordFailure(user);',
			' \t\treturn undefined;',
		],
	},
	{
		oldStart: 24,
		newStart: 24,
		lines: [
			' ',
			"+/** Locked for good after five failures; see the security policy's section on brute force and lock-out times. */",
			'+const isLocked = (user: User) => user.failures >= 5;',
		],
	},
];

const views = {
	grep: {
		kind: 'matches',
		total: 12,
		files: 5,
		truncated: false,
		matches: [
			{ file: 'src/auth/login.ts', line: 5, text: 'export async function login(name: string, password: string) {' },
			{
				file: 'src/auth/login.ts',
				line: 12,
				text: "\treturn { id: crypto.randomUUID(), user: user.id, scope: ['read', 'write'] };",
			},
			{ file: 'src/routes/session.ts', line: 31, text: 'const session = await login(body.name, body.password);' },
			{ file: 'test/login.test.ts', line: 8, text: "test('login refuses a locked user', async () => {" },
		],
	},
	read: { kind: 'read', path: 'src/auth/login.ts', firstLine: 1, lines: 80, text: loginCode, partial: true },
	edit: { kind: 'edit', path: 'src/auth/login.ts', created: false, hunks, added: 4, removed: 2 },
	failedTests: {
		kind: 'command',
		command: 'npm test -- --grep login',
		output:
			'\u001B[1m> sample@1.0.0 test\u001B[0m\n> mocha --grep login\n\n  login\n    \u001B[32m✔\u001B[0m accepts the right password (12ms)\n    \u001B[31m1) refuses a locked user\u001B[0m\n\n  1 passing (34ms)\n  1 failing\n\n  AssertionError: expected undefined to equal null\n      at Context.<anonymous> (test/login.test.ts:14:10)\n',
		omitted: 0,
		exitCode: 1,
		outcome: 'exited',
		durationMs: 3200,
	},
	running: {
		kind: 'command',
		command: 'npm run build && npm test',
		output:
			'> sample@1.0.0 build\n> tsc -p .\n\n> sample@1.0.0 test\n> mocha\n\n  login\n    ✔ accepts the right password (12ms)\n',
		omitted: 0,
		outcome: 'running',
		durationMs: 0,
	},
	files: {
		kind: 'files',
		files: ['src/auth/login.ts', 'src/auth/password.ts', 'src/auth/session.ts'],
		total: 3,
		truncated: false,
	},
	none: { kind: 'none' },
} as const satisfies Record<string, ToolView>;

const answer = `The login module has **two problems**:

1. A user is locked only after the *sixth* failure: \`user.failures > 5\` in \`src/auth/login.ts:7\`.
2. The counter is never written back, so a restart forgets it.

| Check | Where | Result |
|:--|:--|--:|
| Lock-out | \`src/auth/login.ts:7\` | off by one |
| Timing | \`src/auth/password.ts\` | constant |
| Session id | [login.ts](src/auth/login.ts#L12) | 122 bits |

The smallest change:

\`\`\`ts
/** Locked after five failures. */
const isLocked = (user: User): boolean => user.failures >= 5;

export async function recordFailure(user: User, count = 1) {
	await users.update(user.id, { failures: user.failures + count });
	log.warn(\`login failed for \${user.name}\`, { at: new Date() });
}
\`\`\`

- [x] read the module
- [ ] change it, then run \`npm test\`

> The policy says five. See [OWASP](https://owasp.org/www-community/controls/Blocking_Brute_Force_Attacks).
`;

const chineseAnswer = `登录模块有**两个问题**：

1. 用户要到第*六*次失败才会被锁定：\`src/auth/login.ts:7\` 里写的是 \`user.failures > 5\`。
2. 失败次数没有写回存储，重启之后就丢了。

| 检查项 | 位置 | 结果 |
|:--|:--|--:|
| 锁定 | \`src/auth/login.ts:7\` | 差一次 |
| 计时 | \`src/auth/password.ts\` | 恒定 |

最小的改法：

\`\`\`ts
/** 失败五次后锁定。 */
const isLocked = (user: User): boolean => user.failures >= 5;
\`\`\`

要我直接改好并运行测试吗？
`;

const investigation = (id: string, question: string, reply: string): readonly Row[] => [
	prompt(`${id}p`, question),
	{
		kind: 'thinking',
		id: `${id}k`,
		text: 'The person asks about login. I search first, then read what I find.',
		open: false,
		durationMs: 3200,
	},
	tool(`${id}g`, {
		tool: 'Grep',
		summary: 'login',
		view: views.grep,
		batchLabel: 'Looked for the login and read where it is checked',
		durationMs: 240,
	}),
	tool(`${id}r`, { tool: 'Read', summary: 'src/auth/login.ts', view: views.read, durationMs: 30 }),
	text(`${id}a`, reply),
	{
		kind: 'summary',
		id: `${id}s`,
		model: 'Claude Sonnet 5',
		inputTokens: 12_340,
		outputTokens: 812,
		costUsd: 0.0492,
		durationMs: 14_200,
		time: 1_750_000_000_000,
	},
];

const todos = [
	{ content: 'Read the login module', activeForm: 'Reading the login module', status: 'completed' },
	{ content: 'Lock after five failures', activeForm: 'Locking after five failures', status: 'in_progress' },
	{ content: 'Run the tests', activeForm: 'Running the tests', status: 'pending' },
] as const;

const question = 'Check the login module';
const used = { contextTokens: 31_200, costUsd: 0.0492 };

export const scenes: Readonly<Record<string, Scene>> = {
	...agentScenes,
	empty: { state: base, rows: [], earlier: 0 },
	demo: {
		state: { ...base, provider: 'demo', model: { id: 'demo', name: 'Demo' }, models: [{ id: 'demo', name: 'Demo' }] },
		rows: [],
		earlier: 0,
	},
	answer: { state: { ...base, ...used }, rows: investigation('a', question, answer), earlier: 40 },
	chinese: { state: { ...base, ...used }, rows: investigation('a', '检查登录模块', chineseAnswer), earlier: 0 },
	tools: {
		state: {
			...base,
			...used,
			status: 'working',
			todos,
			queued: [{ id: 'w1', text: 'Then update the changelog, please, and mention the policy' }],
		},
		rows: [
			prompt(
				'p',
				'Fix the lock-out so that it follows our policy.\nWrite a test first, keep the public interface as it is, and do not touch the session code.\nRun the whole suite at the end.\nThe policy is in docs/security.md.\nTell me what you changed.',
			),
			tool('1', { tool: 'Glob', summary: 'src/auth/**/*.ts', view: views.files, durationMs: 60 }),
			tool('2', { tool: 'Read', summary: 'src/auth/login.ts', view: views.read, durationMs: 20 }),
			tool('3', {
				tool: 'Read',
				summary: 'docs/security.md',
				view: { ...views.read, path: 'docs/security.md', lines: 214 },
			}),
			tool('4', { tool: 'TodoWrite', summary: '3 todos', view: { kind: 'todos', todos } }),
			tool('5', { tool: 'Edit', summary: 'src/auth/login.ts', view: views.edit, durationMs: 410 }),
			tool('6', {
				tool: 'Edit',
				summary: 'src/auth/aVeryLongFileNameThatNeverEnds/passwordVerificationService.ts',
				view: views.none,
				state: 'error',
				message:
					'old_string was found 3 times in the file. Give more of the surrounding lines, so that it is unique, or set replace_all.',
			}),
			tool('7', { tool: 'Bash', summary: 'npm test -- --grep login', view: views.failedTests, durationMs: 3200 }),
			tool('8', {
				tool: 'Write',
				summary: 'docs/notes.md',
				view: views.none,
				state: 'denied',
				message: 'Put it into the changelog instead.',
			}),
			tool('9', { tool: 'Bash', summary: 'sleep 100', view: views.none, state: 'stopped' }),
			tool('10', {
				tool: 'mcp__github__create_issue',
				summary: 'Lock-out is off by one',
				view: { kind: 'text', text: 'Created acme/sample#42' },
				durationMs: 900,
			}),
			tool('11', { tool: 'Grep', summary: 'failures', view: views.none, state: 'queued' }),
			tool('12', { tool: 'Bash', summary: 'npm run build && npm test', view: views.running, state: 'running' }),
		],
		earlier: 0,
	},
	...permissionScenes(investigation('a', question, answer), hunks),
	errors: {
		state: { ...base, status: 'stopped', canContinue: true },
		rows: [
			prompt('p', question),
			error('authentication', { host: 'api.anthropic.com' }, '401 authentication_error: invalid x-api-key', [
				'set_key',
				'retry',
			]),
			error('unreachable', { host: 'gateway.example.com', code: 'ECONNREFUSED' }, 'connect ECONNREFUSED 10.0.0.1:443', [
				'retry',
				'open_settings',
				'show_log',
			]),
			error('not_a_stream', { host: 'example.com' }, '<!doctype html> …', ['open_settings', 'show_log']),
			{ kind: 'notice', id: 'n1', code: 'interrupted', args: {} },
			{ kind: 'notice', id: 'n2', code: 'transcript_damaged', args: {} },
		],
		earlier: 0,
	},
	...recoveryScenes,
	...readingScenes,
	...taskScenes,
	...composerScenes,
	...decisionScenes,
	thinking: {
		state: {
			...base,
			status: 'retrying',
			retryAt: Date.now() + 12_000,
			retry: { code: 'overloaded', args: {}, attempt: 2 },
			contextTokens: 171_000,
			costUsd: null,
		},
		rows: [prompt('p', question), { kind: 'thinking', id: 'k', text: 'I look at the login module first.', open: true }],
		earlier: 0,
	},
};
