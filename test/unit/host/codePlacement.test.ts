// Where a block of code of an answer is proposed to go.
import assert from 'node:assert/strict';
import { placedCode } from '../../../src/host/code/codePlacement.ts';

const file = ['import a;', '', 'function f() {', '\tone();', '}', '', 'function g() {', '\ttwo();', '}', ''].join('\n');
const cursor = (at: number) => ({ start: at, end: at });

suite('where code of an answer goes', () => {
	test('into the place of what is selected', () => {
		const selection = { start: file.indexOf('one'), end: file.indexOf('one') + 6 };
		assert.equal(placedCode({ text: file, selection, named: true }, 'three();\n'), file.replace('one();', 'three();'));
	});

	test('over the function that begins and ends with the same lines', () => {
		const code = 'function f() {\n\tone();\n\tmore();\n}';
		const expected = file.replace('\tone();\n', '\tone();\n\tmore();\n');
		assert.equal(placedCode({ text: file, selection: cursor(0), named: false }, code), expected);
	});

	test('keeps the line ends of the file', () => {
		const text = file.replaceAll('\n', '\r\n');
		const code = 'function g() {\n\tthree();\n}';
		const expected = text.replace('two()', 'three()');
		assert.equal(placedCode({ text, selection: cursor(0), named: false }, code), expected);
	});

	test('is all of a file that the fence names, if there is no better place', () => {
		assert.equal(placedCode({ text: 'old\n', selection: cursor(0), named: true }, 'new\nfile'), 'new\nfile\n');
		assert.equal(placedCode({ text: '', selection: cursor(0), named: true }, 'new'), 'new\n');
	});

	test('else to the cursor, on lines of its own', () => {
		const at = cursor(file.indexOf('function g'));
		const expected = file.replace('function g', 'let a;\nfunction g');
		assert.equal(placedCode({ text: file, selection: at, named: false }, '\nlet a;\n'), expected);
		assert.equal(placedCode({ text: 'ab', selection: cursor(1), named: false }, 'x'), 'a\nx\nb');
	});

	test('two lines that could be the beginning are none', () => {
		const text = 'a {\n}\na {\n}\n';
		assert.equal(placedCode({ text, selection: cursor(0), named: false }, 'a {\nb\n}'), `a {\nb\n}\n${text}`);
	});
});
