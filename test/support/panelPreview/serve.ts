// Bundles the panel and its fake host, serves them on loopback under the content security policy of a webview, and starts a
// browser. Used by shoot.mts (screenshots, axe-core) and check.mts (behaviour).
import { build } from 'esbuild';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../../..');
const bundleFile = path.join(root, 'l10n/bundle.l10n.zh-cn.json');
const chinese: unknown = existsSync(bundleFile) ? JSON.parse(readFileSync(bundleFile, 'utf8')) : {};

export function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** What VS Code's own style sheet for webviews says, as far as it touches the panel; it lies in a layer below the panel's. */
const webviewDefaults = `@layer vscode-default {
	html { scrollbar-color: red lime; }
	body { overscroll-behavior-x: none; background-color: transparent; margin: 0; padding: 0 20px; }
	a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
	code { font-family: monospace; color: #d7ba7d; background-color: #ff000033; padding: 1px 3px; border-radius: 4px; }
	pre code { padding: 0; }
	blockquote { background: #00ff0033; border-color: red; }
	kbd { color: white; background-color: #80808033; border: 1px solid #33333399; border-radius: 3px; padding: 1px 3px; }
}`;

async function bundled(): Promise<ReadonlyMap<string, string | Buffer>> {
	const common = {
		bundle: true,
		platform: 'browser',
		target: 'es2022',
		format: 'esm',
		write: false,
		outdir: '/out',
	} as const;
	const panel = await build({
		...common,
		entryPoints: { panel: path.join(root, 'webview-ui/src/main.tsx') },
		jsx: 'automatic',
		jsxImportSource: 'preact',
	});
	const fake = await build({ ...common, entryPoints: { preview: path.join(here, 'preview.ts') } });
	const files = new Map<string, string | Buffer>(
		[...panel.outputFiles, ...fake.outputFiles].map((file) => [path.basename(file.path), file.text] as const),
	);
	files.set('defaults.css', webviewDefaults);
	for (const name of ['codicon.css', 'codicon.ttf']) {
		files.set(name, readFileSync(path.join(root, 'node_modules/@vscode/codicons/dist', name)));
	}
	return files;
}

function page(query: URLSearchParams): string {
	const language = query.get('lang') ?? 'en';
	const birth = { language, bundle: language === 'zh-cn' ? chinese : {}, surface: query.get('surface') ?? 'view' };
	return (
		`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Loopwright</title>` +
		`<link rel="stylesheet" href="/defaults.css"><link rel="stylesheet" href="/codicon.css"><link rel="stylesheet" href="/panel.css"></head><body><div id="root"></div>` +
		`<script type="application/json" id="birth">${JSON.stringify(birth).replaceAll('<', '\\u003c')}</script>` +
		`<script type="module" src="/preview.js"></script><script type="module" src="/panel.js"></script></body></html>`
	);
}

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
const policy = "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src data:";

export interface ServedPreview {
	readonly address: string;
	readonly browser: Browser;
	readonly end: () => Promise<void>;
}

/** The address of the page, a browser, and the way to end both. */
export async function servePreview(): Promise<ServedPreview> {
	const files = await bundled();
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const file = files.get(path.basename(url.pathname));
		const type = file ? types[path.extname(url.pathname)] : 'text/html';
		response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
		response.end(file ?? page(url.searchParams));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const bound = server.address();
	if (bound === null || typeof bound === 'string') throw new Error('no port');
	const browser = await chromium.launch({
		executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
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
	return {
		address: `http://127.0.0.1:${bound.port}`,
		browser,
		async end() {
			await browser.close();
			server.close();
		},
	};
}
