// Whether HTML consists of nothing but harmless tags, each written exactly as the panel writes them: then it need not be parsed and
// looked through once more, which took as long as drawing it. Pure. Contract: a `<` that does not begin one of them means no.

const classes = 'class="[a-z0-9_ -]*"';
/** No quote, no angle and no space; an address begins with what it may be, so that no entity makes it another. */
const value = '[^"<>\\s]*';
const tags = [
	'\\/?(?:b|bdi|blockquote|br|code|del|div|em|h[1-6]|hr|kbd|li|ol|p|s|span|strong|sub|sup|table|tbody|td|th|thead|tr|ul)',
	'\\/(?:a|pre)',
	`(?:bdi|span|div) ${classes}`,
	'div class="table" tabindex="0"',
	'pre tabindex="0"',
	'ol start="\\d+"',
	't[dh] align="(?:left|center|right)"',
	`a href="(?:https?:|mailto:)${value}" data-url="${value}"`,
	'a href="#" class="file" data-file="[^"<>]*"(?: data-line="\\d+")?',
];
const tag = `<(?:${tags.join('|')})>`;

export function isPlainHtml(html: string): boolean {
	const known = new RegExp(tag, 'iy');
	for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', known.lastIndex)) {
		known.lastIndex = at;
		if (!known.test(html)) return false;
	}
	return true;
}
