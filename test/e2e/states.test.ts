// Every state of the panel, one after the other in one workbench: not trusted, first run, no key, updated, waiting, stopped,
// overloaded, another model, a long wait, a limit, a full context, no network. Each has its look, is told, and what helps is done
// by keyboard.
import assert from 'node:assert/strict';
import { answer, fail, text, thinking, toolUse, turn } from '../support/mockServer.ts';
import { allLooks, looksOf, type Looks } from './harness/looks.ts';
import { stories, type Stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll, type Locale } from './harness/workbenchPage.ts';

const overloaded = (seconds?: number) =>
	fail(529, 'overloaded_error', 'Overloaded', seconds === undefined ? {} : { 'retry-after': String(seconds) });
const limited = (seconds: number) =>
	fail(429, 'rate_limit_error', 'Too many requests', { 'retry-after': String(seconds) });

const code = '```ts\nexport function check(user: string): boolean {\n\treturn user.length > 0; // TODO\n}\n```';
const statuses = ['completed', 'in_progress', 'pending'];
/** For another model, and for a context that is full soon and stays so. */
const settings = {
	'loopwright.model': 'claude-sonnet-5',
	'loopwright.fallbackModels': ['claude-haiku-5-5'],
	'loopwright.compaction.window': 24_000,
	'loopwright.compaction.enabled': false,
};
interface Words {
	readonly prompts: readonly [check: string, now: string, left: string, all: string, hello: string];
	readonly thought: string;
	readonly begins: string;
	readonly found: string;
	readonly todos: readonly (readonly [content: string, active: string])[];
	readonly command: string;
	readonly other: string;
	readonly long: string;
	readonly summary: string;
}
const words: Readonly<Record<Locale, Words>> = {
	en: {
		prompts: ['Check the login', 'And now?', 'What is left?', 'Tell me all', 'Hello'],
		thought: 'The person asks about the login.',
		begins: 'I look at the login.',
		found: `## What I found\n\nThe check is in \`src/auth/login.ts\`:\n\n${code}\n\n| file | lines |\n|---|--:|\n| login.ts | 80 |\n| session.ts | 140 |\n\n1. **Empty** passwords pass\n2. the lock never ends\n\n> Nothing was changed.`,
		todos: [
			['Read the login', 'Reading the login'],
			['Check the lock', 'Checking the lock'],
			['Report', 'Reporting'],
		],
		command: 'Run the tests',
		other: 'The other one here.',
		long: 'The first answer. ',
		summary: 'The person asked for all.',
	},
	'zh-cn': {
		prompts: ['检查登录模块', '现在呢？', '还剩什么？', '全部告诉我', '你好'],
		thought: '用户想了解登录模块。',
		begins: '我来看看登录模块。',
		found: `## 发现\n\n检查在 \`src/auth/login.ts\` 中：\n\n${code}\n\n| 文件 | 行数 |\n|---|--:|\n| login.ts | 80 |\n| session.ts | 140 |\n\n1. **空**密码可以通过\n2. 锁定永远不会结束\n\n> 没有改动任何内容。`,
		todos: [
			['阅读登录模块', '正在阅读登录模块'],
			['检查锁定', '正在检查锁定'],
			['汇报', '正在汇报'],
		],
		command: '运行测试',
		other: '这里是另一个模型。',
		long: '第一个回答，说得很长，把所有细节都讲一遍。',
		summary: '用户要求讲述全部。',
	},
};

stories('states of the panel', (stories) => {
	for (const [locale, width] of [
		['en', 300],
		['zh-cn', 600],
	] as const) {
		test(`each with its look and what helps, ${locale}`, async function () {
			// In all themes and widths it takes some minutes.
			if (allLooks) this.timeout(900_000);
			const bench = await stories.open({ locale, model: undefined, restricted: true, settings });
			const walk: Walk = { stories, bench, looks: looksOf(bench, 'state', width) };
			await beforeTheFirstPrompt(walk);
			await waitingAndStopped(walk);
			await overloads(walk);
			await limits(walk);
			await fullAndOffline(walk);
			assert.deepEqual(stories.mock.violations, []);
		});
	}
});

interface Walk {
	readonly stories: Stories;
	readonly bench: Workbench;
	readonly looks: Looks;
}

