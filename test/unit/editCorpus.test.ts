// The small part of the edit corpus that always runs: versions of this project's own files that chance has made.
// The large part is `npm run edit-corpus`.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPair, newTally } from '../corpus/check.ts';
import { seededRandom, stepsBetween } from '../corpus/hunks.ts';
import { inventedPairs } from '../corpus/sources.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

suite('edit corpus', () => {
	test('three hundred hunks as a model would write them: the same bytes, in every form', () => {
		const seed = 20;
		const random = seededRandom(seed);
		const tally = newTally();
		const folder = 'src/core/tools';
		const files = readdirSync(path.join(root, folder))
			.filter((file) => file.endsWith('.ts'))
			.map((file) => path.join(folder, file));
		for (const pair of inventedPairs(root, [...files, 'l10n/bundle.l10n.zh-cn.json'], random)) {
			checkPair(pair, { random, tally, most: 300 });
			if (tally.hunks >= 300) break;
		}
		assert.deepEqual(tally.differences, [], `seed ${seed}`);
		assert.ok(tally.variants > 100, `${tally.variants} variants`);
		assert.ok((tally.published.get('line ends CRLF') ?? 0) > 60);
	});

	test('steps lead from one version to the other, and each quote stands in one place', () => {
		const old = 'a\nb\nc\nb\nd\n';
		const wanted = 'a\nB\nc\nb\nd\nlast';
		const { steps } = stepsBetween(old, wanted, seededRandom(1));
		assert.equal(steps[0]?.before, old);
		assert.equal(steps.at(-1)?.after, wanted);
		for (const step of steps) {
			assert.equal(step.before.split(step.oldString).length, 2);
			assert.equal(
				step.before.replace(step.oldString, () => step.newString),
				step.after,
			);
		}
	});
});
