// Command lines that people wrote: the scripts of installed packages, and the shell scripts of the operating system, cut
// into their statements.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ParseSource, SyntaxNode } from '../../src/core/ports/shellParser.ts';

const maxChars = 2_000;

/** `scripts` of every package.json below a `node_modules`. */
export function packageScripts(root: string): string[] {
	const lines = new Set<string>();
	for (const folder of packageFolders(path.join(root, 'node_modules'))) {
		const text = readText(path.join(folder, 'package.json'));
		if (text === undefined) continue;
		let scripts: unknown;
		try {
			scripts = (JSON.parse(text) as { scripts?: unknown }).scripts;
		} catch {
			continue;
		}
		for (const script of Object.values((scripts ?? {}) as Record<string, unknown>)) {
			if (typeof script === 'string' && script.length < maxChars) lines.add(script);
		}
	}
	return [...lines];
}

function packageFolders(modules: string): string[] {
	return entries(modules).flatMap((name) => {
		const folder = path.join(modules, name);
		if (name.startsWith('@')) return entries(folder).map((inner) => path.join(folder, inner));
		return name.startsWith('.') ? [] : [folder, ...packageFolders(path.join(folder, 'node_modules'))];
	});
}

function entries(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** Statements of all shell scripts below these folders, whole and nested. */
export function systemLines(folders: readonly string[], parse: ParseSource): string[] {
	const lines = new Set<string>();
	for (const file of folders.flatMap(scriptFiles)) {
		const text = readText(file);
		if (text === undefined || text.length > 300_000) continue;
		for (const statement of statementsOf(text, parse)) lines.add(statement);
	}
	return [...lines];
}

/** Files that begin with `#!` and name a Bourne shell. */
function scriptFiles(folder: string): string[] {
	const found: string[] = [];
	const open = [folder];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		let list;
		try {
			list = readdirSync(next, { withFileTypes: true });
		} catch {
			continue;
		}
		for (const entry of list) {
			const full = path.join(next, entry.name);
			if (entry.isDirectory()) open.push(full);
			else if (entry.isFile() && isShellScript(full)) found.push(full);
		}
	}
	return found;
}

function isShellScript(file: string): boolean {
	try {
		if (statSync(file).size > 300_000) return false;
		const handle = openSync(file, 'r');
		const buffer = Buffer.alloc(64);
		readSync(handle, buffer, 0, 64, 0);
		closeSync(handle);
		return /^#! ?\/(?:usr\/)?bin\/(?:env )?(?:ba|da)?sh\b/.test(buffer.toString('latin1'));
	} catch {
		return false;
	}
}

function readText(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}

const statements =
	/^(?:command|pipeline|list|redirected_statement|if_statement|for_statement|while_statement|case_statement|function_definition|subshell|compound_statement|declaration_command|variable_assignment|test_command|negated_command|unset_command|c_style_for_statement)$/;

function statementsOf(text: string, parse: ParseSource): string[] {
	const found: string[] = [];
	const open: SyntaxNode[] = [parse(text)];
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		open.push(...node.children);
		if (!statements.test(node.type)) continue;
		const line = text.slice(node.start, node.end).trim();
		if (line.length > 0 && line.length <= maxChars) found.push(line);
	}
	return found;
}
