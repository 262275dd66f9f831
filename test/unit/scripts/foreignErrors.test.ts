import assert from 'node:assert/strict';
import { isForeign } from '../../integration/harness/foreignErrors.ts';

suite('errors that other extensions leave uncaught', () => {
	const error = (...frames: string[]) =>
		Object.assign(new Error('write EPIPE'), { stack: ['Error: write EPIPE', ...frames].join('\n') });
	const git = '/home/ada/lib/vscode/extensions/git/dist/main.js:66:494';

	test('all of its own code is one of VS Code’s extensions', () => {
		const frames = ['    at Writable.end (node:internal/streams/writable:825:17)', '    at new Promise (<anonymous>)'];
		assert.equal(isForeign(error(...frames, `    at ${git}`, `    at ar.run (${git})`)), true);
		assert.equal(isForeign(error(`    at async ar.run (file://${git})`)), true);
	});

	test('anything of ours in it, or nothing at all, is a failure', () => {
		assert.equal(
			isForeign(error(`    at ar.run (${git})`, '    at go (/home/ada/loopwright/out/test/a.js:1:2)')),
			false,
		);
		assert.equal(isForeign(error('    at Writable.end (node:internal/streams/writable:825:17)')), false);
		assert.equal(isForeign(new Error('from here')), false);
		assert.equal(isForeign('a text'), false);
		assert.equal(isForeign(undefined), false);
	});
});
