// Ten kills at random moments of a long session; two hundred are `node scripts/crash-sessions.mjs`.
import assert from 'node:assert/strict';
import { crash } from '../../crash/crashes.ts';
import { buildHeadless } from './support.ts';

suite('crashes of the headless runner', function () {
	this.timeout(300_000);

	test('after each of ten kills the session comes to the end that an undisturbed one has', async function () {
		if (process.platform === 'win32') this.skip();
		const seed = Date.now() % 1_000_000;
		const problems = await crash({ script: buildHeadless(), kills: 10, seed, tell: () => {} });
		assert.deepEqual(problems, []);
	});
});
