// A state or part of the panel as people see it, with what axe-core says of it. By itself in one theme and width for each, in turn;
// with LOOPWRIGHT_THEMES=all and LOOPWRIGHT_WIDTHS=300,600 in all of them, for the pictures that are looked at one by one.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/shell.mjs';
import type { Theme, Workbench } from './workbench.ts';
import { themeSettings } from './workbench.ts';
import { poll, screenshotFolder } from './workbenchPage.ts';

const axeSource = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
/** By which the panel's page shows that it has taken over a theme. */
const bodyClass: Readonly<Record<Theme, string>> = {
	light: 'vscode-light',
	dark: 'vscode-dark',
	'high-contrast': 'vscode-high-contrast',
	'high-contrast-light': 'vscode-high-contrast-light',
};
const themes = Object.keys(bodyClass) as readonly Theme[];

/** Looks in one theme before the next one: a switch takes half a second. */
const inARow = 4;
/** Whether each is taken in all themes, in both languages: some minutes for a walk. */
export const allLooks = process.env['LOOPWRIGHT_THEMES'] === 'all';

export interface Look {
	/** Brings it about, anew for each width: what is open may close, or scroll away, when the panel is made wider. */
	readonly show?: () => Promise<void>;
	/** What is taken besides the panel: all of the window, or what lies over it. */
	readonly of?: 'window' | 'list';
	/** In this width only. */
	readonly width?: number;
}

export interface Looks {
	/** Takes the pictures of what is there now. Throws when something is wider than the panel, or hard to use for some. */
	readonly lookAt: (what: string, look?: Look) => Promise<void>;
}

/** `kind`: the first word of the pictures' names; `width`: pixels, unless the environment names others. */
export function looksOf(bench: Workbench, kind: 'state' | 'part', width: number): Looks {
	const widths = process.env['LOOPWRIGHT_WIDTHS']?.split(',').map(Number) ?? [width];
	let turn = 0;
	return {
		async lookAt(what, look = {}) {
			const theme = themes[Math.floor(turn++ / inARow) % themes.length] ?? 'dark';
			for (const wide of look.width === undefined ? widths : [look.width]) {
				await widen(bench, wide);
				await look.show?.();
				for (const one of allLooks ? themes : [theme]) {
					await wear(bench, one);
					await picture(bench, `${kind}-${what}-${one}-${wide}-${bench.locale}`, look.of);
					assert.deepEqual(await findings(bench), [], `${what}, ${one}, ${wide} pixels`);
				}
			}
		},
	};
}

async function wear(bench: Workbench, theme: Theme): Promise<void> {
	const frame = await bench.panel();
	bench.setSettings(themeSettings(theme));
	await frame.waitForFunction((name) => document.body.classList.contains(name), bodyClass[theme]);
}

/** By its sash, as a person does. */
async function widen(bench: Workbench, width: number): Promise<void> {
	const part = bench.page.locator('.part.auxiliarybar');
	let last = '';
	const reached = await poll(8_000, async () => {
		const box = await part.boundingBox();
		if (!box) return undefined;
		if (Math.abs(box.width - width) <= 2) return true;
		const sashes = await bench.page.locator('.monaco-sash.vertical').all();
		const places = (await Promise.all(sashes.map((sash) => sash.boundingBox()))).filter((place) => place !== null);
		const [nearest] = places.toSorted((a, b) => Math.abs(a.x - box.x) - Math.abs(b.x - box.x));
		const from = nearest ? nearest.x + nearest.width / 2 : box.x;
		last = `${box.width} at ${box.x}, sash at ${from}`;
		await bench.page.mouse.move(from - 3, 300);
		await bench.page.mouse.move(from, 300);
		await bench.page.mouse.down();
		await bench.page.mouse.move(from + box.width - width, 300, { steps: 5 });
		await bench.page.mouse.up();
		return undefined;
	});
	assert.ok(reached, `The panel cannot be made ${width} pixels wide: ${last}.`);
	await bench.page.mouse.move(400, 300);
}

async function picture(bench: Workbench, name: string, of: Look['of']): Promise<void> {
	mkdirSync(screenshotFolder, { recursive: true });
	await (
		await bench.panel()
	).evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
	const part = bench.page.locator(of === 'list' ? '.quick-input-widget' : '.part.auxiliarybar');
	const clip = of === 'window' ? undefined : await part.boundingBox();
	await bench.page.screenshot({
		path: path.join(screenshotFolder, `${name}.png`),
		...(clip ? { clip } : {}),
	});
}

interface AxePage {
	readonly axe?: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** The frame is transparent: the workbench's background is painted behind it while axe-core looks. */
async function findings(bench: Workbench): Promise<readonly string[]> {
	const frame = await bench.panel();
	if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeSource);
	return frame.evaluate(async () => {
		const { style, scrollWidth, clientWidth, scrollTop } = document.documentElement;
		style.background = 'var(--vscode-sideBar-background)';
		const { violations } = (await (globalThis as AxePage).axe?.run()) ?? { violations: [] };
		style.background = '';
		const over = scrollWidth - clientWidth;
		return [
			...(over > 0 ? [`${over} pixels wider than the panel`] : []),
			...(scrollTop > 0 ? [`scrolled by ${scrollTop} pixels as a whole`] : []),
			...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
		];
	});
}
