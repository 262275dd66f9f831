// `npm run shell-sequences`: random sequences of run, background, stop, close, kill and type in the terminals of the real
// workbench. `--sequences N` (500), `--seed S` (1) for the first of them.
import { parseArgs } from 'node:util';
import { runMain, start } from './lib/shell.mjs';

await runMain(async () => {
	const { values } = parseArgs({
		options: { sequences: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
	});
	const env = { ...process.env, LOOPWRIGHT_SHELL_SEQUENCES: values.sequences, LOOPWRIGHT_SHELL_SEED: values.seed };
	const args = ['scripts/test.mjs', '--only', 'build,integration', '--grep', 'shell sequences'];
	const child = start(process.execPath, args, { stdio: 'inherit', env });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
