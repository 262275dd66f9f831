// A process of the lease tests: takes the lease of a folder, writes lines while it holds it, gives it back; `hold`: keeps it.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { takeLease } from '../../../src/node/sessions/lease.ts';

const [folder = '', log = '', how = '', name = ''] = process.argv.slice(2);

if (how === 'hold') {
	const outcome = takeLease(folder);
	process.stdout.write(`${outcome.kind}\n`);
	setInterval(() => {}, 1000);
} else {
	let held = 0;
	for (let round = 0; round < Number(how); round++) {
		const outcome = takeLease(folder);
		if (outcome.kind !== 'held') continue;
		held++;
		for (let line = 0; line < 5; line++) appendFileSync(log, `${name} ${round} ${line}\n`);
		outcome.lease.release();
	}
	process.stdout.write(`${held}\n`);
}
