// From arguments, environment and settings files to everything a run needs to know. Whatever is wrong with them is told in
// one sentence, before anything is started.
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { loopwrightHome, projectFolder } from '../node/sessions/paths.ts';
import { checkText, type SettingName, type SettingValue } from '../node/settings/definitions.ts';
import {
	resolveSettings,
	settingsOfEnvironment,
	settingsOfFlags,
	type ResolvedSettings,
} from '../node/settings/resolve.ts';
import { readSettingsFile, type SettingValues } from '../node/settings/settingsFile.ts';
import type { RunArguments } from './args.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setup {
	/** Real path of the session's folder. */
	readonly cwd: string;
	/** `cwd` first. */
	readonly roots: readonly string[];
	readonly home: string;
	readonly settings: ResolvedSettings;
	readonly apiKey?: string;
	readonly authToken?: string;
	/** From the settings, else the environment. */
	readonly baseUrl?: string;
}
export type SetupOutcome =
	{ readonly kind: 'ready'; readonly setup: Setup } | { readonly kind: 'wrong'; readonly message: string };

/** Contract: reads only; a settings file that is broken stops the run, since its deny rules cannot be kept. */
export async function prepareSetup(args: RunArguments, env: Environment, here: string): Promise<SetupOutcome> {
	const cwd = await folder(path.resolve(here, args.cwd ?? '.'));
	if (cwd === undefined) return wrong(`--cwd: there is no folder ${path.resolve(here, args.cwd ?? '.')}.`);
	const home = loopwrightHome(env);
	const flags = flagSettings(args);
	const environment = settingsOfEnvironment(env);
	const [everywhere, mine, shared] = await Promise.all([
		readSettingsFile(path.join(home, 'settings.json')),
		readSettingsFile(path.join(projectFolder(home, cwd), 'settings.json')),
		readSettingsFile(path.join(cwd, '.loopwright', 'settings.json')),
	]);
	const problems = [flags, environment, everywhere, mine, shared].flatMap((source) => source.problems);
	if (problems.length > 0) return wrong(problems.join('\n'));
	const settings = resolveSettings({
		flags: flags.values,
		environment: environment.values,
		mine: mine.values,
		folder: shared.values,
		everywhere: everywhere.values,
		trusted: args.trust,
	});
	if (settings.permissionMode === 'bypassPermissions' && !settings.allowBypass) {
		return wrong('The mode bypassPermissions needs --setting permissions.allowBypass=true.');
	}
	const extra = [...args.addDirs.map((dir) => path.resolve(here, dir)), ...inFolder(cwd, settings)];
	const roots = await Promise.all(extra.map(async (dir) => ({ dir, real: await folder(dir) })));
	const missing = roots.find(({ real }) => real === undefined);
	if (missing) return wrong(`There is no folder ${missing.dir} to add.`);
	const all = [cwd, ...roots.flatMap(({ real }) => (real === undefined ? [] : [real]))];
	const setup = { cwd, home, settings, roots: [...new Set(all)] };
	return { kind: 'ready', setup: { ...setup, ...credentials(env, settings, flags.values, environment.values) } };
}

function wrong(message: string): SetupOutcome {
	return { kind: 'wrong', message };
}

function inFolder(cwd: string, settings: ResolvedSettings): readonly string[] {
	return settings.additionalDirectories.map((dir) => path.resolve(cwd, dir));
}

/** Options that mean a setting, and `--setting`. Options win over `--setting` where both are given. */
function flagSettings(args: RunArguments): { values: SettingValues; problems: readonly string[] } {
	const given = settingsOfFlags(args.settings);
	const values = new Map<SettingName, SettingValue>(given.values);
	const problems = [...given.problems];
	const put = (name: SettingName, text: string | undefined) => {
		if (text === undefined) return;
		const checked = checkText(name, text);
		if (checked.ok) values.set(name, checked.value);
		else problems.push(checked.problem);
	};
	put('model', args.model);
	if (args.fallbackModels.length > 0) values.set('fallbackModels', args.fallbackModels);
	put('maxTurns', args.maxTurns);
	put('maxCostUsd', args.maxBudgetUsd);
	put('permissionMode', args.permissionMode);
	addRules(values, 'permissions.allow', args.allowedTools);
	addRules(values, 'permissions.deny', args.disallowedTools);
	return { values, problems };
}

function addRules(values: Map<SettingName, SettingValue>, name: SettingName, rules: readonly string[]): void {
	const known = values.get(name);
	if (rules.length > 0) values.set(name, [...(typeof known === 'object' ? known : []), ...rules]);
}

/** ANTHROPIC_BASE_URL counts as environment: stronger than files, weaker than `baseUrl` from a flag or LOOPWRIGHT_BASE_URL. */
function credentials(
	env: Environment,
	settings: ResolvedSettings,
	flags: SettingValues,
	environment: SettingValues,
): Pick<Setup, 'apiKey' | 'authToken' | 'baseUrl'> {
	const given = (name: string) => env[name]?.trim() || undefined;
	const chosen = flags.has('baseUrl') || environment.has('baseUrl');
	const baseUrl = chosen ? settings.baseUrl : (given('ANTHROPIC_BASE_URL') ?? settings.baseUrl);
	const apiKey = given('ANTHROPIC_API_KEY');
	const authToken = given('ANTHROPIC_AUTH_TOKEN');
	return {
		...(apiKey === undefined ? {} : { apiKey }),
		...(authToken === undefined ? {} : { authToken }),
		...(baseUrl === undefined ? {} : { baseUrl }),
	};
}

async function folder(dir: string): Promise<string | undefined> {
	try {
		const real = await realpath(dir);
		return (await stat(real)).isDirectory() ? real : undefined;
	} catch {
		return undefined;
	}
}
