// What need not go through the sanitizer: ordinary answers, and nothing else, whatever an answer tries.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hostileAnswers } from '../../support/panelPreview/hostile.ts';
import { isPlainHtml } from '../../../webview-ui/src/markdown/plainHtml.ts';
import { highlighted } from '../../../webview-ui/src/markdown/highlight.ts';
import { MarkdownTail } from '../../../webview-ui/src/markdown/tail.ts';

const htmlOf = (text: string): readonly string[] =>
	new MarkdownTail().update(text, false).flatMap((block) => (block.kind === 'html' ? [block.html] : []));

/** Told by other means than the function: names, attributes and addresses of all that a parser would take for a tag. */
function isHarmless(html: string): boolean {
	const names =
		/^<\/?(?:a|b|bdi|blockquote|br|code|del|div|em|h[1-6]|hr|kbd|li|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|ul)[\s>]/i;
	return html
		.split('<')
		.slice(1)
		.every((rest) => {
			const whole = `<${rest.slice(0, rest.indexOf('>') + 1)}`;
			const attributes = [...whole.matchAll(/\s([^\s=]+)="([^"]*)"/g)].map(([, name = '', text = '']) => ({
				name,
				text,
			}));
			return (
				rest.includes('>') &&
				names.test(whole) &&
				whole.replace(/\s[^\s=]+="[^"]*"/g, '').match(/^<\/?[a-z0-9]+>$/i) !== null &&
				attributes.every(({ name }) =>
					/^(?:align|class|data-file|data-line|data-url|href|start|tabindex)$/.test(name),
				) &&
				attributes.every(({ name, text }) => name !== 'href' || /^(?:https?:|mailto:|#)/.test(text))
			);
		});
}

suite('HTML that is plain', () => {
	test('ordinary answers and coloured code are', () => {
		const answer = [
			'# Title\n\nA *b* **c** ~~d~~ `e` <kbd>F</kbd>  \n[link](https://example.com/a?b=c&d=e "t") `src/auth/login.ts:7`',
			'3. three\n4. four\n   - [x] five\n\n> said\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n---\n\n1 < 2 && 3 > 2',
		].join('\n\n');
		for (const html of htmlOf(answer)) assert.ok(isPlainHtml(html), html);
		assert.ok(isPlainHtml(highlighted('const a: string = `${b}` < 3; // <script>', 'typescript') ?? assert.fail()));
	});

	test('anything else is not', () => {
		for (const html of [
			'<img src=x>',
			'<p onclick="x()">a</p>',
			'<a href="javascript:x()" data-url="">a</a>',
			'<a href="https:x" data-url="y" onclick="z">a</a>',
			'<a href="https:x" data-url="y"z">a</a>',
			'<span class="a" style="b">a</span>',
			'<span class="a"b>c</span>',
			'<p >a</p>',
			'<!-- a -->',
			'<p>a</p',
			'a <',
			'<svg><style><a title="</style><img>">',
			'<scr<b>ipt>',
			'<p/onx=1>',
		])
			assert.equal(isPlainHtml(html), false, html);
	});

	test('of hostile answers, and of any mix of their pieces, only what is harmless', () => {
		const pieces = hostileAnswers.flatMap((answer) => answer.split(/(?=[<>"\s/])/));
		const all = [...hostileAnswers, ...hostileAnswers.flatMap(htmlOf)];
		for (const html of all) assert.ok(!isPlainHtml(html) || isHarmless(html), html);
		const ours = [
			'<p>',
			'<span class="',
			'<a href="',
			'https:x',
			'" data-url="',
			'">',
			'</a>',
			'<',
			'>',
			'"',
			' ',
			'/',
		];
		const mix = fc.array(fc.constantFrom(...ours, ...pieces), { maxLength: 12 });
		fc.assert(
			fc.property(mix, (parts) => !isPlainHtml(parts.join('')) || isHarmless(parts.join(''))),
			{ numRuns: 3000 },
		);
	});
});
