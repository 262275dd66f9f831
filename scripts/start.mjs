// `npm start`: a VS Code with the extension in it, from nothing but Node and npm. Uses only Node until it has installed the rest.
// `-- --check` holds one conversation with the demo model in a browser by itself and ends with 0 or 1.
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import path from 'node:path';
import { ensureBrowser, onPath } from './lib/browser.mjs';
import { copyWorkspace, ensureCodeServer, portIsFree, startServer } from './lib/codeServer.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import {
	cache,
	messageOf,
	Plain,
	root,
	run,
	runMain,
	say,
	seconds,
	start,
	step,
	temporaryFolder,
	writeJson,
} from './lib/shell.mjs';

const USAGE = `npm start -- [options]
  --folder DIR     open DIR instead of a copy of the sample workspace
  --locale zh-cn   Chinese user interface
  --port N         the port of the workbench (default 8642, or a free one)
  --browser        use VS Code for the browser even if a desktop VS Code is there
  --check          hold one conversation with the demo model in a headless browser, then end with 0 or 1`;
const DEFAULT_PORT = 8642;

/** @typedef {{ folder?: string, locale?: string, port?: string, browser?: boolean, check?: boolean, help?: boolean }} Options */

await runMain(async () => {
	const options = readOptions();
	if (options.help) {
		say(USAGE);
		return 0;
	}
	await ensureDependencies();
	await buildExtension();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0));
	const folder = options.folder ? path.resolve(options.folder) : sampleCopy();
	const desktop = options.check || options.browser ? undefined : desktopVsCode();
	if (desktop) return openDesktop(desktop, folder, options.locale);
	return openServer(folder, options);
});

function sampleCopy() {
	const folder = path.join(temporaryFolder('workspace'), 'sample');
	copyWorkspace(path.join(root, 'sample'), folder);
	return folder;
}

/** @returns {Options} */
function readOptions() {
	/** @type {Options} */
	let options;
	try {
		({ values: options } = parseArgs({
			options: {
				folder: { type: 'string' },
				locale: { type: 'string' },
				port: { type: 'string' },
				browser: { type: 'boolean' },
				check: { type: 'boolean' },
				help: { type: 'boolean', short: 'h' },
			},
		}));
	} catch (error) {
		throw new Plain(`${messageOf(error)}\n\n${USAGE}`);
	}
	const { folder, locale, port } = options;
	if (folder && !(existsSync(folder) && statSync(folder).isDirectory()))
		throw new Plain(`--folder: ${folder} is no folder.`);
	if (locale && !['en', 'zh-cn'].includes(locale)) throw new Plain(`--locale: ${locale} is none of en, zh-cn.`);
	if (port && !(Number.isInteger(Number(port)) && Number(port) > 0 && Number(port) < 65536)) {
		throw new Plain(`--port: ${port} is no port number.`);
	}
	return options;
}

async function buildExtension() {
	const { code, output } = await step('Building the extension', () => run(process.execPath, ['scripts/build.mjs']));
	if (code !== 0) throw new Plain(`${output.trim()}\n\nThe build failed; see above.`);
}

/** The desktop VS Code to use, if there is one and a screen to show it on. */
function desktopVsCode() {
	const screen =
		process.platform === 'linux' ? process.env.DISPLAY || process.env.WAYLAND_DISPLAY : !process.env.SSH_CONNECTION;
	const named = process.env.VSCODE_EXECUTABLE;
	if (named && !existsSync(named)) throw new Plain(`VSCODE_EXECUTABLE names ${named}, which does not exist.`);
	return named ?? (screen ? onPath(['code', 'code-insiders']) : undefined);
}

