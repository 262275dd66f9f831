// How the panel looks, in every theme, narrow and wide, in both languages; without accessibility violations.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/shell.mjs';
import { text, thinking, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import type { Theme, Workbench } from './harness/workbench.ts';

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const markdown = [
	'## What I found',
	'The check is in `src/auth/login.ts`:',
	'```ts\nexport function check(user: string): boolean {\n\treturn user.length > 0; // not enough\n}\n```',
	'| file | lines |\n|---|---|\n| login.ts | 80 |\n| session.ts | 40 |',
	'1. **Empty** passwords pass\n2. the lock never ends\n\n> Nothing was changed.',
].join('\n\n');

stories('appearance', (stories) => {
	setup(() => {
		stories.mock.setScript([
			turn(
				thinking('The person asks about the login.'),
				text('I look at the login.'),
				toolUse('Grep', { pattern: 'login', output_mode: 'content', '-n': true }),
				toolUse('Read', { file_path: 'src/auth/login.ts' }),
				toolUse('TodoWrite', {
					todos: [
						{ content: 'Read the login', activeForm: 'Reading the login', status: 'completed' },
						{ content: 'Check the lock', activeForm: 'Checking the lock', status: 'in_progress' },
						{ content: 'Report', activeForm: 'Reporting', status: 'pending' },
					],
				}),
			),
			turn(text(markdown), toolUse('Bash', { command: 'npm test', description: 'Run the tests' })),
		]);
	});

	const cases: [Theme, 'en' | 'zh-cn'][] = [
		['light', 'en'],
		['dark', 'zh-cn'],
		['high-contrast', 'en'],
		['high-contrast-light', 'zh-cn'],
	];
	for (const [theme, locale] of cases) {
		test(`${theme}, ${locale}`, async () => {
			const workbench = await stories.open({ theme, locale });
			await workbench.screenshot(`look-empty-${theme}-${locale}`);
			await workbench.submit(locale === 'en' ? 'Check the login' : '检查登录模块');
			await (await workbench.permission('Bash')).waitFor({ timeout: 30_000 });
			await workbench.screenshot(`look-waiting-${theme}-${locale}`);
			assert.deepEqual(await violations(workbench), []);
			const frame = await workbench.panel();
			const overflow = await frame.evaluate(
				() => document.documentElement.scrollWidth - document.documentElement.clientWidth,
			);
			assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the panel`);
		});
	}
});

/** axe-core's findings in the panel. The frame is transparent: the workbench's background is painted behind it first. */
async function violations(workbench: Workbench): Promise<string[]> {
	const frame = await workbench.panel();
	await frame.evaluate(axeSource);
	return frame.evaluate(async () => {
		document.documentElement.style.background = 'var(--vscode-sideBar-background)';
		const axe = (
			globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
		).axe;
		const { violations: found } = await axe.run();
		return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
	});
}
