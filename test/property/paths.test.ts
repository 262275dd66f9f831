// Paths: "inside" goes by segments, on POSIX and on Windows.
import assert from 'node:assert/strict';
import nodePath from 'node:path';
import fc from 'fast-check';
import { displayPath, isInside, pathKey, resolvePath, segmentsBelow } from '../../src/core/util/paths.ts';

const segment = fc.constantFrom('a', 'b', 'a b', '.git', 'ü', 'w', 'w2', '..x', '...');
const segments = fc.array(segment, { minLength: 1, maxLength: 5 });

suite('property: paths', () => {
	for (const api of [nodePath.posix, nodePath.win32]) {
		const root = api.sep === '/' ? '/' : 'C:\\';

		test(`what is joined below a folder is inside; siblings and parents are not (${api.sep})`, () => {
			fc.assert(
				fc.property(segments, segments, (folder, below) => {
					const base = api.join(root, ...folder);
					assert.ok(isInside(base, base, api));
					assert.ok(isInside(base, api.join(base, ...below), api));
					assert.ok(!isInside(base, `${base}2`, api));
					assert.ok(!isInside(base, api.join(base, ...below, ...below.map(() => '..'), '..'), api));
				}),
			);
		});

		test(`the usual path without taking it apart is what taking it apart gives (${api.sep})`, () => {
			const odd = fc.constantFrom('a', '.', '..', '', 'b c', '...', '.x', 'ü', ' ');
			const written = fc.array(odd, { maxLength: 6 }).map((parts) => root + parts.join(api.sep));
			fc.assert(
				fc.property(written, (path) => {
					const normal = api.normalize(path);
					assert.equal(pathKey(path, api), api.sep === '\\' ? normal.toLowerCase() : normal);
					const resolved = resolvePath(root, path, api);
					assert.ok(resolved.kind === 'path' && resolved.path === api.resolve(path));
				}),
			);
		});

		test(`what is resolved is absolute, stable, and shown so that it resolves to the same (${api.sep})`, () => {
			const written = fc
				.array(fc.constantFrom('a', '..', '.', 'b c', 'w'), { minLength: 1 })
				.map((parts) => parts.join('/'));
			fc.assert(
				fc.property(segments, written, (folder, text) => {
					const base = api.join(root, ...folder);
					const resolved = resolvePath(base, text, api);
					assert.ok(resolved.kind === 'path');
					assert.ok(api.isAbsolute(resolved.path));
					assert.deepEqual(resolvePath(base, resolved.path, api), resolved);
					assert.deepEqual(resolvePath(base, displayPath(base, resolved.path, api), api), resolved);
				}),
			);
		});
	}

	test('inside, and shown from there, is what the way from one to the other says', () => {
		const odd = fc
			.array(fc.constantFrom('a', '..', '.', '', 'b', '..x', '...'), { maxLength: 6 })
			.map((parts) => `/${parts.join('/')}`);
		fc.assert(
			fc.property(odd, odd, fc.boolean(), (folder, text, joined) => {
				const path = joined ? `${folder}${text}` : text;
				const relative = nodePath.posix.relative(folder, path);
				const inside = relative !== '..' && !relative.startsWith('../');
				assert.equal(isInside(folder, path, nodePath.posix), inside);
				assert.equal(displayPath(folder, path, nodePath.posix), inside ? relative || '.' : path);
				assert.deepEqual(
					segmentsBelow(folder, path, nodePath.posix),
					inside ? relative.split('/').filter(Boolean) : undefined,
				);
			}),
		);
	});

	test('B30: on Windows drive letters and case make no difference, elsewhere they do', () => {
		assert.equal(pathKey('c:\\p\\A.md', nodePath.win32), pathKey('C:/p/a.md', nodePath.win32));
		assert.ok(isInside('c:\\P', 'C:\\p\\a.md', nodePath.win32));
		assert.ok(!isInside('C:\\p', 'D:\\p\\a', nodePath.win32));
		assert.notEqual(pathKey('/p/A.md', nodePath.posix), pathKey('/p/a.md', nodePath.posix));
	});

	test('what no file has is refused', () => {
		for (const text of ['', '  ', 'a\0b', 'file:///etc/x', '~', '~/x', 'https://x/y']) {
			assert.equal(resolvePath('/w', text, nodePath.posix).kind, 'refused', text);
		}
		assert.deepEqual(resolvePath('/w', '/w/../o.txt', nodePath.posix), { kind: 'path', path: '/o.txt' });
		assert.deepEqual(resolvePath('/w', 'a/', nodePath.posix), { kind: 'path', path: '/w/a' });
	});
});