/** Its own profile: the person's settings and extensions are neither used nor changed. @param {string} executable @param {string} folder @param {string} [locale] */
async function openDesktop(executable, folder, locale) {
	const profile = path.join(cache, 'desktop');
	writeJson(path.join(profile, 'user-data/User/settings.json'), {
		'chat.disableAIFeatures': true,
		'workbench.startupEditor': 'none',
		'security.workspace.trust.enabled': false,
	});
	const args = ['--new-window', '--wait', '--user-data-dir', path.join(profile, 'user-data')];
	args.push('--extensions-dir', path.join(profile, 'extensions'), `--extensionDevelopmentPath=${root}`);
	if (locale) args.push('--locale', locale);
	const child = start(executable, [...args, folder], {
		env: { ...process.env, LOOPWRIGHT_OPEN_PANEL: '1' },
		shell: process.platform === 'win32',
		stdio: 'inherit',
	});
	say(
		`\nLoopwright is in the VS Code window that opens now, on ${folder}\nClose that window, or press Ctrl+C here, to end.`,
	);
	return new Promise((resolve) => {
		child.once('exit', (code) => resolve(code ?? 0));
		child.once('error', (error) => {
			say(`${executable} could not be started: ${error.message}`);
			resolve(1);
		});
	});
}

/** @param {string} folder @param {Options} options */
async function openServer(folder, options) {
	const { check } = options;
	const browser = check ? await ensureBrowser() : undefined;
	await ensureCodeServer();
	const scratch = check ? temporaryFolder('check') : undefined;
	const server = await step('Starting VS Code for the browser', async () =>
		startServer({
			dataDir: scratch ? path.join(scratch, 'server') : path.join(cache, 'server'),
			port: await choosePort(options),
			env: { LOOPWRIGHT_OPEN_PANEL: '1', ...(scratch ? demoOnly(scratch) : {}) },
			...(options.locale ? { locale: options.locale } : {}),
		}),
	);
	const address = `${server.url}?folder=${encodeURI(folder.replaceAll('\\', '/'))}`;
	if (check) return holdConversation(address, folder, browser ?? '', options.locale);

	say(`\nLoopwright is ready, on ${folder}\n\n    ${address}\n\nPress Ctrl+C to end.`);
	openInBrowser(address);
	const code = await server.ended;
	say(`The VS Code server ended with ${code}:\n${server.log()}`);
	return 1;
}

/** The environment of `--check`: no key, no real home folder. @param {string} home */
function demoOnly(home) {
	const keys = Object.keys(process.env).filter(
		(name) => name.startsWith('ANTHROPIC_') || name.startsWith('LOOPWRIGHT_'),
	);
	return {
		...Object.fromEntries(keys.map((name) => [name, undefined])),
		HOME: home,
		LOOPWRIGHT_HOME: path.join(home, 'loopwright'),
		LOOPWRIGHT_OPEN_PANEL: '1',
	};
}

/** @param {Options} options */
async function choosePort({ port, check }) {
	if (check && !port) return 0;
	const wanted = Number(port ?? DEFAULT_PORT);
	if (await portIsFree(wanted)) return wanted;
	if (port) throw new Plain(`--port: something else listens on ${port}.`);
	return 0;
}

/** @param {string} address @param {string} folder @param {string} browser @param {string} [locale] */
async function holdConversation(address, folder, browser, locale = 'en') {
	const begun = Date.now();
	const args = ['--import', 'tsx', 'test/e2e/harness/check.ts', address, folder, locale];
	const env = { ...process.env, CHROME_PATH: browser };
	const { code } = await run(process.execPath, args, { show: true, timeoutMs: 240_000, env });
	say(
		code === 0 ? `The conversation went well (${seconds(Date.now() - begun)}).` : 'The conversation failed; see above.',
	);
	return code === 0 ? 0 : 1;
}

/** Only for a person at a desktop. @param {string} address */
function openInBrowser(address) {
	if (!process.stdout.isTTY || process.env.CI || process.env.SSH_CONNECTION) return;
	if (process.platform === 'win32')
		start('cmd', ['/c', 'start', '""', address.replaceAll('&', '^&')], { stdio: 'ignore' });
	else if (process.platform === 'darwin') start('open', [address], { stdio: 'ignore' });
	else if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY) {
		start('xdg-open', [address], { stdio: 'ignore' }).once('error', () => {});
	}
}
