// What was dragged into the composer, as mentions: files, editor tabs, problems (a file with a line). Pure.
import { displayPath } from '../../core/util/paths.ts';
import { writtenPath, type LineRange } from '../../shared/mentions.ts';

interface Place {
	/** Absolute, of this machine. */
	readonly file: string;
	readonly range?: LineRange;
}

/**
 * The file that a URI means here; undefined when it means none. Files of a remote window come as `vscode-remote:` or
 * `vscode-vfs:`; the extension runs where they are. Lines stand in the fragment
 * (`L10`, `10,5`, `10,5-12,8`).
 */
export function placeOf(text: string, windows: boolean): Place | undefined {
	if (!URL.canParse(text)) return undefined;
	const url = new URL(text);
	if (!['file:', 'vscode-remote:', 'vscode-file:'].includes(url.protocol)) return undefined;
	let file: string;
	try {
		file = decodeURIComponent(url.pathname);
	} catch {
		return undefined;
	}
	if (file === '' || file.includes('\0')) return undefined;
	if (windows) {
		file = file.replace(/^\/([a-z]:)/i, '$1').replaceAll('/', '\\');
		if (url.protocol === 'file:' && url.host !== '') file = `\\\\${url.host}${file}`;
	}
	const [, first, last = first] = /^L?(\d+)(?:,\d+)?(?:-L?(\d+))?/.exec(url.hash.slice(1)) ?? [];
	const range = { first: Number(first), last: Math.max(Number(first), Number(last)) };
	return range.first > 0 ? { file, range } : { file };
}

/** The mentions of what was dropped, one after the other, each once; empty when nothing of it is a file here. */
export function droppedText(uris: readonly string[], root: string, windows: boolean): string {
	const written = uris.flatMap((uri) => {
		const place = placeOf(uri, windows);
		if (!place) return [];
		return [writtenPath(displayPath(root, place.file), place.range)];
	});
	return [...new Set(written)].map((mention) => `${mention} `).join('');
}
