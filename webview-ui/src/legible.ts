// Texts that can be read in every theme. A theme chooses its colours for its own grounds; some of the panel's are a little darker or
// lighter (code, rows under the pointer, lines of a difference), and not every theme keeps 4.5:1 even on its own. Each colour of a text is
// moved toward the theme's text as far as that takes, and the text toward black or white.

/** Red, green, blue: 0 to 1. */
export type Colour = readonly [number, number, number];

/** WCAG 2.2, 1.4.3: contrast of texts. A little more, for what rounding takes; no more, as white on VS Code's own blue has 4.53. */
const least = 4.52;
const black: Colour = [0, 0, 0];
const white: Colour = [1, 1, 1];
const steps = 20;

/** WCAG 2.2: 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
	const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

/** `colour`, or as little of `toward` in it as it takes to be read on all of the grounds; `toward` where nothing less is enough. */
export function legible(colour: Colour, toward: Colour, grounds: readonly Colour[]): Colour {
	for (let step = 0; step < steps; step++) {
		const mixed = mix(toward, colour, step / steps);
		if (worst(mixed, grounds) >= least) return mixed;
	}
	return toward;
}

/** Whichever of black and white is read better on all of the grounds. */
export function opposite(grounds: readonly Colour[]): Colour {
	return worst(black, grounds) > worst(white, grounds) ? black : white;
}

function worst(colour: Colour, grounds: readonly Colour[]): number {
	return Math.min(...grounds.map((ground) => contrast(colour, ground)));
}

function luminance(colour: Colour): number {
	const [red = 0, green = 0, blue = 0] = colour.map((part) =>
		part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
	);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** `share` of the first one, 0 to 1. */
function mix(one: Colour, other: Colour, share: number): Colour {
	const part = (at: 0 | 1 | 2) => one[at] * share + other[at] * (1 - share);
	return [part(0), part(1), part(2)];
}

/** A computed colour (`rgb(…)`, `rgba(…)`, `color(srgb …)`) as it is seen on `ground`. */
export function seen(computed: string, ground: Colour): Colour {
	const numbers = (computed.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
	const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
	const scale = computed.startsWith('color(') ? 1 : 255;
	return mix([red / scale, green / scale, blue / scale], ground, alpha);
}

/** Of texts that stand anywhere in the panel. */
const anywhere = [
	'--dim',
	'--bad',
	'--link',
	'--added',
	'--removed',
	'--token-word',
	'--token-string',
	'--token-number',
	'--token-name',
	'--token-member',
];
/** On which they stand; each may be translucent, and lies on `--ground`. */
const grounds = ['--ground', '--soft', '--chip', '--hover', '--code-ground'];
/** Lines of a difference, which lie on the ground of code. */
const lines = [
	'var(--vscode-diffEditor-insertedLineBackground, transparent)',
	'var(--vscode-diffEditor-removedLineBackground, transparent)',
];

/** Texts that have a ground of their own, which lies on `--ground`. */
const own = [
	['--on-primary', 'var(--vscode-button-background, transparent)'],
	['--on-secondary', 'var(--vscode-button-secondaryBackground, transparent)'],
] as const;

/** Makes the colours of `document` legible, now and whenever its theme changes. */
export function keepLegible(document: Document): void {
	const { body, documentElement } = document;
	let theme = '';
	const look = () => {
		const now = `${body.className} ${documentElement.getAttribute('style')}`;
		if (now === theme) return;
		theme = now;
		adjust(document);
	};
	const observer = new MutationObserver(look);
	observer.observe(documentElement, { attributes: true, attributeFilter: ['style'] });
	observer.observe(body, { attributes: true, attributeFilter: ['class'] });
	look();
}

function adjust({ body }: Document): void {
	const coloured = ['--text', ...anywhere, ...own.map(([name]) => name)];
	for (const name of ['--line-text', ...coloured]) body.style.removeProperty(name);
	const values = [...coloured, ...grounds].map((name) => `var(${name})`);
	const computed = resolved(body, [...values, ...lines, ...own.map(([, button]) => button)]);
	const value = (name: string) => computed.get(name.startsWith('--') ? `var(${name})` : name) ?? '';
	const ground = seen(value('--ground'), white);
	const under = grounds.map((name) => seen(value(name), ground));
	const code = seen(value('--code-ground'), ground);
	const onLines = lines.map((name) => seen(value(name), code));
	const given = seen(value('--text'), ground);
	const text = legible(given, opposite(under), under);
	const set = (name: string, colour: Colour) => {
		const parts = colour.map((part) => Math.round(part * 255));
		body.style.setProperty(name, `rgb(${parts.join(' ')})`);
	};
	set('--text', text);
	set('--line-text', legible(text, opposite(onLines), onLines));
	for (const [name, button] of own) {
		const below = [seen(value(button), ground)];
		set(name, legible(seen(value(name), ground), opposite(below), below));
	}
	for (const name of anywhere) set(name, legible(seen(value(name), ground), text, under));
}

/** Each as a colour that was computed. All at once: the page's styles are settled once. */
function resolved(body: HTMLElement, values: readonly string[]): ReadonlyMap<string, string> {
	const probe = body.ownerDocument.createElement('div');
	probe.hidden = true;
	for (const value of values) {
		const part = body.ownerDocument.createElement('i');
		part.style.color = value;
		probe.append(part);
	}
	body.append(probe);
	const colours = [...probe.children].map((part) => getComputedStyle(part).color);
	probe.remove();
	return new Map(values.map((value, at) => [value, colours[at] ?? '']));
}
