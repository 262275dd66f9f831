// How fast the panel is in a real browser: opening the newest screen of 10,000 messages, scrolling, loading earlier ones, streaming
// 1 MB. Usage: node --import tsx test/bench/panel.mts [PAGES]
import type { Page } from 'playwright-core';
import type { ViewEvent } from '../../src/shared/protocol.ts';
import type { Row } from '../../src/shared/view.ts';
import { longConversation } from '../support/panelPreview/readingScenes.ts';
import { servePreview, say } from '../support/panelPreview/serve.ts';

interface Frames {
	readonly longest: number;
	readonly median: number;
	readonly total: number;
}

/** Milliseconds between frames while `work` goes on; `work` runs in the page. */
async function frames(tab: Page, work: string): Promise<Frames> {
	return tab.evaluate(async (source) => {
		const gaps: number[] = [];
		let last = performance.now();
		const start = last;
		let on = true;
		const tick = (now: number) => {
			gaps.push(now - last);
			last = now;
			if (on) requestAnimationFrame(tick);
		};
		requestAnimationFrame(tick);
		await (window as unknown as Record<string, () => Promise<void>>)[source]?.();
		on = false;
		const sorted = gaps.slice(1).toSorted((a, b) => a - b);
		return {
			longest: Math.round(sorted.at(-1) ?? 0),
			median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
			total: Math.round(performance.now() - start),
		};
	}, work);
}

const preview = await servePreview();
const tab = await preview.browser.newPage({ viewport: { width: 420, height: 800 } });
// What names the functions of this file, in the page, where they run.
await tab.addInitScript('globalThis.__name = (named) => named');
await tab.goto(`${preview.address}/?scene=empty`);
await tab.getByRole('status').waitFor();

const newest = longConversation(66);
const opened = await tab.evaluate(
	async ({ rows, count }) => {
		const { preview: page } = window;
		const start = performance.now();
		const state = page.state;
		page.post({ type: 'snapshot', seq: 0, state, rows, earlier: count - rows.length });
		await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		return performance.now() - start;
	},
	{ rows: newest, count: 10_000 },
);
say(`newest ${newest.length} of 10,000 rows: ${Math.round(opened)} ms`);

await tab.evaluate(() => {
	const log = document.querySelector('.log') ?? document.body;
	const step = () => new Promise((done) => requestAnimationFrame(done));
	Object.assign(window, {
		async scrolling() {
			for (let at = 0; at < 120; at += 1) {
				log.scrollTop -= 60;
				await step();
			}
		},
	});
});
report('scrolling up through them', await frames(tab, 'scrolling'));

const pages: readonly (readonly Row[])[] = Array.from({ length: Number(process.argv[2] ?? 49) }, (_, page) =>
	newest.map((row) => ({ ...row, id: `p${page}-${row.id}` })),
);
await tab.evaluate((all) => {
	const { preview: page } = window;
	let left = 9800;
	Object.assign(window, {
		async loading() {
			for (const rows of all) {
				left -= rows.length;
				page.post({ type: 'earlier_rows', rows, earlier: Math.max(0, left) });
				await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			}
		},
	});
}, pages);
report(`${pages.length} earlier pages, one after the other`, await frames(tab, 'loading'));
report('scrolling with all of them', await frames(tab, 'scrolling'));

await streaming();
await preview.end();

function report(what: string, { longest, median, total }: Frames): void {
	say(`${what}: longest frame ${longest} ms, median ${median} ms, ${total} ms in all`);
}

/** By the processor time of the page's main thread for each message and its frame, so that a busy machine counts for nothing. */
async function streaming(): Promise<void> {
	const paragraph = 'Some words with `code`, **weight** and a [link](https://example.com), as answers have them.\n\n';
	const code = '```ts\nexport const limit = 5;\nif (user.failures >= limit) lock(user);\n```\n\n';
	const list = '- one thing\n- another thing\n- a third one with `src/auth/login.ts:7`\n\n';
	const piece = paragraph.repeat(4) + code + paragraph.repeat(3) + list;
	const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
	const session = await tab.context().newCDPSession(tab);
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	const used = async (): Promise<number> => {
		const { metrics } = await session.send('Performance.getMetrics');
		return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN);
	};
	const play = (event: ViewEvent) =>
		tab.evaluate(async (given) => {
			window.preview.play([given]);
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		}, event);
	await play({ type: 'row_added', row: { kind: 'text', id: 'stream', text: '', open: true } });
	const spent: number[] = [];
	const step = 4000;
	let before = await used();
	const measure = async (event: ViewEvent) => {
		await play(event);
		const after = await used();
		spent.push(after - before);
		before = after;
	};
	for (let at = 0; at < text.length; at += step) {
		await measure({ type: 'text_appended', rowId: 'stream', text: text.slice(at, at + step) });
	}
	await measure({ type: 'row_updated', row: { kind: 'text', id: 'stream', text, open: false } });
	const last = Math.round(spent.pop() ?? 0);
	const sorted = spent.toSorted((a, b) => a - b);
	const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
	say(
		`streaming 1 MB in ${sorted.length} messages, processor time of each: median ${at(0.5)} ms, 99 % under ${at(0.99)} ms, ` +
			`longest ${at(1)} ms; the completed answer ${last} ms`,
	);
}
