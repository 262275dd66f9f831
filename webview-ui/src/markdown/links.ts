// Where a link of the model may lead: to the web (the host opens it), to a file of the workspace, or nowhere. Pure.

export type LinkTarget =
	| { readonly kind: 'url'; readonly url: string }
	| { readonly kind: 'file'; readonly path: string; readonly line: number | undefined };

/** `:12`, `:12:5`, `:10-20`, `:12,15`, `#L10`, `#L10-L20`, `#L10C5-L20C3`: its first number is the line. */
const place = '(?:(?:#L|:)(\\d+)(?:C\\d+)?(?:[-:,]L?\\d+(?:C\\d+)?)*)?';
const withPlace = new RegExp(`^(.*?)${place}$`, 'i');

/** Undefined for what must not be opened (`javascript:`, `data:`, `command:`, …). */
export function linkTarget(href: string): LinkTarget | undefined {
	const trimmed = href.trim();
	if (/^(?:https?:\/\/|mailto:)/i.test(trimmed)) return { kind: 'url', url: trimmed };
	const written = trimmed.replace(/^file:\/\/(?=\/)(?:\/(?=[a-z]:))?/i, '');
	if (written === '' || written.startsWith('#') || written.startsWith('//')) return undefined;
	const windowsDrive = /^[a-z]:[\\/]/i.test(written);
	if (!windowsDrive && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(written)) return undefined;
	const match = withPlace.exec(decoded(written));
	const path = match?.[1];
	return path ? { kind: 'file', path, line: match[2] ? Number(match[2]) : undefined } : undefined;
}

function decoded(href: string): string {
	try {
		return decodeURIComponent(href);
	} catch {
		return href;
	}
}

const extensions =
	'bash|bat|c|cc|cfg|cjs|conf|cpp|cs|css|csv|cts|dart|ex|go|gradle|h|hpp|hs|htm|html|ini|ipynb|java|js|json|jsonc|jsonl|jsx|' +
	'kt|kts|less|lua|md|mdx|mjs|mts|php|pl|ps1|py|rb|rs|sass|scala|scss|sh|sql|svelte|svg|swift|tf|toml|ts|tsx|txt|' +
	'vue|xml|yaml|yml|zig';
const filePattern = new RegExp(
	`^((?:/|[a-z]:[\\\\/])?(?:[\\p{L}\\p{N}_@.+~-]+[\\\\/])*[\\p{L}\\p{N}_@.+-]+\\.(?:${extensions}))${place}$`,
	'iu',
);

/** Inline code that is a file's name (`src/a.ts:12`), so that it can be opened. */
export function fileOfCode(code: string): Extract<LinkTarget, { kind: 'file' }> | undefined {
	if (code.length > 200) return undefined;
	const match = filePattern.exec(code);
	const path = match?.[1];
	return path ? { kind: 'file', path, line: match[2] ? Number(match[2]) : undefined } : undefined;
}
