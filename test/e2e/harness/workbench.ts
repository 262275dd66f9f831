// A workbench of its own for a test: server, empty home folder, page, panel. A server starts in a third of a second, so that
// tests share only the browser, and nothing of one test can be seen by the next.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { copyWorkspace, setMachineSettings, startServer, type Server } from '../../../scripts/lib/codeServer.mjs';
import { messageOf, root, temporaryFolder } from '../../../scripts/lib/shell.mjs';
import { newPage, type PageOptions } from './browser.ts';
import { poll, WorkbenchPage, type Locale } from './workbenchPage.ts';

export { temporaryFolder };

/** What VS Code starts with; the preview of the page has the themes before them, Light Modern and Dark Modern. */
const THEMES = {
	light: 'Light 2026',
	dark: 'Dark 2026',
	'high-contrast': 'Default High Contrast',
	'high-contrast-light': 'Default High Contrast Light',
} as const;
export type Theme = keyof typeof THEMES;
/** By which a page shows that it has taken over a theme. */
const THEME_CLASSES: Readonly<Record<Theme, string>> = {
	light: 'vs',
	dark: 'vs-dark',
	'high-contrast': 'hc-black',
	'high-contrast-light': 'hc-light',
};

export interface WorkbenchOptions extends PageOptions {
	/** Absolute; `sampleWorkspace()` gives a fresh one. */
	readonly folder: string;
	/** A `.code-workspace` file to open instead of the folder. */
	readonly workspaceFile?: string;
	/** The Messages API that the extension talks to; absent: no key, so the demo model. */
	readonly model?: { readonly url: string; readonly key?: string } | undefined;
	readonly locale?: Locale;
	readonly theme?: Theme;
	/** For all windows; settings with application scope cannot be set here. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Added to the server's environment, and so to the extension host's. */
	readonly env?: Readonly<Record<string, string>>;
	/** Home folder of an earlier workbench, to go on with its sessions; a new empty one if absent. */
	readonly home?: string;
	/** True opens the folder in restricted mode, until the person trusts it. */
	readonly restricted?: boolean;
	/** False leaves the panel closed at the start. */
	readonly openPanel?: boolean;
}

/** A fresh copy of the sample workspace. */
export function sampleWorkspace(): string {
	const folder = path.join(temporaryFolder('workspace'), 'sample');
	copyWorkspace(path.join(root, 'sample'), folder);
	return folder;
}

function clearFolder(folder: string): void {
	for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true, force: true });
}

export class Workbench extends WorkbenchPage {
	readonly server: Server;
	readonly folder: string;
	/** The extension host's home folder; `LOOPWRIGHT_HOME` is `.loopwright` in it. */
	readonly home: string;
	readonly #context: BrowserContext;
	readonly #options: WorkbenchOptions;
	#settings: Readonly<Record<string, unknown>>;
	#stories = 1;

	constructor(parts: { page: Page; context: BrowserContext; server: Server; home: string; options: WorkbenchOptions }) {
		super(parts.page, parts.options.locale);
		this.server = parts.server;
		this.folder = parts.options.folder;
		this.home = parts.home;
		this.#context = parts.context;
		this.#options = parts.options;
		this.#settings = allSettings(parts.options);
	}

	/** Changes settings while the window is open. */
	setSettings(settings: Readonly<Record<string, unknown>>): void {
		this.#settings = { ...this.#settings, ...settings };
		setMachineSettings(this.server.dataDir, this.#settings);
	}

	/** With `LOOPWRIGHT_THEMES=all` in every theme, by switching it while the state is on the screen: for whoever looks at them. */
	override async screenshot(name: string): Promise<string> {
		if (process.env['LOOPWRIGHT_THEMES'] !== 'all') return super.screenshot(name);
		const before = this.#settings['workbench.colorTheme'];
		for (const theme of Object.keys(THEMES) as Theme[]) {
			await this.#switchTheme(THEMES[theme]);
			await super.screenshot(`${name}@${theme}`);
		}
		await this.#switchTheme(before);
		return super.screenshot(name);
	}

	async #switchTheme(label: unknown): Promise<void> {
		this.setSettings({ 'workbench.colorTheme': label });
		const [, kind] = Object.entries(THEME_CLASSES).find(([theme]) => THEMES[theme as Theme] === label) ?? [];
		if (kind) await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
	}

