import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandLine, quoted } from '../shellTruth/generated.ts';
import { analysed, commandsOf, writesOf } from '../support/shellAnalysis.ts';

const text = fc.stringMatching(/^[a-z0-9 ./'"$;|&<>()*?!#=~-]{1,8}$/).filter((one) => !one.startsWith('~'));
const plainCommand = fc
	.tuple(
		fc.constantFrom('alpha', 'npm', 'rm', 'cat'),
		fc.array(fc.stringMatching(/^[a-z][a-z0-9./]{0,5}$/), { maxLength: 3 }),
	)
	.map(([name, words]) => [name, ...words].join(' '));

suite('shell analysis (properties)', () => {
	test('quoting variants have the same words', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc
					.array(text, { minLength: 1, maxLength: 4 })
					.chain((texts) => fc.tuple(fc.constant(texts), ...texts.map(quoted))),
				async ([texts, ...words]) => {
					const analysis = await analysed(`alpha ${words.join(' ')}`);
					if (analysis.unclear.length > 0) return;
					assert.deepEqual(
						analysis.commands.map((one) => one.words.map(({ value }) => value)),
						[['alpha', ...texts]],
					);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('a compound has its parts, whatever joins them; a wrapper keeps what it wraps', async () => {
		await fc.assert(
			fc.asyncProperty(
				plainCommand,
				plainCommand,
				fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n'),
				fc.constantFrom('timeout 3 ', 'env A=1 ', 'nohup ', 'sudo ', 'command ', 'nice -n 2 ', 'time '),
				async (a, b, sign, wrapper) => {
					const parts = [...commandsOf(await analysed(a)), ...commandsOf(await analysed(b))];
					const whole = commandsOf(await analysed(a + sign + b));
					assert.deepEqual(whole.toSorted(), parts.toSorted());
					const label = `[${wrapper.split(' ')[0]}] `;
					assert.deepEqual(
						commandsOf(await analysed(wrapper + a)),
						commandsOf(await analysed(a)).map((one) => label + one),
					);
					const quotedCode = a.replaceAll("'", String.raw`'\''`);
					assert.deepEqual(writesOf(await analysed(`bash -c '${quotedCode}'`)), writesOf(await analysed(a)));
				},
			),
			{ numRuns: 100 },
		);
	});

	test('anything at all: never throws, and what is not understood never only reads', async () => {
		const garbage = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 40 }), commandLine);
		const shells = fc.constantFrom('bash', 'sh', 'zsh', 'pwsh', 'fish');
		await fc.assert(
			fc.asyncProperty(garbage, shells, async (command, shell) => {
				const start = performance.now();
				const { unclear, readOnly, writes } = await analysed(command, shell);
				assert.ok(performance.now() - start < 5_000, 'too slow');
				if (unclear.length > 0 || writes.length > 0) assert.equal(readOnly, false);
			}),
			{ numRuns: 500 },
		);
	});
});
