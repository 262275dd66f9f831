// Opens each scene in each theme, width and language, takes screenshots and runs axe-core; exits 1 on any finding.
// Usage: node --import tsx test/support/panelPreview/shoot.mts [OUT] [--scene NAME,…] [--narrow | --quick | --full]
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { root, say, servePreview } from './serve.ts';
import { scenes } from './states.ts';

declare global {
	interface Window {
		readonly axe: { run(page: Document, options?: RunOptions): Promise<AxeResults> };
	}
}

const named = process.argv.indexOf('--scene');
const only = named > 0 ? process.argv[named + 1]?.split(',') : undefined;
const quick = process.argv.includes('--quick');
const narrow = process.argv.includes('--narrow');
const full = process.argv.includes('--full');
const out =
	process.argv[2] && !process.argv[2].startsWith('--') ? process.argv[2] : path.join(tmpdir(), 'panel-preview');
const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const preview = await servePreview();
const { address, browser } = preview;
const problems: string[] = [];

/** Opens what is folded in a scene and worth a look. */
async function unfold(tab: Page, scene: string, lang: string): Promise<void> {
	if (scene === 'tools') for (const name of ['5', '7']) await tab.locator(`[data-row="${name}"] .tool-line`).click();
	if (scene === 'answer')
		await tab.getByRole('button', { name: lang === 'zh-cn' ? '模式' : /^\[?M[oö]d[eé](?!l)/ }).click();
	if (scene === 'meters') await tab.locator('.meter-button').click();
	if (scene === 'composer') await tab.locator('.composer textarea').fill('@log');
	if (scene === 'composerQueue') await tab.locator('.composer textarea').fill('and then');
	if (scene === 'planned') for (const name of ['3', '4']) await tab.locator(`[data-row="${name}"] .tool-line`).click();
	if (scene === 'rich') await tab.locator('.diagram-picture img').waitFor();
	if (scene === 'reads') await tab.locator('.reads > .tool-line').click();
	if (scene === 'rtl') await tab.keyboard.press('Control+f');
	if (scene === 'recovery') await tab.locator('details.compacted > summary').click();
	if (['always', 'compound'].includes(scene)) await tab.getByRole('button', { name: /Alw[aá]ys |始终允许/ }).click();
	if (scene === 'agents')
		for (const name of ['a1', 'a2', 'a3', 'a5', 'c1', 'w1', 'w2'])
			await tab.locator(`[data-row="${name}"] .tool-line`).first().click();
	if (scene === 'bash') await tab.locator('.more-requests > button').click();
	if (scene === 'longbash') await tab.locator('.request-edit').click();
	if (['generic', 'critical', 'secret'].includes(scene)) await tab.locator('.why-button[aria-expanded]').click();
}

/** Runs in the page. Also what is cut off where it cannot be scrolled to. */
function overflows(): boolean {
	const parts = [document.documentElement, ...document.querySelectorAll('.log, .dock')];
	// A line gives way with a sign; fractions of a pixel are none.
	const lines = [...document.querySelectorAll('.tool-line')];
	return (
		parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth) ||
		lines.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
	);
}

async function findings(tab: Page): Promise<readonly string[]> {
	await tab.evaluate(axe);
	const { violations } = await tab.evaluate(() => window.axe.run(document));
	return violations.map(({ id, help, nodes }) => {
		const node = nodes[0];
		return `${id}: ${help}\n    ${node?.html.slice(0, 160)}\n    ${node?.failureSummary}`;
	});
}

async function shoot(scene: string, theme: string, width: number, lang: string): Promise<void> {
	const context = await browser.newContext({ viewport: { width, height: 800 } });
	const tab = await context.newPage();
	const report = (text: string) => problems.push(`${scene} ${theme} ${width} ${lang}: ${text}`);
	tab.on('console', (message) => {
		if (message.type() === 'error') report(message.text());
	});
	tab.on('pageerror', (error) => report(String(error.stack)));
	await tab.goto(`${address}/?scene=${scene}&theme=${theme}&lang=${lang}`);
	await tab.locator('[role=status]').waitFor();
	await unfold(tab, scene, lang);
	await tab.evaluate(() => document.fonts.ready);
	await tab.screenshot({ path: path.join(out, `${scene}-${theme}-${width}-${lang}.png`) });
	if (await tab.evaluate(overflows)) report('overflows sideways');
	for (const finding of await findings(tab)) report(finding);
	await context.close();
}

await mkdir(out, { recursive: true });
for (const scene of Object.keys(scenes).filter((name) => only === undefined || only.includes(name))) {
	// The pseudo-language has long words; it is also what 200 % zoom leaves of 600 pixels.
	await shoot(scene, 'dark', 300, 'pseudo');
	if (narrow) continue;
	if (full) {
		for (const theme of ['light', 'dark', 'hc']) {
			for (const width of [300, 600]) for (const lang of ['en', 'zh-cn']) await shoot(scene, theme, width, lang);
		}
		continue;
	}
	for (const theme of ['light', 'dark', 'hc', 'hc-light']) await shoot(scene, theme, 420, 'en');
	if (quick) continue;
	for (const width of [300, 900]) await shoot(scene, 'dark', width, 'en');
	await shoot(scene, 'light', 420, 'zh-cn');
	await shoot(scene, 'dark', 300, 'zh-cn');
}
await preview.end();
for (const problem of problems) say(problem);
say(`${problems.length} problems; screenshots in ${out}`);
process.exit(problems.length > 0 ? 1 : 0);
