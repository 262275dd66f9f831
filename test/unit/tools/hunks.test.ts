// Hunks for cards: long lines show the place that changes, whichever part of the line that is.
import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import { hunksBetween } from '../../../src/core/tools/hunks.ts';

const most = limits.hunkLineChars + 3;

suite('hunks', () => {
	for (const [where, before, after] of [
		['at the end', 9_990, 0],
		['in the middle', 5_000, 5_000],
		['at the beginning', 0, 9_990],
		['near the beginning', 100, 9_990],
	] as const) {
		test(`a minified line shows its change ${where}`, () => {
			const line = (word: string) => `${'a'.repeat(before)}${word}${'b'.repeat(after)}`;
			const { hunks } = hunksBetween(`x\n${line('old')}\ny\n`, `x\n${line('fresh')}\ny\n`);
			const [hunk] = hunks;
			assert.ok(hunk);
			const [, removed = '', added = ''] = hunk.lines;
			assert.ok(removed.startsWith('-') && removed.includes('old'), removed);
			assert.ok(added.startsWith('+') && added.includes('fresh'), added);
			for (const shown of hunk.lines) assert.ok(shown.length <= most, String(shown.length));
			assert.equal(removed.startsWith('-…'), before > 12);
			assert.equal(removed.endsWith('…'), after > limits.hunkLineChars);
			if (after > limits.hunkLineChars) assert.ok(removed.indexOf('old') < 20, 'seen without scrolling');
		});
	}

	test('lines that go in pairs are shown at their own places; a line alone from its beginning', () => {
		const long = (word: string) => `${'a'.repeat(2_000)}${word}${'b'.repeat(2_000)}`;
		const { hunks } = hunksBetween(
			`${long('1')}\n${long('2')}\n`,
			`${long('one')}\n${long('two')}\n${long('three')}\n`,
		);
		const lines = hunks[0]?.lines ?? [];
		assert.deepEqual(
			lines.map((line) => /[^ab…]+/.exec(line.slice(1))?.[0]),
			['1', '2', 'one', 'two', undefined],
		);
	});

	test('a change longer than what is shown is shown from its beginning; pairs of surrogates stay whole', () => {
		const { hunks } = hunksBetween(`${'😀'.repeat(1_000)}x\n`, `${'😀'.repeat(1_000)}${'y'.repeat(2_000)}\n`);
		const [removed = '', added = ''] = hunks[0]?.lines ?? [];
		assert.ok(added.includes('yyyy') && removed.includes('x'));
		for (const line of [removed, added]) assert.doesNotThrow(() => encodeURIComponent(line));
	});
});
