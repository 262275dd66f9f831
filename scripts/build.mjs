// Builds everything that ships: the extension, the headless runner, the shell runner, the demo model and the panel.
// `--watch` rebuilds on change, `--dev` keeps source maps and leaves the code readable.
import { build, context } from 'esbuild';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const dev = process.argv.includes('--dev') || process.argv.includes('--watch');

const FEATURES = [
	'CONTEXT_COLLAPSE',
	'REACTIVE_COMPACT',
	'HISTORY_SNIP',
	'STREAMING_TOOLS',
	'TOKEN_BUDGET',
	'AUTO_DREAM',
	'TOOL_SUMMARIES',
];
/** Feature flags become literals, so that code behind a flag that is off is absent from the bundle. `FEATURES_OFF=A,B` turns some off. */
const off = new Set((process.env.FEATURES_OFF ?? '').split(',').filter(Boolean));
const define = Object.fromEntries(FEATURES.map((name) => [`FEATURES.${name}`, String(!off.has(name))]));

/** Modules that become files of their own beside the bundle, read only when their `import()` runs. */
const LAZY = { 'src/node/anthropic/client.ts': 'anthropic', 'src/node/demo/server.ts': 'demo' };
const lazyModules = {
	name: 'lazy-modules',
	setup(build) {
		build.onResolve({ filter: /\.ts$/ }, ({ kind, path: imported, resolveDir }) => {
			const name = LAZY[path.relative(root, path.resolve(resolveDir, imported)).replaceAll('\\', '/')];
			return kind === 'dynamic-import' && name ? { path: `./${name}.js`, external: true } : undefined;
		});
	},
};

const common = { bundle: true, minify: !dev, sourcemap: dev, logLevel: 'info', legalComments: 'none', define };
const node = { ...common, platform: 'node', target: 'node20', format: 'cjs', plugins: [lazyModules] };

const targets = [
	{ ...node, entryPoints: { extension: 'src/host/extension.ts' }, outdir: 'dist', external: ['vscode'] },
	{ ...node, entryPoints: { headless: 'src/headless/main.ts' }, outdir: 'dist' },
	{ ...node, entryPoints: { shellRunner: 'src/node/shell/runner.ts' }, outdir: 'dist' },
	{
		...node,
		entryPoints: Object.fromEntries(Object.entries(LAZY).map(([file, name]) => [name, file])),
		outdir: 'dist',
	},
	{
		...common,
		platform: 'browser',
		target: 'es2022',
		format: 'esm',
		splitting: true,
		entryPoints: { panel: 'webview-ui/src/main.tsx' },
		outdir: 'dist/webview',
		jsx: 'automatic',
		jsxImportSource: 'preact',
		loader: { '.ttf': 'file' },
	},
].filter((target) => Object.values(target.entryPoints).every((file) => existsSync(file)));

await mkdir('dist/webview', { recursive: true });
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
for (const file of ['codicon.css', 'codicon.ttf']) {
	await cp(path.join('node_modules/@vscode/codicons/dist', file), path.join('dist/webview', file));
}
if (process.argv.includes('--watch')) {
	for (const target of targets) await (await context(target)).watch();
} else {
	await Promise.all(targets.map((target) => build(target)));
}
