// Markdown: what the model's HTML, links and images become, and that closed blocks keep their identity while text grows.
import assert from 'node:assert/strict';
import { fileOfCode, linkTarget } from '../../../webview-ui/src/markdown/links.ts';
import { MarkdownTail } from '../../../webview-ui/src/markdown/tail.ts';
import type { Block } from '../../../webview-ui/src/markdown/render.ts';

const render = (text: string): readonly Block[] => new MarkdownTail().update(text, false);
const html = (text: string): string =>
	render(text)
		.map((block) => (block.kind === 'html' ? block.html : `[${block.language}|${block.code}]`))
		.join('');

suite('markdown of the model', () => {
	test('raw HTML is shown as text, but for line breaks and keys', () => {
		assert.match(html('<script>alert(1)</script>'), /&#60;script&#62;/);
		assert.doesNotMatch(html('a <img src=x onerror=alert(1)> b'), /<img/);
		assert.match(html('a<br>b <kbd>F1</kbd>'), /a<br>b <kbd>F1<\/kbd>/);
	});

	test('images become links, nothing remote is loaded', () => {
		const out = html('![a map](https://example.com/a.png) ![bad](javascript:alert(1))');
		assert.match(out, /<a href="https:&#47;&#47;|<a href="https:\/\/example.com\/a.png"/);
		assert.doesNotMatch(out, /<img|javascript:/);
	});

	test('links to files and inline code paths carry the file and line', () => {
		assert.match(html('[login](src/auth/login.ts#L12)'), /data-file="src\/auth\/login.ts" data-line="12"/);
		assert.match(html('see `src/a b.ts` and `src/auth/login.ts:7`'), /data-file="src\/auth\/login.ts" data-line="7"/);
		assert.doesNotMatch(html('`user.failures > 5` `console.log`'), /data-file/);
	});

	test('a link inside inline code inside a link stays one link', () => {
		assert.equal(html('[`a.ts`](https://example.com)').match(/<a /g)?.length, 1);
	});

	test('top-level code is a block of its own, nested code is not', () => {
		assert.deepEqual(render('```ts title="x"\nlet a;\n```'), [{ kind: 'code', code: 'let a;', language: 'ts' }]);
		const nested = html('- a\n  ```js\n  let b;\n  ```');
		assert.match(nested, /<pre tabindex="0"><code class="language-js"><span class="hljs-keyword">let/);
		assert.equal(nested.match(/<button /g)?.length, 4, 'the buttons of any code');
		assert.match(html('- a\n  ```math\n  x^2\n  ```'), /class="formula display"/);
	});

	test('tasks say their state in words', () => {
		assert.match(html('- [x] a\n- [ ] b'), /Done<\/bdi>.*a[^]*Not done<\/bdi>.*b/);
	});

	test('closed blocks are the same objects while the text grows', () => {
		const tail = new MarkdownTail();
		const text = '# One\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsi';
		const before = tail.update(text, true);
		const after = tail.update(`${text}x\n\nseven`, true);
		assert.equal(after.length, 7);
		before.slice(0, 5).forEach((block, index) => assert.equal(after[index], block));
	});

	test('a link definition that comes last holds in the complete text', () => {
		const tail = new MarkdownTail();
		tail.update('[a][x]\n\n1\n\n2\n\n3\n\n4\n\n5\n\n', true);
		const done = tail.update('[a][x]\n\n1\n\n2\n\n3\n\n4\n\n5\n\n[x]: https://example.com', false);
		assert.match(JSON.stringify(done[0]), /data-url/);
	});
});

suite('links', () => {
	test('only the web and files can be opened', () => {
		for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'command:a.b', 'vscode://x', '//host/x', '#a', '']) {
			assert.equal(linkTarget(bad), undefined, bad);
		}
		assert.deepEqual(linkTarget('https://a.b/c:1'), { kind: 'url', url: 'https://a.b/c:1' });
		assert.deepEqual(linkTarget('mailto:a@b.c'), { kind: 'url', url: 'mailto:a@b.c' });
		assert.deepEqual(linkTarget('src/a.ts'), { kind: 'file', path: 'src/a.ts', line: undefined });
		assert.deepEqual(linkTarget('src/a.ts:12:3'), { kind: 'file', path: 'src/a.ts', line: 12 });
		assert.deepEqual(linkTarget('a.ts:12'), { kind: 'file', path: 'a.ts', line: 12 });
		assert.deepEqual(linkTarget('a.ts#L3-L9'), { kind: 'file', path: 'a.ts', line: 3 });
		assert.deepEqual(linkTarget('a.ts#L3C5-L9C1'), { kind: 'file', path: 'a.ts', line: 3 });
		assert.deepEqual(linkTarget('file:///home/my%20a.ts#L3'), { kind: 'file', path: '/home/my a.ts', line: 3 });
		assert.deepEqual(linkTarget('file:///c:/a.ts'), { kind: 'file', path: 'c:/a.ts', line: undefined });
		assert.equal(linkTarget('file://server/share/a.ts'), undefined);
		assert.deepEqual(linkTarget('C:\\a\\b.ts'), { kind: 'file', path: 'C:\\a\\b.ts', line: undefined });
		assert.deepEqual(linkTarget('%E4%B8%AD%20a.md'), { kind: 'file', path: '中 a.md', line: undefined });
		assert.deepEqual(linkTarget('100%'), { kind: 'file', path: '100%', line: undefined });
	});

	test('inline code that names a file', () => {
		assert.deepEqual(fileOfCode('登录.ts:3-9'), { kind: 'file', path: '登录.ts', line: 3 });
		for (const [code, path] of [
			['src/a.ts#L10-L20', 'src/a.ts'],
			['src/a.ts:10,15', 'src/a.ts'],
			['/abs/a.ts:10', '/abs/a.ts'],
			['C:\\proj\\a.ts:10:5', 'C:\\proj\\a.ts'],
		] as const)
			assert.deepEqual(fileOfCode(code), { kind: 'file', path, line: 10 });
		for (const no of ['a.b', 'foo()', 'npm test', 'x.ts y', '/', 'a'.repeat(300)])
			assert.equal(fileOfCode(no), undefined);
	});
});
