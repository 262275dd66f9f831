// Requests for permission, one of each kind: dangers, explanations, subagents, several at once.
import type { HunkView, PermissionRequest } from '../../../src/shared/permission.ts';
import type { Row } from '../../../src/shared/view.ts';
import type { Scene } from './sceneParts.ts';
import { base } from './sceneParts.ts';

const plain: PermissionRequest = {
	id: 'q1',
	toolUseId: 'u1',
	tool: 'Bash',
	summary: 'npm test -- --grep login',
	detail: {
		kind: 'command',
		command: 'npm test -- --grep login',
		description: 'Run the login tests',
		cwd: '/home/me/sample',
	},
	reason: { code: 'not_read_only' },
};
const bash: PermissionRequest = { ...plain, suggestedRule: 'Bash(npm test *)' };
const long: PermissionRequest = {
	...bash,
	id: 'q3',
	detail: {
		kind: 'command',
		command:
			'for file in $(git ls-files "*.ts"); do\n  npx prettier --check "$file" || echo "$file" >> /tmp/unformatted-files.txt\ndone\nrm -rf build/cache',
		cwd: '/home/me/sample',
	},
	reason: { code: 'outside_workspace', args: { path: '/tmp/unformatted-files.txt' } },
	explanation: { part: '/tmp/unformatted-files.txt', danger: 'outside_workspace' },
};
const compound: PermissionRequest = {
	...plain,
	id: 'q7',
	detail: {
		kind: 'command',
		command: 'npm test && npm run build -- --minify --out dist/a-folder-with-a-long-name/bundle.js',
		cwd: '/home/me/sample',
	},
	explanation: { part: 'npm test' },
	suggestedRules: [
		'Bash(npm test *)',
		'Bash(npm run build -- --minify --out dist/a-folder-with-a-long-name/bundle.js)',
	],
};
const generic: PermissionRequest = {
	id: 'q4',
	toolUseId: 'u4',
	tool: 'mcp__github__create_issue',
	summary: 'Lock-out is off by one',
	detail: { kind: 'generic', input: '{\n  "repo": "acme/sample",\n  "title": "Lock-out is off by one"\n}' },
	reason: { code: 'ask_rule', args: { rule: 'mcp__github__*' } },
	explanation: {
		rule: {
			text: 'mcp__github__*',
			behavior: 'ask',
			origin: { source: 'shared', file: '/home/me/sample/.loopwright/settings.json', line: 4 },
		},
	},
};
const secret: PermissionRequest = {
	id: 'q5',
	toolUseId: 'u5',
	tool: 'Read',
	summary: '.env.local',
	detail: { kind: 'path', path: '/home/me/sample/.env.local' },
	reason: { code: 'mode_asks' },
	explanation: { part: '/home/me/sample/.env.local', danger: 'secret' },
	agent: 'reviewer',
};
const critical: PermissionRequest = {
	...plain,
	id: 'q6',
	detail: { kind: 'command', command: 'cd / && rm -rf --no-preserve-root ./home', cwd: '/home/me/sample' },
	reason: { code: 'protected_path', args: { path: '/home' } },
	explanation: {
		rule: { text: 'Bash(rm *)', behavior: 'ask', origin: { source: 'vscode' } },
		part: 'rm -rf --no-preserve-root ./home',
		danger: 'critical_path',
	},
};

export function permissionScenes(rows: readonly Row[], hunks: readonly HunkView[]): Readonly<Record<string, Scene>> {
	const edit: PermissionRequest = {
		id: 'q2',
		toolUseId: 'u2',
		tool: 'Edit',
		summary: 'src/auth/login.ts',
		detail: { kind: 'edit', path: 'src/auth/login.ts', created: false, unsaved: true, hunks, added: 4, removed: 2 },
		reason: { code: 'mode_asks' },
		suggestedRule: 'Edit(src/auth/**)',
	};
	const filler = 'a,b;'.repeat(60);
	const minified: HunkView = {
		oldStart: 40,
		newStart: 40,
		lines: [' /* built */', `-…(a,b)},var old=1;${filler}…`, `+…(a,b)},var fresh=1;${filler}…`],
	};
	/** Asked before, taken in part, rewritten. */
	const again: PermissionRequest = {
		...edit,
		id: 'q8',
		tool: 'Write',
		detail: {
			kind: 'edit',
			path: 'src/auth/login.ts',
			created: false,
			unsaved: true,
			hunks: [...hunks.slice(0, 1), minified],
			added: 5,
			removed: 3,
			askedAgain: true,
			rewritten: true,
			outcomes: [{ kind: 'accepted' }, { kind: 'denied' }],
		},
	};
	const cell: PermissionRequest = {
		...edit,
		id: 'q9',
		tool: 'NotebookEdit',
		summary: 'analysis/monthly-report.ipynb',
		detail: {
			kind: 'edit',
			path: 'analysis/monthly-report.ipynb',
			created: false,
			unsaved: false,
			hunks: [
				{ oldStart: 1, newStart: 1, lines: ['-total = 0', '-for row in rows:', '+total = len(rows)', ' print(total)'] },
			],
			added: 1,
			removed: 2,
			cell: '3f0c77a1-9b1e-4c39-8f55-0d2b9b6c2a10',
		},
	};
	const waiting = (...requests: readonly PermissionRequest[]): Scene => ({
		state: { ...base, contextTokens: 31_200, costUsd: 0.0492, status: 'waiting', requests },
		rows,
		earlier: 0,
	});
	return {
		bash: waiting(bash, edit, generic),
		always: waiting(bash),
		compound: waiting(compound),
		longbash: waiting(long),
		edit: waiting(edit),
		again: waiting(again),
		cell: waiting(cell),
		generic: waiting(generic),
		secret: waiting(secret),
		critical: waiting(critical, secret),
	};
}
