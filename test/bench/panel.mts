// How fast the panel is in a real browser: opening the newest screen of 10,000 messages, loading earlier ones, reading through all of
// them, streaming 1 MB. By the processor time of the page's main thread, so that a busy machine counts for little: for each step, with the
// two or three frames that it takes until all is in its place, and for the longest single task, which is what holds a frame up.
// Usage: node --import tsx test/bench/panel.mts [PAGES]
import { readFileSync } from 'node:fs';
import type { ViewEvent } from '../../src/shared/protocol.ts';
import type { Row } from '../../src/shared/view.ts';
import { longConversation } from '../support/panelPreview/readingScenes.ts';
import { servePreview, say } from '../support/panelPreview/serve.ts';

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

/** Milliseconds that the page's main thread has worked so far. */
const session = await tab.context().newCDPSession(tab);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
async function used(): Promise<number> {
	const { metrics } = await session.send('Performance.getMetrics');
	return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN);
}

interface TraceEvent {
	readonly name: string;
	readonly pid: number;
	readonly tid: number;
	readonly tdur?: number;
	readonly args?: { readonly name?: string };
}

/** Milliseconds of processor time of each task of the page's main thread, until the function that this gives back is called. */
async function traceTasks(): Promise<() => Promise<readonly number[]>> {
	const events: TraceEvent[] = [];
	const take = ({ value }: { readonly value: readonly object[] }) => events.push(...(value as TraceEvent[]));
	session.on('Tracing.dataCollected', take);
	await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } });
	return async () => {
		const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
		await session.send('Tracing.end');
		await complete;
		session.off('Tracing.dataCollected', take);
		const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
		const tasks = threads.map(({ pid, tid }) =>
			events.filter((event) => event.name.endsWith('RunTask') && event.pid === pid && event.tid === tid),
		);
		const [page = []] = tasks.toSorted((a, b) => b.length - a.length);
		return page.map(({ tdur = 0 }) => tdur / 1000);
	};
}

/** One step after the other, each until it is drawn; says what each took. */
async function steps(what: string, count: number, step: (at: number) => Promise<void>): Promise<void> {
	const spent: number[] = [];
	const traced = await traceTasks();
	for (let at = 0; at < count; at += 1) {
		const before = await used();
		await step(at);
		spent.push((await used()) - before);
	}
	const tasks = await traced();
	const sorted = spent.toSorted((a, b) => a - b);
	const share = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
	const slow = spent.flatMap((time, at) => (time > 50 ? [`#${at}: ${Math.round(time)}`] : []));
	const tail = slow.length === 0 ? '' : ` (${slow.slice(0, 6).join(', ')})`;
	say(
		`${what}: ${count} steps, median ${share(0.5)} ms, 99 % under ${share(0.99)} ms, longest ${share(1)} ms, ` +
			`${slow.length} over 50 ms${tail}; longest task ${Math.round(Math.max(0, ...tasks))} ms, ` +
			`${tasks.filter((time) => time > 50).length} over 50 ms`,
	);
}

const scrollBy = (pixels: number) =>
	tab.evaluate(async (by) => {
		const log = document.querySelector('.log') ?? document.body;
		log.scrollTop += by;
		await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	}, pixels);
const scrollTo = (share: number) =>
	tab.evaluate(async (part) => {
		const log = document.querySelector('.log') ?? document.body;
		log.scrollTop = log.scrollHeight * part;
		await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	}, share);

const count = Number(process.argv[2] ?? 49);
const page = (at: number): readonly Row[] => newest.map((row) => ({ ...row, id: `p${at}-${row.id}` }));

await steps('scrolling up, 100 pixels a frame', 100, () => scrollBy(-100));
await scrollTo(0);
await steps('earlier pages of 198 rows', count, async (at) => {
	await tab.evaluate(
		async ({ rows, earlier }) => {
			window.preview.post({ type: 'earlier_rows', rows, earlier });
			await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
		},
		{ rows: page(at), earlier: Math.max(0, 9800 - 198 * (at + 1)) },
	);
});
await steps('reading up, 300 pixels a frame', 300, () => scrollBy(-300));
await steps('rushing up, 1,000 pixels a frame', 300, () => scrollBy(-1000));
await steps('reading down, 100 pixels a frame', 200, () => scrollBy(100));
await steps('the scroll bar dragged to 100 places', 100, (at) => scrollTo(((at * 37) % 100) / 100));
const { JSHeapUsedSize, Nodes } = Object.fromEntries(
	(await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]),
);
say(`with all of them: ${Math.round((JSHeapUsedSize ?? 0) / 1e6)} MB of heap, ${Nodes} nodes`);
await scrollTo(1);
await steps('a row more at the end', 50, (at) =>
	play({ type: 'row_added', row: { kind: 'text', id: `n${at}`, text: `More ${at}.`, open: false } }),
);

await streaming();
await preview.end();

function play(event: ViewEvent): Promise<void> {
	return tab.evaluate(async (given) => {
		window.preview.play([given]);
		await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	}, event);
}

async function streaming(): Promise<void> {
	const paragraph = 'Some words with `code`, **weight** and a [link](https://example.com), as answers have them.\n\n';
	const code = '```ts\nexport const limit = 5;\nif (user.failures >= limit) lock(user);\n```\n\n';
	const list = '- one thing\n- another thing\n- a third one with `src/auth/login.ts:7`\n\n';
	const piece = paragraph.repeat(4) + code + paragraph.repeat(3) + list;
	const long = (characters: number) => piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);
	const source = readFileSync(new URL('../../src/host/composition.ts', import.meta.url), 'utf8');
	const block = `\`\`\`ts\n${source.repeat(9).slice(0, 110_000)}\n\`\`\`\n`;
	await stream('1 MB', 4000, long(1_000_000));
	await stream('100 KB', 500, long(99_000));
	await stream('a block of 110 KB of code', 2000, block);
}

/** The answer grows by so many characters a frame, then it is complete. */
async function stream(what: string, step: number, text: string): Promise<void> {
	const id = `stream ${what}`;
	await play({ type: 'row_added', row: { kind: 'text', id, text: '', open: true } });
	await steps(`streaming ${what}, ${step} characters a frame`, Math.ceil(text.length / step), (at) =>
		play({ type: 'text_appended', rowId: id, text: text.slice(at * step, (at + 1) * step) }),
	);
	await steps(`${what}, complete`, 1, () =>
		play({ type: 'row_updated', row: { kind: 'text', id, text, open: false } }),
	);
}
