// The gate between a model's text and the page: only plain formatting passes. Nothing that loads, runs or styles.
import DOMPurify from 'dompurify';
import { isPlainHtml } from './plainHtml.ts';

const tags = (
	'a b bdi blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr i kbd li ol p pre s span strong sub sup table tbody td ' +
	'th thead tr ul'
).split(' ');
const attributes =
	'align aria-hidden aria-label class data-file data-line data-url href start tabindex title type'.split(' ');

/**
 * Told once: reading these rules anew for each block takes as long as the block itself. A gate of its own, as other libraries on
 * the page have theirs.
 */
function strictGate(): typeof DOMPurify {
	const gate = DOMPurify(window);
	gate.setConfig({
		ALLOWED_TAGS: tags,
		ALLOWED_ATTR: attributes,
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false,
		// All other attributes are checked like addresses.
		ADD_URI_SAFE_ATTR: attributes.filter((name) => name !== 'href'),
		ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
	});
	return gate;
}

const gate = strictGate();

export function sanitized(html: string): string {
	return isPlainHtml(html) ? html : gate.sanitize(html);
}
