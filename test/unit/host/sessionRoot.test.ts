// The folder of a session, while folders come and go.
import assert from 'node:assert/strict';
import { SessionRoot } from '../../../src/host/session/sessionRoot.ts';

suite('root of a session', () => {
	test('the wanted folder while it is open, else the first; a stored session brings its own', () => {
		let roots: readonly string[] = ['/a', '/b'];
		const root = new SessionRoot(() => roots, '/b');
		assert.equal(root.path, '/b');
		assert.equal(root.take('/c'), false);
		assert.equal(root.path, '/b', 'what is outside stays outside');
		roots = ['/a'];
		assert.equal(root.path, '/a');
		roots = ['/b', '/a', '/c'];
		assert.equal(root.path, '/b');
		assert.equal(root.take('/c'), true);
		assert.equal(root.path, '/c');
		assert.equal(new SessionRoot(() => roots).path, '/b');
	});
});
