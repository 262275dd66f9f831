// The rules of docs/architecture.md that no compiler checks, as pure functions from sources to readable lines.
// Nothing here reads the disk but `readSources`; the rules themselves are data at the top.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { builtinModules } from 'node:module';
import { parseSource, type SourceFile } from './sourceFile.ts';

export type { SourceFile };

interface Layer {
	readonly folder: string;
	/** Layers that it may import besides itself. */
	readonly layers: readonly string[];
	/** Packages and Node modules that it may import; a function where a list would be endless. */
	readonly packages: (name: string) => boolean;
}

const CORE_PACKAGES = new Set(['zod', 'diff', 'ignore', 'yaml', 'node:path', 'node:crypto']);

const LAYERS: readonly Layer[] = [
	{ folder: 'src/shared', layers: [], packages: () => false },
	{ folder: 'src/core', layers: ['src/shared'], packages: (name) => CORE_PACKAGES.has(name) },
	{ folder: 'src/node', layers: ['src/core', 'src/shared'], packages: (name) => name !== 'vscode' },
	{ folder: 'src/host', layers: ['src/node', 'src/core', 'src/shared'], packages: () => true },
	{ folder: 'src/headless', layers: ['src/node', 'src/core', 'src/shared'], packages: (name) => name !== 'vscode' },
	{ folder: 'webview-ui', layers: ['src/shared'], packages: (name) => name !== 'vscode' && !isNodeModule(name) },
];

/** Inside core a folder imports itself and lower ranks only. */
const CORE_RANKS: readonly (readonly string[])[] = [
	['util', 'limits', 'ports'],
	['messages'],
	['model', 'permissions'],
	['hooks', 'memory', 'skills', 'commands', 'checkpoints', 'review', 'tasks'],
	['tools'],
	['tools/builtin', 'mcp'],
	['context'],
	['loop'],
	['subagents', 'background'],
	['session'],
];

export const MAX_FILE_LINES = 400;
export const MAX_FUNCTION_LINES = 80;
const MODEL_SDK = '@anthropic-ai/sdk';

/** Every TypeScript file below these folders of `root`, parsed. */
export function readSources(root: string, folders: readonly string[]): SourceFile[] {
	return folders.flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
			.map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
			.filter(
				(file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.d.ts') && !/\/(node_modules|fixtures)\//.test(file),
			)
			.toSorted()
			.map((file) => parseSource(file, readFileSync(path.join(root, file), 'utf8'))),
	);
}

export function layerViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) => {
		const layer = layerOf(file.path);
		if (!layer) return file.path.startsWith('src/') ? [`${file.path} is in no layer`] : [];
		return file.imports.flatMap(({ specifier, target, line }) => {
			if (target === undefined) {
				return layer.packages(packageName(specifier))
					? []
					: [`${file.path}:${line} ${layer.folder} must not import "${specifier}"`];
			}
			const other = layerOf(target);
			const allowed = other === layer || (other && layer.layers.includes(other.folder));
			return allowed ? [] : [`${file.path}:${line} ${layer.folder} must not import ${target}`];
		});
	});
}

/** The model's SDK is imported by one file only. */
export function sdkViolations(files: readonly SourceFile[]): string[] {
	const users = files.filter((file) => file.imports.some(({ specifier }) => packageName(specifier) === MODEL_SDK));
	return users.slice(1).map((file) => `${file.path} imports ${MODEL_SDK}, as ${users[0]?.path} does already`);
}

export function rankViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) => {
		const own = coreFolder(file.path);
		if (!own) return [];
		if (own.rank < 0) return [`${file.path} is in core/${own.name}, which has no rank`];
		return file.imports.flatMap(({ target, line }) => {
			const other = target === undefined ? undefined : coreFolder(target);
			if (!other || other.name === own.name || other.rank < own.rank) return [];
			const why = other.rank === own.rank ? 'of the same rank' : 'of a higher rank';
			return [`${file.path}:${line} core/${own.name} must not import core/${other.name}, ${why}: ${target}`];
		});
	});
}

/** Each cycle once, written from its first file in the alphabet. */
export function cycles(files: readonly SourceFile[]): string[] {
	const known = new Map(files.map((file) => [file.path, file]));
	const state = new Map<string, 'open' | 'done'>();
	const found = new Set<string>();
	const visit = (name: string, trail: readonly string[]): void => {
		if (state.get(name) === 'done') return;
		if (state.get(name) === 'open') {
			found.add(rotated(trail.slice(trail.indexOf(name))));
			return;
		}
		state.set(name, 'open');
		for (const { target } of known.get(name)?.imports ?? []) {
			if (target !== undefined && known.has(target)) visit(target, [...trail, name]);
		}
		state.set(name, 'done');
	};
	for (const file of files) visit(file.path, []);
	return [...found];
}

