// Edit and Write against the workspace in memory; tests named after the cases they keep from coming back.
import assert from 'node:assert/strict';
import { editTool } from '../../../src/core/tools/builtin/edit.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { writeTool } from '../../../src/core/tools/builtin/write.ts';
import { callTool, fakeContext, FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { CallResult } from '../../support/fakeWorkspace.ts';
import type { ToolContext } from '../../../src/core/tools/tool.ts';

interface Edit {
	readonly old: string;
	readonly new: string;
	readonly all?: boolean;
	readonly path?: string;
}

async function read(context: ToolContext, path = 'a.txt'): Promise<CallResult> {
	return callTool(readTool, { file_path: path }, context);
}

async function edit(context: ToolContext, change: Edit): Promise<CallResult> {
	const input = { file_path: change.path ?? 'a.txt', old_string: change.old, new_string: change.new };
	return callTool(editTool, change.all === undefined ? input : { ...input, replace_all: change.all }, context);
}

async function edited(text: string, change: Edit): Promise<{ text: string | undefined; result: CallResult }> {
	const workspace = new FakeWorkspace({ 'a.txt': text });
	const context = fakeContext(workspace);
	await read(context);
	const result = await edit(context, change);
	return { text: workspace.text('a.txt'), result };
}

suite('Edit', () => {
	test('B17: text with plain line ends matches CRLF, and what is put in gets CRLF', async () => {
		const { text } = await edited('x\r\ny\r\nz', { old: 'x\ny', new: 'x\nq' });
		assert.equal(text, 'x\r\nq\r\nz');
	});

	test('B17: replace_all in a CRLF file', async () => {
		const { text } = await edited('b\r\na\r\nb\r\na\r\n', { old: 'b\na', new: 'c\nd\ne', all: true });
		assert.equal(text, 'c\r\nd\r\ne\r\nc\r\nd\r\ne\r\n');
	});

	test('B17: in a file of mixed line ends only the touched text changes', async () => {
		const { text } = await edited('p\r\nq\nr\r\n', { old: 'r', new: 'R' });
		assert.equal(text, 'p\r\nq\nR\r\n');
		const several = await edited('p\r\nq\nr\r\ns\n', { old: 'p\nq\nr', new: 'p\nq\nnew\nr' });
		assert.equal(several.text, 'p\r\nq\nnew\nr\r\ns\n');
	});

	test('B19: $ sequences are literal, also with replace_all, and the preview says the same', async () => {
		const replacement = "x $& $$ $1 $` $' y";
		for (const all of [false, true]) {
			const { text, result } = await edited('A\nOLD\nB\n', { old: 'OLD', new: replacement, all });
			assert.equal(text, `A\n${replacement}\nB\n`);
			assert.ok(result.view.kind === 'edit');
			assert.ok(result.view.hunks[0]?.lines.includes(`+${replacement}`));
		}
	});

	test('B22: tabs are read as tabs, and spaces in their place get a hint', async () => {
		const go = 'func f() {\n\tif x {\n\t\treturn\n\t}\n}\n';
		const workspace = new FakeWorkspace({ 'f.go': go });
		const context = fakeContext(workspace);
		assert.match((await read(context, 'f.go')).text, /^3\t\t\treturn$/m);
		const spaces = await edit(context, { path: 'f.go', old: '        return', new: '        panic()' });
		assert.equal(spaces.isError, true);
		assert.match(spaces.text, /tabs where old_string has spaces/);
		assert.match(spaces.text, /3: \\t\\treturn/);
		assert.equal(workspace.text('f.go'), go);
		await edit(context, { path: 'f.go', old: '\t\treturn', new: '\t\tpanic()' });
		assert.equal(workspace.text('f.go'), go.replace('return', 'panic()'));
	});

	test('B24: several matches are an error with count and lines; replace_all takes them all', async () => {
		const source = 'Save();\na();\nSave();\n';
		const several = await edited(source, { old: 'Save();', new: 'Commit();' });
		assert.equal(several.text, source);
		assert.match(several.result.text, /occurs 2 times in a\.txt \(lines 1, 3\)/);
		const twice = await edited('x x\ny\nx\n', { old: 'x', new: 'z' });
		assert.match(twice.result.text, /occurs 3 times in a\.txt \(lines 1, 3\)/);
		const all = await edited(source, { old: 'Save();', new: 'Commit();', all: true });
		assert.equal(all.text, 'Commit();\na();\nCommit();\n');
		assert.match(all.result.text, /2 places/);
		const empty = await edited(source, { old: '', new: 'x' });
		assert.equal(empty.text, source);
		assert.match(empty.result.text, /not empty/);
		const same = await edited(source, { old: 'a();', new: 'a();' });
		assert.match(same.result.text, /No change/);
	});

	test('B24: overlapping matches count, and replace_all takes them from the left', async () => {
		assert.match((await edited('aaa', { old: 'aa', new: 'b' })).result.text, /occurs 2 times/);
		assert.equal((await edited('aaa', { old: 'aa', new: 'b', all: true })).text, 'ba');
	});

	test('B25: own edits refresh the record; a foreign change is told or refused', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
		const context = fakeContext(workspace);
		await read(context);
		assert.ok(!(await edit(context, { old: 'one', new: '1' })).isError);
		assert.ok(!(await edit(context, { old: 'two', new: '2' })).isError);
		workspace.files.set('/w/a.txt', '1\n2\nthree\nfour\n');
		const kept = await edit(context, { old: 'three', new: '3' });
		assert.match(kept.text, /other changes/);
		assert.equal(workspace.text('a.txt'), '1\n2\n3\nfour\n');
		workspace.files.set('/w/a.txt', '1\n2\nx\nx\n');
		assert.match((await edit(context, { old: '3', new: '4' })).text, /has changed since it was read/);
		const several = await edit(context, { old: 'x', new: 'y', all: true });
		assert.match(several.text, /has changed since it was read/);
		const written = await callTool(writeTool, { file_path: 'a.txt', content: 'new' }, context);
		assert.match(written.text, /has changed since it was read/);
		assert.equal(workspace.text('a.txt'), '1\n2\nx\nx\n');
	});

	test('B25: after an edit of a changed file, Write still wants a new read', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\ntwo\n' });
		const context = fakeContext(workspace);
		await read(context);
		workspace.files.set('/w/a.txt', 'one\ntwo\nunseen\n');
		await edit(context, { old: 'one', new: '1' });
		const written = await callTool(writeTool, { file_path: 'a.txt', content: 'new' }, context);
		assert.match(written.text, /Only a part/);
	});

	test('B26: unsaved text is read, said, and kept', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'ZERO\none\ntwo\n' });
		workspace.unsaved.add('/w/a.txt');
		const context = fakeContext(workspace);
		assert.match((await read(context)).text, /not saved/);
		const result = await edit(context, { old: 'two', new: '2' });
		assert.equal(workspace.text('a.txt'), 'ZERO\none\n2\n');
		assert.match(result.text, /unsaved text/);
	});

	test('what the person types while the edit is applied survives', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\ntwo\n' });
		const context = fakeContext(workspace);
		await read(context);
		let typed = 0;
		workspace.beforeChange = () => {
			if (typed++ < 2) workspace.files.set('/w/a.txt', `typed${typed}\none\ntwo\n`);
		};
		const result = await edit(context, { old: 'two', new: '2' });
		assert.ok(!result.isError);
		assert.equal(workspace.text('a.txt'), 'typed2\none\n2\n');
	});

	test('a file that never stays still is given up without a write', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\n' });
		const context = fakeContext(workspace);
		await read(context);
		let typed = 0;
		workspace.beforeChange = () => workspace.files.set('/w/a.txt', `${typed++}\none\n`);
		const result = await edit(context, { old: 'one', new: '1' });
		assert.match(result.text, /kept changing/);
		assert.equal(workspace.changes.length, 0);
	});

	test('B28: what saving changed is told, and the next edit of that text works', async () => {
		const workspace = new FakeWorkspace({ 'x.json': 'a:1\nb:1' });
		workspace.format = (text) => `${text.replace(/:(\d)/g, ': $1').trimEnd()}\n`;
		const context = fakeContext(workspace);
		await read(context, 'x.json');
		const first = await edit(context, { path: 'x.json', old: 'a:1', new: 'a:2' });
		assert.match(first.text, /changed more/);
		assert.match(first.text, /\+b: 1/);
		const second = await edit(context, { path: 'x.json', old: 'b: 1', new: 'b: 2' });
		assert.ok(!second.isError, second.text);
		assert.doesNotMatch(second.text, /other changes/);
		assert.equal(workspace.text('x.json'), 'a: 2\nb: 2\n');
	});

	test('B30: one file, several spellings', async () => {
		const workspace = new FakeWorkspace({ 'real/a.md': 'text\n', 'real/A.md': 'other\n' });
		workspace.links.set('/w/link', '/w/real');
		const context = fakeContext(workspace);
		await read(context, './real/../real/a.md');
		assert.ok(!(await edit(context, { path: '/w/link/a.md', old: 'text', new: 'new' })).isError);
		assert.equal(workspace.text('real/a.md'), 'new\n');
		assert.match((await edit(context, { path: 'real/A.md', old: 'other', new: 'x' })).text, /has not been read/);
	});

	test('B33: two edits prepared from the same text are both kept', async () => {
		const workspace = new FakeWorkspace({ 's.txt': 'left\nright\n' });
		const context = fakeContext(workspace);
		await read(context, 's.txt');
		const { signal } = new AbortController();
		const prepared = await Promise.all(
			[
				{ file_path: 's.txt', old_string: 'left', new_string: 'L' },
				{ file_path: './s.txt', old_string: 'right', new_string: 'R' },
			].map((input) => {
				const parsed = editTool.parse(input);
				assert.ok(parsed.kind === 'parsed');
				return parsed.prepare(context, signal);
			}),
		);
		for (const call of prepared) {
			assert.ok(call.kind === 'ready');
			const output = await call.value.run(context, { toolUseId: 't', signal, progress: () => undefined });
			assert.ok(!output.isError);
		}
		assert.equal(workspace.text('s.txt'), 'L\nR\n');
	});

	test('a link that leads elsewhere after permission was given is not followed', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
		workspace.links.set('/w/l.txt', '/w/a.txt');
		const context = fakeContext(workspace);
		await read(context, 'a.txt');
		await read(context, 'b.txt');
		const parsed = editTool.parse({ file_path: 'l.txt', old_string: 'one', new_string: '1' });
		assert.ok(parsed.kind === 'parsed');
		const { signal } = new AbortController();
		const call = await parsed.prepare(context, signal);
		assert.ok(call.kind === 'ready');
		workspace.links.set('/w/l.txt', '/w/b.txt');
		const output = await call.value.run(context, { toolUseId: 't', signal, progress: () => undefined });
		assert.equal(output.isError, true);
		assert.equal(workspace.text('b.txt'), 'one\n');
	});

	test('an empty old_string creates a file, and the permission shows it', async () => {
		const workspace = new FakeWorkspace();
		const context = fakeContext(workspace);
		const result = await edit(context, { path: 'new/n.txt', old: '', new: 'hello\n' });
		assert.equal(workspace.text('new/n.txt'), 'hello\n');
		assert.ok(result.view.kind === 'edit' && result.view.created);
		assert.equal(workspace.changes[0]?.expected, undefined);
		assert.ok(!(await edit(context, { path: 'new/n.txt', old: 'hello', new: 'bye' })).isError);
	});

	test('an unread, missing, binary or folder path is refused before anyone is asked', async () => {
		const workspace = new FakeWorkspace({ 'src/login.ts': 'x\n', 'b.bin': '' });
		workspace.odd.set('/w/b.bin', { kind: 'undecodable', size: 9, reason: 'binary' });
		const context = fakeContext(workspace);
		const cases: [string, RegExp][] = [
			['src/login.ts', /has not been read/],
			['src/logn.ts', /does not exist[\s\S]*Did you mean src\/login\.ts\?/],
			['b.bin', /binary/],
			['src', /is a folder/],
			['n.ipynb', /notebook/],
			['~/x', /not expanded/],
			['file:///w/a', /URI/],
		];
		for (const [path, message] of cases) {
			const result = await edit(context, { path, old: 'x', new: 'y' });
			assert.equal(result.refused, true, path);
			assert.match(result.text, message);
		}
	});

	test('not found: line numbers, case, or the nearest place', async () => {
		const source = 'function login(user) {\n\treturn check(user);\n}\n\nfunction logout() {}\n';
		assert.match((await edited(source, { old: '2\t\treturn check(user);', new: 'x' })).result.text, /line numbers/);
		assert.match((await edited(source, { old: 'function Login(user) {', new: 'x' })).result.text, /upper and lower/);
		const near = await edited(source, { old: 'function login(user) {\n\treturn verify(user);\n}', new: 'x' });
		assert.match(near.result.text, /nearest text, from line 1/);
		assert.match(near.result.text, /2: \\treturn check\(user\);/);
		assert.match((await edited(source, { old: 'zzzzzz', new: 'x' })).result.text, /Nothing in the file is like it/);
	});

	test('not found: how the nearest place differs is named', async () => {
		const cases: [string, string, RegExp][] = [
			['say(“hi”);\n', 'say("hi");', /quotation marks or dashes[\s\S]*1: say\(“hi”\);/],
			['caf\u0065\u0301 = 1\n', 'caf\u00e9 = 1', /composed differently/],
			['a  b\n', 'a b', /only in white space/],
			['f(a, b)\n', 'f(a,b)', /only in white space/],
			['x = 1;  \ny = 2;\n', 'x = 1;\ny = 2;', /at the ends of lines/],
			['ｆｕｌｌ\n', 'full', /look-alike/],
			['  two spaces\n', '\ttwo spaces', /indented with spaces where old_string has tabs/],
			['a\rb\nc\n', 'a\nb', /nearest|Nothing/],
			['a\u200bb = 1\n', 'ab = 1', /not seen/],
			['if (a && b < c) {\n', 'if (a &amp;&amp; b &lt; c) {', /HTML entities/],
			['say("a");\r\nstop();\r\n', 'say(\\"a\\");\\nstop();', /two characters where the file has the line break/],
		];
		for (const [source, old, message] of cases) {
			const { result, text } = await edited(source, { old, new: 'z' });
			assert.match(result.text, message);
			assert.equal(text, source);
		}
	});

	test('an edit that was made before is told apart from one that fits nowhere', async () => {
		const { result } = await edited('a\nconst port = 8080;\nb\n', {
			old: 'const port = 80;',
			new: 'const port = 8080;',
		});
		assert.match(result.text, /new_string is there already, at line 2/);
		const windows = await edited('a\r\none two\r\nthree four\r\n', { old: 'x\ny', new: 'one two\nthree four' });
		assert.match(windows.result.text, /there already, at line 2/);
	});

	test('a range that was read may be edited, but not overwritten', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\ntwo\nthree\n' });
		const context = fakeContext(workspace);
		await callTool(readTool, { file_path: 'a.txt', offset: 2, limit: '1' }, context);
		const written = await callTool(writeTool, { file_path: 'a.txt', content: 'x' }, context);
		assert.match(written.text, /Only a part/);
		assert.ok(!(await edit(context, { old: 'two', new: '2' })).isError);
	});

	test('the permission names the file and shows the hunks', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'one\ntwo\n' });
		const context = fakeContext(workspace);
		await read(context);
		const parsed = editTool.parse({ file_path: 'a.txt', old_string: 'two', new_string: '2' });
		assert.ok(parsed.kind === 'parsed');
		const prepared = await parsed.prepare(context, new AbortController().signal);
		assert.ok(prepared.kind === 'ready');
		assert.deepEqual(prepared.value.permission(context), {
			access: { kind: 'write', path: '/w/a.txt', realPath: '/w/a.txt' },
			detail: {
				kind: 'edit',
				path: '/w/a.txt',
				created: false,
				unsaved: false,
				hunks: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+2'] }],
				added: 1,
				removed: 1,
			},
			proposed: {
				realPath: '/w/a.txt',
				oldText: 'one\ntwo\n',
				newText: 'one\n2\n',
				edits: [{ start: 4, end: 7, text: '2' }],
			},
		});
	});
});

