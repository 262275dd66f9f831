// What is said in the walk through the parts of the panel, in both languages: pictures in which two are mixed hide what is wrong.
import type { Locale } from '../e2e/harness/workbenchPage.ts';

const code = [
	'```ts src/auth/login.ts',
	'/** Locked after five failures. */',
	'export const isLocked = (account: Account, now = Date.now()): boolean => (account.lockedUntil ?? 0) > now;',
	'```',
].join('\n');
const formula = String.raw`$$
E[N] = \sum_{k=1}^{\infty} k\,p\,(1-p)^{k-1} = \frac{1}{p}
$$`;
const diagram = (refuse: string, check: string) =>
	`\`\`\`mermaid\nflowchart LR\n\tA[login] --> B{lockedUntil}\n\tB -- now --> C[${refuse}]\n\tB --> D[${check}]\n\`\`\``;

/** What a subagent, a plan, a question and the rest are called. */
export interface PartWords {
	readonly prompts: {
		readonly check: string;
		readonly again: string;
		readonly delegate: string;
		readonly change: string;
		readonly plan: string;
		readonly other: string;
	};
	readonly thought: readonly [string, string];
	readonly begins: string;
	readonly todos: readonly (readonly [content: string, active: string])[];
	readonly command: string;
	/** The answer, cut where it is looked at while it streams. */
	readonly answer: readonly [string, string];
	readonly short: string;
	readonly task: string;
	readonly queue: readonly [string, string, string];
	readonly plan: string;
	readonly question: {
		readonly question: string;
		readonly header: string;
		readonly options: readonly { readonly label: string; readonly description: string }[];
	};
	readonly server: string;
}

export const partWords: Readonly<Record<Locale, PartWords>> = {
	en: {
		prompts: {
			check: 'Check the login: does the lock after five wrong passwords hold, and what do the tests say?',
			again: 'Check the login, and only the lock',
			delegate: 'Have somebody look at the hashes',
			change: 'Use a better hash',
			plan: 'Plan how to lock an account for longer each time',
			other: 'Something else meanwhile',
		},
		thought: [
			'The lock is in `login.ts`. First I look for every place that counts failures, then I read how the lock ends.\n\n',
			'It ends by time alone, so the tests have to move the clock.',
		],
		begins: 'I look at the login and at what uses it.',
		todos: [
			['Read the login', 'Reading the login'],
			['Name the limit', 'Naming the limit'],
			['Run the tests', 'Running the tests'],
		],
		command: 'Run the tests of the login',
		answer: [
			'## The lock holds\n\nIt is set in `src/auth/login.ts:7` after **five** failures:\n\n| file | lines | covered |\n|---|--:|--:|\n| login.ts | 47 | 91.5 % |\n| session.ts | 8 | 100 % |\n\n1. It counts ',
			`in memory, so a restart forgets it\n2. It ends after 15 minutes\n\n- [x] the lock is read\n- [ ] one test fails, see \`test/login.test.ts\`\n\n> Nothing was changed besides the name of the limit.\n\n${code}\n\nAt a chance of $p = 0.1$ it is reached after\n\n${formula}\n\ntries, on its way through this:\n\n${diagram('Refuse', 'Check')}\n`,
		],
		short: 'The lock alone: it holds.',
		task: 'Find where hashes are made',
		queue: [
			'Then read the session, too',
			'Write a test for what you found, and say in one line what it covers',
			'But leave the tests alone',
		],
		plan: '# Longer locks\n\n1. Count the locks of an account in `src/auth/login.ts`\n2. Double `lockMinutes` with each, up to a day\n3. Run the tests\n\n| lock | minutes |\n|---|--:|\n| first | 15 |\n| fourth | 120 |\n',
		question: {
			question: 'Where should failed logins be counted?',
			header: 'Store',
			options: [
				{ label: 'In memory', description: 'Fast, and forgotten with a restart' },
				{ label: 'In the database', description: 'Holds for all servers; one more write for each failure' },
			],
		},
		server: 'Server for trying it out',
	},
	'zh-cn': {
		prompts: {
			check: '检查登录模块：输错五次密码后的锁定有效吗？测试结果怎么样？',
			again: '检查登录模块，只看锁定',
			delegate: '派人看看哈希部分',
			change: '换一个更好的哈希算法',
			plan: '规划一下：每次锁定时间逐渐加长',
			other: '顺便做点别的',
		},
		thought: [
			'锁定逻辑在 `login.ts` 里。先找出所有统计失败次数的地方，再看锁定何时结束。\n\n',
			'锁定只按时间结束，所以测试需要拨动时钟。',
		],
		begins: '我来看登录模块以及用到它的地方。',
		todos: [
			['阅读登录模块', '正在阅读登录模块'],
			['给上限命名', '正在给上限命名'],
			['运行测试', '正在运行测试'],
		],
		command: '运行登录模块的测试',
		answer: [
			'## 锁定有效\n\n它在 `src/auth/login.ts:7` 中设定，失败**五次**后生效：\n\n| 文件 | 行数 | 覆盖率 |\n|---|--:|--:|\n| login.ts | 47 | 91.5 % |\n| session.ts | 8 | 100 % |\n\n1. 次数记在',
			`内存里，重启后就会忘记\n2. 15 分钟后结束\n\n- [x] 已阅读锁定逻辑\n- [ ] 有一个测试失败，见 \`test/login.test.ts\`\n\n> 除了上限的名字，没有改动任何内容。\n\n${code}\n\n当概率为 $p = 0.1$ 时，平均需要\n\n${formula}\n\n次才会触发，流程如下：\n\n${diagram('拒绝', '校验')}\n`,
		],
		short: '只看锁定：有效。',
		task: '找出生成哈希的位置',
		queue: ['然后也读一下会话模块', '为你发现的问题写一个测试，并用一句话说明它覆盖了什么', '但不要动现有的测试'],
		plan: '# 更长的锁定\n\n1. 在 `src/auth/login.ts` 中统计账户的锁定次数\n2. 每次把 `lockMinutes` 加倍，最多一天\n3. 运行测试\n\n| 锁定 | 分钟 |\n|---|--:|\n| 第一次 | 15 |\n| 第四次 | 120 |\n',
		question: {
			question: '失败的登录次数应该记在哪里？',
			header: '存储',
			options: [
				{ label: '内存', description: '速度快，重启后丢失' },
				{ label: '数据库', description: '所有服务器共享；每次失败多写一次' },
			],
		},
		server: '试用服务器',
	},
};

export const rightToLeft = {
	prompt: 'מתי החשבון ננעל? ראו את src/auth/login.ts',
	answer:
		'נעילת החשבון קורית אחרי **חמישה** כישלונות, ראו `src/auth/login.ts:7`.\n\n1. קראתי את הקובץ\n2. הרצתי את הבדיקות\n\n- [x] נבדק',
};

/** Writes what tests write, in colours, and goes on when it is told. */
export const testScript = [
	"import { existsSync } from 'node:fs';",
	String.raw`console.log('\n  login\n    \x1b[32m✔\x1b[0m accepts the right password (12ms)');`,
	'while (!existsSync(".go")) await new Promise((done) => setTimeout(done, 50));',
	String.raw`console.log('    \x1b[31m1) refuses a locked account\x1b[0m\n\n  1 passing (34ms)\n  1 failing');`,
	'process.exit(1);',
].join('\n');
