// Where a usable ripgrep is: VS Code's own, else the one of `@vscode/ripgrep`, else the one on PATH.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

export interface RipgrepPlaces {
	/** VS Code's `vscode.env.appRoot`. */
	readonly appRoot?: string;
	/** Folders whose `node_modules` (and those of their parents) may hold `@vscode/ripgrep`. Default: that of the script. */
	readonly from?: readonly string[];
	/** Folders of executables. Default: those of PATH. */
	readonly path?: readonly string[];
}

/** The absolute path of an executable ripgrep, or `undefined` when there is none. */
export async function findRipgrep(places: RipgrepPlaces = {}): Promise<string | undefined> {
	for (const candidate of candidates(places)) if (await isExecutable(candidate)) return candidate;
	return undefined;
}

function candidates({ appRoot, from, path: folders }: RipgrepPlaces): readonly string[] {
	const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
	const start = from ?? [path.dirname(process.argv[1] ?? process.execPath)];
	const modules = start.flatMap(modulesAbove);
	const onPath = folders ?? (process.env['PATH'] ?? '').split(path.delimiter);
	return [
		...(appRoot === undefined ? [] : inModules(appRoot, ['node_modules', 'node_modules.asar.unpacked'], name)),
		...modules.flatMap((folder) => inModules(folder, ['.'], name)),
		// A relative entry of PATH would depend on the folder that is open.
		...onPath.filter((folder) => path.isAbsolute(folder)).map((folder) => path.join(folder, name)),
	];
}

function inModules(root: string, modules: readonly string[], name: string): string[] {
	const target = `${process.platform}-${process.arch}`;
	return modules.flatMap((folder) =>
		[
			['@vscode', 'ripgrep', 'bin', name],
			['@vscode', `ripgrep-${target}`, 'bin', name],
			['@vscode', 'ripgrep-universal', 'bin', target, name],
			['@vscode', 'ripgrep-universal', 'bin', name],
			['vscode-ripgrep', 'bin', name],
		].map((parts) => path.join(root, folder, ...parts)),
	);
}

function modulesAbove(folder: string): string[] {
	const found: string[] = [];
	for (let current = path.resolve(folder); ; current = path.dirname(current)) {
		found.push(path.join(current, 'node_modules'));
		if (path.dirname(current) === current) return found;
	}
}

async function isExecutable(file: string): Promise<boolean> {
	try {
		await access(file, process.platform === 'win32' ? constants.F_OK : constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
