// `npm run edit-corpus`: the hunks between published versions of packages, or of the commits of `--repo FOLDER` (may be
// repeated), written as a model would and applied by the edit engine; every result is compared byte for byte.
// `--hunks N`, `--seed S`, `--samples N`; `--host` then applies the sample with the Edit tool in the real extension host.
import path from 'node:path';
import { cache, runMain, start } from './lib/shell.mjs';

await runMain(async () => {
	const args = process.argv.slice(2);
	const host = args.includes('--host');
	const others = args.filter((arg) => arg !== '--host');
	const code = await ended(['--import', 'tsx', 'test/corpus/cli.ts', ...others], {});
	if (code !== 0 || !host) return code;
	const sample = path.join(cache, 'edit-corpus', 'sample.json');
	return ended(['scripts/test.mjs', '--only', 'build,integration', '--grep', 'edit corpus'], {
		LOOPWRIGHT_EDIT_CORPUS: sample,
	});
});

/** @param {readonly string[]} args @param {Record<string, string>} env @returns {Promise<number>} its exit status */
function ended(args, env) {
	const child = start(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