suite('Write', () => {
	test('creates, with no read needed', async () => {
		const workspace = new FakeWorkspace();
		const result = await callTool(writeTool, { file_path: 'n.txt', content: 'a\n' }, fakeContext(workspace));
		assert.equal(workspace.text('n.txt'), 'a\n');
		assert.match(result.text, /created/);
	});

	test('an existing file must have been read', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'old\n' });
		const context = fakeContext(workspace);
		const input = { file_path: 'a.txt', content: 'new\n' };
		assert.match((await callTool(writeTool, input, context)).text, /has not been read/);
		await read(context);
		assert.match((await callTool(writeTool, input, context)).text, /changed/);
		assert.equal(workspace.text('a.txt'), 'new\n');
		assert.match((await callTool(writeTool, input, context)).text, /already has exactly/);
	});

	test('a CRLF file keeps its line ends; lines of a mixed file that stay keep theirs', async () => {
		const workspace = new FakeWorkspace({ 'a.txt': 'a\r\nb\r\n', 'm.txt': 'a\r\nb\nc\r\n' });
		const context = fakeContext(workspace);
		await read(context);
		await read(context, 'm.txt');
		await callTool(writeTool, { file_path: 'a.txt', content: 'a\nx\nb\n' }, context);
		assert.equal(workspace.text('a.txt'), 'a\r\nx\r\nb\r\n');
		await callTool(writeTool, { file_path: 'm.txt', content: 'a\nb\nx\nc\n' }, context);
		assert.equal(workspace.text('m.txt'), 'a\r\nb\nx\r\nc\r\n');
		assert.deepEqual(workspace.changes.at(-1)?.edits.length, 1);
	});
});
