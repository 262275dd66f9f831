// `npm run edit-corpus`: real changes of real files through the edit engine, byte for byte. See scripts/edit-corpus.mjs.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cache, root } from '../../scripts/lib/shell.mjs';
import { checkPair, newTally } from './check.ts';
import type { Pair, Sample, Tally } from './check.ts';
import { seededRandom } from './hunks.ts';
import type { Random } from './hunks.ts';
import { packages } from './packages.ts';
import { commitPairs, packagePairs } from './sources.ts';

const { values } = parseArgs({
	options: {
		repo: { type: 'string', multiple: true },
		hunks: { type: 'string', default: '10000' },
		seed: { type: 'string', default: '1' },
		samples: { type: 'string', default: '200' },
	},
});

const most = Number(values.hunks);
const seed = Number(values.seed);
const random = seededRandom(seed);
const tally = newTally();
const samples = reservoir(Number(values.samples), random);
const folder = path.join(cache, 'edit-corpus');
mkdirSync(folder, { recursive: true });

const sources: readonly Iterable<Pair>[] = values.repo
	? values.repo.map((repository) => commitPairs(path.resolve(root, repository)))
	: packages.map(({ name, versions }) => packagePairs(name, versions, folder));
// The same share for each, and what one does not need goes to those after it.
for (const [index, source] of sources.entries()) {
	const [begun, had] = [Date.now(), tally.hunks];
	const share = tally.hunks + Math.ceil((most - tally.hunks) / (sources.length - index));
	for (const pair of source) {
		checkPair(pair, { random, tally, most: share, onSample: samples.add });
		if (tally.hunks >= share) break;
	}
	const name = values.repo?.[index] ?? packages[index]?.name ?? '';
	console.log(`${name}: ${tally.hunks - had} hunks in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}
writeFileSync(path.join(folder, 'sample.json'), JSON.stringify(samples.kept.map(portable)));
report(tally);
process.exitCode = tally.differences.length > 0 || tally.hunks === 0 ? 1 : 0;

/** Keeps `size` of all that are added, each with the same chance. Large files are left out: all of it goes into one file. */
function reservoir(size: number, chance: Random): { readonly kept: Sample[]; readonly add: (sample: Sample) => void } {
	const kept: Sample[] = [];
	let seen = 0;
	const add = (sample: Sample): void => {
		if (sample.before.length > 150_000) return;
		seen++;
		if (kept.length < size) kept.push(sample);
		else {
			const place = Math.floor(chance() * seen);
			if (place < size) kept[place] = sample;
		}
	};
	return { kept, add };
}

function portable({ name, encoding, before, after, oldString, newString }: Sample): object {
	return { name, encoding, before: before.toString('base64'), after: after.toString('base64'), oldString, newString };
}

function report({ hunks, variants, lineEndsOnly, differences, published, others }: Tally): void {
	const table = (title: string, counts: ReadonlyMap<string, number>): void => {
		console.log(title);
		for (const [key, count] of [...counts].toSorted(([one], [other]) => one.localeCompare(other)))
			console.log(`  ${String(count).padStart(7)}  ${key}`);
	};
	table('As published:', published);
	table('The same again in other forms:', others);
	console.log(`Files left at a change that is about line ends, which no Edit can say: ${lineEndsOnly}`);
	for (const difference of differences.slice(0, 50)) console.log(`DIFFERENT ${difference}`);
	console.log(`${hunks} hunks and ${variants} variants, ${differences.length} differences (seed ${seed})`);
}
