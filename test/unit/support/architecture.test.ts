import assert from 'node:assert/strict';
import {
	barrelViolations,
	cycles,
	layerViolations,
	machineViolations,
	mutableStateViolations,
	rankViolations,
	sdkViolations,
	sizeViolations,
	translationViolations,
} from '../../support/architecture.ts';
import { parseSource } from '../../support/sourceFile.ts';

const sources = (files: Record<string, string>) => Object.entries(files).map(([file, text]) => parseSource(file, text));

suite('architecture checker', () => {
	test('layers: allowed imports pass, all others are named with their line', () => {
		const files = sources({
			'src/core/loop/a.ts':
				"import { z } from 'zod';\nimport type { V } from '../../shared/view.ts';\nimport p from 'node:path';",
			'src/core/loop/b.ts': "import * as vscode from 'vscode';\nimport fs from 'node:fs';\nimport '../../node/x.ts';",
			'src/shared/c.ts': "export type { Q } from '../core/loop/a.ts';",
			'src/headless/d.ts': "const load = () => import('../host/e.ts');",
			'webview-ui/src/f.ts': "import fs from 'fs';\nimport { h } from 'preact';\nimport '../../src/shared/view.ts';",
			'src/lost.ts': '',
		});
		assert.deepEqual(layerViolations(files), [
			'src/core/loop/b.ts:1 src/core must not import "vscode"',
			'src/core/loop/b.ts:2 src/core must not import "node:fs"',
			'src/core/loop/b.ts:3 src/core must not import src/node/x.ts',
			'src/shared/c.ts:1 src/shared must not import src/core/loop/a.ts',
			'src/headless/d.ts:1 src/headless must not import src/host/e.ts',
			'webview-ui/src/f.ts:1 webview-ui must not import "fs"',
			'src/lost.ts is in no layer',
		]);
	});

	test('the SDK has one importer, whatever path of it is imported', () => {
		const files = sources({
			'src/node/a.ts': "import x from '@anthropic-ai/sdk/client';",
			'src/node/b.ts': "import type { M } from '@anthropic-ai/sdk';",
			'src/node/c.ts': "import y from '@anthropic-ai/other';",
		});
		assert.deepEqual(sdkViolations(files), ['src/node/b.ts imports @anthropic-ai/sdk, as src/node/a.ts does already']);
	});

	test('ranks: lower ones and the own folder pass; the same rank, higher ones and unknown folders do not', () => {
		const files = sources({
			'src/core/tools/builtin/read.ts':
				"import '../tool.ts';\nimport '../../limits.ts';\nimport '../../loop/query.ts';",
			'src/core/tools/tool.ts': "import './builtin/read.ts';\nimport './registry.ts';",
			'src/core/model/client.ts': "import '../permissions/rule.ts';\nimport '../messages/types.ts';",
			'src/core/misc/x.ts': '',
		});
		assert.deepEqual(rankViolations(files), [
			'src/core/tools/builtin/read.ts:3 core/tools/builtin must not import core/loop, of a higher rank: src/core/loop/query.ts',
			'src/core/tools/tool.ts:1 core/tools must not import core/tools/builtin, of a higher rank: src/core/tools/builtin/read.ts',
			'src/core/model/client.ts:1 core/model must not import core/permissions, of the same rank: src/core/permissions/rule.ts',
			'src/core/misc/x.ts is in core/misc, which has no rank',
		]);
	});

	test('cycles are found once each, through types and re-exports too', () => {
		const files = sources({
			'src/a.ts': "import './b.ts';",
			'src/b.ts': "export * from './c.ts';",
			'src/c.ts': "import type { A } from './a.ts';\nimport './d.ts';",
			'src/d.ts': "import './e.ts';",
			'src/e.ts': '',
		});
		assert.deepEqual(cycles(files), ['import cycle: src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts']);
	});

	test('sizes: the limit itself is allowed', () => {
		const body = (lines: number) => `function f() {\n${'\tx();\n'.repeat(lines - 2)}}\n`;
		const files = sources({
			'src/core/util/a.ts': body(80),
			'src/core/util/b.ts': `\nconst named = () => {\n${'x();\n'.repeat(79)}};\n`,
			'src/core/util/c.ts': '//\n'.repeat(401),
			'src/core/util/d.ts': '//\n'.repeat(400),
			'test/unit/e.test.ts': body(100),
		});
		assert.deepEqual(sizeViolations(files), [
			'src/core/util/b.ts:2 named has 81 lines; 80 are allowed',
			'src/core/util/c.ts has 401 lines; 400 are allowed',
		]);
	});

	test('barrels: index files, and files that only re-export', () => {
		const files = sources({
			'src/core/index.ts': 'export const a = 1;',
			'src/core/all.ts': "export * from './a.ts';\nexport type { B } from './b.ts';",
			'src/core/some.ts': "export { a } from './a.ts';\nexport const b = 1;",
		});
		assert.deepEqual(barrelViolations(files), [
			'src/core/index.ts: no index files; import what is meant by its own name',
			'src/core/all.ts only passes on what other files export',
		]);
	});

	test('module state: let, var and empty collections at the top level only', () => {
		const text = [
			'let a = 1;',
			'export let b: number;',
			'const c = new Map<string, number>();',
			'const d: string[] = [];',
			'const e = new Set([1]);',
			'const f = [1];',
			'declare let g: number;',
			'function h() { let i = 1; const j = new Map(); return [i, j]; }',
		].join('\n');
		assert.deepEqual(
			mutableStateViolations(sources({ 'src/core/util/x.ts': text })).map((line) => /"(\w)"/.exec(line)?.[1]),
			['a', 'b', 'c', 'd'],
		);
	});

	test('time, timers, ids and chance of the machine: not in core, whatever they are called with', () => {
		const text = [
			'const a = Math.random();',
			'const b = () => Date.now;',
			'const c = new Date();',
			'const d = new Date(0).getTime() + Math.round(1);',
			'setTimeout(() => performance.now(), 1);',
			'const e = crypto.randomUUID();',
			'const f = { random: () => ports.random(), now: clock.now() };',
		].join('\n');
		const found = machineViolations(sources({ 'src/core/util/x.ts': text, 'src/node/y.ts': text }));
		assert.deepEqual(
			found.map((line) => /x\.ts:(\d) core must not use ([\w.]+)/.exec(line)?.slice(1).join(' ')),
			['1 Math.random', '2 Date.now', '3 new', '5 setTimeout', '5 performance.now', '6 crypto.randomUUID'],
		);
	});

	test('translations: missing, left over, and with other placeholders', () => {
		const files = sources({
			'src/host/a.ts':
				"l10n.t('One');\nvscode.l10n.t('Two {0}', x);\nl10n.t({ message: 'Three', comment: ['a noun'] });",
			'webview-ui/src/b.tsx': "const words = { four: 'Four' };\nt(`Five`);\nt(words.four);\nother.t('Six');",
		});
		const found = translationViolations(files, {
			manifest: { 'nls.json': { a: 'A', c: 'C' }, 'nls.zh.json': { b: 'B', a: '甲' } },
			manifestText: '{ "title": "%a%", "other": "%b%" }',
			bundles: { zh: { 'Two {0}': '二', Four: '四', Seven: '七', 'Three/a noun': '三', One: '一' } },
		});
		assert.deepEqual(found, [
			'nls.json lacks "b"',
			'nls.json has "c", which package.json does not use',
			'webview-ui/src/b.tsx:2 zh lacks "Five"',
			'zh has other placeholders than "Two {0}"',
			'zh has "Seven", which no code uses',
			'zh has "Three/a noun", which no code uses',
		]);
	});
});
