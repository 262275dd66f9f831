// Bundles the tests that run inside VS Code into out/test, as VS Code loads plain CommonJS.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { root } from '../../../scripts/lib/shell.mjs';
import { testFiles } from '../../../scripts/lib/suites.mjs';

/** Returns the folder whose index.js VS Code is to load. */
export async function bundleTests(): Promise<string> {
	const folder = path.join(root, 'out/test/integration');
	rmSync(folder, { recursive: true, force: true });
	await build({
		absWorkingDir: root,
		entryPoints: ['test/integration/index.ts', ...testFiles('test/integration')],
		outdir: folder,
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		// The product's own parts lie beside its bundles.
		define: { 'import.meta.dirname': JSON.stringify(path.join(root, 'dist')) },
		sourcemap: 'inline',
		external: ['vscode', 'mocha'],
		plugins: [ownFolder],
		logLevel: 'warning',
	});
	return folder;
}

/** CommonJS knows no folder of a module; a bundle has the one that its source lies in. */
const ownFolder: Plugin = {
	name: 'own folder',
	setup(build) {
		build.onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path: file }) => ({
			contents: readFileSync(file, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file))),
			loader: 'ts',
		}));
	},
};
