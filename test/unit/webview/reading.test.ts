// Formulas, fences, places that were found, runs of reads, and what is let go of: the pure parts of what one reads.
import assert from 'node:assert/strict';
import { foldedWithOrigins } from '../../../src/shared/foldedText.ts';
import { startOf } from '../../../webview-ui/src/reading/hits.ts';
import { fence } from '../../../webview-ui/src/markdown/fence.ts';
import { MarkdownTail } from '../../../webview-ui/src/markdown/tail.ts';
import { emptyModel, trimmed } from '../../../webview-ui/src/reducer.ts';
import { runs } from '../../../webview-ui/src/tools/readRuns.ts';
import type { Row } from '../../../src/shared/view.ts';

const html = (text: string): string =>
	new MarkdownTail()
		.update(text, false)
		.map((block) => (block.kind === 'html' ? block.html : `[${block.language}]`))
		.join('');
const formulas = (text: string): readonly string[] =>
	[...html(text).matchAll(/class="formula( display)?">([^<]*)</g)].map(([, display, tex]) => `${tex}${display ?? ''}`);

suite('a text as one looks for it', () => {
	test('each place leads back to where it stands', () => {
		for (const [original, query, place] of [
			['x Cafe\u0301!', 'caf\u00e9', 'Cafe\u0301'],
			['\u0130\u0130 ab', 'ab', 'ab'],
			['plain TEXT', 'text', 'TEXT'],
		] as const) {
			const { text, origin } = foldedWithOrigins(original);
			const at = text.indexOf(query);
			assert.equal(original.slice(origin(at), origin(at + query.length)), place);
		}
	});
});

suite('formulas in markdown', () => {
	test('inline and on lines of their own, in both spellings', () => {
		assert.deepEqual(formulas('a $x^2$ b \\(y\\) c'), ['x^2', 'y']);
		assert.deepEqual(formulas('$$\nx\n$$\n\n\\[\ny\n\\]'), ['x display', 'y display']);
		assert.deepEqual(formulas('```math\nx\n```'), ['x display']);
	});

	test('prices, shell variables and open dollars stay text', () => {
		for (const text of [
			'$5 and $10',
			'US$5/$6',
			'$HOME/bin:$PATH',
			'a $ b $ c',
			'cost: $3',
			'`$a$`',
			'$$\na\n\nb\n$$',
		]) {
			assert.deepEqual(formulas(text), [], text);
		}
	});

	test('a formula is text until the page draws it', () => {
		assert.doesNotMatch(html('$<img src=x>$'), /<img/);
	});
});

suite('fences', () => {
	test('name a language, and a file if they do', () => {
		assert.deepEqual(fence('ts'), { language: 'ts', path: undefined });
		assert.deepEqual(fence('ts src/a.ts'), { language: 'ts', path: 'src/a.ts' });
		assert.deepEqual(fence('ts:src/a.ts'), { language: 'ts', path: 'src/a.ts' });
		assert.deepEqual(fence('ts title="src/a.ts"'), { language: 'ts', path: 'src/a.ts' });
		assert.deepEqual(fence('src/a.py'), { language: 'py', path: 'src/a.py' });
		assert.deepEqual(fence(undefined), { language: '', path: undefined });
		assert.deepEqual(fence('js {1,3}'), { language: 'js', path: undefined });
	});
});

suite('places that were found', () => {
	const rows = [
		{ rowId: 'a', count: 2 },
		{ rowId: 'b', count: 1 },
	];
	test('are counted through all rows, and around the ends', () => {
		assert.deepEqual(startOf(rows, 1), { index: 1, rowId: 'a', place: 1 });
		assert.deepEqual(startOf(rows, 2), { index: 2, rowId: 'b', place: 0 });
		assert.deepEqual(startOf(rows, 3), { index: 0, rowId: 'a', place: 0 });
		assert.deepEqual(startOf(rows, -1), { index: 2, rowId: 'b', place: 0 });
		assert.equal(startOf([], 0), undefined);
	});
});

suite('runs of reads', () => {
	test('only neighbours are together', () => {
		const isRead = (id: string) => id.startsWith('r');
		assert.deepEqual(runs(['r1', 'r2', 't', 'r3', 'x', 'y'], isRead), [['r1', 'r2'], ['t'], ['r3'], ['x'], ['y']]);
	});
});

suite('what is let go of', () => {
	const row = (at: number): Row =>
		at % 3 === 0
			? { kind: 'prompt', id: String(at), text: '', time: 0 }
			: { kind: 'text', id: String(at), text: '', open: false };
	const model = (count: number) => {
		const rows = Array.from({ length: count }, (_, at) => row(at));
		return {
			...emptyModel,
			order: rows.map(({ id }) => id),
			rows: new Map(rows.map((each) => [each.id, each])),
			earlier: 7,
		};
	};

	test('the oldest rows of very many, up to a prompt', () => {
		const after = trimmed(model(2000));
		assert.equal(after.order[0], '1599');
		assert.equal(after.order.at(-1), '1999');
		assert.equal(after.rows.size, after.order.length);
		assert.equal(after.earlier, 7 + 1599);
	});

	test('nothing of fewer', () => {
		const before = model(1200);
		assert.equal(trimmed(before), before);
	});
});
