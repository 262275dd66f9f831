// `node scripts/crash-host.mjs`: kills the extension host of a real workbench at random moments of a long session, 200 times, lets it
// start again, goes on, and compares what is left with an undisturbed run (docs/decisions). `--kills N --seed S --per-session P
// --minutes M`; ten kills are part of `npm test`. The extension has to be built.
import { ensureBrowser } from './lib/browser.mjs';
import { ensureCodeServer } from './lib/codeServer.mjs';
import { runMain, start } from './lib/shell.mjs';

await runMain(async () => {
	process.env.CHROME_PATH = await ensureBrowser();
	await ensureCodeServer();
	const args = ['--import', 'tsx', 'test/crash/hostCli.ts', ...process.argv.slice(2)];
	const child = start(process.execPath, args, { stdio: 'inherit' });
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
