// A VS Code workbench without a desktop: VS Code's own server build, from npm, in a folder of its own under `.cache`.
// Installs it once; starts it with an extensions folder in which this repository is linked.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { cache, killTree, npm, Plain, root, start, step, writeJson } from './shell.mjs';

const VERSION = '4.139.1';
const NODE_VERSION = '24.22.3';

/** Where the server and the Node that it wants are. @typedef {{ node: string, main: string }} Installed */

/** @returns {Promise<Installed>} */
export async function ensureCodeServer() {
	const home = path.join(cache, `code-server-${VERSION}`);
	if (!existsSync(home)) await install(home);
	return locate(home);
}

/** @param {string} home @returns {Installed} */
function locate(home) {
	const modules = path.join(home, 'node_modules');
	const own = path.join(modules, nodePackage(), process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
	return {
		node: existsSync(own) ? own : process.execPath,
		main: path.join(modules, 'code-server/lib/vscode/out/server-main.js'),
	};
}

function nodePackage() {
	return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/** Installs beside the final place and renames, so that an interrupted installation is never taken for a whole one. @param {string} home */
async function install(home) {
	const building = `${home}.part-${process.pid}`;
	rmSync(building, { recursive: true, force: true });
	mkdirSync(building, { recursive: true });
	writeJson(path.join(building, 'package.json'), { private: true });
	const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
	try {
		await step(`Installing VS Code for the browser (code-server ${VERSION}, about 700 MB, once)`, async () => {
			const wanted = [
				`code-server@${VERSION}`,
				...(process.version.startsWith('v24.') ? [] : [`${nodePackage()}@${NODE_VERSION}`]),
			];
			await orFail(npm(['install', ...quiet, ...wanted], building));
			// Scripts are skipped: they compile native modules that only logs and Kerberos need, which fails on a bare machine.
			await orFail(
				npm(['install', ...quiet, '--omit=dev'], path.join(building, 'node_modules/code-server/lib/vscode')),
			);
		});
		if (!existsSync(home)) renameSync(building, home);
	} finally {
		rmSync(building, { recursive: true, force: true });
	}
}

/** @param {Promise<{ code: number, output: string }>} installation */
async function orFail(installation) {
	const { code, output } = await installation;
	if (code !== 0)
		throw new Plain(
			`${output.trim()}\n\nVS Code for the browser could not be installed; see above. It needs the npm registry.`,
		);
}

/** What every server of ours starts with; a caller's settings win. */
const SETTINGS = {
	'chat.disableAIFeatures': true,
	'workbench.startupEditor': 'none',
	'workbench.secondarySideBar.defaultVisibility': 'visible',
	'workbench.tips.enabled': false,
	'security.workspace.trust.enabled': false,
	'telemetry.telemetryLevel': 'off',
	'extensions.ignoreRecommendations': true,
	'extensions.autoCheckUpdates': false,
	'update.mode': 'none',
	'git.openRepositoryInParentFolders': 'never',
};

/**
 * @typedef {object} ServerOptions
 * @property {string} dataDir kept by the caller; settings, extensions and logs of this server
 * @property {number} [port] 0 or absent: a free one
 * @property {string} [locale] `en` or `zh-cn`
 * @property {Record<string, unknown>} [settings] for all windows
 * @property {Record<string, string | undefined>} [env] added to this process's environment; undefined takes a variable out
 * @property {boolean} [link] false leaves the extension out of the extensions folder (a test window brings it by itself)
 * @property {boolean} [trust] true asks whether folders are trusted, as VS Code does for people; absent: all are
 * @property {string} [extension] folder of the extension to link; the repository if absent
 */

/**
 * @typedef {object} Server
 * @property {string} url
 * @property {number} port
 * @property {import('node:child_process').ChildProcess} process
 * @property {string} dataDir
 * @property {Promise<number | null>} ended
 * @property {() => string} log the last output, for messages about failures
 * @property {() => Promise<void>} stop ends it and all its children
 */

/** Starts a server and waits until it answers. @param {ServerOptions} options @returns {Promise<Server>} */
export async function startServer(options) {
	const { node, main } = await ensureCodeServer();
	const port = options.port || (await freePort());
	prepareData(options);
	const args = [main, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token'];
	args.push('--accept-server-license-terms', '--server-data-dir', options.dataDir, '--enable-smoke-test-driver');
	args.push('--disable-telemetry', ...(options.trust ? [] : ['--disable-workspace-trust']));
	if (options.locale && options.locale !== 'en') args.push('--locale', options.locale);
	const child = start(node, args, { env: serverEnvironment(options.env), stdio: ['ignore', 'pipe', 'pipe'] });
	const log = keepLog(child);
	/** @type {Promise<number | null>} */
	const ended = new Promise((resolve) => {
		child.once('exit', resolve);
		child.once('error', () => resolve(127));
	});
	const url = `http://127.0.0.1:${port}/`;
	await untilAnswers(url, child, log);
	const stop = async () => {
		killTree(child);
		await ended;
	};
	return { url, port, process: child, dataDir: options.dataDir, ended, log, stop };
}

/** The last lines of a server, without its complaints about native modules that it can do without. @param {import('node:child_process').ChildProcess} child */
function keepLog(child) {
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk) => {
			text = (text + chunk).slice(-40_000);
		});
	}
	const noise = /spdlog|bindings|^\s+at |^\s*→|^\s*tries: \[|^\s*[\]}]\s*$|^\s*$|reconnection-grace-time/;
	return () =>
		text
			.split('\n')
			.filter((line) => !noise.test(line))
			.slice(-40)
			.join('\n');
}

