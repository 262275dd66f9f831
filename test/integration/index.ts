// The entry of the tests inside VS Code: VS Code loads it in the extension host and calls `run`. Tests share one mock of the
// Messages API, which is set as the environment's model server before the first test.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { ignoreForeignErrors } from './harness/foreignErrors.ts';
import { startModel, stopModel } from './harness/model.ts';

export async function run(): Promise<void> {
	ignoreForeignErrors();
	await startModel();
	const mocha = new Mocha({
		ui: 'tdd',
		timeout: 30_000,
		retries: 1,
		forbidOnly: true,
		reporter: path.join(__dirname, '../../../scripts/lib/mochaReporter.cjs'),
		...(process.env.LOOPWRIGHT_TEST_GREP ? { grep: process.env.LOOPWRIGHT_TEST_GREP } : {}),
	});
	for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).toSorted()) {
		if (file.endsWith('.test.js')) mocha.addFile(path.join(__dirname, file));
	}
	try {
		const failures = await new Promise<number>((resolve) => mocha.run(resolve));
		if (failures > 0) throw new Error(`${failures} tests failed`);
	} finally {
		await stopModel();
	}
}
