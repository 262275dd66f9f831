// `node scripts/crash-sessions.mjs`: kills the headless runner at random moments of a long session, 200 times, resumes it each time,
// and compares what is left with an undisturbed run (docs/decisions). `--kills N --seed S`; ten kills are part of `npm test`.
import { runMain, start } from './lib/shell.mjs';

await runMain(() => {
	const args = ['--import', 'tsx', 'test/crash/cli.ts', ...process.argv.slice(2)];
	const child = start(process.execPath, args, { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
