// What the agent's terminals get besides what VS Code gives to every terminal (its settings, and what extensions such as
// Python contribute): the login shell's additions; and never the provider's keys. A terminal opened before a change is not used
// again.
import * as vscode from 'vscode';
import { secretNames } from '../../node/shell/environment.ts';
import { loginEnvironment } from '../../node/shell/shellEnvironment.ts';

/** A terminal does not wait longer for the login shell; when it answers later, the next terminal has what it says. */
const LOGIN_WAIT_MS = 1500;
const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', darwin: 'osx' };

/** The environment of the agent's terminals. */
export class TerminalEnvironment {
	readonly #keep: readonly string[];
	readonly #shell: string;
	#login: Promise<Readonly<Record<string, string>>> | undefined;
	readonly #subscriptions: vscode.Disposable[] = [];
	#version = 0;

	/** `shell`: the person's; `keep`: variables that commands inherit although they hold keys. */
	constructor(shell: string, keep: readonly string[] = []) {
		this.#keep = keep;
		this.#shell = shell;
		this.#subscriptions.push(
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (event.affectsConfiguration('terminal.integrated.env')) this.#version++;
			}),
		);
		void this.#followPython();
	}

	/** Rises when terminals that are open have an old environment. */
	get version(): number {
		return this.#version;
	}

	/** Null takes a variable out. */
	async variables(): Promise<Readonly<Record<string, string | null>>> {
		const login = await this.#loginInTime();
		const platform = PLATFORMS[process.platform] ?? 'linux';
		const set = vscode.workspace.getConfiguration('terminal.integrated.env').get<object>(platform) ?? {};
		return {
			...Object.fromEntries(Object.entries(login).filter(([name]) => !(name in set))),
			...Object.fromEntries(secretNames(process.env, this.#keep).map((name) => [name, null])),
		};
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	async #loginInTime(): Promise<Readonly<Record<string, string>>> {
		this.#login ??= loginEnvironment({ shell: this.#shell, env: process.env, nodePath: process.execPath });
		const login = this.#login;
		return await new Promise((resolve) => {
			let late = false;
			const timer = setTimeout(() => {
				late = true;
				resolve({});
			}, LOGIN_WAIT_MS);
			void login.then((variables) => {
				clearTimeout(timer);
				if (late && Object.keys(variables).length > 0) this.#version++;
				resolve(variables);
			});
		});
	}

	/** The Python extension says when another environment is chosen; VS Code itself tells extensions nothing of the kind. */
	async #followPython(): Promise<void> {
		const python = vscode.extensions.getExtension<unknown>('ms-python.python');
		if (python?.isActive !== true) return;
		const api = await Promise.resolve(python.exports).catch(() => undefined);
		const environments: unknown = typeof api === 'object' && api !== null && Reflect.get(api, 'environments');
		if (typeof environments !== 'object' || environments === null) return;
		const listen: unknown = Reflect.get(environments, 'onDidChangeActiveEnvironmentPath');
		if (typeof listen !== 'function') return;
		const subscription: unknown = Reflect.apply(listen, environments, [() => this.#version++]);
		if (subscription instanceof vscode.Disposable) this.#subscriptions.push(subscription);
	}
}
