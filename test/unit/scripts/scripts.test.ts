import assert from 'node:assert/strict';
import { missingPackages } from '../../../scripts/lib/dependencies.mjs';
import { messageOf, run } from '../../../scripts/lib/shell.mjs';
import { judge } from '../../../scripts/lib/suites.mjs';

suite('scripts', () => {
	test('packages: what is locked and not installed in that version, optional ones excepted', () => {
		const locked = {
			'': { version: '1.0.0' },
			'node_modules/a': { version: '1.0.0' },
			'node_modules/b': { version: '2.0.0' },
			'node_modules/b/node_modules/@c/d': { version: '3.0.0' },
			'node_modules/for-another-machine': { version: '1.0.0', optional: true },
		};
		const installed = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.9.0' } };
		assert.deepEqual(missingPackages(locked, installed), ['b@2.0.0', '@c/d@3.0.0']);
		assert.deepEqual(missingPackages(locked, locked), []);
	});

	test('counts: a suite that crashes, hangs, or runs nothing has failed', () => {
		const report = { passed: 3, failed: 1, skipped: 2, ended: true };
		const minute = 60_000;
		assert.deepEqual(judge(report, 1, minute), { passed: 3, failed: 1, skipped: 2 });
		assert.deepEqual(judge({ ...report, failed: 0 }, 0, minute), { passed: 3, failed: 0, skipped: 2 });
		assert.equal(judge(undefined, 0, minute).failed, 1);
		assert.equal(judge({ ...report, ended: false }, 0, minute).failed, 2);
		assert.equal(judge({ ...report, failed: 0 }, 1, minute).failed, 1);
		assert.equal(judge({ ...report, failed: 0 }, 124, minute).failed, 1);
		assert.equal(judge({ passed: 0, failed: 0, skipped: 0, ended: true }, 0, minute).failed, 1);
	});

	test('run: the exit status and all output; a program that is missing or hangs ends too', async () => {
		const script = 'console.log("out"); console.error("err"); process.exitCode = 3';
		const ended = await run(process.execPath, ['-e', script]);
		assert.equal(ended.code, 3);
		assert.match(ended.output, /out/);
		assert.match(ended.output, /err/);
		assert.equal((await run('/nowhere/at/all', [])).code, 127);
		assert.equal((await run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 200 })).code, 124);
		assert.equal(messageOf('text'), 'text');
	});
});
