// Grep, Glob, TodoWrite and the registry, against doubles; real ripgrep is tested in test/unit/search.
import assert from 'node:assert/strict';
import type { ContentSearch, FoundContent, Search, SearchResult } from '../../../src/core/ports/search.ts';
import { builtinTools } from '../../../src/core/tools/builtin/builtinTools.ts';
import { globTool } from '../../../src/core/tools/builtin/glob.ts';
import { grepTool } from '../../../src/core/tools/builtin/grep.ts';
import { todoWriteTool } from '../../../src/core/tools/builtin/todoWrite.ts';
import { createRegistry } from '../../../src/core/tools/registry.ts';
import { callTool, emptySearch, fakeContext, FakeWorkspace } from '../../support/fakeWorkspace.ts';

function grepping(answer: SearchResult<FoundContent>) {
	const queries: ContentSearch[] = [];
	const search: Search = {
		...emptySearch,
		content(query) {
			queries.push(query);
			return Promise.resolve(answer);
		},
	};
	return { queries, context: fakeContext(new FakeWorkspace({ 'src/a.ts': 'x' }), { search }) };
}

suite('Grep', () => {
	test('options reach the search', async () => {
		const { queries, context } = grepping({ kind: 'found', matches: [], truncated: false, total: 0, files: 0 });
		const input = {
			pattern: 'x',
			path: 'src',
			glob: '*.ts',
			'-i': true,
			'-C': 2,
			'-A': 5,
			output_mode: 'content',
			head_limit: 3,
		};
		await callTool(grepTool, { ...input, multiline: 'true', offset: 1 }, context);
		assert.deepEqual(queries[0], {
			pattern: 'x',
			path: '/w/src',
			mode: 'content',
			limit: 3,
			offset: 1,
			caseInsensitive: true,
			lineNumbers: true,
			onlyMatching: false,
			multiline: true,
			glob: '*.ts',
			after: 5,
			before: 2,
		});
	});

	test('content rows as grep writes them', async () => {
		const matches = [
			{ file: '/w/src/a.ts', line: 1, text: 'before', context: true },
			{ file: '/w/src/a.ts', line: 2, text: 'hit' },
			{ file: '/w/src/a.ts', line: 9, text: 'hit' },
		];
		const { context } = grepping({ kind: 'found', matches, truncated: true, total: 7, files: 1 });
		const { text } = await callTool(grepTool, { pattern: 'hit', output_mode: 'content' }, context);
		assert.match(text, /^src\/a\.ts-1-before\nsrc\/a\.ts:2:hit\n--\nsrc\/a\.ts:9:hit\n\[Truncated: 7 lines match/);
	});

	test('nothing found, nothing at the offset, ignored files, failures', async () => {
		const none = { kind: 'found' as const, matches: [], truncated: false, total: 0, files: 0 };
		const run = async (answer: SearchResult<FoundContent>, input = {}) =>
			callTool(grepTool, { pattern: 'x', ...input }, grepping(answer).context);
		assert.equal((await run(none)).text, 'No matches found.');
		assert.match((await run({ ...none, total: 4 }, { offset: 9 })).text, /No entries at offset 9; 4 files match/);
		assert.match((await run({ ...none, ignoredFiles: ['/w/gen/w.py'] })).text, /git ignores.*gen\/w\.py/);
		const invalid = await run({ kind: 'invalid', message: 'unclosed group' }, { pattern: 'x(' });
		assert.ok(invalid.isError && /unclosed group[\s\S]*backslash/.test(invalid.text));
		const failed = await run({ kind: 'failed', message: 'no rg' });
		assert.ok(failed.isError && /nothing is known/.test(failed.text));
		assert.match((await run(none, { path: 'nowhere' })).text, /does not exist/);
	});
});

suite('searches and deny rules', () => {
	test('what a rule keeps back is not shown, and said to be', async () => {
		const matches = [
			{ file: '/w/.env', line: 1, text: 'KEY=1' },
			{ file: '/w/src/a.ts', line: 2, text: 'key' },
		];
		const { context } = grepping({ kind: 'found', matches, truncated: false, total: 2, files: 2 });
		const limited = { ...context, mayRead: (path: string) => !path.endsWith('.env') };
		const { text, view } = await callTool(grepTool, { pattern: 'key', output_mode: 'content' }, limited);
		assert.equal(
			text,
			'src/a.ts:2:key\n[1 entries are not shown: a rule, or the setting for files with secrets, keeps their files back.]',
		);
		assert.ok(!JSON.stringify(view).includes('KEY=1'));
	});
});

suite('Glob', () => {
	test('paths, truncation and ignored files', async () => {
		const search: Search = {
			...emptySearch,
			files: () =>
				Promise.resolve({ kind: 'found', files: ['/w/src/a.ts'], truncated: true, total: 300, ignored: 200 }),
		};
		const context = fakeContext(new FakeWorkspace({ 'src/a.ts': '' }), { search });
		const { text } = await callTool(globTool, { pattern: '**/*.ts' }, context);
		assert.match(text, /^src\/a\.ts\n\[Truncated: the first 1 of 300 files/);
		assert.match(text, /200 of 300 files are ignored/);
		assert.match((await callTool(globTool, { pattern: '*', path: 'src/a.ts' }, context)).text, /is a file/);
		assert.match((await callTool(globTool, { pattern: 'a\0b' }, context)).text, /NUL/);
	});
});

suite('TodoWrite', () => {
	const todo = (status: string) => ({ content: 'Run', activeForm: 'Running', status });

	test('replaces the list; two steps in progress are advised against', async () => {
		const context = fakeContext(new FakeWorkspace());
		const result = await callTool(todoWriteTool, { todos: [todo('in_progress'), todo('in_progress')] }, context);
		assert.ok(!result.isError);
		assert.match(result.text, /one at a time/);
		assert.equal(result.context?.todos?.length, 2);
	});

	test('an unknown status is named', () => {
		const parsed = todoWriteTool.parse({ todos: [todo('done')] });
		assert.ok(parsed.kind === 'failed');
		assert.match(parsed.message, /todos\.0\.status/);
	});
});

suite('registry', () => {
	test('order, aliases, unknown names', () => {
		const registry = createRegistry(builtinTools);
		assert.deepEqual(
			registry.tools.map((tool) => tool.name),
			[
				'Read',
				'Grep',
				'Glob',
				'Edit',
				'Write',
				'NotebookEdit',
				'Bash',
				'TaskOutput',
				'TaskStop',
				'TodoWrite',
				'AskUserQuestion',
				'EnterPlanMode',
				'ExitPlanMode',
				'Agent',
			],
		);
		assert.equal(registry.find('MultiEdit')?.name, 'Edit');
		assert.equal(registry.find('read'), undefined);
		assert.match(registry.unknown('read'), /Did you mean Read\? Available tools: Read, Grep/);
		assert.throws(() => createRegistry([...builtinTools, ...builtinTools]));
	});

	test('every tool describes each of its inputs', () => {
		for (const tool of builtinTools) {
			const properties = tool.inputSchema['properties'] as Record<string, { description?: string }>;
			for (const [name, property] of Object.entries(properties)) {
				assert.ok(property.description, `${tool.name}.${name}`);
			}
		}
	});
});
