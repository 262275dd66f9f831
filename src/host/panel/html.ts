// The page of the panel: loads the bundle and nothing else. Contract: no inline script without the nonce, no remote content.
import type { PanelBirth } from '../../shared/protocol.ts';

export interface PageParts {
	readonly birth: PanelBirth;
	/** URIs that the webview may load. */
	readonly script: string;
	readonly styles: readonly string[];
	/** `webview.cspSource`. */
	readonly source: string;
	readonly nonce: string;
}

/** What the page may load: files of the extension, and nothing else. */
export function contentPolicy(source: string, nonce: string): string {
	return [
		`default-src 'none'`,
		`script-src 'nonce-${nonce}' ${source}`,
		`style-src ${source} 'unsafe-inline'`,
		`font-src ${source}`,
		`img-src ${source} data:`,
	].join('; ');
}

export function panelHtml({ birth, script, styles, source, nonce }: PageParts): string {
	const policy = contentPolicy(source, nonce);
	const links = styles.map((style) => `<link rel="stylesheet" href="${escapeAttribute(style)}">`).join('\n');
	return `<!DOCTYPE html>
<html lang="${escapeAttribute(birth.language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>Loopwright</title>
${links}
</head>
<body>
<div id="root"></div>
<script type="application/json" id="birth" nonce="${nonce}">${embeddedJson(birth)}</script>
<script type="module" nonce="${nonce}" src="${escapeAttribute(script)}"></script>
</body>
</html>`;
}

/** JSON that cannot end its script element. */
function embeddedJson(value: unknown): string {
	return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escapeAttribute(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
