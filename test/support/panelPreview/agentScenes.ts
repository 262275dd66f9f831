// Scenes of work that is done elsewhere: subagents with their own log, tools of MCP servers, images and PDFs that were read.
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import type { Row } from '../../../src/shared/view.ts';
import { base, prompt, text, tool } from './sceneParts.ts';
import type { Scene } from './sceneParts.ts';

const search = (id: string, pattern: string, total: number): Row =>
	tool(id, {
		tool: 'Grep',
		summary: pattern,
		view: {
			kind: 'matches',
			matches: [{ file: 'src/auth/session.ts', line: 31, text: 'const session = await start(user);' }],
			total,
			files: 3,
			truncated: false,
		},
		durationMs: 40,
	});
const read = (id: string, path: string): Row =>
	tool(id, {
		tool: 'Read',
		summary: path,
		view: { kind: 'read', path, firstLine: 1, lines: 2, text: 'const limit = 5;\n', partial: false },
		durationMs: 12,
	});
const command: Row = tool('m4', {
	tool: 'Bash',
	summary: 'npm test -- session',
	state: 'running',
	view: {
		kind: 'command',
		command: 'npm test -- session',
		output: 'session › is made after the password\n',
		omitted: 0,
		outcome: 'running',
		durationMs: 900,
	},
});

const answer = `Sessions are made in one place, \`src/auth/session.ts:31\`, and end in two:

- \`logout()\` in \`src/routes/logout.ts\`
- the timer in \`src/auth/expiry.ts\``;

const edited: Row = tool('m7', {
	tool: 'Edit',
	summary: 'test/session.test.ts',
	view: {
		kind: 'edit',
		path: 'test/session.test.ts',
		created: false,
		hunks: [
			{
				oldStart: 12,
				newStart: 12,
				lines: [
					" test('ends after eight hours', () => {",
					'-\tadvance(8 * hour);',
					'+\tadvance(8 * hour + 1);',
					' });',
				],
			},
		],
		added: 1,
		removed: 1,
	},
	durationMs: 60,
});

/** What one of them waits for. */
const asked: PermissionRequest = {
	id: 'r1',
	toolUseId: 'm8',
	tool: 'Bash',
	summary: 'npm test -- session --coverage',
	detail: { kind: 'command', command: 'npm test -- session --coverage', cwd: '/home/ada/sample' },
	reason: { code: 'mode_asks' },
	suggestedRule: 'Bash(npm test *)',
	agent: 'general-purpose',
};

/** Four at once: one runs a command, one waits for the person, one was stopped and one failed, each with what it had said. */
const atWork: readonly Row[] = [
	tool('a2', {
		tool: 'Agent',
		summary: 'Check: the tests of sessions',
		state: 'running',
		view: {
			kind: 'agent',
			log: [read('m5', 'test/session.test.ts'), command],
			omitted: 0,
			answer: '',
			toolUses: 1,
			tokens: 8200,
			agentId: 'agent-2',
		},
	}),
	tool('a3', {
		tool: 'Agent',
		summary: 'Mend the test of the timer',
		state: 'running',
		view: {
			kind: 'agent',
			log: [
				text('m6', 'The timer is one second short.'),
				edited,
				tool('m8', {
					tool: 'Bash',
					summary: 'npm test -- session --coverage',
					state: 'waiting',
					view: { kind: 'none' },
				}),
			],
			omitted: 0,
			answer: '',
			toolUses: 1,
			tokens: 12_300,
			agentId: 'agent-3',
		},
	}),
	tool('a4', {
		tool: 'Agent',
		summary: 'Explore: who else reads cookies',
		state: 'stopped',
		view: {
			kind: 'agent',
			log: [search('m9', 'cookie', 4)],
			omitted: 0,
			answer: 'So far `src/auth/session.ts` alone does.',
			toolUses: 1,
			tokens: 6400,
			agentId: 'agent-4',
		},
		durationMs: 9100,
	}),
	tool('a5', {
		tool: 'Agent',
		summary: 'Explore: sessions in the mobile app',
		state: 'error',
		message: [
			'The subagent did not come to its end: the model could not be reached (529: Overloaded).',
			'It had made 1 tool call; what it did is done.',
			'What it had said last:',
			'I begin with the folder `mobile`.',
		].join('\n'),
		view: {
			kind: 'agent',
			log: [text('m10', 'I begin with the folder `mobile`.'), search('m11', 'session', 2)],
			omitted: 0,
			answer: 'I begin with the folder `mobile`.',
			toolUses: 1,
			tokens: 3100,
			agentId: 'agent-5',
		},
		durationMs: 64_000,
	}),
];

export const agentScenes: Readonly<Record<string, Scene>> = {
	agents: {
		state: { ...base, status: 'waiting', requests: [asked] },
		rows: [
			prompt('p', 'Where are sessions made, and where do they end? Tell the team in an issue.'),
			tool('a1', {
				tool: 'Agent',
				summary: 'Explore: where sessions are made and ended',
				view: {
					kind: 'agent',
					log: [search('m1', 'session', 17), read('m2', 'src/auth/session.ts'), text('m3', 'Two ends so far.')],
					omitted: 12,
					answer,
					toolUses: 14,
					tokens: 41_800,
					agentId: 'agent-1',
				},
				durationMs: 38_400,
			}),
			...atWork,
			tool('c1', {
				tool: 'mcp__github__create_issue',
				summary: 'title: "Sessions end in two places", labels: ["auth"]',
				view: { kind: 'text', text: '{\n  "number": 17,\n  "url": "https://github.com/me/sample/issues/17"\n}' },
				durationMs: 640,
			}),
			tool('c2', {
				tool: 'mcp__browser__screenshot',
				summary: 'url: "http://localhost:3000/login"',
				state: 'error',
				view: { kind: 'none' },
				message: 'The server "browser" ended while it worked: exit code 1.',
			}),
			tool('w1', {
				tool: 'WebFetch',
				summary: 'https://example.org/sessions/ending.html',
				view: {
					kind: 'web',
					url: 'https://example.org/sessions/ending.html',
					status: 200,
					title: 'How sessions end',
					bytes: 48_200,
					text: 'A session ends **once**, in the place that made it:\n\n1. the token is withdrawn\n2. what waited is [answered](https://example.org/answers)',
				},
				durationMs: 1_240,
			}),
			tool('w2', {
				tool: 'WebFetch',
				summary: 'https://example.org/none',
				view: { kind: 'web', url: 'https://example.org/none', status: 404, title: '', bytes: 310, text: '' },
				durationMs: 210,
			}),
			tool('i1', {
				tool: 'Read',
				summary: 'docs/login.png',
				view: { kind: 'media', path: 'docs/login.png', bytes: 214_300, size: { width: 1280, height: 800 } },
				durationMs: 30,
			}),
			text('t', 'I look at the picture.'),
			tool('i2', {
				tool: 'Read',
				summary: 'docs/protocol.pdf',
				view: { kind: 'media', path: 'docs/protocol.pdf', bytes: 1_430_000, pages: 12 },
				durationMs: 30,
			}),
		],
		earlier: 0,
	},
};
