// The shells besides bash in which the tests run commands. Where they cannot be had, their tests are skipped.
import { existsSync } from 'node:fs';
import { onPath } from './browser.mjs';
import { run, step } from './shell.mjs';

const SHELLS = ['zsh', 'fish'];

/** Installs what is missing, on Debian and its like as root; says nothing when there is nothing to do. */
export async function ensureShells() {
	const missing = SHELLS.filter((name) => !['/bin', '/usr/bin'].some((folder) => existsSync(`${folder}/${name}`)));
	if (missing.length === 0 || !onPath(['apt-get']) || process.getuid?.() !== 0) return;
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await step(`Installing shells for the tests (apt-get install ${missing.join(' ')})`, async () => {
		await run('apt-get', ['update'], { env, timeoutMs: 300_000 });
		return run('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { env, timeoutMs: 300_000 });
	});
}
