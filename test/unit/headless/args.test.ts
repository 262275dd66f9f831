// The command line: what is understood, and that everything else is refused in words.
import assert from 'node:assert/strict';
import { parseArguments } from '../../../src/headless/args.ts';
import { splitList } from '../../../src/node/settings/definitions.ts';

function args(...argv: string[]) {
	const parsed = parseArguments(argv);
	assert.equal(parsed.kind, 'run', JSON.stringify(parsed));
	return parsed.kind === 'run' ? parsed.args : assert.fail();
}

suite('headless arguments', () => {
	test('the prompt in all its forms', () => {
		assert.equal(args('-p', 'hello').prompt, 'hello');
		assert.equal(args('-p=hello').prompt, 'hello');
		assert.equal(args('-p').prompt, undefined);
	});

	test('a prompt may begin with a dash, and may be on stdin', () => {
		assert.equal(args('-p', '- one\n- two').prompt, '- one\n- two');
		assert.equal(args('-p', '--unknown-looking').prompt, '--unknown-looking');
		assert.equal(args('-p', '--verbose').prompt, undefined);
		assert.equal(args('--verbose').prompt, undefined);
	});

	test('lists may be repeated, commas in parentheses stay', () => {
		const parsed = args('--allowed-tools', 'Read, Bash(git log a,b)', '--allowed-tools', 'Grep', '-p', 'x');
		assert.deepEqual(parsed.allowedTools, ['Read', 'Bash(git log a,b)', 'Grep']);
		assert.deepEqual(splitList('a(b(c,d),e),f,,'), ['a(b(c,d),e)', 'f']);
	});

	const wrong: readonly (readonly [string, readonly string[]])[] = [
		["Unknown option '--bogus'", ['--bogus']],
		['The prompt is empty', ['-p=']],
		['The prompt is empty', ['-p', ' ']],
		['Unexpected argument "hello"', ['hello']],
		['--max-turns must be', ['-p', 'x', '--max-turns', '0']],
		['--max-turns must be', ['-p', 'x', '--max-turns', '-3']],
		['--max-turns must be', ['-p', 'x', '--max-turns=1.5']],
		['--max-budget-usd must be', ['-p', 'x', '--max-budget-usd', '0']],
		['--max-budget-usd must be', ['-p', 'x', '--max-budget-usd', '-1']],
		['--max-budget-usd must be', ['-p', 'x', '--max-budget-usd', 'much']],
		['--fallback-model needs', ['-p', 'x', '--fallback-model', ' , ']],
		['--output-format must be', ['-p', 'x', '--output-format', 'xml']],
		['--permission-mode must be', ['-p', 'x', '--permission-mode', 'yolo']],
		['--include-partial-messages needs', ['-p', 'x', '--include-partial-messages']],
		['exclude each other', ['-p', 'x', '--resume', 'a', '--continue']],
		['--session-id must be a UUID', ['-p', 'x', '--session-id', 'a']],
		['--fork-session needs', ['-p', 'x', '--fork-session']],
		['argument missing', ['-p', 'x', '--model']],
		['does not take an argument', ['-p', 'x', '--trust=yes']],
		["Unknown option '--mcp-config'", ['-p', 'x', '--mcp-config', 'f']],
	];
	for (const [message, argv] of wrong) {
		test(`refused: ${argv.join(' ')}`, () => {
			const parsed = parseArguments(argv);
			assert.equal(parsed.kind, 'wrong');
			assert.ok(parsed.kind === 'wrong' && parsed.message.includes(message), JSON.stringify(parsed));
		});
	}

	test('fallback models and a budget', () => {
		const parsed = args('-p', 'x', '--fallback-model', 'a, b', '--fallback-model=c', '--max-budget-usd', '.5');
		assert.deepEqual(parsed.fallbackModels, ['a', 'b', 'c']);
		assert.equal(parsed.maxBudgetUsd, '.5');
	});

	test('help and version', () => {
		assert.equal(parseArguments(['--help']).kind, 'help');
		assert.equal(parseArguments(['--version']).kind, 'version');
	});
});
