// The panel as a page in a real browser, with a host that only listens: what it does and tells, and that a long day does not break
// it. The workbench has stories of its own; this is quicker, and can count.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { root, run } from '../../scripts/lib/shell.mjs';
import type { ViewEvent } from '../../src/shared/protocol.ts';
import { longConversation } from '../support/panelPreview/readingScenes.ts';
import { servePreview } from '../support/panelPreview/serve.ts';
import { scenes } from '../support/panelPreview/states.ts';
import type { ServedPreview } from '../support/panelPreview/serve.ts';

suite('the panel as a page', () => {
	let preview: ServedPreview;
	suiteSetup(async () => {
		preview = await servePreview();
	});
	suiteTeardown(() => preview.end());

	const open = async (query: string): Promise<Page> => {
		const tab = await preview.browser.newPage({ viewport: { width: 420, height: 800 } });
		await tab.goto(`${preview.address}/?${query}`);
		await tab.getByRole('status').waitFor();
		return tab;
	};

	const script = async (name: string): Promise<void> => {
		const file = `test/support/panelPreview/${name}.mts`;
		const { code, output } = await run(process.execPath, ['--import', 'tsx', file], { timeoutMs: 110_000 });
		assert.equal(code, 0, output);
	};
	// Those that stand together run at the same time: each waits for frames most of it.
	for (const [title, scripts] of [
		[
			'B57, B58: following, keys with input methods, requests, drafts; plans and questions',
			['check', 'checkDecisions'],
		],
		['find, outline, focus view, code, formulas, diagrams; the composer', ['checkReading', 'checkComposer']],
		['everything by the keyboard alone; states; subagents at work', ['checkKeys', 'checkStates', 'checkAgents']],
	] as const) {
		test(title, async () => {
			await Promise.all(scripts.map(script));
		});
	}

	test('B56: 3,000 messages, 200 results of 100 KB and 20,000 pieces of text; then the end again with few rows', async () => {
		const tab = await open('scene=long');
		const session = await tab.context().newCDPSession(tab);
		const heap = async (): Promise<number> => {
			await session.send('HeapProfiler.collectGarbage');
			return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
		};
		const before = await heap();
		const rows = longConversation(1000);
		const events = rows.map((row): ViewEvent => ({ type: 'row_added', row: { ...row, id: `more-${row.id}` } }));
		await tab.evaluate((given) => window.preview.play(given), events);
		const elements = await tab.evaluate(async (output) => {
			for (let at = 0; at < 200; at += 1) {
				const id = `big${at}`;
				const view = { kind: 'text', text: `${at} ${output}` } as const;
				const row = { kind: 'tool', id, toolUseId: id, tool: 'Bash', summary: 'x', state: 'done', view } as const;
				window.preview.play([{ type: 'row_added', row }]);
			}
			window.preview.play([{ type: 'row_added', row: { kind: 'text', id: 'growing', text: '', open: true } }]);
			// As the host sends them: those of 30 milliseconds together.
			for (let at = 0; at < 20_000; at += 6) {
				const text = Array.from({ length: 6 }, (_, next) => `piece ${at + next}${next === 5 ? '.\n\n' : ' '}`).join('');
				window.preview.play([{ type: 'text_appended', rowId: 'growing', text }]);
				if (at % 120 === 0) await new Promise((done) => requestAnimationFrame(done));
			}
			await new Promise((done) => requestAnimationFrame(done));
			return document.querySelectorAll('*').length;
		}, 'x'.repeat(100_000));
		await tab.getByText('piece 19997').waitFor();
		assert.ok((await tab.locator('[data-row]').count()) < 150, 'only rows near the view are drawn');
		assert.ok(elements < 4000, `${elements} elements`);
		const used = (await heap()) - before;
		assert.ok(used < 60, `${Math.round(used)} MB more, of which 20 are the results`);
		const log = tab.getByRole('log', { name: 'Conversation' });
		await log.evaluate((element) => {
			element.scrollTop -= 2000;
		});
		await tab.getByRole('button', { name: 'Jump to latest' }).click();
		await tab.getByRole('button', { name: 'Load earlier' }).waitFor({ state: 'attached' });
		const below = await log.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
		assert.ok(below <= 2, `at the end: ${below}`);
		await tab.close();
	});

	test('the newest screen of 10,000 rows takes less than half a second of the processor', async () => {
		const tab = await open('scene=empty');
		const session = await tab.context().newCDPSession(tab);
		await session.send('Performance.enable', { timeDomain: 'threadTicks' });
		const used = async (): Promise<number> => {
			const { metrics } = await session.send('Performance.getMetrics');
			return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN);
		};
		const before = await used();
		await tab.evaluate(async (rows) => {
			const { preview: page } = window;
			page.post({ type: 'snapshot', seq: 0, state: page.state, rows, earlier: 9800 });
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		}, longConversation(66));
		const spent = (await used()) - before;
		assert.ok(spent < 500, `${Math.round(spent)} ms`);
		await tab.close();
	});

	test('in a language of long words nothing is wider than 300 pixels, which is also what 200 % of zoom leaves of 600', async () => {
		const tab = await preview.browser.newPage({ viewport: { width: 300, height: 700 }, reducedMotion: 'reduce' });
		const wider: string[] = [];
		for (const scene of Object.keys(scenes)) {
			await tab.goto(`${preview.address}/?scene=${scene}&lang=pseudo`);
			await tab.getByRole('status').waitFor();
			const found = await tab.evaluate(() => {
				const { scrollWidth } = document.documentElement;
				const moving = document.getAnimations().filter(({ playState }) => playState === 'running').length;
				// Of what says something in a few words, some of it is always to be read.
				const gone = [...document.querySelectorAll<HTMLElement>('button:not(.icon-button), .tool-object:not(:empty)')]
					.filter((element) => element.checkVisibility() && element.getBoundingClientRect().width < 14)
					.map((element) => element.outerHTML.slice(0, 80));
				return { over: scrollWidth - innerWidth, moving, gone };
			});
			if (found.over > 0 || found.moving > 0 || found.gone.length > 0) wider.push(`${scene}: ${JSON.stringify(found)}`);
		}
		assert.deepEqual(wider, []);
		await tab.close();
	});

	test('B61: readable in every theme, also when it changes while the panel is open', async () => {
		const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
		for (const scene of ['answer', 'rich', 'reads']) {
			const tab = await open(`scene=${scene}&theme=light`);
			await tab.evaluate(axe);
			for (const theme of ['dark', 'hc', 'hc-light', 'light'] as const) {
				await tab.evaluate((name) => window.preview.theme(name), theme);
				const { violations } = await tab.evaluate(() =>
					(window as unknown as { axe: { run(page: Document): Promise<AxeResults> } }).axe.run(document),
				);
				assert.deepEqual(
					violations.map(({ id, nodes }) => `${theme} ${id} ${nodes[0]?.html.slice(0, 100)}`),
					[],
				);
			}
			await tab.close();
		}
	});
});
