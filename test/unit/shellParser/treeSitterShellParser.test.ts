import assert from 'node:assert/strict';
import { TreeSitterShellParser } from '../../../src/node/shellParser/treeSitterShellParser.ts';
import { grammars } from '../../support/shellAnalysis.ts';

suite('tree-sitter shell parser', () => {
	test('both grammars: a whole tree with ranges, and errors known up to the root', async () => {
		const parser = new TreeSitterShellParser(grammars);
		for (const language of ['bash', 'powershell'] as const) {
			const parse = await parser.load(language);
			const root = parse('ls -l');
			assert.deepEqual([root.type, root.start, root.end, root.hasError], ['program', 0, 5, false]);
			assert.ok(root.children.length > 0);
			assert.equal(parse('ls "').hasError, true);
		}
		assert.equal(await parser.load('bash'), await parser.load('bash'));
	});

	test('a grammar that is missing: the load is rejected, and tried again', async () => {
		const parser = new TreeSitterShellParser(`${grammars}/nowhere`);
		await assert.rejects(parser.load('bash'));
		await assert.rejects(parser.load('bash'));
	});
});
