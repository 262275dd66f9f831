// What the agent's terminals get besides what VS Code gives to every terminal (its settings, and what extensions such as
// Python contribute): the login shell's additions; and never the provider's keys. A terminal opened before a change is not used
// again.
import * as vscode from 'vscode';
import { secretNames } from '../../node/shell/environment.ts';
import { loginEnvironment } from '../../node/shell/shellEnvironment.ts';

/** A terminal does not wait longer for the login shell. */
const LOGIN_WAIT_MS = 3000;
const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', darwin: 'osx' };

/** The environment of the agent's terminals. */
export class TerminalEnvironment {
	readonly #keep: readonly string[];
	readonly #login: Promise<Readonly<Record<string, string>>>;
	readonly #subscriptions: vscode.Disposable[] = [];
	#version = 0;

	/** `shell`: the person's; `keep`: variables that commands inherit although they hold keys. */
	constructor(shell: string, keep: readonly string[] = []) {
		this.#keep = keep;
		this.#login = loginEnvironment({ shell, env: process.env, nodePath: process.execPath });
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
		const nothing: Readonly<Record<string, string>> = {};
		const late = new Promise<typeof nothing>((resolve) => setTimeout(() => resolve(nothing), LOGIN_WAIT_MS));
		const login = await Promise.race([this.#login, late]);
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
