// Where a link of the model may lead: to the web (the host opens it), to a file of the workspace, or nowhere. Pure.

export type LinkTarget =
	| { readonly kind: 'url'; readonly url: string }
	| { readonly kind: 'file'; readonly path: string; readonly line: number | undefined };

/** Undefined for what must not be opened (`javascript:`, `data:`, `command:`, …). */
export function linkTarget(href: string): LinkTarget | undefined {
	const trimmed = href.trim();
	if (/^(?:https?:\/\/|mailto:)/i.test(trimmed)) return { kind: 'url', url: trimmed };
	if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('//')) return undefined;
	const windowsDrive = /^[a-z]:[\\/]/i.test(trimmed);
	if (!windowsDrive && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed)) return undefined;
	const match = /^(.*?)(?:(?:#L|:)(\d+)(?:[-:,]L?\d+)*)?$/i.exec(decoded(trimmed));
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
	`^((?:[\\p{L}\\p{N}_@.+~-]+[\\\\/])*[\\p{L}\\p{N}_@.+-]+\\.(?:${extensions}))(?::(\\d+)(?:[-:]\\d+)?)?$`,
	'iu',
);

/** Inline code that is a file's name (`src/a.ts:12`), so that it can be opened. */
export function fileOfCode(code: string): Extract<LinkTarget, { kind: 'file' }> | undefined {
	if (code.length > 200) return undefined;
	const match = filePattern.exec(code);
	const path = match?.[1];
	return path ? { kind: 'file', path, line: match[2] ? Number(match[2]) : undefined } : undefined;
}
