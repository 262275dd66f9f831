// The rule that "always" offers: as wide as a person would mean who allowed this call, and never wider. Pure.
// Contract: a rule is offered only when it reads back as meant and covers the call; nothing is offered for what one rule
// cannot say.
import { limits } from '../limits.ts';
import { isInside } from '../util/paths.ts';
import { allowsCommand, canonical } from './commandRules.ts';
import { hasUnsafeAssignment, isPassedThrough } from './launchers.ts';
import type { Place, Places } from './places.ts';
import { posixPath } from './places.ts';
import type { CallInput } from './ruleMatch.ts';
import { coversPath } from './ruleMatch.ts';
import type { Rule } from './rule.ts';
import { parseRule } from './rule.ts';
import type { ShellCommand } from './shellAnalysis.ts';
import { commandName } from './shellWords.ts';

// "Always" for these would be too much, even for one exact command.
const neverOffered = new Set(
	'rm rmdir unlink shred sudo doas su pkexec chmod chown chgrp dd mkfs mount kill killall pkill shutdown reboot halt eval source . exec curl wget nc ncat ssh scp rsync crontab at systemctl launchctl reg'.split(
		' ',
	),
);

/** Programs whose further words only say on what they work. */
const oneWord = new Set(
	'tsc eslint prettier jest vitest mocha ava pytest ruff mypy flake8 black isort rubocop rspec phpunit phpstan shellcheck stylelint biome oxlint gofmt rustfmt clang-format javac ctest'.split(
		' ',
	),
);

/** Programs whose second word says what they do, with the second words after which the rest does not matter. */
const twoWords: ReadonlyMap<string, readonly string[]> = new Map([
	['git', 'add commit fetch pull merge switch stash'.split(' ')],
	['npm', ['test', 't', 'ls', 'outdated']],
	['pnpm', ['test', 't', 'ls', 'outdated']],
	['yarn', ['test']],
	['bun', ['test']],
	['cargo', 'build test check clippy fmt bench doc'.split(' ')],
	['go', 'build test vet'.split(' ')],
	['dotnet', ['build', 'test']],
	['deno', 'test fmt lint check'.split(' ')],
	['mvn', ['test', 'compile']],
	['gradle', ['test', 'build']],
	['./gradlew', ['test', 'build']],
	['swift', ['build', 'test']],
	['mix', ['test', 'format']],
	['bundle', ['check']],
]);

const runners = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** One rule for each sub-command that needs it; none when one of them has none, or when they are too many. */
export function suggestCommands(tool: string, commands: readonly ShellCommand[]): readonly string[] {
	const rules = commands.map((command) => suggestCommand(tool, command));
	const known = [...new Set(rules.filter((rule) => rule !== undefined))];
	return known.length === 0 || rules.includes(undefined) || known.length > limits.suggestedRules ? [] : known;
}

function suggestCommand(tool: string, command: ShellCommand): string | undefined {
	const words = command.words.map((word) => (word.glob === true ? undefined : word.value));
	const [name, second, third] = words;
	if (name === undefined || words.includes(undefined) || neverOffered.has(commandName(name))) return undefined;
	if (!command.wrappers.every(isPassedThrough)) return undefined;
	const exact =
		command.wrappers.length > 0 || command.assignments.length > 0
			? command.text
			: canonical(words.filter((word) => word !== undefined));
	const text = hasUnsafeAssignment(command) ? exact : (widerText(name, second, third) ?? exact);
	return [text, exact].map((inner) => `${tool}(${inner})`).find((rule) => covers(rule, command));
}

/** `npm test *`, `npm run build *`, `tsc *`; undefined when only the exact command is right. */
function widerText(name: string, second: string | undefined, third: string | undefined): string | undefined {
	if (oneWord.has(name)) return `${name} *`;
	if (second !== undefined && twoWords.get(name)?.includes(second) === true) return `${name} ${second} *`;
	const script = runners.has(name) && second === 'run' ? third : undefined;
	return script !== undefined && /^[\w:.-]+$/.test(script) && !script.startsWith('-')
		? `${name} run ${script} *`
		: undefined;
}

function covers(text: string, command: ShellCommand): boolean {
	if (text.length > limits.suggestedRuleChars || /[\r\n]/.test(text)) return false;
	const rule = readBack(text);
	return rule !== undefined && rule.specifier.kind === 'command' && allowsCommand(rule, command);
}

function readBack(text: string): Rule | undefined {
	const parsed = parseRule(text);
	return parsed.kind === 'rule' ? { ...parsed.rule, behavior: 'allow', origin: { source: 'session' } } : undefined;
}

/** For writing: the folder below the root that the file lies in; for reading outside: the file. */
export function suggestPath(tool: 'Read' | 'Edit', target: Place, places: Places): readonly string[] {
	const { api } = places;
	const root = places.roots[0];
	const inside = root !== undefined && isInside(root.real, target.real, api) && isInside(root.path, target.path, api);
	if (!inside) {
		if (target.path !== target.real) return [];
		return offered(`${tool}(/${posixPath(target.path, api)})`, target, places);
	}
	const segments = api.relative(root.path, target.path).split(/[/\\]/);
	const folder = segments.slice(0, -1).join('/');
	const text = folder === '' ? `./${segments.join('/')}` : `${folder}/**`;
	return offered(`${tool}(${text})`, target, places);
}

/** Only a rule that reads back without wild cards of its own, and covers the file, is offered. */
function offered(text: string, target: Place, places: Places): readonly string[] {
	const rule = readBack(text);
	if (rule?.specifier.kind !== 'path' || /[*?[\]\\\r\n]/.test(rule.specifier.pattern)) return [];
	return coversPath(rule, target, places) ? [text] : [];
}

/** For a tool that is neither file nor shell: the host, the name, or the tool itself. */
export function suggestUse(tool: string, input: CallInput): readonly string[] {
	const named = (value: unknown) =>
		typeof value === 'string' && /^[\w:.-]+$/.test(value) ? [`${tool}(${value})`] : [];
	switch (tool) {
		case 'WebFetch': {
			const { url } = input;
			const host = typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : '';
			return /^[\w.-]+$/.test(host) ? [`WebFetch(domain:${host})`] : [];
		}
		case 'Skill':
			return named(input['skill'] ?? input['name']);
		case 'Agent':
			return named(input['subagent_type']);
		default:
			return /^[A-Za-z_][\w-]*$/.test(tool) ? [tool] : [];
	}
}
