// Finds a Chromium-like browser, or installs one where that is a matter of one command.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { Plain, run, step } from './shell.mjs';

const NAMES = [
	'chromium',
	'chromium-browser',
	'google-chrome',
	'google-chrome-stable',
	'microsoft-edge',
	'microsoft-edge-stable',
	'chrome',
];
const PLACES = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
	...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
		.filter((folder) => folder !== undefined)
		.flatMap((folder) => [
			path.join(folder, 'Google/Chrome/Application/chrome.exe'),
			path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
		]),
];
/** For a browser that runs as root in a container and must not talk to anyone. */
const ARGS = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** @returns {string | undefined} */
export function findBrowser() {
	const named = process.env.CHROME_PATH;
	if (named) {
		if (!existsSync(named)) throw new Plain(`CHROME_PATH names ${named}, which does not exist.`);
		return named;
	}
	return onPath(NAMES) ?? PLACES.find((file) => existsSync(file));
}

/** The first of these programs that is on PATH. @param {readonly string[]} names @returns {string | undefined} */
export function onPath(names) {
	const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
	for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
		for (const name of names) {
			const found = endings.map((ending) => path.join(folder, name + ending)).find(isProgram);
			if (found) return found;
		}
	}
	return undefined;
}

/** @param {string} file */
function isProgram(file) {
	try {
		accessSync(file, constants.X_OK);
		return path.isAbsolute(file);
	} catch {
		return false;
	}
}

/** @returns {Promise<string>} */
export async function ensureBrowser() {
	const found = findBrowser();
	if (found) return found;
	if (onPath(['apt-get']) && process.getuid?.() === 0) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'];
		const { output } = await step(
			'Installing a browser for the tests (apt-get install chromium fonts-noto-cjk)',
			async () => {
				await run('apt-get', ['update'], { env, timeoutMs: 300_000 });
				return run('apt-get', packages, { env, timeoutMs: 900_000 });
			},
		);
		const installed = findBrowser();
		if (installed) return installed;
		throw new Plain(
			`${output.slice(-2000)}\n\nThe browser could not be installed; install Chromium or Chrome, or let CHROME_PATH name one.`,
		);
	}
	throw new Plain('No browser was found: install Chromium, Chrome or Edge, or let CHROME_PATH name one.');
}

/** Options for playwright's `chromium.launch`. @param {string} executablePath */
export function launchOptions(executablePath) {
	const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return { executablePath, headless: !process.env.HEADED, args: [...root, ...ARGS] };
}