	/** For the next story: a new conversation, other settings, the folder as it was, nothing open. */
	async startAnew(options: Pick<WorkbenchOptions, 'settings' | 'theme'>): Promise<void> {
		if ((await this.page.locator('.terminal-wrapper').count()) > 0)
			await this.runCommand('Terminal: Kill All Terminals');
		await this.#closeEditors();
		clearFolder(this.folder);
		copyWorkspace(path.join(root, 'sample'), this.folder);
		// A window shows its title once it has taken over all of the settings.
		const title = `Story ${++this.#stories}`;
		this.#settings = { ...allSettings({ ...this.#options, settings: {}, ...options }), 'window.title': title };
		setMachineSettings(this.server.dataDir, this.#settings);
		await this.page.waitForFunction((wanted) => document.title.startsWith(wanted), title);
		await this.runCommand('Loopwright: New Conversation');
		await (await this.panel()).locator('[role=log].empty').waitFor();
		await this.write(await this.composer(), '');
		await this.waitForStatus('Ready');
	}

	async #closeEditors(): Promise<void> {
		const tabs = this.page.locator('.tabs-container .tab');
		if ((await tabs.count()) === 0) return;
		await this.runCommand('View: Close All Editors');
		const away = this.page.getByRole('dialog').getByRole('button', { name: /Don't Save/ });
		const closed = await poll(10_000, async () => {
			if (await away.isVisible()) await away.click();
			return (await tabs.count()) === 0 || undefined;
		});
		if (!closed) throw new Error('Editors stay open.');
	}

	/** Process ids of this server's extension hosts. */
	extensionHosts(): number[] {
		const all = processes();
		const ours = new Set([this.server.process.pid]);
		for (let size = 0; size !== ours.size;) {
			size = ours.size;
			for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
		}
		return all.filter(({ pid, args }) => ours.has(pid) && args.includes('--type=extensionHost')).map(({ pid }) => pid);
	}

	/**
	 * Kills the extension host as a crash would, and waits until VS Code has started another. It does so by itself twice in five
	 * minutes; `reload` does what a person then has to.
	 */
	async killExtensionHost({ reload = false } = {}): Promise<void> {
		const before = this.extensionHosts();
		if (before.length === 0) throw new Error('There is no extension host to kill.');
		for (const pid of before) process.kill(pid, 'SIGKILL');
		if (reload) await this.reloadPage();
		const back = await poll(
			30_000,
			async () => this.extensionHosts().some((pid) => !before.includes(pid)) || undefined,
		);
		if (!back) throw new Error('VS Code did not start the extension host again.');
	}

	/** While this runs nothing happens in the extension host: what would pass by itself stays on the screen. */
	async whileHostSleeps(run: () => Promise<void>): Promise<void> {
		const hosts = this.extensionHosts();
		for (const pid of hosts) process.kill(pid, 'SIGSTOP');
		try {
			await run();
		} finally {
			for (const pid of hosts) process.kill(pid, 'SIGCONT');
		}
	}

	/** Contract: leaves no process behind, whatever state the page is in. */
	async close(): Promise<void> {
		await this.#context.close().catch(() => {});
		await this.server.stop();
	}
}

export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
	const home = options.home ?? temporaryFolder('home');
	const server = await startServer({
		dataDir: temporaryFolder('server'),
		settings: allSettings(options),
		env: environment(home, options),
		...(options.locale ? { locale: options.locale } : {}),
		...(options.restricted ? { trust: true } : {}),
	});
	let context: BrowserContext | undefined;
	try {
		const opened = await newPage(options);
		context = opened.context;
		const workbench = new Workbench({ ...opened, server, home, options });
		const opens = options.workspaceFile ? `workspace=${options.workspaceFile}` : `folder=${options.folder}`;
		await workbench.load(`${server.url}?${encodeURI(opens)}`, options.openPanel ?? true);
		return workbench;
	} catch (error) {
		await context?.close().catch(() => {});
		await server.stop();
		throw new Error(`The workbench did not open: ${messageOf(error)}\n${server.log()}`, {
			cause: error,
		});
	}
}

export function themeSettings(theme: Theme): Readonly<Record<string, unknown>> {
	return { 'workbench.colorTheme': THEMES[theme] };
}

function allSettings(options: WorkbenchOptions): Record<string, unknown> {
	return {
		...themeSettings(options.theme ?? 'dark'),
		// Without this the terminal's text is not in the page.
		'terminal.integrated.gpuAcceleration': 'off',
		...(options.restricted
			? { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' }
			: {}),
		...options.settings,
	};
}

function environment(home: string, options: WorkbenchOptions): Record<string, string | undefined> {
	const foreign = Object.keys(process.env).filter((name) => /^(ANTHROPIC|LOOPWRIGHT|CLAUDE)_/.test(name));
	return {
		...Object.fromEntries(foreign.map((name) => [name, undefined])),
		HOME: home,
		USERPROFILE: home,
		LOOPWRIGHT_HOME: path.join(home, '.loopwright'),
		LOOPWRIGHT_OPEN_PANEL: options.openPanel === false ? undefined : '1',
		...(options.model
			? { ANTHROPIC_BASE_URL: options.model.url, ANTHROPIC_API_KEY: options.model.key ?? 'test-key' }
			: {}),
		...options.env,
	};
}

interface Process {
	readonly pid: number;
	readonly parent: number;
	readonly args: string;
}

/** From /proc where there is one: a slim container has no `ps`. */
function readProcess(name: string): Process[] {
	if (!/^\d+$/.test(name)) return [];
	try {
		const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
		return [{ pid: Number(name), parent: Number(parent), args: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
	} catch {
		return []; // it ended meanwhile
	}
}

function processes(): Process[] {
	if (existsSync('/proc/self/stat')) return readdirSync('/proc').flatMap(readProcess);
	const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
	return [...table.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args]) => ({
		pid: Number(pid),
		parent: Number(parent),
		args: args ?? '',
	}));
}
