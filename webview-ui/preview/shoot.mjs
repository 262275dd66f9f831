// Bundles the preview, opens each scene in each theme, width and language, takes screenshots and runs axe-core.
// Usage: node webview-ui/preview/shoot.mjs [OUT] [--scene NAME] [--quick]
import { build } from 'esbuild';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const named = process.argv.indexOf('--scene');
const only = named > 0 ? process.argv[named + 1] : undefined;
const quick = process.argv.includes('--quick');
const out =
	process.argv[2] && !process.argv[2].startsWith('--') ? process.argv[2] : path.join(tmpdir(), 'panel-preview');
const bundleFile = path.join(root, 'l10n/bundle.l10n.zh-cn.json');
const chinese = existsSync(bundleFile) ? JSON.parse(readFileSync(bundleFile, 'utf8')) : {};

const common = { bundle: true, platform: 'browser', target: 'es2022', format: 'esm', write: false, outdir: '/out' };
const panel = await build({
	...common,
	entryPoints: { panel: path.join(root, 'webview-ui/src/main.tsx') },
	jsx: 'automatic',
	jsxImportSource: 'preact',
});
const fake = await build({ ...common, entryPoints: { preview: path.join(here, 'preview.ts') } });
const files = new Map([...panel.outputFiles, ...fake.outputFiles].map((file) => [path.basename(file.path), file.text]));
for (const name of ['codicon.css', 'codicon.ttf']) {
	files.set(name, readFileSync(path.join(root, 'node_modules/@vscode/codicons/dist', name)));
}

const page = (query) => {
	const language = query.get('lang') ?? 'en';
	const birth = { language, bundle: language === 'zh-cn' ? chinese : {}, surface: query.get('surface') ?? 'view' };
	return (
		`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Loopwright</title>` +
		`<link rel="stylesheet" href="/codicon.css"><link rel="stylesheet" href="/panel.css"></head><body><div id="root"></div>` +
		`<script type="application/json" id="birth">${JSON.stringify(birth).replaceAll('<', '\\u003c')}</script>` +
		`<script type="module" src="/preview.js"></script><script type="module" src="/panel.js"></script></body></html>`
	);
};
const types = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
const policy = "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src data:";
export const server = createServer((request, response) => {
	const url = new URL(request.url ?? '/', 'http://localhost');
	const file = files.get(path.basename(url.pathname));
	const type = file ? types[path.extname(url.pathname)] : 'text/html';
	response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
	response.end(file ?? page(url.searchParams));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: [
		'--headless',
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
	],
});
await mkdir(out, { recursive: true });
const { scenes } = await import('./states.ts');
const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
let problems = 0;

async function shoot(scene, theme, width, lang) {
	const context = await browser.newContext({ viewport: { width, height: 800 }, bypassCSP: false });
	const tab = await context.newPage();
	tab.on('console', (message) => {
		if (message.type() === 'error') console.log(`${scene} ${theme}: ${message.text()}`);
	});
	tab.on('pageerror', (error) => {
		problems += 1;
		console.log(`${scene} ${theme}: ${error.stack}`);
	});
	await tab.goto(`${address}/?scene=${scene}&theme=${theme}&lang=${lang}`);
	await tab.locator('[role=status]').waitFor();
	if (scene === 'tools') for (const name of ['5', '7']) await tab.locator(`[data-row="${name}"] .tool-line`).click();
	if (scene === 'answer') await tab.getByRole('button', { name: lang === 'en' ? 'Mode' : '模式', exact: true }).click();
	if (scene === 'bash') {
		const always = tab.getByRole('button', { name: /Always allow|始终允许/ });
		if (await always.count()) await always.click();
	}
	await tab.evaluate(() => document.fonts.ready);
	await tab.screenshot({ path: path.join(out, `${scene}-${theme}-${width}-${lang}.png`) });
	const wide = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
	if (wide) {
		problems += 1;
		console.log(`${scene} ${width}: overflows sideways`);
	}
	await tab.evaluate(axe);
	const found = await tab.evaluate(() => window.axe.run(document, { rules: { region: { enabled: false } } }));
	for (const violation of found.violations) {
		problems += 1;
		const node = violation.nodes[0];
		console.log(
			`${scene} ${theme} ${width} ${lang}: ${violation.id}: ${violation.help}\n    ${node?.html.slice(0, 160)}\n    ${node?.failureSummary.split('\n')[1]}`,
		);
	}
	await context.close();
}

for (const scene of Object.keys(scenes).filter((name) => only === undefined || name === only)) {
	for (const theme of ['light', 'dark', 'hc']) await shoot(scene, theme, 420, 'en');
	if (quick) continue;
	for (const width of [300, 900]) await shoot(scene, 'dark', width, 'en');
	await shoot(scene, 'light', 420, 'zh-cn');
	await shoot(scene, 'dark', 300, 'zh-cn');
}
await browser.close();
server.close();
console.log(`${problems} problems; screenshots in ${out}`);
process.exit(problems > 0 ? 1 : 0);
