// Draws Mermaid diagrams in the theme's colours. Contract: a diagram becomes an image, in which nothing runs, loads or can be
// clicked; its own directives cannot loosen that.
import mermaid from 'mermaid';
import type { MermaidConfig } from 'mermaid';

export interface Picture {
	/** A `data:` address. */
	readonly source: string;
	/** Pixels. */
	readonly width: number;
	readonly height: number;
}
/** Rejects when the text is no diagram; the message says where. */
export type DrawDiagram = (text: string) => Promise<Picture>;

export function diagrams(): DrawDiagram {
	let count = 0;
	// One at a time: the library measures in the page and has one configuration.
	let before: Promise<unknown> = Promise.resolve();
	return (text) => {
		count += 1;
		const id = `diagram-${count}`;
		const next = before.then(() => draw(id, text));
		before = next.catch(() => undefined);
		return next;
	};
}

/** What would ask for an image from elsewhere; the page's policy would stop it, too. */
const loads = /\bimg["']?\s*:|\burl\s*\(|@import/i;

async function draw(id: string, text: string): Promise<Picture> {
	if (loads.test(text)) throw new Error('a diagram that loads something');
	mermaid.initialize(configuration());
	const place = document.createElement('div');
	place.className = 'measuring';
	place.setAttribute('aria-hidden', 'true');
	document.body.append(place);
	try {
		const { svg } = await mermaid.render(id, text, place);
		return picture(svg);
	} finally {
		place.remove();
	}
}

/** What the library writes is HTML; an image has to be XML. Parsed in a document of its own, in which nothing loads. */
function picture(html: string): Picture {
	const svg = new DOMParser().parseFromString(html, 'text/html').querySelector('svg');
	if (!svg) throw new Error('no drawing');
	const [, , width = 300, height = 150] = (svg.getAttribute('viewBox') ?? '').split(/\s+/).map(Number);
	svg.setAttribute('width', String(width));
	svg.setAttribute('height', String(height));
	const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
	return { source, width: Math.ceil(width), height: Math.ceil(height) };
}

const kept = [
	'secure',
	'securityLevel',
	'startOnLoad',
	'maxTextSize',
	'maxEdges',
	'suppressErrorRendering',
	'htmlLabels',
	'theme',
	'look',
	'themeCSS',
	'themeVariables',
	'fontFamily',
	'altFontFamily',
];

function configuration(): MermaidConfig {
	const style = getComputedStyle(document.documentElement);
	const colour = (...names: readonly string[]): string => {
		for (const name of names) {
			const value = style.getPropertyValue(`--vscode-${name}`).trim();
			if (value !== '') return value;
		}
		return 'gray';
	};
	const text = colour('editor-foreground', 'foreground');
	const ground = colour('editor-background', 'sideBar-background');
	const line = colour('descriptionForeground', 'foreground');
	const soft = colour('editorWidget-background', 'editor-background');
	const edge = colour('contrastBorder', 'descriptionForeground', 'foreground');
	const darkMode = /vscode-(?:dark|high-contrast)(?:\s|$)/.test(document.body.className);
	return {
		startOnLoad: false,
		securityLevel: 'strict',
		secure: kept,
		htmlLabels: true,
		suppressErrorRendering: true,
		maxTextSize: 50_000,
		maxEdges: 500,
		theme: 'base',
		look: 'classic',
		layout: 'dagre',
		// The panel is narrow.
		flowchart: { padding: 8, nodeSpacing: 28, rankSpacing: 32, minNodeWidth: 48 },
		fontFamily: colour('font-family'),
		themeVariables: {
			darkMode,
			fontSize: '13px',
			fontFamily: colour('font-family'),
			background: ground,
			textColor: text,
			primaryColor: soft,
			primaryTextColor: text,
			primaryBorderColor: edge,
			secondaryColor: ground,
			secondaryTextColor: text,
			secondaryBorderColor: edge,
			tertiaryColor: ground,
			tertiaryTextColor: text,
			tertiaryBorderColor: line,
			lineColor: line,
			noteBkgColor: soft,
			noteTextColor: text,
			noteBorderColor: edge,
			edgeLabelBackground: ground,
		},
	};
}
