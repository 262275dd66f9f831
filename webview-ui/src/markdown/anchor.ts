// A link as the panel writes it: where it leads is in its data, and the host opens it. Pure.
import { escapeHtml } from './escapeHtml.ts';
import type { LinkTarget } from './links.ts';

/** `inner`: HTML. */
export function anchor(target: LinkTarget, inner: string): string {
	if (target.kind === 'url') {
		return `<a href="${escapeHtml(target.url)}" data-url="${escapeHtml(target.url)}">${inner}</a>`;
	}
	const line = target.line === undefined ? '' : ` data-line="${target.line}"`;
	return `<a href="#" class="file" data-file="${escapeHtml(target.path)}"${line}>${inner}</a>`;
}
