// `npm run properties`: the property tests again and again, each time with another seed, for `--minutes N` (default 10), from
// `--seed S` on (default: the time); `--grep X` picks some. `npm test` runs them once, with the same seed each time. Ends with
// 1 if any failed; each failure is printed whole, with its seed and its smallest counter-example.
import { parseArgs } from 'node:util';
import { Plain, root, run, runMain, say } from './lib/shell.mjs';
import { testFiles } from './lib/suites.mjs';

await runMain(async () => {
	const { values } = parseArgs({
		options: { minutes: { type: 'string' }, seed: { type: 'string' }, grep: { type: 'string', short: 'g' } },
	});
	const [minutes, first] = [Number(values.minutes ?? 10), Number(values.seed ?? Math.floor(Date.now() / 1000))];
	if (!(minutes > 0) || !Number.isSafeInteger(first)) throw new Plain('--minutes and --seed are numbers.');
	// The simulator searches by a script of its own.
	const files = testFiles('test/property').filter((file) => !file.includes('simulator'));
	const args = ['node_modules/mocha/bin/mocha.js', '--reporter', 'dot', '--timeout', '120000', ...files];
	if (values.grep) args.push('--grep', values.grep);
	const until = Date.now() + minutes * 60_000;
	const failed = [];
	let seed = first;
	for (; Date.now() < until; seed++) {
		const env = { ...process.env, LOOPWRIGHT_SEED: String(seed) };
		const { code, output } = await run(process.execPath, args, { cwd: root, env, timeoutMs: 600_000 });
		if (code === 0) continue;
		failed.push(seed);
		say(`seed ${seed} (LOOPWRIGHT_SEED=${seed} npm run test:property):\n${output.trimEnd()}`);
	}
	say(
		`${seed - first} rounds from seed ${first} on, ${failed.length} with a failure${failed.length ? `: ${failed.join(', ')}` : ''}`,
	);
	return failed.length === 0 ? 0 : 1;
});
