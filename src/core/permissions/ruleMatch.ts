// Which rule covers a call, by tool, path and parameters. Rules that forbid reach as far as they can; rules that allow only
// as far as is proven. What commands are covered is in `commandRules.ts`.
import type { Place, Places } from './places.ts';
import { below, posixPath } from './places.ts';
import type { Rule } from './rule.ts';
import { namesExactly, wildcard } from './rule.ts';

/** A call's input, as the model (or the person) gave it. */
export type CallInput = Readonly<Record<string, unknown>>;

const readers = new Set(['Grep', 'Glob', 'LSP']);
const writers = new Set(['Edit', 'Write', 'NotebookEdit']);

/** `Read` holds for all that reads files, `Edit` for all that writes them; what must not be read must not be written. */
export function coversTool(rule: Rule, tool: string): boolean {
	if (namesExactly(rule.tool, tool)) return true;
	if (rule.tool === 'Read') return readers.has(tool) || (rule.behavior === 'deny' && writers.has(tool));
	return rule.tool === 'Edit' && writers.has(tool);
}

/** Does a path rule cover the place? Rules that forbid hit by either path, rules that allow need both. */
export function coversPath(rule: Rule, place: Place, places: Places): boolean {
	if (rule.paths === undefined) return false;
	const forbids = rule.behavior !== 'allow';
	const pattern = forbids ? rule.paths.forbid : rule.paths.allow;
	const anyCase = forbids || places.api.sep === '\\';
	const matches = (path: string) => relatives(rule, path, places).some((part) => pattern.matches(part, anyCase));
	return forbids ? matches(place.path) || matches(place.real) : matches(place.path) && matches(place.real);
}

/** The path below each folder that the rule may start at. */
function relatives(rule: Rule, path: string, places: Places): readonly string[] {
	if (rule.specifier.kind !== 'path') return [];
	const forbids = rule.behavior !== 'allow';
	if (rule.specifier.base === 'filesystem') return [posixPath(path, places.api).replace(/^\/+/, '')];
	const folders = startingFolders(rule, rule.specifier.base, places);
	// A rule that forbids below a folder that is not known holds for such a path anywhere.
	if (folders.length === 0) return forbids ? suffixes(posixPath(path, places.api)) : [];
	return folders.flatMap((folder) => below(folder, path, places.api) ?? []);
}

function suffixes(path: string): readonly string[] {
	const segments = path.split('/').filter((segment) => segment !== '');
	return segments.map((_, index) => segments.slice(index).join('/'));
}

function startingFolders(
	{ behavior, origin }: Rule,
	base: 'cwd' | 'source' | 'home',
	places: Places,
): readonly string[] {
	const both = (place: Place | undefined) => (place === undefined ? [] : [place.path, place.real]);
	switch (base) {
		case 'home':
			return both(places.home);
		case 'cwd':
			return (behavior === 'allow' ? places.roots.slice(0, 1) : places.roots).flatMap(both);
		case 'source':
			return sourceFolders(origin, places);
	}
}

/** The folder that a `/` in a rule of this origin means. Source: ecosystem 2.4. */
function sourceFolders(origin: Rule['origin'], { roots, api }: Places): readonly string[] {
	switch (origin.source) {
		case 'everywhere':
		case 'claudeEverywhere':
		case 'managed':
			return origin.file === undefined ? [] : [api.dirname(origin.file)];
		default: {
			const { file } = origin;
			const own = roots.find(({ path, real }) => file !== undefined && [path, real].some((at) => below(at, file, api)));
			const root = own ?? roots[0];
			return root === undefined ? [] : [root.path, root.real];
		}
	}
}

/** A rule's word on a call that is no command: any call, a host, a name or a parameter. */
export function coversInput(rule: Rule, input: CallInput): boolean {
	const { specifier } = rule;
	const forbids = rule.behavior !== 'allow';
	switch (specifier.kind) {
		case 'any':
			return true;
		case 'domain':
			return coversHost(specifier.text, input['url'], forbids);
		case 'name':
			return coversName(specifier.text, rule.tool, input);
		case 'parameter':
			return coversParameter(specifier.name, specifier.text, input);
		case 'command':
		case 'path':
			return false;
	}
}

function coversHost(wanted: string, url: unknown, forbids: boolean): boolean {
	const host = hostOf(url);
	if (host === undefined) return forbids;
	const found = host.hostname.replace(/\.$/, '');
	const plain = wanted.replace(/\.$/, '');
	if (plain.startsWith('*.')) return found.endsWith(asciiHost(plain.slice(1)));
	return found === asciiHost(plain) || host.host === plain;
}

function hostOf(url: unknown): URL | undefined {
	return typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
}

/** A host as a URL has it: `bücher.example` is `xn--bcher-kva.example`. */
function asciiHost(host: string): string {
	const dotted = host.startsWith('.');
	const url = `http://${dotted ? host.slice(1) : host}`;
	const ascii = URL.canParse(url) ? new URL(url).hostname : host;
	return dotted ? `.${ascii}` : ascii;
}

function coversName(wanted: string, tool: string, input: CallInput): boolean {
	// A subagent is of the general kind where the call names none; its `name` is something else.
	if (tool === 'Agent') {
		const { subagent_type: type } = input;
		return matchesText(wanted, isText(type) ? type : 'general-purpose');
	}
	const name = ['skill', 'name', 'command'].map((key) => input[key]).find(isText);
	if (name === undefined) return false;
	const args = isText(input['args']) ? ` ${input['args']}` : '';
	return matchesText(wanted, name.replace(/^\//, '')) || matchesText(wanted, `${name.replace(/^\//, '')}${args}`);
}

function coversParameter(name: string, wanted: string, input: CallInput): boolean {
	const value = input[name];
	if (value === undefined) return false;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return matchesText(wanted, text.trim());
}

/** Text against a pattern in which `*` stands for any text; ` *` at the end also for nothing. */
export function matchesText(pattern: string, text: string): boolean {
	return wildcard(pattern, text) || (pattern.endsWith(' *') && wildcard(pattern.slice(0, -2), text));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
