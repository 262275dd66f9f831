// Reports a mocha run twice: compactly for people (failures in full; every test by name if LOOPWRIGHT_TEST_NAMES is set),
// and as exact counts in the file that LOOPWRIGHT_TEST_REPORT names. CommonJS, since mocha loads it inside VS Code as well.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

const events = Runner.constants;

module.exports = class CompactReporter extends reporters.Base {
	constructor(runner, options) {
		super(runner, options);
		const counts = { passed: 0, failed: 0, skipped: 0, ended: false, last: '', failures: [], secondTries: [] };
		const file = process.env.LOOPWRIGHT_TEST_REPORT;
		const save = () => file && writeFileSync(file, JSON.stringify(counts));
		const named = (mark, test) => {
			if (process.env.LOOPWRIGHT_TEST_NAMES) console.log(`  ${mark} ${test.fullTitle()} (${test.duration ?? 0} ms)`);
		};
		save();
		runner.on(events.EVENT_TEST_BEGIN, (test) => {
			counts.last = test.fullTitle();
			save();
		});
		runner.on(events.EVENT_TEST_PASS, (test) => {
			counts.passed += 1;
			named('ok', test);
			save();
		});
		runner.on(events.EVENT_TEST_PENDING, (test) => {
			counts.skipped += 1;
			console.log(`  skipped: ${test.fullTitle()}`);
			save();
		});
		// In a browser a second try is granted, and told: a test that needs it often is to be mended.
		runner.on(events.EVENT_TEST_RETRY, (test, error) => {
			counts.secondTries.push(oneLine(test, error));
			console.log(`  once more: ${test.fullTitle()}\n${indent(explain(error))}`);
			save();
		});
		runner.on(events.EVENT_TEST_FAIL, (test, error) => {
			counts.failed += 1;
			counts.failures.push(oneLine(test, error));
			console.log(`  FAILED ${test.fullTitle()}\n${indent(explain(error))}`);
			save();
		});
		runner.once(events.EVENT_RUN_END, () => {
			counts.ended = true;
			counts.last = '';
			save();
			if (process.env.LOOPWRIGHT_TEST_MUST_END) endOrTell();
		});
	}
};

/** A process that goes on after its tests holds something that a test forgot to close. */
function endOrTell() {
	setTimeout(() => {
		console.log(
			`  FAILED: after the last test this keeps the process alive: ${process.getActiveResourcesInfo().join(', ')}`,
		);
		process.exit(1);
	}, 5000).unref();
}

/** What a list at the end of the whole run says of it. */
function oneLine(test, error) {
	const [first = ''] = String(error?.message ?? error).split('\n', 1);
	return `${test.fullTitle()}: ${first.slice(0, 300)}`;
}

function explain(error) {
	const lines = [error?.stack ?? String(error)];
	// Node's own assertions have the difference in their message.
	if (error && !error.generatedMessage && 'actual' in error && 'expected' in error && reporters.Base.showDiff(error)) {
		lines.push(reporters.Base.generateDiff(text(error.actual), text(error.expected)));
	}
	return lines.join('\n').replace(longLine, '$1 […]');
}

/** A counterexample may be a whole transcript in one line. */
const longLine = /^(.{2000}).+$/gm;

function text(value) {
	return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));
}

function indent(block) {
	return block.replace(/^/gm, '    ');
}
