// One browser for a process, started when first needed. Pages get a context each, so that nothing is remembered between them.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { ensureBrowser, launchOptions } from '../../../scripts/lib/browser.mjs';

let starting: Promise<Browser> | undefined;

export interface PageOptions {
	readonly viewport?: { readonly width: number; readonly height: number };
	readonly reducedMotion?: boolean;
}

export async function newPage(options: PageOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
	starting ??= ensureBrowser().then((executable) => chromium.launch(launchOptions(executable)));
	const browser = await starting;
	const context = await browser.newContext({
		viewport: options.viewport ?? { width: 1440, height: 900 },
		permissions: ['clipboard-read', 'clipboard-write'],
		reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
	});
	context.setDefaultTimeout(20_000);
	const page = await context.newPage();
	return { context, page };
}

export async function closeBrowser(): Promise<void> {
	const browser = await starting;
	starting = undefined;
	await browser?.close();
}
