// The crash test of the extension host as a program, started by scripts/crash-host.mjs: `--kills N --seed S --per-session P
// --minutes M`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { closeBrowser } from '../e2e/harness/browser.ts';
import { openWorkbench, temporaryFolder } from '../e2e/harness/workbench.ts';
import { startMockServer } from '../support/mockServer.ts';
import { crashHost, crashSettings, prepareHome } from './hostCrashes.ts';
import { play } from './script.ts';

const { values } = parseArgs({
	options: {
		kills: { type: 'string', default: '200' },
		seed: { type: 'string', default: '1' },
		'per-session': { type: 'string', default: '3' },
		minutes: { type: 'string', default: '60' },
	},
});

void main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);

async function main(): Promise<number> {
	const tell = (line: string) => void process.stdout.write(`${line}\n`);
	const mock = await startMockServer(play);
	const home = temporaryFolder('home');
	const folder = path.join(temporaryFolder('workspace'), 'crash');
	mkdirSync(folder);
	prepareHome(home);
	const bench = await openWorkbench({ folder, home, model: { url: mock.url }, settings: crashSettings });
	try {
		const { kills, problems } = await crashHost({
			bench,
			kills: Number(values.kills),
			killsPerSession: Number(values['per-session']),
			seed: Number(values.seed),
			limitMs: Number(values.minutes) * 60_000,
			tell,
		});
		const all = [...problems, ...mock.violations.map((violation) => JSON.stringify(violation))];
		for (const problem of all) tell(problem);
		if (all.length > 0) await bench.screenshot('crash-host');
		tell(all.length === 0 ? `${kills} kills: nothing lost, nothing twice` : 'It failed.');
		return all.length === 0 ? 0 : 1;
	} finally {
		await bench.close();
		await closeBrowser();
		await mock.close();
	}
}
