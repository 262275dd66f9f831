// From arguments, environment and settings files to everything a run needs to know. Whatever is wrong with them is told in
// one sentence, before anything is started.
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { loopwrightHome } from '../node/sessions/paths.ts';
import { checkText, type SettingName, type SettingValue } from '../node/settings/definitions.ts';
import { LiveSettings } from '../node/settings/liveSettings.ts';
import { baseUrlOf, settingsOfEnvironment, settingsOfFlags, type ResolvedSettings } from '../node/settings/resolve.ts';
import { english, problemText } from '../node/settings/sentence.ts';
import { claudeHome, managedFolders } from '../node/settings/settingsPlaces.ts';
import type { SettingValues } from '../node/settings/settingsReader.ts';
import { ruleTools } from '../node/settings/ruleTools.ts';
import type { RunArguments } from './args.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Setup {
	/** Real path of the session's folder. */
	readonly cwd: string;
	/** `cwd` first. */
	readonly roots: readonly string[];
	readonly home: string;
	/** As they are at the start. */
	readonly settings: ResolvedSettings;
	/** Rules of files that change during the run. */
	readonly live: LiveSettings;
	/** What is wrong with settings files, but does not stop the run. */
	readonly warnings: readonly string[];
	readonly apiKey?: string;
	readonly authToken?: string;
	/** From the settings, else the environment. */
	readonly baseUrl?: string;
}
export type SetupOutcome =
	{ readonly kind: 'ready'; readonly setup: Setup } | { readonly kind: 'wrong'; readonly message: string };

/** Contract: reads only; a settings file whose deny rules may be lost stops the run. */
export async function prepareSetup(args: RunArguments, env: Environment, here: string): Promise<SetupOutcome> {
	const cwd = await folder(path.resolve(here, args.cwd ?? '.'));
	if (cwd === undefined) return wrong(`--cwd: there is no folder ${path.resolve(here, args.cwd ?? '.')}.`);
	const home = loopwrightHome(env);
	const flags = flagSettings(args);
	const environment = settingsOfEnvironment(env);
	const problems = [...flags.problems, ...environment.problems];
	if (problems.length > 0) return wrong(problems.join('\n'));
	const live = new LiveSettings({
		home,
		claudeHome: claudeHome(env),
		managed: managedFolders(process.platform),
		folders: () => [cwd],
		trusted: () => args.trust,
		flags: flags.values,
		environment: environment.values,
		tools: ruleTools,
	});
	await live.refresh();
	const stopping = live.problems.filter(({ effect }) => effect === 'unknown');
	if (stopping.length > 0) return wrong(stopping.map((problem) => problemText(problem)).join('\n'));
	const settings = live.current;
	if (settings.bypassRefused && settings.modeChosen) {
		return wrong(
			settings.bypassForbidden
				? 'The mode bypassPermissions is forbidden by a settings file.'
				: 'The mode bypassPermissions needs --setting permissions.allowBypass=true.',
		);
	}
	const asked = await folders(args.addDirs.map((dir) => path.resolve(here, dir)));
	if (asked.missing[0] !== undefined) return wrong(`There is no folder ${asked.missing[0]} to add.`);
	const set = await folders(settings.additionalDirectories);
	const roots = [...new Set([cwd, ...asked.found, ...set.found])];
	const warnings = [
		...live.problems.map((problem) => problemText(problem)),
		...set.missing.map((dir) => `additionalDirectories: there is no folder ${dir}; it is left out.`),
	];
	return { kind: 'ready', setup: { cwd, home, settings, live, warnings, roots, ...credentials(env, settings) } };
}

function wrong(message: string): SetupOutcome {
	return { kind: 'wrong', message };
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
		else problems.push(english(checked.problem));
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

function credentials(env: Environment, settings: ResolvedSettings): Pick<Setup, 'apiKey' | 'authToken' | 'baseUrl'> {
	const given = (name: string) => env[name]?.trim() || undefined;
	const baseUrl = baseUrlOf(settings, env);
	const apiKey = given('ANTHROPIC_API_KEY');
	const authToken = given('ANTHROPIC_AUTH_TOKEN');
	return {
		...(apiKey === undefined ? {} : { apiKey }),
		...(authToken === undefined ? {} : { authToken }),
		...(baseUrl === undefined ? {} : { baseUrl }),
	};
}

/** Real paths of those that are there. */
async function folders(dirs: readonly string[]): Promise<{ found: readonly string[]; missing: readonly string[] }> {
	const looked = await Promise.all(dirs.map(async (dir) => ({ dir, real: await folder(dir) })));
	return {
		found: looked.flatMap(({ real }) => (real === undefined ? [] : [real])),
		missing: looked.flatMap(({ dir, real }) => (real === undefined ? [dir] : [])),
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
