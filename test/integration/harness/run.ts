// Runs the integration suite in the extension host of a workbench in the browser. The tests' report goes to the file that
// LOOPWRIGHT_TEST_REPORT names; this process only shows what they print and ends with their result.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startServer } from '../../../scripts/lib/codeServer.mjs';
import { root, temporaryFolder } from '../../../scripts/lib/shell.mjs';
import { closeBrowser, newPage } from '../../e2e/harness/browser.ts';
import { sampleWorkspace } from '../../e2e/harness/workbench.ts';
import { bundleTests } from './bundle.ts';

const LIMIT_MS = 9 * 60_000;

void runInVsCode().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);

async function runInVsCode(): Promise<number> {
	const tests = await bundleTests();
	const home = temporaryFolder('home');
	const dataDir = temporaryFolder('server');
	const server = await startServer({
		dataDir,
		link: false,
		env: { HOME: home, USERPROFILE: home, LOOPWRIGHT_HOME: path.join(home, '.loopwright') },
		settings: { 'terminal.integrated.gpuAcceleration': 'off' },
	});
	const { context, page } = await newPage();
	try {
		const ended = new Promise<number>((resolve) => {
			void page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
				const text = args.filter((part) => typeof part === 'string').join(' ');
				if (text.startsWith('  ')) console.log(text);
			});
			void page.exposeFunction('codeAutomationExit', resolve);
			page.once('crash', () => resolve(1));
		});
		await page.goto(address(server.port, sampleWorkspace(), tests));
		const late = new Promise<number>((resolve) => setTimeout(() => resolve(124), LIMIT_MS));
		return await Promise.race([ended, late, server.ended.then(() => 1)]);
	} finally {
		await context.close().catch(() => {});
		await closeBrowser();
		await server.stop();
		rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
	}
}

function address(port: number, folder: string, tests: string): string {
	const remote = (file: string) => `vscode-remote://127.0.0.1:${port}${file}`;
	const payload = JSON.stringify([
		['extensionDevelopmentPath', remote(root)],
		['extensionTestsPath', remote(path.join(tests, 'index.js'))],
		['skipWelcome', 'true'],
	]);
	return `http://127.0.0.1:${port}/?folder=${encodeURI(folder)}&payload=${encodeURIComponent(payload)}`;
}
