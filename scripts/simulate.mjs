// `npm run simulate`: random runs of the real engine against a model of the service, with random faults and a random person
// (docs/decisions). `--runs N --seed S` runs the seeds S to S+N-1 (a later call goes on with another S), on all cores unless
// `--workers 1`; `--all` goes on after a failure; `--long` makes long conversations only, `--files` work on files only, `--agents` with subagents; `--explain S` shrinks one seed; `--mutants` shows that breaks are noticed.
import path from 'node:path';
import { build } from 'esbuild';
import { aliases, featureDefines } from './lib/bundles.mjs';
import { root, runMain, start, temporaryFolder } from './lib/shell.mjs';

await runMain(async () => {
	// In one file, as what ships is: a third faster than from the sources.
	const program = path.join(temporaryFolder('simulator'), 'simulator.mjs');
	await build({
		absWorkingDir: root,
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'esm',
		logLevel: 'warning',
		alias: aliases,
		define: featureDefines(),
		banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
		entryPoints: ['test/simulator/cli.ts'],
		outfile: program,
	});
	const child = start(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