/** @param {string} url @param {import('node:child_process').ChildProcess} child @param {() => string} log */
async function untilAnswers(url, child, log) {
	const deadline = Date.now() + 60_000;
	while (Date.now() < deadline) {
		if (child.exitCode !== null) throw new Plain(`The VS Code server ended at once:\n${log()}`);
		const answer = await fetch(`${url}version`).catch(() => undefined);
		if (answer?.ok) return;
		await new Promise((resolve) => setTimeout(resolve, 150));
	}
	killTree(child);
	throw new Plain(`The VS Code server did not answer within a minute:\n${log()}`);
}

/** @param {Record<string, string | undefined>} [changes] */
function serverEnvironment(changes = {}) {
	const env = { ...process.env, ...changes };
	return Object.fromEntries(
		Object.entries(env).filter(
			// What an outer npm, tsx or VS Code left there must not reach the extension host.
			([name, value]) => value !== undefined && !/^(npm_|VSCODE_|ELECTRON_|NODE_OPTIONS$|INIT_CWD$)/.test(name),
		),
	);
}

/** @param {ServerOptions} options */
function prepareData({ dataDir, locale, settings, link = true, extension = root }) {
	setMachineSettings(dataDir, settings);
	const extensions = path.join(dataDir, 'extensions');
	rmSync(extensions, { recursive: true, force: true });
	mkdirSync(extensions, { recursive: true });
	if (link) {
		const { publisher, name, version } = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
		symlinkSync(extension, path.join(extensions, `${publisher}.${name}-${version}`), 'junction');
	}
	if (locale && locale !== 'en') addLanguagePack(dataDir, locale);
}

/** Settings of all windows of a server; an open window takes them over by itself. @param {string} dataDir @param {Record<string, unknown>} [settings] */
export function setMachineSettings(dataDir, settings = {}) {
	writeJson(path.join(dataDir, 'data/Machine/settings.json'), { ...SETTINGS, ...settings });
}

/**
 * Makes a display language known without a gallery: the workbench's own texts stay English, the extension's are localised.
 * @param {string} dataDir
 * @param {string} locale
 */
function addLanguagePack(dataDir, locale) {
	const file = path.join(dataDir, 'data/pack', `${locale}.json`);
	writeJson(file, { version: '1.0.0', contents: {} });
	writeJson(path.join(dataDir, 'data/languagepacks.json'), {
		[locale]: {
			hash: `loopwright-${locale}`,
			label: locale,
			extensions: [{ extensionIdentifier: { id: `loopwright.language-${locale}` }, version: '1.0.0' }],
			translations: { vscode: file },
		},
	});
}

/** @returns {Promise<number>} */
function freePort() {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', reject);
		probe.listen(0, '127.0.0.1', () => {
			const address = probe.address();
			probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}

/** Whether nothing listens on that port of the loopback interface. @param {number} port @returns {Promise<boolean>} */
export function portIsFree(port) {
	return new Promise((resolve) => {
		const probe = createServer();
		probe.once('error', () => resolve(false));
		probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
	});
}

/** A copy of a folder that may be changed freely. @param {string} from @param {string} to */
export function copyWorkspace(from, to) {
	cpSync(from, to, { recursive: true });
	// The copy is a project of its own: without this, a search would look at ignore files further up.
	if (!existsSync(path.join(to, '.gitignore'))) writeFileSync(path.join(to, '.gitignore'), 'node_modules/\n');
}
