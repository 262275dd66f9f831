// What only some conversations need, loaded when it is first met: formulas and diagrams. Each is a file of its own beside the
// bundle, so nothing comes from elsewhere and the page's policy stays as it is.
import type { DrawDiagram, Picture } from './diagrams.ts';
import type { DrawFormulas } from './formulas.ts';

/** Loads once; asked again after a failure. */
export interface Lazy<T> {
	/** Undefined until it is loaded. */
	now(): T | undefined;
	load(): Promise<T>;
}

export interface Extras {
	readonly formulas: Lazy<DrawFormulas>;
	readonly diagrams: Lazy<DrawDiagram>;
	/** Drawn already, by theme and source: what comes back into view is there at once. */
	readonly pictures: Map<string, Picture>;
}

/** `base`: where the bundle's files are. */
export function createExtras(base: string): Extras {
	return {
		formulas: lazy(async () => {
			const [{ drawFormulas }] = await Promise.all([import('./formulas.ts'), styleSheet(new URL('math.css', base))]);
			return drawFormulas;
		}),
		pictures: new Map(),
		diagrams: lazy(async () => (await import('./diagrams.ts')).diagrams()),
	};
}

function lazy<T>(load: () => Promise<T>): Lazy<T> {
	let value: T | undefined;
	let loading: Promise<T> | undefined;
	return {
		now: () => value,
		load() {
			loading ??= load().then(
				(loaded) => (value = loaded),
				(error: unknown) => {
					loading = undefined;
					throw error;
				},
			);
			return loading;
		},
	};
}

function styleSheet(address: URL): Promise<void> {
	const link = document.createElement('link');
	link.rel = 'stylesheet';
	link.href = address.href;
	return new Promise((resolve, reject) => {
		link.addEventListener('load', () => resolve());
		link.addEventListener('error', () => reject(new Error(`${address.pathname} is missing`)));
		document.head.append(link);
	});
}
