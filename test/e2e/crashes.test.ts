// Ten kills of the extension host at random moments of a long session; two hundred are `node scripts/crash-host.mjs`.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { crashHost, crashSettings, prepareHome } from '../crash/hostCrashes.ts';
import { play } from '../crash/script.ts';
import { stories } from './harness/stories.ts';
import { temporaryFolder } from './harness/workbench.ts';

stories('crashes', (stories) => {
	test('after each of ten kills of the extension host the session comes to the end that an undisturbed one has', async function () {
		this.timeout(300_000);
		const [home, folder] = [temporaryFolder('home'), path.join(temporaryFolder('workspace'), 'crash')];
		mkdirSync(folder);
		prepareHome(home);
		stories.mock.setScript(play);
		const bench = await stories.open({ home, folder, settings: crashSettings });
		const seed = Date.now() % 1_000_000;
		const { kills, problems } = await crashHost({ bench, kills: 10, killsPerSession: 5, seed, tell: () => {} });
		assert.deepEqual(problems, []);
		assert.equal(kills, 10);
		assert.deepEqual(stories.mock.violations, []);
	});
});
