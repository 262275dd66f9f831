// What commands, hooks and other children inherit: the person's environment without the provider's keys, with pagers
// and editors turned off so that nothing waits for a key. Pure.

/** A process environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How the children's environment is made. */
export interface EnvironmentOptions {
	/** Whether the children's stdin is a terminal; its TERM is then kept. */
	readonly tty?: boolean;
	/** Names that are inherited although they hold keys. */
	readonly keep?: readonly string[];
}

/** Pagers and editors end at once instead of waiting for a person. */
const QUIET: Readonly<Record<string, string>> = {
	PAGER: 'cat',
	GIT_PAGER: 'cat',
	MANPAGER: 'cat',
	SYSTEMD_PAGER: 'cat',
	EDITOR: 'true',
	VISUAL: 'true',
	GIT_EDITOR: 'true',
};

/** Variables that steer this process and would change what a child of the same program does. */
const OURS = new Set([
	'ELECTRON_RUN_AS_NODE',
	'ELECTRON_NO_ASAR',
	'VSCODE_ESM_ENTRYPOINT',
	'VSCODE_HANDLES_UNCAUGHT_ERRORS',
	'VSCODE_NLS_CONFIG',
	'VSCODE_CRASH_REPORTER_PROCESS_TYPE',
	'VSCODE_CWD',
]);

/** Of a value that is shorter it is no proof that another variable has the same. */
const shortestKey = 8;

/**
 * True for variables that hold the model provider's keys, or ours: all of ANTHROPIC_* (keys, tokens, headers, and the address, in
 * which a password may stand), Bedrock's own token, and what is called a key of Claude Code or Loopwright. Credentials that other
 * programs need (AWS_*, GOOGLE_*, GITHUB_TOKEN) stay: they are not the provider's alone. Names are compared without case (as on
 * Windows).
 */
export function isProviderSecret(name: string): boolean {
	const upper = name.toUpperCase();
	if (upper.startsWith('ANTHROPIC_') || upper === 'AWS_BEARER_TOKEN_BEDROCK') return true;
	if (upper.startsWith('LOOPWRIGHT_RUNNER_') || upper === 'LOOPWRIGHT_BASE_URL') return true;
	return /^(CLAUDE_CODE|LOOPWRIGHT)_.*(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH)/.test(upper);
}

/** Names of what no child may have: by name, and whatever holds one of these keys under another name. */
export function secretNames(env: Environment, keep: readonly string[] = []): readonly string[] {
	const keys = Object.entries(env)
		.filter(([name]) => isProviderSecret(name) && /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name))
		.flatMap(([, value = '']) => (value.trim().length < shortestKey ? [] : [value.trim()]));
	return Object.entries(env)
		.filter(([name, value = '']) => isProviderSecret(name) || keys.some((key) => value.includes(key)))
		.flatMap(([name]) => (keep.includes(name) ? [] : [name]));
}

/** The environment for children. Undefined values are left out. */
export function childEnvironment(env: Environment, options: EnvironmentOptions = {}): Record<string, string> {
	const secret = new Set(secretNames(env, options.keep));
	const result: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value === undefined || OURS.has(name) || name in QUIET || secret.has(name)) continue;
		result[name] = value;
	}
	if (options.tty !== true) result['TERM'] = 'dumb';
	return { ...result, ...QUIET };
}
