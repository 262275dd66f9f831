// Hostile answers in the real page under its real policy: nothing runs, nothing is loaded, nothing that could is in the page.
import assert from 'node:assert/strict';
import { tests as commonMark } from 'commonmark-spec';
import purifierFixtures from 'dompurify-fixtures/test/fixtures/expect.js';
import type { Page } from 'playwright-core';
import type { ViewEvent } from '../../src/shared/protocol.ts';
import type { Row } from '../../src/shared/view.ts';
import { hostileAnswers, hostileTexts } from '../support/panelPreview/hostile.ts';
import { servePreview } from '../support/panelPreview/serve.ts';
import type { ServedPreview } from '../support/panelPreview/serve.ts';

suite('hostile markdown in the page', () => {
	let preview: ServedPreview;
	let tab: Page;
	let trouble: string[] = [];

	suiteSetup(async () => {
		preview = await servePreview();
	});
	suiteTeardown(() => preview.end());

	setup(async () => {
		trouble = [];
		const context = await preview.browser.newContext({ viewport: { width: 900, height: 3000 } });
		tab = await context.newPage();
		tab.on('dialog', (dialog) => {
			trouble.push(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});
		tab.on('popup', () => trouble.push('a window was opened'));
		await tab.exposeFunction('pwned', () => trouble.push('a script ran'));
		await tab.goto(`${preview.address}/?scene=empty`);
		await tab.getByRole('status').waitFor();
		tab.on('request', (request) => {
			if (!request.url().startsWith(preview.address)) trouble.push(`request: ${request.url()}`);
		});
		tab.on('framenavigated', () => trouble.push('the page went elsewhere'));
	});
	teardown(() => tab.context().close());

	const show = async (texts: readonly string[]): Promise<void> => {
		for (let at = 0; at < texts.length; at += 100) {
			const events = texts.slice(at, at + 100).flatMap((text, index): readonly ViewEvent[] => {
				const row: Row = { kind: 'text', id: `t${at + index}`, text: '', open: true };
				const cut = Math.floor(text.length / 2);
				return [
					{ type: 'row_added', row },
					{ type: 'text_appended', rowId: row.id, text: text.slice(0, cut) },
				];
			});
			// Cut in the middle first, as a stream may be.
			await tab.evaluate((given) => window.preview.play(given), events);
			const whole = texts.slice(at, at + 100).map((text, index): ViewEvent => {
				return { type: 'row_updated', row: { kind: 'text', id: `t${at + index}`, text, open: false } };
			});
			await tab.evaluate((given) => window.preview.play(given), whole);
		}
		await settled();
	};

	/** What is in view is drawn, formulas too, and no diagram waits to be. */
	const settled = async (): Promise<void> => {
		await tab.waitForFunction(() =>
			[...document.querySelectorAll('.log .stretch:empty')].every((part) => {
				const { top, bottom } = part.getBoundingClientRect();
				return bottom <= 0 || top >= innerHeight || bottom - top < 1;
			}),
		);
		await tab.waitForFunction(() => document.querySelector('.formula:not(.drawn), .measuring') === null);
		await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
		await tab.waitForFunction(() => document.querySelector('.measuring') === null);
	};

	/** Only what is near the view is drawn: all of the conversation comes into it, from the top to the end. */
	const throughAll = async (look: () => Promise<void>): Promise<void> => {
		await tab.evaluate(() => document.querySelector('.log')?.scrollTo(0, 0));
		for (let goesOn = true; goesOn;) {
			await settled();
			await look();
			goesOn = await tab.evaluate(() => {
				const log = document.querySelector('.log');
				const before = log?.scrollTop ?? 0;
				log?.scrollBy(0, log.clientHeight - 100);
				return (log?.scrollTop ?? 0) > before;
			});
		}
	};
	const nothingDangerous = () => throughAll(async () => assert.deepEqual(await dangerous(), []));

	/** What must not be in the conversation, whether it did something or not. */
	const dangerous = (): Promise<readonly string[]> =>
		tab.evaluate(() => {
			const found: string[] = [];
			const log = document.querySelector('.log');
			for (const element of log?.querySelectorAll('*') ?? []) {
				const name = element.localName;
				const drawing = element.closest('.katex') !== null;
				if (/^(?:script|iframe|object|embed|form|input|style|link|meta|base|video|audio|template)$/.test(name))
					found.push(name);
				if (name === 'img' && !element.getAttribute('src')?.startsWith('data:image/svg+xml'))
					found.push(element.outerHTML);
				if (name === 'svg' && !drawing) found.push('svg');
				for (const { name: attribute, value } of element.attributes) {
					if (attribute.startsWith('on')) found.push(`${name} ${attribute}`);
					if (attribute === 'style' && /url|expression|import/i.test(value)) found.push(`${name} style ${value}`);
					const link = attribute === 'href' || attribute === 'xlink:href';
					if (link && !/^(?:https?:|mailto:|#)/i.test(value)) found.push(`${name} ${value}`);
				}
			}
			return found;
		});

	test(`${hostileAnswers.length} answers of every kind`, async () => {
		await show(hostileAnswers);
		const drawn = { diagrams: new Set<string>(), formulas: new Set<string>() };
		await throughAll(async () => {
			assert.deepEqual(await dangerous(), []);
			const all = (selector: string) =>
				tab.evaluate((wanted) => [...document.querySelectorAll(wanted)].map((found) => found.outerHTML), selector);
			for (const html of await all('.diagram-picture img')) drawn.diagrams.add(html);
			for (const html of await all('.katex')) drawn.formulas.add(html);
		});
		assert.deepEqual(trouble, []);
		assert.ok(drawn.diagrams.size >= 8, `${drawn.diagrams.size} diagrams were drawn`);
		assert.ok(drawn.formulas.size >= 5, `${drawn.formulas.size} formulas were drawn`);
	});

	test(`CommonMark's ${commonMark.length} examples`, async () => {
		await show(commonMark.map(({ markdown }) => markdown.replaceAll('→', '\t')));
		await nothingDangerous();
		assert.deepEqual(trouble, []);
	});

	test(`DOMPurify's own ${purifierFixtures.length} fixtures, as they are and in Markdown`, async () => {
		const payloads = purifierFixtures.map(({ payload }) => payload);
		await show(
			payloads.flatMap((payload) => [
				payload,
				`a ${payload.replaceAll('\n', ' ')}`,
				`[x](${payload})`,
				`> - ${payload}`,
			]),
		);
		await nothingDangerous();
		assert.deepEqual(trouble, []);
	});

	test('links go to the host, and only those that may be opened', async () => {
		await show(hostileAnswers);
		await throughAll(() =>
			tab.evaluate(() => {
				for (const link of document.querySelectorAll<HTMLElement>('.log a')) link.click();
			}),
		);
		const opened = await tab.evaluate(() =>
			window.preview.sent.flatMap((message) => (message.type === 'link_opened' ? [message.url] : [])),
		);
		assert.ok(opened.length > 10);
		assert.deepEqual(
			opened.filter((url) => !/^(?:https?:\/\/|mailto:)/i.test(url)),
			[],
		);
		assert.deepEqual(trouble, []);
	});

	test('every other text of a row', async () => {
		const rows = hostileTexts.flatMap((text, at) => rowsOf(`h${at}`, text));
		await tab.evaluate(
			(given) => window.preview.play(given),
			rows.map((row): ViewEvent => ({ type: 'row_added', row })),
		);
		await throughAll(async () => {
			await tab.evaluate(() => {
				for (const button of document.querySelectorAll<HTMLElement>('.tool-line, summary')) {
					if (button.dataset['opened'] === undefined) button.click();
					button.dataset['opened'] = 'once';
				}
			});
			await settled();
			assert.deepEqual(await dangerous(), []);
		});
		assert.deepEqual(trouble, []);
	});
});

/** A row of each kind with the text in all of its fields. */
function rowsOf(id: string, text: string): readonly Row[] {
	const tool = { kind: 'tool', toolUseId: id, tool: text, summary: text, state: 'done' } as const;
	const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${text}`, `+${text}`] };
	return [
		{ kind: 'prompt', id: `${id}p`, text, time: 0 },
		{ kind: 'thinking', id: `${id}k`, text, open: false },
		{ ...tool, id: `${id}t`, batchLabel: text, view: { kind: 'text', text } },
		{ ...tool, id: `${id}f`, view: { kind: 'files', files: [text], total: 1, truncated: false } },
		{
			...tool,
			id: `${id}m`,
			view: { kind: 'matches', matches: [{ file: text, line: 1, text }], total: 1, files: 1, truncated: false },
		},
		{ ...tool, id: `${id}e`, view: { kind: 'edit', path: text, created: false, hunks: [hunk], added: 1, removed: 1 } },
		{ ...tool, id: `${id}w`, view: { kind: 'web', url: text, status: 200, title: text, bytes: 1, text } },
		{ ...tool, id: `${id}x`, state: 'error', message: text, view: { kind: 'none' } },
		{ ...tool, id: `${id}a`, view: { kind: 'answers', answers: [{ question: text, answer: text }] } },
		{ ...tool, id: `${id}l`, view: { kind: 'plan', plan: text } },
		{ kind: 'error', id: `${id}r`, error: { code: text, args: { host: text }, detail: text, actions: [] } },
	];
}
