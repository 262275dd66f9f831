// Bundles the panel and its fake host, serves them on loopback under the content security policy of a webview, and starts a
// browser. Used by shoot.mts (screenshots, axe-core) and check.mts (behaviour).
import { build } from 'esbuild';
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { bundles } from '../../../scripts/lib/bundles.mjs';
import { contentPolicy, panelHtml } from '../../../src/host/panel/html.ts';
import type { Browser } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../../..');
const bundleFile = path.join(root, 'l10n/bundle.l10n.zh-cn.json');
const chinese = (existsSync(bundleFile) ? JSON.parse(readFileSync(bundleFile, 'utf8')) : {}) as Readonly<
	Record<string, string>
>;
/** A language of long words: what breaks the layout in German or Finnish breaks it here. */
const pseudo = Object.fromEntries(Object.keys(chinese).map((text) => [text, longWords(text)]));

function longWords(text: string): string {
	const accented = text.replace(
		/\{\d+\}|[aeiou]/g,
		(part) => ({ a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü' })[part] ?? part,
	);
	return `[${accented}${'~übersetzt'.repeat(Math.ceil(text.length / 30))}]`;
}

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
	const panel = bundles({ outdir: '/out' }).at(-1) ?? {};
	const built = await Promise.all([
		build({ ...panel, minify: false, write: false, metafile: false, logLevel: 'error' }),
		build({
			bundle: true,
			platform: 'browser',
			target: 'es2022',
			format: 'esm',
			write: false,
			outdir: '/out/webview',
			entryPoints: { preview: path.join(here, 'preview.ts') },
		}),
	]);
	const files = new Map<string, string | Buffer>(
		built.flatMap(({ outputFiles }) =>
			(outputFiles ?? []).map(
				(file) => [path.relative('/out/webview', file.path), Buffer.from(file.contents)] as const,
			),
		),
	);
	files.set('defaults.css', webviewDefaults);
	for (const name of ['codicon.css', 'codicon.ttf']) {
		files.set(name, readFileSync(path.join(root, 'node_modules/@vscode/codicons/dist', name)));
	}
	return files;
}

function page(query: URLSearchParams, source: string): string {
	const language = query.get('lang') ?? 'en';
	const bundle = language === 'zh-cn' ? chinese : language === 'pseudo' ? pseudo : {};
	const html = panelHtml({
		birth: { language: language === 'pseudo' ? 'de' : language, bundle, surface: 'view' },
		script: '/panel.js',
		styles: ['/defaults.css', '/codicon.css', '/panel.css'],
		source,
		nonce,
	});
	const fake = `<script type="module" nonce="${nonce}" src="/preview.js"></script>`;
	return html.replace('<script type="module"', `${fake}$&`);
}

const types: Readonly<Record<string, string>> = {
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.ttf': 'font/ttf',
	'.woff2': 'font/woff2',
};
const nonce = 'preview';

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
		const file = files.get(url.pathname.slice(1));
		const type = file ? (types[path.extname(url.pathname)] ?? '') : 'text/html';
		const source = `http://${request.headers.host}`;
		// A header where the panel has an element: then nothing at all runs before it.
		const policy = contentPolicy(source, nonce);
		response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy });
		response.end(file ?? page(url.searchParams, source));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const bound = server.address();
	if (bound === null || typeof bound === 'string') throw new Error('no port');
	const browser = await chromium.launch({
		executablePath: process.env['CHROMIUM'] ?? process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
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
