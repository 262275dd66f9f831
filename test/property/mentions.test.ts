// The matcher and the syntax of mentions, with random names: blanks, quotes, other scripts, Windows paths.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fuzzyMatch, fuzzyQuery, fuzzyText } from '../../src/host/mentions/fuzzy.ts';
import { mentionsIn, openMention, writtenNamed, writtenPath, writtenSession } from '../../src/shared/mentions.ts';

const letters = fc.constantFrom(
	...Array.from('abzAZ09 _-.\'"()[]{}@#:,;!?/\\，。源代码文件éßİжΩ👍\t'),
	'"',
	'""',
	':10',
	'#L3',
	'#3',
	'C:\\',
);
const path = fc.string({ unit: letters, minLength: 1, maxLength: 30 });
const range = fc.option(
	fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.nat(500)).map(([first, more]) => ({ first, last: first + more })),
	{ nil: undefined },
);
const words = fc.string({ unit: fc.constantFrom(...Array.from('ab 看，.:(\n')), maxLength: 20 });

suite('mentions', () => {
	test('every path and range that is written is read back, whatever stands around it', () => {
		fc.assert(
			fc.property(path, range, words, words, (name, lines, ahead, after) => {
				const written = writtenPath(name, lines);
				const text = `${ahead} ${written} ${after}`;
				const start = ahead.length + 1;
				const found = mentionsIn(text).find((mention) => mention.start === start);
				assert.ok(found, `${text} has no mention`);
				assert.equal(text.slice(found.start, found.end), written);
				assert.ok(found.target.kind === 'path');
				assert.equal(found.target.path, name);
				assert.deepEqual(found.target.range, lines);
			}),
		);
	});

	test('terminals and problems by name, and sessions by title', () => {
		fc.assert(
			fc.property(path, fc.constantFrom('terminal', 'problems'), (name, kind) => {
				const written = writtenNamed(kind, name);
				const [only, more] = mentionsIn(written);
				assert.equal(more, undefined);
				const target = kind === 'terminal' ? { kind, name } : { kind, path: name };
				assert.deepEqual(only, { start: 0, end: written.length, target });
			}),
		);
		fc.assert(
			fc.property(fc.string({ unit: letters, maxLength: 60 }), fc.uuid(), (title, id) => {
				const written = writtenSession(title, id);
				assert.deepEqual(mentionsIn(written), [
					{ start: 0, end: written.length, target: { kind: 'session', id: id.slice(0, 8) } },
				]);
			}),
		);
	});

	test('mentions are within the text, apart and in order; what is open ends at the cursor', () => {
		fc.assert(
			fc.property(fc.string({ unit: letters, maxLength: 200 }), (text) => {
				let end = 0;
				for (const mention of mentionsIn(text)) {
					assert.ok(mention.start >= end && mention.end > mention.start && mention.end <= text.length);
					end = mention.end;
				}
				const open = openMention(text);
				if (open) assert.ok(text.slice(open.start).startsWith('@') && text.endsWith(open.query));
			}),
		);
	});

	test('it matches exactly when the characters are there in order, and the hits spell the query', () => {
		fc.assert(
			fc.property(path, fc.string({ unit: letters, maxLength: 6 }), (name, typed) => {
				const query = fuzzyQuery(typed);
				const candidate = fuzzyText(name);
				const match = fuzzyMatch(query, candidate);
				let at = -1;
				const isThere = [...Array(query.length).keys()].every((index) => {
					at = candidate.lower.indexOf(query.charAt(index), at + 1);
					return at >= 0;
				});
				assert.equal(match !== undefined, isThere);
				if (!match) return;
				assert.equal(match.hits.map((hit) => candidate.lower.charAt(hit)).join(''), query);
				assert.ok(match.hits.every((hit, index) => index === 0 || hit > (match.hits[index - 1] ?? 0)));
				assert.deepEqual(fuzzyMatch(query, fuzzyText(name)), match);
			}),
		);
	});

	test('the beginning of any name finds it, at least as well as with a letter left out', () => {
		const name = fc.string({ unit: fc.constantFrom(...Array.from('abcdefgh')), minLength: 3, maxLength: 12 });
		fc.assert(
			fc.property(name, name, (folder, file) => {
				const candidate = fuzzyText(`${folder}/${file}.ts`);
				const whole = fuzzyMatch(fuzzyQuery(file), candidate);
				const gap = fuzzyMatch(fuzzyQuery(file.slice(0, 1) + file.slice(2)), candidate);
				assert.ok(whole && gap && whole.score > gap.score);
			}),
		);
	});
});
