// What the checks of the previewed panel share: a scene is opened, a check drives it like a person, and the script says how it
// went. Usage of a script: node --import tsx FILE [PART OF A TITLE]
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { ToHost, ToWebview, ViewEvent } from '../../../src/shared/protocol.ts';
import { say, servePreview } from './serve.ts';

export interface Panel {
	readonly tab: Page;
	readonly log: Locator;
	/** What the panel told the host, of one type. */
	sent<T extends ToHost['type']>(type: T): Promise<readonly Extract<ToHost, { type: T }>[]>;
	play(events: readonly ViewEvent[]): Promise<void>;
	post(message: ToWebview): Promise<void>;
	/** Pixels between what is shown and the end of the conversation. */
	below(): Promise<number>;
	/** Waits until what was played is drawn. */
	frames(): Promise<void>;
}

export interface Checks {
	/** Opens a scene, runs a check on it, and says how it went. */
	readonly check: (title: string, scene: string, run: (panel: Panel) => Promise<void>) => Promise<void>;
	/** Ends the process; its status says whether all went well. */
	readonly end: () => Promise<never>;
}

export async function startChecks(): Promise<Checks> {
	const preview = await servePreview();
	const { address, browser } = preview;
	const failures: string[] = [];
	/** Part of the titles of the checks to run. */
	const only = process.argv[2] ?? '';

	async function check(title: string, scene: string, run: (panel: Panel) => Promise<void>): Promise<void> {
		if (!title.includes(only)) return;
		const context = await browser.newContext({ viewport: { width: 420, height: 700 } });
		const tab = await context.newPage();
		const errors: string[] = [];
		tab.on('pageerror', (error) => errors.push(error.message));
		await tab.goto(`${address}/?scene=${scene}`);
		await tab.getByRole('status').waitFor();
		const log = tab.getByRole('log', { name: 'Conversation' });
		const panel: Panel = {
			tab,
			log,
			async sent<T extends ToHost['type']>(type: T) {
				const all = await tab.evaluate(() => [...window.preview.sent]);
				return all.filter((message): message is Extract<ToHost, { type: T }> => message.type === type);
			},
			play: (events) => tab.evaluate((given) => window.preview.play(given), events),
			post: (message) => tab.evaluate((given) => window.preview.post(given), message),
			below: () => log.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop),
			frames: () =>
				tab.evaluate(
					() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
				),
		};
		try {
			await run(panel);
			assert.deepEqual(errors, []);
			say(`ok   ${title}`);
		} catch (error) {
			failures.push(title);
			say(`FAIL ${title}\n     ${error instanceof Error ? error.message : String(error)}`);
		}
		await context.close();
	}

	return {
		check,
		async end() {
			await preview.end();
			say(failures.length === 0 ? 'all checks passed' : `${failures.length} failed`);
			process.exit(failures.length > 0 ? 1 : 0);
		},
	};
}
