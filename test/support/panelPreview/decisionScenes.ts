// Scenes in which the person decides more than yes or no: plans and questions.
import type { PermissionRequest, QuestionView } from '../../../src/shared/permission.ts';
import type { Row } from '../../../src/shared/view.ts';
import type { Scene } from './sceneParts.ts';
import { base, prompt, tool } from './sceneParts.ts';

const plan = `# Lock accounts after five failures

1. **\`src/auth/login.ts\`**: replace the check by \`isLocked(user)\`, which counts from five.
2. **\`src/store/users.ts\`**: write the counter back with \`recordFailure\`, so that a restart keeps it.
3. **\`test/login.test.ts\`**: a locked user is refused; the sixth failure does not count again.

\`\`\`ts
const isLocked = (user: User): boolean => user.failures >= 5;
\`\`\`

Checked with \`npm test -- --grep login\`. The session code stays as it is.
`;
const chinesePlan = `# 连续五次失败后锁定账户

1. **\`src/auth/login.ts\`**：把判断改为 \`isLocked(user)\`，从第五次开始算。
2. **\`src/store/users.ts\`**：用 \`recordFailure\` 把次数写回存储，重启后仍然有效。
3. **\`test/login.test.ts\`**：被锁定的用户会被拒绝。

用 \`npm test -- --grep login\` 检查。会话代码保持不变。
`;
const questions: readonly QuestionView[] = [
	{
		question: 'Where should the number of failures be kept?',
		header: 'Storage',
		multiSelect: false,
		options: [
			{ label: 'In the user record (recommended)', description: 'One more field; survives a restart.' },
			{
				label: 'In a table of its own',
				description: 'Clean, but needs a migration.',
				preview: 'CREATE TABLE failures (user_id TEXT, at TIMESTAMP);',
			},
			{ label: 'In memory', description: 'Forgotten at each restart.' },
		],
	},
	{
		question: 'Which of these should be told about a locked account?',
		header: 'Notice',
		multiSelect: true,
		options: [
			{ label: 'The user', description: 'By mail.' },
			{ label: 'The administrators', description: 'In the log, at level warn.' },
		],
	},
];
const chineseQuestions: readonly QuestionView[] = [
	{
		question: '失败次数保存在哪里？',
		header: '存储',
		multiSelect: false,
		options: [
			{ label: '用户记录中（推荐）', description: '多一个字段；重启后仍在。' },
			{ label: '单独的表', description: '结构清楚，但需要迁移。' },
		],
	},
];

const asks = (name: string, detail: PermissionRequest['detail']): PermissionRequest => ({
	id: `d-${detail.kind}`,
	toolUseId: 'd',
	tool: name,
	summary: 'Lock accounts after five failures',
	detail,
	reason: { code: 'person_decides' },
});

const rows: readonly Row[] = [
	prompt('p', 'The lock-out does not follow our policy. Make a plan.'),
	tool('1', { tool: 'EnterPlanMode', summary: '', view: { kind: 'none' } }),
	tool('2', {
		tool: 'ExitPlanMode',
		summary: 'Lock accounts',
		view: { kind: 'none' },
		state: 'denied',
		message: 'split the first step',
	}),
	tool('3', {
		tool: 'AskUserQuestion',
		summary: 'Storage, Notice',
		view: {
			kind: 'answers',
			answers: [
				{ question: questions[0]?.question ?? '', answer: 'In the user record (recommended)' },
				{ question: questions[1]?.question ?? '', answer: 'The user, The administrators' },
			],
		},
	}),
	tool('4', { tool: 'ExitPlanMode', summary: 'Lock accounts after five failures', view: { kind: 'plan', plan } }),
];

function waiting(request: PermissionRequest): Scene {
	return { state: { ...base, mode: 'plan', status: 'waiting', requests: [request] }, rows, earlier: 0 };
}

export const decisionScenes: Readonly<Record<string, Scene>> = {
	plan: waiting(asks('ExitPlanMode', { kind: 'plan', plan })),
	planEdited: waiting(
		asks('ExitPlanMode', {
			kind: 'plan',
			plan: chinesePlan,
			document: '/home/me/.loopwright/projects/sample/1/plan.md',
		}),
	),
	questions: waiting(asks('AskUserQuestion', { kind: 'questions', questions })),
	question: waiting(asks('AskUserQuestion', { kind: 'questions', questions: chineseQuestions })),
	planned: { state: base, rows, earlier: 0 },
};
