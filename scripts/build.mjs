// Builds everything that ships: the extension, the headless runner, the shell runner, the demo model and the panel.
// `--watch` rebuilds on change, `--dev` keeps source maps and leaves the code readable; `FEATURES_OFF=A,B` turns feature flags off.
import { build, context } from 'esbuild';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { bundles, shippedFiles } from './lib/bundles.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const watch = process.argv.includes('--watch');
const targets = bundles({
	dev: watch || process.argv.includes('--dev'),
	off: (process.env.FEATURES_OFF ?? '').split(',').filter(Boolean),
});

await rm('dist/webview/parts', { recursive: true, force: true });
await mkdir('dist/webview', { recursive: true });
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
for (const { from, to } of shippedFiles) await cp(path.join('node_modules', from), path.join('dist', to));
if (watch) {
	for (const target of targets) await (await context(target)).watch();
} else {
	await Promise.all(targets.map((target) => build(target)));
}