async function beforeTheFirstPrompt({ stories, bench, looks }: Walk): Promise<void> {
	await note(bench, 'This folder is not trusted: no command runs, edits always ask, and its own allow rules wait.');
	await looks.lookAt('untrusted');
	await trust(bench);
	await looks.lookAt('first-run');
	await press(bench, 'Read README.md');
	const composer = await bench.composer();
	assert.ok(await poll(5_000, async () => (await composer.inputValue()) === bench.text('Read README.md') || undefined));
	// The cursor goes to the end of it a frame later: what is done before would be undone.
	await (await bench.panel()).waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
	await bench.write(composer, '');

	await setUserSettings(bench, { 'loopwright.provider': 'anthropic' });
	await note(bench, 'No API key is set, so no model can be asked.');
	assert.equal(await composer.inputValue(), '', 'what was cleared stays so');
	await looks.lookAt('no-key');
	await press(bench, 'Set API key');
	await bench.page.locator('.quick-input-widget input[type=password]').waitFor();
	await bench.page.keyboard.press('Escape');

	await rememberVersion(bench, '0.0.1');
	await setUserSettings(bench, { 'loopwright.provider': 'anthropic', 'loopwright.baseUrl': stories.mock.url });
	await bench.reloadWindow();
	const update = await note(bench, 'Loopwright was updated to {0}.');
	await looks.lookAt('updated');
	await update.getByRole('button', { name: bench.text('Dismiss') }).press('Enter');
	await update.waitFor({ state: 'detached' });
}

async function waitingAndStopped({ stories, bench, looks }: Walk): Promise<void> {
	const { prompts, thought, begins, found, todos, command } = words[bench.locale];
	const list = todos.map(([content, activeForm], at) => ({ content, activeForm, status: statuses[at] }));
	stories.mock.setScript([
		turn(
			thinking(thought),
			text(begins),
			toolUse('Grep', { pattern: 'login', output_mode: 'content', '-n': true }),
			toolUse('Read', { file_path: 'src/auth/login.ts' }),
			toolUse('TodoWrite', { todos: list }),
		),
		turn(text(found), toolUse('Bash', { command: 'npm test', description: command })),
		overloaded(50),
	]);
	await bench.submit(prompts[0]);
	await (await bench.permission('Bash')).waitFor({ timeout: 30_000 });
	await bench.waitForStatus('Waiting for you');
	await announced(bench, 'Permission needed: {0}');
	await looks.lookAt('waiting');
	await press(bench, 'Stop');
	await bench.waitForStatus('Stopped');
	await note(bench, 'You stopped this. Nothing was lost: go on, or say what to do instead.');
	await looks.lookAt('stopped');
	await press(bench, 'Go on');
}

async function overloads({ stories, bench, looks }: Walk): Promise<void> {
	const panel = await bench.panel();
	await panel.locator('.retry-line').waitFor();
	await announced(bench, '{0} is overloaded.');
	await looks.lookAt('overloaded');
	await choosesAnotherModel(bench);
	await press(bench, 'Stop');
	await bench.waitForStatus('Stopped');

	stories.mock.setScript([overloaded(), overloaded(), overloaded(), answer(words[bench.locale].other)]);
	await bench.ask(words[bench.locale].prompts[1]);
	await panel.getByText(pattern(bench, '{0} is overloaded or declined. {1} goes on.')).waitFor();
	await announced(bench, 'Loopwright has answered.');
	assert.equal(await panel.getByRole('alert').count(), 0);
	await looks.lookAt('model-switched');
	await choosesAnotherModel(bench);
}

async function limits({ stories, bench, looks }: Walk): Promise<void> {
	stories.mock.setScript([limited(5400)]);
	await bench.submit(words[bench.locale].prompts[2]);
	const wait = (await bench.panel()).getByRole('group', { name: bench.text('Long wait'), exact: true });
	await wait.waitFor();
	await bench.waitForStatus('Waiting for you');
	await announced(bench, 'The service asks to wait {0} (until {1}).');
	await looks.lookAt('long-wait');
	await wait.getByRole('button', { name: bench.text('Give up'), exact: true }).press('Enter');
	await note(bench, 'The service takes no more requests until {0}.');
	await (await bench.panel()).getByRole('alert').waitFor();
	await looks.lookAt('limited');
	await choosesAnotherModel(bench);
}

