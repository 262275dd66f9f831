// Where this program lies: its version, and the files that belong to it.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

export interface Installation {
	readonly version: string;
	/** The bundle of the shell runner. */
	readonly shellRunner: string;
	/** The folder of the shells' grammars. */
	readonly grammars: string;
	/** The folder that holds `dist` and `node_modules`. */
	readonly root: string;
}

/** Finds the program from its script's path: the nearest folder above that is Loopwright's. */
export function findInstallation(script: string): Installation {
	let folder = path.dirname(existsSync(script) ? realpathSync(script) : path.resolve(script));
	while (true) {
		const version = versionIn(path.join(folder, 'package.json'));
		if (version !== undefined) {
			return { version, root: folder, shellRunner: shellRunner(script, folder), grammars: grammars(script, folder) };
		}
		const parent = path.dirname(folder);
		if (parent === folder) throw new Error(`Loopwright's package.json was not found above ${script}`);
		folder = parent;
	}
}

/** Beside the script, where the build puts both. */
function shellRunner(script: string, root: string): string {
	const beside = path.join(path.dirname(path.resolve(script)), 'shellRunner.js');
	return existsSync(beside) ? beside : path.join(root, 'dist', 'shellRunner.js');
}

/** Beside the script; from sources, where the package has them. */
function grammars(script: string, root: string): string {
	const beside = path.join(path.dirname(path.resolve(script)), 'grammars');
	return existsSync(beside) ? beside : path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm');
}

function versionIn(file: string): string | undefined {
	try {
		const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
		const isOurs = typeof manifest === 'object' && manifest !== null && 'name' in manifest && 'version' in manifest;
		return isOurs && manifest.name === 'loopwright' ? String(manifest.version) : undefined;
	} catch {
		return undefined;
	}
}
