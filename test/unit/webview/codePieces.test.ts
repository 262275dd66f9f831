// Long code in pieces: nothing is lost, and what was cut once stays cut.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codePieces } from '../../../webview-ui/src/markdown/codePieces.ts';

suite('code in pieces', () => {
	const line = fc.oneof(fc.constant(''), fc.constant('\tindented'), fc.string({ maxLength: 60 }), fc.constant('{'));
	const code = fc.array(line, { maxLength: 300 }).map((lines) => lines.join('\n'));

	test('joined they are the code; growing changes only the last one', () => {
		fc.assert(
			fc.property(code, fc.nat(), (text, at) => {
				const pieces = codePieces(text);
				assert.equal(pieces.join(''), text);
				const before = codePieces(text.slice(0, at % (text.length + 1)));
				assert.deepEqual(pieces.slice(0, before.length - 1), before.slice(0, -1));
			}),
		);
	});

	test('a piece ends where a part of the code seems to end, and is never long', () => {
		const part = (at: number) => `function f${at}() {\n${'\twork();\n'.repeat(24)}}\n\n`;
		const pieces = codePieces(Array.from({ length: 20 }, (_, at) => part(at)).join(''));
		assert.ok(pieces.every((piece) => piece.startsWith('function')));
		assert.ok(codePieces('x\n'.repeat(1000)).every((piece) => piece.split('\n').length <= 61));
		assert.deepEqual(codePieces('one\n'), ['one\n']);
		assert.deepEqual(codePieces(''), ['']);
	});
});
