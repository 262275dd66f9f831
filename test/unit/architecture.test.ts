import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
	barrelViolations,
	cycles,
	layerViolations,
	machineViolations,
	mutableStateViolations,
	rankViolations,
	readSources,
	sdkViolations,
	sizeViolations,
	translationViolations,
	type Translations,
} from '../support/architecture.ts';

const root = path.resolve(import.meta.dirname, '../..');

suite('architecture', () => {
	const product = readSources(root, ['src', 'webview-ui']);
	const rules: Record<string, () => string[]> = {
		'a layer imports the layers below it, and the packages that it may': () => layerViolations(product),
		'the SDK of the model is imported in one file': () => sdkViolations(product),
		'inside core a folder imports lower ranks only': () => rankViolations(product),
		'there is no import cycle': () => cycles(product),
		'no file is over 400 lines, no function over 80': () =>
			sizeViolations([...product, ...readSources(root, ['test', 'scripts'])]),
		'there are no barrels': () => barrelViolations(product),
		'no module has mutable state': () => mutableStateViolations(product),
		'core takes time, timers, ids and chance from its ports': () => machineViolations(product),
		'every text is there in every language': () =>
			translationViolations(
				// Of core and node these alone word what people read.
				product.filter(
					({ path: file }) =>
						!/^src\/(core|node)\//.test(file) || /^src\/(core\/permissions|node\/settings)\//.test(file),
				),
				translations(),
			),
	};
	for (const [rule, violations] of Object.entries(rules)) {
		test(rule, () => {
			const found = violations();
			if (found.length > 0) assert.fail(`${found.length} violations:\n${found.join('\n')}`);
		});
	}
});

function translations(): Translations {
	const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
	const bundles = existsSync(path.join(root, 'l10n')) ? readdirSync(path.join(root, 'l10n')) : [];
	return {
		manifest: {
			'package.nls.json': read('package.nls.json'),
			'package.nls.zh-cn.json': read('package.nls.zh-cn.json'),
		},
		manifestText: readFileSync(path.join(root, 'package.json'), 'utf8'),
		bundles: {
			'bundle.l10n.zh-cn.json': {},
			...Object.fromEntries(
				bundles.filter((file) => file.endsWith('.json')).map((file) => [file, read(`l10n/${file}`)]),
			),
		},
	};
}
