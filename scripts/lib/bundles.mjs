// What the bundles are made of, as options of esbuild: shared by the build and by the tests that build a part of it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export const featureNames = /** @type {const} */ ([
	'CONTEXT_COLLAPSE',
	'REACTIVE_COMPACT',
	'HISTORY_SNIP',
	'STREAMING_TOOLS',
	'TOKEN_BUDGET',
	'AUTO_DREAM',
	'TOOL_SUMMARIES',
]);

/**
 * Feature flags become literals, so that code behind a flag that is off is absent from the bundle.
 * @param {readonly string[]} off @returns {Record<string, string>}
 */
export function featureDefines(off = []) {
	return Object.fromEntries(featureNames.map((name) => [`FEATURES.${name}`, String(!off.includes(name))]));
}

/** Packages whose main file cannot be bundled: the other form of the same. */
export const aliases = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/** Modules that become files of their own beside the bundle, read only when their `import()` runs. @type {Readonly<Record<string, string>>} */
const lazy = {
	'src/node/anthropic/client.ts': 'anthropic',
	'src/node/demo/server.ts': 'demo',
	'src/node/shellParser/grammar.ts': 'shellGrammar',
};

/** Files that are shipped as they are: from `node_modules`, and where to in `dist`. @type {readonly { from: string, to: string }[]} */
export const shippedFiles = [
	...['codicon.css', 'codicon.ttf'].map((file) => ({ from: `@vscode/codicons/dist/${file}`, to: `webview/${file}` })),
	...['tree-sitter.js', 'tree-sitter.wasm', 'tree-sitter-bash.wasm', 'tree-sitter-powershell.wasm'].map((file) => ({
		from: `@vscode/tree-sitter-wasm/wasm/${file}`,
		to: `grammars/${file}`,
	})),
	...['photon_rs.js', 'photon_rs_bg.wasm'].map((file) => ({
		from: `@silvia-odwyer/photon-node/${file}`,
		to: `images/${file}`,
	})),
];

/** @type {import('esbuild').Plugin} */
const lazyModules = {
	name: 'lazy-modules',
	setup(build) {
		build.onResolve({ filter: /\.ts$/ }, ({ kind, path: imported, resolveDir }) => {
			const name = lazy[path.relative(root, path.resolve(resolveDir, imported)).replaceAll('\\', '/')];
			return kind === 'dynamic-import' && name ? { path: `./${name}.js`, external: true } : undefined;
		});
		// It reads its wasm from beside itself.
		build.onResolve({ filter: /^@silvia-odwyer\/photon-node$/ }, () => ({
			path: './images/photon_rs.js',
			external: true,
		}));
		// It declares a `require` of its own, which a bundle would call by mistake; so it stays a file.
		build.onResolve({ filter: /^@vscode\/tree-sitter-wasm$/ }, () => ({
			path: './grammars/tree-sitter.js',
			external: true,
		}));
	},
};

/**
 * @typedef {object} Wishes
 * @property {boolean} [dev] source maps, and code that stays readable
 * @property {readonly string[]} [off] feature flags that are off
 * @property {string} [outdir] `dist` unless given
 */

/** @param {Wishes} wishes @returns {import('esbuild').BuildOptions} */
function common({ dev = false, off = [] }) {
	return {
		absWorkingDir: root,
		bundle: true,
		minify: !dev,
		sourcemap: dev,
		logLevel: 'info',
		legalComments: 'none',
		define: featureDefines(off),
	};
}

/**
 * `import()` becomes `require()`: Node would parse a CommonJS file twice, once for its exports (60 ms for the client).
 * @param {Wishes} wishes @returns {import('esbuild').BuildOptions}
 */
function node(wishes) {
	const supported = { 'dynamic-import': false };
	const shared = common(wishes);
	const define = { ...shared.define, 'import.meta.dirname': '__dirname' };
	const options = { ...shared, define, alias: aliases, supported, plugins: [lazyModules] };
	return { ...options, platform: 'node', target: 'node20', format: 'cjs' };
}

/** The headless runner and what it loads while it runs. @param {Wishes} wishes @returns {import('esbuild').BuildOptions} */
export function headlessBundle(wishes = {}) {
	const lazily = Object.fromEntries(Object.entries(lazy).map(([file, name]) => [name, file]));
	const headless = { headless: 'src/headless/start.ts', runner: 'src/headless/main.ts' };
	const beside = { shellRunner: 'src/node/shell/runner.ts', imageWorker: 'src/node/images/imageWorker.ts' };
	const entryPoints = { ...headless, ...beside, ...lazily };
	return { ...node(wishes), entryPoints, outdir: wishes.outdir ?? 'dist' };
}

/** Everything that ships. @param {Wishes} wishes @returns {readonly import('esbuild').BuildOptions[]} */
export function bundles(wishes = {}) {
	const outdir = wishes.outdir ?? 'dist';
	/** @type {import('esbuild').BuildOptions} */
	const extension = {
		...node(wishes),
		entryPoints: { extension: 'src/host/extension.ts' },
		outdir,
		external: ['vscode'],
	};
	/** @type {import('esbuild').BuildOptions} */
	const panel = {
		...common(wishes),
		platform: 'browser',
		target: 'es2022',
		format: 'esm',
		splitting: true,
		entryPoints: { panel: 'webview-ui/src/main.tsx', math: 'webview-ui/src/styles/math.css' },
		outdir: `${outdir}/webview`,
		// What is loaded on demand; the folder is emptied before a build, as its names change with what is in them.
		chunkNames: 'parts/[name]-[hash]',
		assetNames: 'fonts/[name]',
		alias: { 'elkjs/lib/elk.bundled.js': path.join(root, 'webview-ui/src/extras/withoutElk.ts') },
		// Of KaTeX's fonts one form is enough.
		external: ['*.woff', '*.ttf'],
		jsx: 'automatic',
		jsxImportSource: 'preact',
		loader: { '.woff2': 'file' },
	};
	return [extension, headlessBundle(wishes), panel];
}
