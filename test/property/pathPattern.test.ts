// Patterns of paths fit what git's own rules say, although most paths are decided without looking at each pattern.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import ignore from 'ignore';
import { pathPattern } from '../../src/core/permissions/pathPattern.ts';
import { defaultExcludes } from '../../src/core/permissions/secretsPolicy.ts';

const piece = fc.constantFrom('a', '.env', 'Key', 'id_rsa', 'x.pem', 'é', 'credentials', 'src', '*', '**', '?b', '.');
const pattern = fc
	.tuple(fc.constantFrom('', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('/', ''))
	.map(([start, pieces, joint]) => `${start}${pieces.join(joint)}`);
const segment = fc.constantFrom(
	'a',
	'ab',
	'.env',
	'.ENV.local',
	'KEY',
	'id_rsa.pub',
	'x.pem',
	'e\u0301',
	'credentials',
	'src',
);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

suite('patterns of paths', () => {
	test('fit what the matcher of each pattern fits', () => {
		const lists = fc.oneof(fc.array(pattern, { minLength: 1, maxLength: 5 }), fc.constant([...defaultExcludes]));
		fc.assert(
			fc.property(lists, path, fc.boolean(), (patterns, relative, anyCase) => {
				const plain = ignore({ ignorecase: anyCase }).add(
					patterns.map((each) => (anyCase ? each.normalize('NFC') : each)),
				);
				const looked = anyCase ? relative.normalize('NFC') : relative;
				const wanted = plain.ignores(looked) || plain.ignores(`${looked}/`);
				assert.equal(pathPattern(patterns).matches(relative, anyCase), wanted, `${patterns.join(' ')} on ${relative}`);
			}),
			{ numRuns: 2_000 },
		);
	});
});
