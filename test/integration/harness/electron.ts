// The integration suite in a desktop VS Code: the one that VSCODE_EXECUTABLE names, else one that @vscode/test-electron
// downloads. Ends with the same line of counts as `npm test`.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { cache, messageOf, root, run, temporaryFolder, writeJson } from '../../../scripts/lib/shell.mjs';
import { judge } from '../../../scripts/lib/suites.mjs';
import { sampleWorkspace } from '../../e2e/harness/workbench.ts';
import { bundleTests } from './bundle.ts';

const report = path.join(cache, 'reports/electron.json');

void main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);

async function main(): Promise<number> {
	const built = await run(process.execPath, ['scripts/build.mjs']);
	if (built.code !== 0) throw new Error(built.output);
	mkdirSync(path.dirname(report), { recursive: true });
	rmSync(report, { force: true });
	const code = await runInDesktop().catch((error: unknown) => {
		console.error(messageOf(error));
		return 1;
	});
	const { passed, failed, skipped, reason } = judge(readReport(), code, 0);
	if (reason) console.log(`FAILED: ${reason}`);
	console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
	return failed === 0 ? 0 : 1;
}

async function runInDesktop(): Promise<number> {
	const userData = temporaryFolder('user-data');
	writeJson(path.join(userData, 'User/settings.json'), {
		'chat.disableAIFeatures': true,
		'workbench.startupEditor': 'none',
		'terminal.integrated.gpuAcceleration': 'off',
	});
	const executable = process.env.VSCODE_EXECUTABLE;
	return runTests({
		...(executable ? { vscodeExecutablePath: executable } : {}),
		extensionDevelopmentPath: root,
		extensionTestsPath: path.join(await bundleTests(), 'index.js'),
		extensionTestsEnv: {
			LOOPWRIGHT_TEST_REPORT: report,
			LOOPWRIGHT_TEST_NAMES: '1',
			LOOPWRIGHT_HOME: path.join(temporaryFolder('home'), '.loopwright'),
		},
		launchArgs: [
			sampleWorkspace(),
			'--disable-extensions',
			'--disable-workspace-trust',
			'--user-data-dir',
			userData,
			...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
		],
	});
}

function readReport(): (ReturnType<typeof judge> & { ended: boolean }) | undefined {
	try {
		return JSON.parse(readFileSync(report, 'utf8'));
	} catch {
		return undefined;
	}
}
