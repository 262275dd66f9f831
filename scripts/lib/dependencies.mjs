// Makes node_modules agree with package-lock.json. Compares contents, not times: a checkout touches files, and a second
// run must install nothing.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npm, Plain, root, step } from './shell.mjs';

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} Locked */

/**
 * The packages that are locked and not installed in that version. Optional ones may be absent: they are for other machines.
 * @param {Record<string, Locked>} locked
 * @param {Record<string, Locked>} installed
 */
export function missingPackages(locked, installed) {
	return Object.entries(locked)
		.filter(([where, wanted]) => {
			if (where === '' || wanted.link) return false;
			const found = installed[where];
			return found ? found.version !== wanted.version : !wanted.optional;
		})
		.map(([where, wanted]) => `${where.replace(/^.*node_modules\//, '')}@${wanted.version}`);
}

export async function ensureDependencies() {
	const record = path.join(root, 'node_modules/.package-lock.json');
	const installed = existsSync(record) ? readPackages(record) : {};
	const missing = missingPackages(readPackages(path.join(root, 'package-lock.json')), installed);
	if (missing.length === 0) return;
	const { code, output } = await step(
		Object.keys(installed).length === 0
			? `Installing ${missing.length} packages (npm ci)`
			: `Updating packages (npm ci), as ${missing.slice(0, 3).join(', ')} changed`,
		() => npm(['ci', '--no-audit', '--no-fund']),
	);
	if (code !== 0) throw new Plain(`${output.trim()}\n\nnpm ci failed; see above. It needs the npm registry.`);
}

/** @param {string} file @returns {Record<string, Locked>} */
function readPackages(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}
