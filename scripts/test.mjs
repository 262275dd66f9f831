// `npm test`: sets up what is missing, runs every suite even if an earlier one failed, and ends with one line of counts.
// `--fast` runs the part that needs no browser and takes seconds; `--only a,b` names suites; `--grep X` picks tests.
import { parseArgs } from 'node:util';
import { ensureBrowser } from './lib/browser.mjs';
import { ensureCodeServer } from './lib/codeServer.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Plain, runMain, say, seconds } from './lib/shell.mjs';
import { ensureShells } from './lib/testShells.mjs';
import { suites } from './lib/suites.mjs';

/** @typedef {import('./lib/suites.mjs').Suite} Suite */
/** @typedef {import('./lib/suites.mjs').Counts} Counts */

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

await runMain(async () => {
	const { values: options } = parseArgs({
		options: { fast: { type: 'boolean' }, only: { type: 'string' }, grep: { type: 'string', short: 'g' } },
	});
	await ensureDependencies();
	const chosen = choose(options);
	const needs = new Set(chosen.flatMap((suite) => suite.needs));
	if (needs.has('browser')) process.env.CHROME_PATH = await ensureBrowser();
	if (needs.has('server')) await ensureCodeServer();
	if (needs.has('shells')) await ensureShells();

	const filter = options.grep ? { grep: options.grep } : {};
	const total = { passed: 0, failed: 0, skipped: 0 };
	/** @type {Counts[]} */
	const all = [];
	for (const group of groups(chosen)) {
		all.push(...(await Promise.all(group.map((suite) => runAndTell(suite, filter)))));
	}
	for (const counts of all) {
		total.passed += counts.passed;
		total.failed += counts.failed;
		total.skipped += counts.skipped;
	}
	// Once more at the end: whoever sees only the last lines of a long run sees what failed.
	sayAll(
		'second tries',
		all.flatMap((counts) => counts.secondTries ?? []),
	);
	sayAll(
		'failed',
		all.flatMap((counts) => [...(counts.failures ?? []), ...(counts.reason ? [counts.reason] : [])]),
	);
	say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
	return total.failed === 0 ? 0 : 1;
});

/** @param {string} title @param {readonly string[]} lines */
function sayAll(title, lines) {
	if (lines.length > 0) say(`${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** What runs at the same time. @param {readonly Suite[]} chosen */
function groups(chosen) {
	/** @type {Suite[][]} */
	const found = [];
	for (const suite of chosen) {
		const last = suite.alongside ? found.at(-1) : undefined;
		if (last) last.push(suite);
		else found.push([suite]);
	}
	return found;
}

/** @param {Suite} suite @param {{ grep?: string }} filter */
async function runAndTell(suite, filter) {
	const begun = Date.now();
	say(`> ${suite.name}`);
	const counts = await suite.run(filter);
	const { passed, failed, skipped, reason } = counts;
	if (reason) say(`  FAILED: ${reason}`);
	const parts = [
		`${passed} passed`,
		...(failed ? [`${failed} FAILED`] : []),
		...(skipped ? [`${skipped} skipped`] : []),
	];
	say(`< ${suite.name}: ${parts.join(', ')} (${seconds(Date.now() - begun)})`);
	return counts;
}

/** The suites asked for, in their order; a suite that needs the build brings it along. @param {{ fast?: boolean, only?: string }} options */
function choose({ fast, only }) {
	if (fast) return suites.filter((suite) => suite.fast);
	if (!only) return suites;
	const names = only.split(',');
	const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
	if (unknown) throw new Plain(`--only: "${unknown}" is none of ${suites.map((suite) => suite.name).join(', ')}.`);
	const asked = suites.filter((suite) => names.includes(suite.name));
	const build = asked.some((suite) => suite.needs.includes('build'));
	return suites.filter((suite) => asked.includes(suite) || (build && suite.name === 'build'));
}
