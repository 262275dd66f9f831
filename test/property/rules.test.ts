// Permissions: whatever the command, syntax is never taken for reading, and a rule that forbids is never outvoted.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { permissionModes } from '../../src/shared/permission.ts';
import { judge } from '../../src/core/permissions/engine.ts';
import { plainAnalysis } from '../../src/core/permissions/commandFacts.ts';
import { parseRule, printRule, rulesFrom } from '../../src/core/permissions/rule.ts';
import { secretsPolicy } from '../../src/core/permissions/secretsPolicy.ts';
import { plainWords } from '../../src/core/permissions/shellWords.ts';

const metacharacters = Array.from(';&|<>$`\\!*?[]{}()~#^\n\r');
const word = fc.constantFrom(
	'ls',
	'cat',
	'git',
	'status',
	'log',
	'grep',
	'find',
	'-n',
	'--stat',
	'a.txt',
	'src/a',
	'rm',
	'-rf',
	'.',
);
const words = fc.array(word, { minLength: 1, maxLength: 5 });
const noise = fc.string({ unit: 'grapheme', maxLength: 12 });

const noSecrets = secretsPolicy({ exclude: [], roots: ['/w'] });

function sourced(texts: readonly string[] = []) {
	return rulesFrom({ source: 'flag' }, texts);
}

async function verdictOf(
	command: string,
	options: { deny?: string[]; allow?: string[]; mode?: (typeof permissionModes)[number] },
) {
	return judge({
		tool: 'Bash',
		mode: options.mode ?? 'default',
		need: { access: { kind: 'command', command }, detail: { kind: 'command', command, cwd: '/w' } },
		rules: { allow: sourced(options.allow), ask: [], deny: sourced(options.deny) },
		roots: ['/w'],
		interactive: true,
		secrets: noSecrets,
		realPath: (path) => Promise.resolve(path),
	});
}

const isReadOnly = (command: string) => plainAnalysis(command, 'bash', '/w').readOnly;

suite('property: rules', () => {
	test('no command with an unquoted metacharacter is read-only', () => {
		fc.assert(
			fc.property(words, fc.constantFrom(...metacharacters), fc.nat(), (parts, meta, position) => {
				const text = parts.join(' ');
				const at = position % (text.length + 1);
				assert.equal(isReadOnly(text.slice(0, at) + meta + text.slice(at)), false);
			}),
			{ numRuns: 2000 },
		);
	});

	test('double quotes never hide an expansion', () => {
		fc.assert(
			fc.property(noise, fc.constantFrom('$', '`', '\\', '!', '\n'), noise, (a, meta, b) => {
				const content = `${a}${meta}${b}`.replaceAll('"', '');
				assert.equal(plainWords(`ls "${content}"`), undefined);
			}),
		);
	});

	test('words read back as they were quoted', () => {
		fc.assert(
			fc.property(
				fc.array(
					noise.filter((text) => !/['\p{Cc}]/u.test(text)),
					{ minLength: 1 },
				),
				(parts) => {
					assert.deepEqual(plainWords(parts.map((part) => `'${part}'`).join(' ')), parts);
				},
			),
		);
	});

	test('a denied command is denied in every mode, wherever it stands, whatever is allowed', async () => {
		const before = fc.constantFrom(
			'',
			'ls && ',
			'a; ',
			'x | ',
			'x & ',
			'x\n',
			'(',
			'sudo ',
			'A=1 ',
			'echo $(',
			'env B=2 ',
			'time ',
			'if x; then ',
		);
		const spelled = fc.constantFrom('rm', '/bin/rm', "'rm'", '"rm"', '\\rm', "r'm'");
		await fc.assert(
			fc.asyncProperty(before, spelled, words, fc.constantFrom(...permissionModes), async (start, rm, rest, mode) => {
				const options = { deny: ['Bash(rm *)'], allow: ['Bash', 'Bash(rm *)', 'Bash(ls *)'], mode };
				const verdict = await verdictOf(`${start}${rm} ${rest.join(' ')}`, options);
				assert.equal(verdict.verdict, 'deny');
			}),
		);
	});

	test('with nothing allowed, a command that runs unasked is read-only', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					noise,
					words.map((parts) => parts.join(' ')),
				),
				async (command) => {
					const verdict = await verdictOf(command, {});
					if (verdict.verdict === 'allow') assert.ok(isReadOnly(command));
				},
			),
			{ numRuns: 1000 },
		);
	});

	test('a prefix rule allows no command with syntax', async () => {
		await fc.assert(
			fc.asyncProperty(words, fc.constantFrom(...metacharacters), async (parts, meta) => {
				const verdict = await verdictOf(`npm ${parts.join(' ')} ${meta} x`, { allow: ['Bash(npm *)'] });
				assert.notEqual(verdict.verdict, 'allow');
			}),
		);
	});

	test('an offered rule covers the command that it was offered for', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					noise,
					words.map((parts) => parts.join(' ')),
				),
				async (command) => {
					const verdict = await verdictOf(`npm ${command}`, {});
					if (verdict.verdict !== 'ask' || verdict.suggestedRule === undefined) return;
					assert.equal((await verdictOf(`npm ${command}`, { allow: [verdict.suggestedRule] })).verdict, 'allow');
					if (verdict.suggestedRule.endsWith(' *)')) return;
					assert.equal((await verdictOf(`npm ${command} more`, { allow: [verdict.suggestedRule] })).verdict, 'ask');
				},
			),
		);
	});

	test('rules print and read back', () => {
		const pieces = ['/', './', '~/', '..', '.', ' ', '\t', '**', '*', '?', '[', ']', 'a', 'C:', '#', '!', '"', '\\'];
		const paths = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(fc.constantFrom('Bash', 'Edit', 'Read'), fc.oneof(noise, paths), (tool, inner) => {
				const parsed = parseRule(`${tool}(${inner})`);
				if (parsed.kind === 'invalid') return;
				const again = parseRule(printRule(parsed.rule));
				assert.ok(again.kind === 'rule');
				assert.deepEqual(again.rule.specifier, parsed.rule.specifier);
			}),
			{
				numRuns: 2000,
				examples: [
					['Read', '" /'],
					['Read', './ a /b'],
					['Read', '**/**'],
					['Read', 'a/ /.'],
					['Edit', './C:/x'],
				],
			},
		);
	});

	test('a path that ends with a space is matched with it', () => {
		for (const inner of ['a/ /.', './a /.', '/" /**']) {
			const parsed = parseRule(`Read(${inner})`);
			assert.ok(parsed.kind === 'rule' && parsed.rule.specifier.kind === 'path' && parsed.rule.paths);
			const path = parsed.rule.specifier.pattern.slice(1);
			assert.ok(parsed.rule.paths.allow.matches(path, false));
			assert.ok(!parsed.rule.paths.allow.matches(path.trimEnd(), false));
		}
	});
});