function rotated(cycle: readonly string[]): string {
	const first = cycle.indexOf(cycle.toSorted()[0] ?? '');
	const ring = [...cycle.slice(first), ...cycle.slice(0, first)];
	return `import cycle: ${[...ring, ring[0]].join(' -> ')}`;
}

export function sizeViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) => [
		...(file.lines > MAX_FILE_LINES ? [`${file.path} has ${file.lines} lines; ${MAX_FILE_LINES} are allowed`] : []),
		// A suite of tests is one function; its length says nothing.
		...(file.path.startsWith('test/') ? [] : file.functions)
			.filter((found) => found.lines > MAX_FUNCTION_LINES)
			.map(
				(found) =>
					`${file.path}:${found.line} ${found.name} has ${found.lines} lines; ${MAX_FUNCTION_LINES} are allowed`,
			),
	]);
}

export function barrelViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) => {
		if (/\/index\.tsx?$/.test(file.path)) return [`${file.path}: no index files; import what is meant by its own name`];
		return file.onlyReexports ? [`${file.path} only passes on what other files export`] : [];
	});
}

export function mutableStateViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) =>
		file.moduleState.map(
			({ name, line }) => `${file.path}:${line} "${name}" is mutable state of a module; let an object hold it`,
		),
	);
}

/** The agent gets time, timers, ids and chance from its ports only: so every run of it can be made again. */
export function machineViolations(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) =>
		file.path.startsWith('src/core/')
			? file.machine.map(({ name, line }) => `${file.path}:${line} core must not use ${name}; there is a port for it`)
			: [],
	);
}

export interface Translations {
	/** Texts in the manifest, by language file: key → text. */
	readonly manifest: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** package.json as text. */
	readonly manifestText: string;
	/** Texts of the code, by language file: English → translated. */
	readonly bundles: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Every text that people see exists in every language, with the same placeholders, and no translation is left over. */
export function translationViolations(files: readonly SourceFile[], translations: Translations): string[] {
	return [...manifestViolations(translations), ...bundleViolations(files, translations)];
}

function manifestViolations({ manifest, manifestText }: Translations): string[] {
	const wanted = new Set([...manifestText.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? ''));
	return Object.entries(manifest).flatMap(([language, texts]) => [
		...[...wanted].filter((key) => !(key in texts)).map((key) => `${language} lacks "${key}"`),
		...Object.keys(texts)
			.filter((key) => !wanted.has(key))
			.map((key) => `${language} has "${key}", which package.json does not use`),
	]);
}

function bundleViolations(files: readonly SourceFile[], { bundles }: Translations): string[] {
	const used = files.flatMap((file) => file.texts.map(({ text, line }) => ({ text, where: `${file.path}:${line}` })));
	const literals = new Set(files.flatMap((file) => file.strings));
	return Object.entries(bundles).flatMap(([language, texts]) => [
		...used
			.filter(({ text }) => !(text in texts))
			.map(({ text, where }) => `${where} ${language} lacks ${JSON.stringify(text)}`),
		...Object.entries(texts).flatMap(([text, translated]) => [
			...(literals.has(text) ? [] : [`${language} has ${JSON.stringify(text)}, which no code uses`]),
			...(placeholders(text) === placeholders(translated)
				? []
				: [`${language} has other placeholders than ${JSON.stringify(text)}`]),
		]),
	]);
}

function placeholders(text: string): string {
	return [...new Set(text.match(/\{\w+\}/g))].toSorted().join();
}

function layerOf(file: string): Layer | undefined {
	return LAYERS.find(({ folder }) => file.startsWith(`${folder}/`));
}

/** The ranked folder of core that a file is in; `limits.ts` counts as a folder. */
function coreFolder(file: string): { name: string; rank: number } | undefined {
	const inside = /^src\/core\/(.+?)(\.d)?\.tsx?$/.exec(file)?.[1];
	if (inside === undefined) return undefined;
	const parts = inside.split('/');
	const candidates = [parts.slice(0, 2).join('/'), parts[0] ?? ''];
	for (const name of candidates) {
		const rank = CORE_RANKS.findIndex((names) => names.includes(name));
		if (rank >= 0) return { name, rank };
	}
	return { name: parts[0] ?? '', rank: -1 };
}

function packageName(specifier: string): string {
	if (specifier.startsWith('node:')) return specifier.replace(/^(node:path)\/.*/, '$1');
	const parts = specifier.split('/');
	return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function isNodeModule(name: string): boolean {
	return name.startsWith('node:') || builtinModules.includes(name);
}