async function fullAndOffline({ stories, bench, looks }: Walk): Promise<void> {
	const { long, summary } = words[bench.locale];
	stories.mock.setScript([answer(long.repeat(6000)), answer(summary)]);
	await newConversation(bench);
	await bench.ask(words[bench.locale].prompts[3]);
	await note(bench, 'The context is full. Compact the conversation to go on, or start a new one.');
	await looks.lookAt('full');
	await press(bench, 'Compact');
	await (await bench.panel()).locator('summary', { hasText: bench.text('Compacted') }).waitFor();
	await bench.waitForStatus('Ready');
	await looks.lookAt('compacted');

	await setUserSettings(bench, { 'loopwright.provider': 'anthropic', 'loopwright.baseUrl': 'http://127.0.0.1:9' });
	await newConversation(bench);
	await bench.submit(words[bench.locale].prompts[4]);
	await (await bench.panel()).locator('.retry-line').waitFor();
	await announced(bench, '{0} cannot be reached.');
	// It tries a few times in some seconds; while its host sleeps it stays as it is.
	await bench.whileHostSleeps(() => looks.lookAt('offline'));
	const failed = (await bench.panel()).getByRole('alert');
	await failed
		.filter({
			hasText: pattern(bench, 'Could not reach {0} ({1}). Check the network and the base URL, then try again.'),
		})
		.waitFor();
	await looks.lookAt('unreachable');
	await press(bench, 'Open settings');
	await bench.page.locator('.settings-editor').waitFor();
}

/** As people do who write their settings by hand: these have application scope. */
async function setUserSettings(bench: Workbench, settings: Readonly<Record<string, unknown>>): Promise<void> {
	await bench.runCommand('Preferences: Open User Settings (JSON)');
	const editor = bench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
	await editor.click();
	await bench.page.keyboard.press('Control+A');
	await bench.page.keyboard.insertText(JSON.stringify(settings));
	await bench.page.keyboard.press('Control+S');
	await bench.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
}

async function press(bench: Workbench, name: string): Promise<void> {
	await (await bench.button(name)).last().press('Enter');
}

async function choosesAnotherModel(bench: Workbench): Promise<void> {
	await press(bench, 'Choose another model');
	const list = bench.page.locator('.quick-input-widget .quick-input-list .monaco-list-row').first();
	await list.waitFor();
	await bench.page.keyboard.press('Escape');
	await list.waitFor({ state: 'hidden' });
}

async function newConversation(bench: Workbench): Promise<void> {
	await bench.runCommand('Loopwright: New Conversation');
	await (await bench.panel()).locator('[role=log].empty').waitFor();
}

async function note(bench: Workbench, english: string) {
	const found = (await bench.panel()).getByRole('note').filter({ hasText: pattern(bench, english) });
	await found.waitFor().catch(async () => {
		throw new Error(`No note "${bench.text(english)}".\n${await bench.describe()}`);
	});
	return found;
}

/** To those who listen: in the live region, which is not the conversation. */
async function announced(bench: Workbench, english: string): Promise<void> {
	const region = (await bench.panel()).locator('main > .hidden[aria-live=polite]');
	await region.filter({ hasText: pattern(bench, english) }).waitFor({ state: 'attached' });
}

/** The words around the arguments of a text. */
function pattern(bench: Workbench, english: string): RegExp {
	const escaped = bench.text(english).replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
	return new RegExp(escaped.replaceAll(/\{\d\}/g, '.+'));
}

async function trust(bench: Workbench): Promise<void> {
	await press(bench, 'Manage trust');
	const dialog = bench.page.locator('.monaco-modal-editor-block');
	await bench.page
		.locator('.workspace-trust-editor')
		.getByRole('button', { name: 'Trust', exact: true })
		.first()
		.click();
	await (await bench.button('Manage trust')).waitFor({ state: 'detached' });
	await dialog.click({ position: { x: 5, y: 5 } });
	await dialog.waitFor({ state: 'hidden', timeout: 10_000 });
}

/** The extension remembers the version that ran last; an update is another one. Until the next reload only the database knows. */
async function rememberVersion(bench: Workbench, version: string): Promise<void> {
	const written = await bench.page.evaluate(`(async () => {
		const done = (request) => new Promise((resolve, reject) => {
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
		for (const { name = '' } of await indexedDB.databases()) {
			if (!name.startsWith('vscode-web-state-db')) continue;
			const database = await done(indexedDB.open(name));
			const store = database.transaction('ItemTable', 'readwrite').objectStore('ItemTable');
			const value = await done(store.get('loopwright.loopwright'));
			const found = typeof value === 'string' && value.includes('loopwright.version');
			if (found) {
				const other = value.replace(/("loopwright.version":")[^"]*/, '$1${version}');
				await done(store.put(other, 'loopwright.loopwright'));
			}
			database.close();
			if (found) return true;
		}
		return false;
	})()`);
	assert.ok(written, 'the version is remembered');
}
